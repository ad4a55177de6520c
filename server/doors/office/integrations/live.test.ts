import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { atWork } from '../../../test/office-forms.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { type Receiver, startReceiver } from '../../../test/receiver.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { type Engine, startEngine } from '../../../integrations/webhooks/engine/engine.ts'

describe('deliveries as the owner watches them', () => {
  let service: TestService
  let receiver: Receiver
  let engine: Engine
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    receiver = await startReceiver()
    engine = startEngine(service.context)
  })
  after(async () => {
    await engine.stop()
    await receiver.stop()
    await service.stop()
  })

  /** What the part of a page asks for by itself, and what it is answered. */
  const asksOf = (html: string): string =>
    /hx-get="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? assert.fail('nothing asks')
  const ask = async (visitor: OfficeVisitor, address: string) => {
    const response = await fetch(service.url + address, {
      headers: { cookie: visitor.cookie(), 'hx-request': 'true' },
    })
    return { status: response.status, html: await response.text() }
  }

  it('state, failures and the log of tries renew themselves, only when something changed', async () => {
    const { venue, visitor: owner } = await atWork(service, 'owner')
    const made = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: `${receiver.url}/a`, events: ['guest.created'] },
    })
    const path = `/office/integrations/endpoints/${made.body.id}`
    const pages = ['/office/integrations', path] as const
    for (const page of pages) {
      const asks = asksOf((await owner.get(page)).html)
      assert.ok(asks.startsWith(`${page}?seen=`), asks)
      assert.deepEqual(await ask(owner, asks), { status: 204, html: '' }, 'nothing changed')
    }

    for (const [answer, shown] of [
      [204, 'ok 204'],
      [500, 'HTTP 500'],
    ] as const) {
      receiver.answer(answer)
      const asks = await Promise.all(pages.map(async (page) => asksOf((await owner.get(page)).html)))
      await service.call('POST', '/api/v1/guests', {
        key: venue.key,
        body: { email: `guest${answer}@example.com` },
      })
      for (const [i, address] of asks.entries()) {
        let next = address
        const part = await eventually(async () => {
          const seen = await ask(owner, next)
          if (seen.status === 204) return undefined
          assert.equal(seen.status, 200)
          assert.ok(!seen.html.includes('<html'), 'a part of the page')
          next = asksOf(seen.html)
          return seen.html.includes(shown) && seen.html
        })
        assert.equal((await ask(owner, asksOf(part))).status, 204, 'and then it is quiet again')
        assert.ok((await owner.get(pages[i] as string)).html.includes(shown), 'without script by a reload')
      }
    }
    assert.match((await owner.get(path)).words, /Failed in a row 1/)
  })

  it('a part is for the owner of the venue only', async () => {
    const { venue } = await atWork(service, 'owner')
    const made = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: `${receiver.url}/b`, events: ['guest.created'] },
    })
    const { visitor: stranger } = await atWork(service, 'owner')
    const path = `/office/integrations/endpoints/${made.body.id}?seen=x`
    assert.equal((await ask(stranger, path)).status, 404)
    const { visitor: manager } = await atWork(service, 'manager', venue)
    assert.equal((await ask(manager, path)).status, 403)
  })
})
