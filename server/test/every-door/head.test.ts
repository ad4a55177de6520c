import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { officePages } from '../../doors/office/frame/pages.ts'
import { type OfficeVisitor, visitOffice } from '../office.ts'
import { atWork, furnished } from '../office-forms.ts'
import { type TestService, startService } from '../service.ts'

/** Endpoints take no HEAD (conformance.test.ts); the reference and the guest pages have tests of their own as well. */
describe('HEAD on the pages of the office', () => {
  let service: TestService
  let owner: OfficeVisitor
  let paths: string[]

  before(async () => {
    service = await startService()
    ;({ visitor: owner } = await atWork(service, 'owner'))
    const { guest, lead, subscriber, order } = await furnished(owner)
    const ofRecords = [
      `guests/${guest}`,
      `leads/${lead}`,
      `subscribers/${subscriber}`,
      `tickets/orders/${order}`,
    ]
    paths = [
      ...officePages(service.context)
        .filter(({ method, path }) => method === 'GET' && !path.includes(':'))
        .map(({ path }) => path as string),
      ...ofRecords.map((path) => `/office/${path}`),
      '/office/data/export/guests.csv',
    ]
  })
  after(() => service.stop())

  const head = async (visitor: OfficeVisitor, path: string) => {
    const answer = await fetch(service.url + path, {
      method: 'HEAD',
      redirect: 'manual',
      headers: { cookie: visitor.cookie() },
    })
    assert.equal(await answer.text(), '', path)
    const { status, headers } = answer
    return { status, to: headers.get('location'), type: headers.get('content-type') }
  }

  it('answers as GET does, without the body', async () => {
    assert.ok(paths.length > 40)
    for (const visitor of [owner, visitOffice(service)]) {
      for (const path of paths) {
        const seen = await visitor.get(path)
        const type = seen.headers.get('content-type')
        assert.deepEqual(await head(visitor, path), { status: seen.status, to: seen.to, type }, path)
      }
    }
    const sheet = /href="(\/[^"]+\.css[^"]*)"/.exec((await owner.get('/office/today')).html)?.[1] as string
    assert.deepEqual(await head(owner, sheet), { status: 200, to: null, type: 'text/css; charset=utf-8' })
  })

  it('takes nothing away: what the next page is to say is still there', async () => {
    const { to } = await owner.post('/office/guests', {
      token: crypto.randomUUID(),
      name: 'Noor',
      email: 'noor@example.com',
    })
    await head(owner, to as string)
    assert.match((await owner.get(to as string)).words, /Guest added\./)
  })

  it('is named by a 405 of a page, and is one where there is only a form', async () => {
    const put = await fetch(`${service.url}/office/guests`, { method: 'PUT' })
    assert.equal(put.headers.get('allow'), 'GET, HEAD, POST')
    assert.equal((await head(owner, '/office/service/walk-ins')).status, 405)
  })
})
