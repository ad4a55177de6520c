import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { atWork, furnished, hiddenIn } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('refunds that software asks for, in the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are under "Needs an answer" for managers, and are granted or declined on the order', async () => {
    const { venue, visitor: manager } = await atWork(service, 'manager')
    const { visitor: host } = await atWork(service, 'host', venue)
    const { order } = await furnished(manager)
    const page = `/office/tickets/orders/${order}`
    const ask = async (amountCents: number, reason: string): Promise<number> => {
      const path = `/api/v1/ticket-orders/${order}/refund-requests`
      const answer = await service.call('POST', path, { key: venue.key, body: { amountCents, reason } })
      assert.equal(answer.status, 201, answer.text)
      return answer.body.refundRequest.id
    }
    assert.doesNotMatch((await manager.get('/office/today')).html, /Needs an answer/)
    const first = await ask(9_500, 'One of <two> is ill.')
    const today = await manager.get('/office/today')
    assert.match(today.words, /Needs an answer/)
    assert.match(today.words, /asks for a refund of order .*\$95\.00/)
    assert.match(today.html, new RegExp(`href="${page}#refund-requests"`))
    assert.match(today.html, /One of &lt;two&gt; is ill\./)
    assert.doesNotMatch((await host.get('/office/today')).html, /asks for a refund of order/)
    assert.match((await host.get(page)).words, /Refund requests.*\$95\.00.*A manager can answer\./)

    const answer = async (request: number, fields: Record<string, string>) =>
      manager.post(`${page}/refund-requests/${request}`, {
        version: hiddenIn(await manager.get(page), 'version'),
        ...fields,
      })
    const refused = await host.post(`${page}/refund-requests/${first}`, { answer: 'decline' })
    assert.equal(refused.status, 403)
    const granted = await answer(first, { answer: 'grant', via: 'external', seats: '1' })
    assert.deepEqual([granted.status, granted.to], [303, `${page}#refunds`])
    const { body } = await service.call('GET', `/api/v1/ticket-orders/${order}`, { key: venue.key })
    assert.deepEqual([body.status, body.refundedCents], ['partially_refunded', 9_500])

    const second = await ask(5_000, 'The other one, too.')
    const declined = await answer(second, { answer: 'decline' })
    assert.deepEqual([declined.status, declined.to], [303, page])
    const shown = await manager.get(page)
    assert.match(shown.words, /Refund request declined\./)
    assert.match(shown.words, /Granted.*Declined/)
    assert.doesNotMatch((await manager.get('/office/today')).html, /asks for a refund of order/)
    const late = await answer(second, { answer: 'grant', via: 'external' })
    assert.equal(late.status, 303)
    assert.match((await manager.get(page)).words, /is no longer waiting for an answer/)
    assert.match((await manager.get('/office/activity')).words, /Asked for a refund of ticket order/)
  })
})
