import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork } from '../../../test/office-forms.ts'
import { visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('an address of the office that is no page', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const unknown = ['/office/nowhere', '/office/guests/1/2/3', '/operator/nowhere', '/office/assets/x.js']

  it('is a page with a sentence and a way back, signed in or not', async () => {
    const { visitor } = await atWork(service)
    for (const who of [visitor, visitOffice(service)]) {
      for (const path of unknown) {
        const seen = await who.get(`${path}?q=%3Cscript%3E`)
        assert.equal(seen.status, 404, path)
        assert.equal(seen.headers.get('content-type'), 'text/html; charset=utf-8')
        assert.match(seen.headers.get('content-security-policy') ?? '', /default-src 'none'/)
        assert.match(seen.words, /There is no page here/)
        assert.match(seen.html, /<a class="button" href="\/office">/)
        assert.ok(!seen.html.includes('<script>'))
      }
    }
    assert.match(
      (await visitor.get('/office/nowhere')).html,
      /<nav class="rail"/,
      'with the places around it',
    )
    assert.equal((await visitor.get('/office/nowhere/')).status, 404)
  })

  it('says so of one that only takes forms, with the methods it takes', async () => {
    const { visitor } = await atWork(service, 'owner')
    for (const who of [visitor, visitOffice(service)]) {
      const seen = await who.get('/office/people/1/role')
      assert.equal(seen.status, 405)
      assert.equal(seen.headers.get('allow'), 'POST')
      assert.match(seen.words, /it is the result of a form/)
    }
    const invitations = await visitor.get('/office/people/invitations')
    assert.deepEqual([invitations.status, invitations.to], [303, '/office/people'], 'no account of that name')
    const put = await fetch(`${service.url}/office/guests`, { method: 'PUT', body: 'x'.repeat(1_000_000) })
    assert.equal(put.status, 405)
    assert.match(await put.text(), /^<!doctype html>/)
    const head = await fetch(`${service.url}/office/nowhere`, { method: 'HEAD' })
    assert.deepEqual([head.status, await head.text()], [404, ''])
  })

  it('is a page too where an id or a token is longer than any is', async () => {
    for (const path of ['/office/bookings/', '/office/invitations/', '/office/new-password/']) {
      const { visitor } = await atWork(service)
      const seen = await visitor.get(path + 'x'.repeat(5_000))
      assert.deepEqual(
        [seen.status, seen.headers.get('content-type')],
        [404, 'text/html; charset=utf-8'],
        path,
      )
    }
  })

  it('is JSON everywhere else, as the contract says', async () => {
    for (const path of ['/nowhere', '/api/v1/nowhere', '/officeother', '/api/office/x']) {
      const { status, body } = await service.call('GET', path)
      assert.deepEqual([status, typeof body.error], [404, 'string'], path)
    }
  })
})
