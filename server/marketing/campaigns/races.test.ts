import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { erasePerson } from '../../data/erasure/erase.ts'
import { suppress, unsubscribe } from '../subscribers/leaving.ts'
import { startLossyProxy } from '../../test/processes/lossy-proxy.ts'
import { rowsOf } from '../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  callService,
  startService,
} from '../../test/service.ts'
import { startBeside } from '../../test/wire.ts'
import { claimCopies } from './sending/claim.ts'
import { campaignCalls, oysters, saveTestAddresses, subscribe } from './test/list.ts'

describe('campaigns, raced', () => {
  let service: TestService
  let beside: { url: string; stop: () => Promise<void> }
  let venue: TestVenue
  let calls: ReturnType<typeof campaignCalls>
  before(async () => {
    service = await startService()
    beside = await startBeside(service)
  })
  after(async () => {
    await beside.stop()
    await service.stop()
  })
  beforeEach(async () => {
    venue = await service.venue()
    calls = campaignCalls(service, venue)
    await saveTestAddresses(service, venue)
  })

  const rows = (text: string, values: unknown[]) => rowsOf<Record<string, unknown>>(service, text, values)
  const ready = async (count: number): Promise<number> => {
    await subscribe(service, venue, count)
    const { id } = (await calls.create(oysters)).body.campaign
    await calls.compose({ id })
    await calls.test({ id })
    return id
  }
  /** Half of them by another process. */
  const together = (count: number, path: string, body: object): Promise<Answer[]> =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        callService(n % 2 === 0 ? service.url : beside.url, 'POST', path, { key: venue.key, body }),
      ),
    )
  const workOf = () => ({
    db: service.db,
    venue: { ...venue, plan: 'pro' as const },
    now: service.context.clock,
  })
  /** What the list says of itself, and what the campaign says of it. */
  const assertTallies = async (id: number): Promise<void> => {
    const [row] = await rows(
      `select (c.row_count, c.held_count, c.sent_count, c.failed_count, c.skipped_count)::text as said,
              (select (count(*)::int, count(*) filter (where state = 'held')::int,
                       count(*) filter (where state = 'sent')::int, count(*) filter (where state = 'failed')::int,
                       count(*) filter (where state = 'skipped')::int)::text
                 from recipient r where r.venue_id = c.venue_id and r.campaign_id = c.id) as counted
         from campaign c where c.id = $1`,
      [id],
    )
    assert.equal(row?.said, row?.counted)
  }

  it('fifty sends at once: one wins, the others hear already-sending', async () => {
    const id = await ready(2)
    const answers = await together(50, '/api/v1/campaigns/send', { id, confirmCount: 2 })
    const won = answers.filter(({ status }) => status === 200)
    assert.equal(won.length, 1)
    for (const { status, body } of answers.filter((one) => one.status !== 200)) {
      assert.deepEqual([status, body.reason], [409, 'already-sending'])
    }
    const trail = await rows(
      `select action from activity where venue_id = $1 and record_kind = 'campaign' and action = 'send'`,
      [venue.id],
    )
    assert.equal(trail.length, 1)
  })

  it('twenty composes at once, by two processes, give one list and one count', async () => {
    await subscribe(service, venue, 3_000)
    const { id } = (await calls.create(oysters)).body.campaign
    const answers = await together(20, '/api/v1/campaigns/compose', { id })
    for (const { status, text, body } of answers) {
      assert.equal(status, 200, text)
      assert.equal(body.recipientsTotal, 3_000)
      assert.equal(body.added + body.alreadyPresent, 3_000)
    }
    assert.equal(new Set(answers.filter(({ body }) => body.added > 0).map(({ text }) => text)).size, 1)
    await assertTallies(id)
  })

  it('sends, cancels and composes in any order end cancelled with nobody mailed, and never in between', async () => {
    const id = await ready(50)
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => calls.send({ id })),
      ...Array.from({ length: 6 }, () => calls.cancel({ id })),
      ...Array.from({ length: 6 }, () => calls.compose({ id })),
    ])
    assert.ok(
      answers.every(({ status }) => status === 200 || status === 409),
      answers.map((one) => one.text).join(),
    )
    assert.equal(answers.slice(0, 6).filter(({ status }) => status === 200).length, 1)
    assert.ok(answers.slice(6, 12).filter(({ status }) => status === 200).length <= 1)
    await calls.cancel({ id })
    const [row] = await rows(
      'select status, sent_count, skipped_count, row_count from campaign where id = $1',
      [id],
    )
    assert.deepEqual(row, { status: 'cancelled', sent_count: 0, skipped_count: 50, row_count: 50 })
    await assertTallies(id)
  })

  it('a send whose commit was lost is no double: it was taken once, or not at all', async () => {
    const proxy = await startLossyProxy(service.databaseUrl)
    const third = await startBeside(service, proxy.url)
    const send = (id: number) =>
      callService(third.url, 'POST', '/api/v1/campaigns/send', { key: venue.key, body: { id } })
    const kept = await ready(2)
    proxy.loseNextCommit('after')
    assert.equal((await send(kept)).status, 503)
    assert.equal((await send(kept)).body.reason, 'already-sending')

    const lost = await ready(0)
    proxy.loseNextCommit('before')
    assert.equal((await send(lost)).status, 503)
    const again = await send(lost)
    assert.equal(again.status, 200, again.text)
    await third.stop()
    await proxy.stop()
  })

  it('a compose or a cancel whose commit was lost may simply be asked again', async () => {
    const proxy = await startLossyProxy(service.databaseUrl)
    const third = await startBeside(service, proxy.url)
    const post = (path: string, id: number) =>
      callService(third.url, 'POST', `/api/v1/campaigns/${path}`, { key: venue.key, body: { id } })
    await subscribe(service, venue, 4)
    const { id } = (await calls.create(oysters)).body.campaign
    for (const when of ['before', 'after'] as const) {
      proxy.loseNextCommit(when)
      assert.equal((await post('compose', id)).status, 503)
    }
    const again = await post('compose', id)
    assert.deepEqual([again.body.added, again.body.alreadyPresent], [0, 4])
    await calls.test({ id })
    assert.equal((await calls.send({ id })).status, 200)
    proxy.loseNextCommit('after')
    assert.equal((await post('cancel', id)).status, 503)
    assert.equal((await post('cancel', id)).body.reason, 'campaign-closed')
    await assertTallies(id)
    await third.stop()
    await proxy.stop()
  })

  it('who unsubscribes, is suppressed or erased between compose and send is not mailed, and the counts add up', async () => {
    const id = await ready(5)
    const person = (n: number) => `p${n}@example.com`
    const [first] = await rows('select id::int from subscriber where venue_id = $1 and email_key = $2', [
      venue.id,
      person(1),
    ])
    const work = workOf()
    await service.db.transaction(async (db) => {
      await unsubscribe({ ...work, db: db.within(venue.id) }, { kind: 'service' }, first?.id as number)
      await suppress(
        { ...work, db: db.within(venue.id) },
        { kind: 'service' },
        { email: person(2), reason: 'bounced' },
      )
    })
    await service.db.transaction((db) =>
      erasePerson(
        { ...work, db: db.within(venue.id) },
        { kind: 'service' },
        {
          guestId: null,
          email: person(3),
          phone: null,
          name: null,
        },
      ),
    )
    await assertTallies(id)
    const sent = await calls.send({ id, confirmCount: 5 })
    assert.equal(sent.status, 200, sent.text)
    service.setClock('2026-10-06T19:20:00Z')
    await rows(`update campaign set status = 'sending' where id = $1`, [id])
    const { claimed, skipped } = await claimCopies(
      service.db,
      venue.id,
      id,
      { boot: randomUUID(), size: 'many', ticketEvent: null, isBirthday: false, topics: [] },
      service.context.clock(),
    )
    assert.deepEqual(claimed.map(({ email }) => email).toSorted(), [person(4), person(5)])
    assert.equal(skipped, 3)
    const why = await rows(
      `select why, email_key from recipient where campaign_id = $1 and state = 'skipped' order by why`,
      [id],
    )
    assert.deepEqual(
      why.map((row) => row.why),
      ['deleted', 'suppressed', 'unsubscribed'],
    )
    assert.ok(!JSON.stringify(why).includes(person(3)))
    await assertTallies(id)
    const cancelled = await calls.cancel({ id })
    assert.deepEqual(cancelled.body.counts, {
      total: 5,
      pending: 0,
      sent: 0,
      failed: 0,
      skipped: 5,
      heldBack: 0,
    })
    service.setClock('2026-10-06T19:00:00Z')
  })

  it('somebody erased while a list is built is on no list afterwards', async () => {
    await subscribe(service, venue, 300)
    const { id } = (await calls.create(oysters)).body.campaign
    const work = workOf()
    const erase = (n: number) =>
      service.db.transaction((db) =>
        erasePerson(
          { ...work, db: db.within(venue.id) },
          { kind: 'service' },
          {
            guestId: null,
            email: `p${n}@example.com`,
            phone: null,
            name: null,
          },
        ),
      )
    const [composed] = await Promise.all([
      calls.compose({ id }),
      ...[1, 150, 300].map(erase),
      calls.compose({ id }),
    ])
    assert.equal(composed.status, 200)
    const left = await rows(
      `select email_key from recipient
        where venue_id = $1 and email_key in ('p1@example.com', 'p150@example.com', 'p300@example.com')`,
      [venue.id],
    )
    assert.deepEqual(left, [])
    assert.equal((await calls.compose({ id })).body.recipientsTotal, 297)
    await assertTallies(id)
  })
})
