import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { walkIn } from '../../book/reservations/bookings.ts'
import { staff } from '../../book/reservations/test/book.ts'
import { type TestService, startService } from '../../test/service.ts'
import { joinWaitlist } from '../../book/waitlist/actions.ts'
import { WAITS_MINUTES } from '../webhooks/schedule.ts'
import { advanceClock } from './advance.ts'
import { beginPractice, endPractice, momentNow } from './instance.ts'
import { processSeen } from './processes.ts'
import { type TestInstance, startInstance } from './test/instance.ts'

describe('the clock of a practice instance, moved on', () => {
  let instance: TestInstance
  before(async () => {
    instance = await startInstance()
  })
  after(() => instance.stop())

  const clock = () => instance.service.context.clock()
  const minutesBetween = (one: string, other: string): number =>
    Temporal.Instant.from(one).until(Temporal.Instant.from(other)).total('minutes')

  it('moves the running service by just that, and every command reads the same moment', async () => {
    const before = clock()
    const moment = await instance.advance('PT90M')
    assert.equal(toMoment(moment), toMoment(before.add({ minutes: 90 })))
    assert.equal(toMoment(clock()), toMoment(moment))
    const read = await momentNow(instance.service.db, clock, instance.system)
    assert.equal(toMoment(read), toMoment(moment))
    const { headers } = await instance.service.call('GET', '/healthz')
    assert.equal(headers.get('date'), 'Tue, 06 Oct 2026 20:30:00 GMT')
  })

  it('ends services and takes parties out of line on the way, within minutes, and sends events about it', async () => {
    const receiver = await instance.receiver(['reservation.updated'])
    const evening = Temporal.Instant.from('2026-10-06T23:30:00Z')
    await instance.advance(clock().until(evening).toString())
    const party = { guestName: 'Grace', partySize: 2, email: null, phone: null, notes: null }
    await instance.act(async (work) => {
      const { kind } = await walkIn(work, staff('host'), { ...party })
      assert.equal(kind, 'done')
      await joinWaitlist(work, staff('host'), { ...party, windowStart: '19:00', windowEnd: '20:30' })
    })
    await instance.advance('PT10H')
    const [entry] = await instance.query<{ status: string; updated_at: string }>(
      `select status, updated_at from waitlist_entry where guest_name = 'Grace'`,
    )
    assert.equal(entry?.status, 'expired')
    assert.ok(minutesBetween('2026-10-07T00:30:00Z', entry?.updated_at ?? '') < 5.1, entry?.updated_at)
    const told = receiver.received.map(({ body }) => JSON.parse(body.toString()))
    const completed = told.filter(({ data }) => data.guestName === 'Grace' && data.status === 'Completed')
    assert.equal(completed.length, 1)
    assert.ok(completed[0].occurredAt < '2026-10-07T09:00:00.000Z', completed[0].occurredAt)
  })

  it('lets every retry happen, each so long after the one before as the contract says', async () => {
    const receiver = await instance.receiver(['guest.created'], 500)
    const { status } = await instance.call('POST', 'guests', {
      body: { name: 'Ada', email: 'ada@example.com' },
    })
    assert.equal(status, 201)
    await instance.advance('PT6H')
    const tries = await instance.query<{ started_at: string }>(
      `select a.started_at
         from attempt a join delivery d on d.id = a.delivery_id join event e on e.id = d.event_id
        where e.name = 'guest.created' order by a.started_at`,
    )
    const moments = tries.map(({ started_at }) => started_at)
    const gaps = moments.slice(1).map((at, i) => Math.round(minutesBetween(moments[i] ?? '', at)))
    assert.deepEqual(gaps, WAITS_MINUTES.slice(0, 5))
    assert.deepEqual([tries.length, receiver.received.length], [6, 6])
  })

  it('sends a campaign that was planned for an hour of it, at its time, and does not find it too late', async () => {
    const { body } = await instance.call('POST', 'campaigns', {
      body: { name: 'Oysters', subject: 'Oysters all week', bodyHtml: '<h1>Oysters</h1><p>Six kinds.</p>' },
    })
    const { id } = body.campaign
    await instance.call('POST', 'campaigns/test', { body: { id } })
    const { body: list } = await instance.call('POST', 'campaigns/compose', { body: { id } })
    const scheduledAt = toMoment(clock().add({ hours: 3 }))
    const sent = await instance.call('POST', 'campaigns/send', {
      body: { id, scheduledAt, confirmCount: list.recipientsTotal },
    })
    assert.equal(sent.status, 200, sent.text)
    await instance.advance('PT8H')
    const [row] = await instance.query<{ status: string; started_at: string; sent_count: number }>(
      `select status, started_at, sent_count from campaign where id = ${id}`,
    )
    assert.deepEqual([row?.status, row?.sent_count], ['sent', list.recipientsTotal])
    assert.ok(minutesBetween(scheduledAt, row?.started_at ?? '') < 1, String(row?.started_at))
  })

  it('goes in steps that leave nothing behind: two commands at once do not both move it', async () => {
    const before = clock()
    const moves = await Promise.allSettled([instance.advance('PT1H'), instance.advance('PT1H')])
    const done = moves.flatMap((one) => (one.status === 'fulfilled' ? [one.value.epochMilliseconds] : []))
    const refused = moves.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.message)] : []))
    assert.ok(done.length >= 1)
    assert.equal(clock().epochMilliseconds, Math.max(...done))
    // One that was refused on the way had moved it a few steps before the other began.
    const hours = clock().since(before).total('hours')
    assert.ok(hours >= done.length && hours < done.length + refused.length + 1e-9, String(hours))
    for (const sentence of refused) assert.match(sentence, /^Another command is moving the clock/)
  })
})

describe('a clock that cannot be moved', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const advance = () => advanceClock(service.db, 60_000)

  it('is that of anything but a practice instance, and of one that does not run', async () => {
    await assert.rejects(advance(), { message: /^This is not a practice instance, .*PRACTICE=on first\.$/ })
    await beginPractice(service.db, '', 0)
    await assert.rejects(advance(), { message: /^The practice instance is not running/ })
    const boot = '00000000-0000-4000-8000-000000000001'
    await processSeen(service.db, { boot, hasWorker: false, step: 0 })
    await assert.rejects(advance(), { message: /^No process of the practice instance does background work/ })
    await endPractice(service.db)
    await assert.rejects(advance(), { message: /^This is not a practice instance/ })
  })

  it('continues across a restart with the same PRACTICE_CLOCK and without one, and starts over with another', async () => {
    const { db } = service
    assert.equal(await beginPractice(db, '2026-10-06T15:00:00Z', 1_000), 1_000)
    await db.session((client) => client.query('update practice set ahead_ms = 5000'))
    assert.equal(await beginPractice(db, '2026-10-06T15:00:00Z', 900), 5_000)
    assert.equal(await beginPractice(db, '2026-12-24T15:00:00Z', 700), 700)
    await endPractice(db)
    assert.equal(
      await beginPractice(db, '', 0),
      700,
      'who starts it again without the setting is not thrown into another day',
    )
    assert.equal(await beginPractice(db, '2026-12-24T15:00:00Z', 600), 700)
  })
})
