import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestRelay, startTestRelay } from '../../mail/test/relay.ts'
import { eventually } from '../../test/eventually.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { campaignCalls, oysters, saveTestAddresses } from './test/list.ts'

const addresses = ['first@example.com', 'second@example.com', 'third@example.com']

describe('POST /campaigns/test', () => {
  let relay: TestRelay
  let service: TestService
  let venue: TestVenue
  const testSentAt = async (id: number): Promise<unknown> =>
    (await rowsOf<{ at: unknown }>(service, 'select test_sent_at as at from campaign where id = $1', [id]))[0]
      ?.at
  const draft = async (body: object = oysters): Promise<number> =>
    (await campaignCalls(service, venue).create(body)).body.campaign.id

  before(async () => {
    relay = await startTestRelay()
    service = await startService({ SMTP_URL: relay.url, MAIL_FROM: 'hello@bluedoor.example' })
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  const fresh = async (saved: readonly string[] = addresses) => {
    relay.judge = {}
    relay.received.length = 0
    venue = await service.venue()
    await saveTestAddresses(service, venue, saved)
    return campaignCalls(service, venue)
  }

  it('sends one copy to each saved test address, and says where it went', async () => {
    const { test } = await fresh()
    const id = await draft()
    const answer = await test({ id, to: 'stranger@example.com' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, {
      ok: true,
      to: 'first@example.com',
      testSentAt: '2026-10-06T19:00:00.000Z',
      messageId: answer.body.messageId,
      alsoSent: ['second@example.com', 'third@example.com'],
      alsoFailed: [],
    })
    assert.deepEqual(relay.received.map(({ to }) => to).toSorted(), addresses)
    const first = relay.received.find(({ to }) => to === 'first@example.com')
    assert.equal(first?.messageId, answer.body.messageId)
    assert.equal(new Set(relay.received.map(({ messageId }) => messageId)).size, 3)
    const [mail] = await relay.mails()
    assert.equal(mail?.subject, 'Oysters all week, friends')
    assert.match(mail?.html ?? '', /Six kinds, from Tuesday to Sunday\./)
    assert.match(mail?.text ?? '', /Six kinds, from Tuesday to Sunday\./)
    assert.notEqual(await testSentAt(id), null)
  })

  it('the links of a test take nobody off the list', async () => {
    const { test } = await fresh()
    await test({ id: await draft() })
    const [mail] = await relay.mails()
    const link = /https?:\/\/[^"\s]+\/u\/[\w-]+/.exec(mail?.html ?? '')?.[0]
    assert.ok(link, mail?.html ?? '')
    const { pathname } = new URL(link)
    await fetch(service.url + pathname, { method: 'POST' })
    const [left] = await rowsOf<{ n: number }>(
      service,
      `select count(*)::int as n from subscriber where status = 'unsubscribed'`,
    )
    assert.equal(left?.n, 0)
  })

  it('is refused where the venue has no test address saved', async () => {
    const { test } = await fresh([])
    const answer = await test({ id: await draft() })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'no-test-address'])
  })

  it('failed copies to others are reported; only the first address decides whether it was a test', async () => {
    const { test } = await fresh()
    const id = await draft()
    relay.judge = { to: (to) => (to === 'second@example.com' ? '550 5.1.1 No such user' : 'take') }
    const answer = await test({ id })
    assert.deepEqual(
      [answer.status, answer.body.alsoSent, answer.body.alsoFailed],
      [200, ['third@example.com'], ['second@example.com']],
    )
    assert.notEqual(await testSentAt(id), null)
  })

  it('a first address that is refused is 409, one that is put off or not reached 503; neither is a test', async () => {
    const { test } = await fresh()
    const id = await draft()
    relay.judge = { to: (to) => (to === 'first@example.com' ? '550 5.1.1 No such user' : 'take') }
    const refused = await test({ id })
    assert.deepEqual([refused.status, refused.body.reason], [409, undefined])
    assert.match(refused.body.error, /^The mail relay refused the copy for the first test address/)
    relay.judge = { from: () => '550 5.7.1 Sender not allowed' }
    assert.match((await test({ id })).body.error, /^The mail relay refuses the sender of this venue/)
    for (const judge of [
      { to: () => '451 4.3.0 Try again' as const },
      { end: () => 'drop' as const },
      { connect: () => 'drop' as const },
    ]) {
      relay.judge = judge
      const answer = await test({ id })
      assert.equal(answer.status, 503, answer.text)
      assert.equal(answer.headers.get('retry-after'), '2')
      assert.deepEqual(Object.keys(answer.body), ['error'])
    }
    assert.equal(await testSentAt(id), null)
    relay.judge = {}
    assert.equal((await test({ id })).status, 200)
  })

  it('a test of content that was changed meanwhile does not count', async () => {
    const { test } = await fresh()
    const id = await draft()
    const answer = await service.db.session(async (editor) => {
      await editor.query('begin')
      await editor.query(`update campaign set body_html = '<p>Other</p>' where id = $1`, [id])
      const testing = test({ id })
      await eventually(() => relay.received.length === addresses.length)
      await editor.query('commit')
      return testing
    })
    assert.deepEqual([answer.status, answer.body.reason], [409, undefined])
    assert.match(answer.body.error, /was changed while its test was on its way/)
    assert.equal(await testSentAt(id), null)
    assert.equal((await test({ id })).status, 200)
  })

  it('unknown is 404, sent or cancelled 409 campaign-closed', async () => {
    const { test } = await fresh()
    const id = await draft()
    assert.equal((await test({ id: 999_999 })).status, 404)
    await rowsOf(service, `update campaign set status = 'cancelled', finished_at = now() where id = $1`, [id])
    const answer = await test({ id })
    assert.deepEqual([answer.status, answer.body.reason], [409, 'campaign-closed'])
    assert.equal(relay.received.length, 0)
  })
})
