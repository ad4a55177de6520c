import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { settleUnknown } from '../bounces/store.ts'
import { type Desk, openDesk, staffOf } from '../../test/desk.ts'
import { eventually } from '../../test/eventually.ts'
import { notedChanges } from '../../test/every-door/noted-changes.ts'
import { campaign } from './reads.ts'
import { holdCampaign, noteWaiting } from './sending/holds.ts'
import { type Result, markBatch } from './sending/mark.ts'
import { takeOver } from './sending/takeover.ts'
import { copyCampaign, editPeople, editWords } from './staff-edits.ts'
import { campaignCalls, oysters, saveTestAddresses, subscribe } from './test/list.ts'
import { type SendingScene, startSendingScene } from './test/sending-scene.ts'

describe('changes of campaigns', () => {
  let scene: SendingScene
  let desk: Desk
  let calls: ReturnType<typeof campaignCalls>
  const manager = staffOf('manager')
  const at = (time: string) => scene.service.setClock(`2026-10-06T${time}:00Z`)
  const changes = () => notedChanges(desk, 'campaign')
  const row = async (id: number) => {
    const found = await campaign(scene.service.db, desk.venue.id, id)
    assert.ok(found)
    return found
  }

  before(async () => {
    scene = await startSendingScene({
      MAIL_FROM: 'hello@bluedoor.example',
      PUBLIC_URL: 'https://data.example.com',
    })
  })
  afterEach(async () => {
    await scene.stopProcesses()
    scene.relay.judge = {}
  })
  after(() => scene.stop())
  const fresh = async () => {
    at('10:00')
    desk = await openDesk(scene.service)
    calls = campaignCalls(scene.service, desk.venue)
    await saveTestAddresses(scene.service, desk.venue)
    await subscribe(scene.service, desk.venue, 3)
  }
  const draft = async () => {
    const { body } = await calls.create(oysters)
    assert.equal(body.campaign.revision, 1)
    return body.campaign.id as number
  }
  /** A campaign that began, by a process that is gone; it was not noted before. */
  const begun = async (people: number) => {
    const made = await scene.campaign(desk.venue, { people })
    const boot = crypto.randomUUID()
    await scene.query(`update campaign set status = 'sending' where id = $1`, [made.id])
    const copies = await scene.query<{ subscriber_id: number }>(
      `update recipient set state = 'wire', claim = $2, lease_until = '2026-10-07Z' where campaign_id = $1
       returning subscriber_id`,
      [made.id, boot],
    )
    const [first = 0, ...others] = copies.map(({ subscriber_id }) => subscriber_id)
    return { id: made.id, boot, first, others }
  }
  const tell = (id: number, boot: string, subscriber: number, state: Result['state']) => {
    const why = state === 'failed' ? 'unknown' : null
    const dueAt = scene.service.context.clock()
    const results = [{ subscriber, state, why, dueAt, tried: true, answer: '' }]
    return markBatch(scene.service.db, desk.venue.id, id, { boot, results, leaving: [] }, dueAt)
  }

  it('are noted of a draft, its words and its people, and of its copy', async () => {
    await fresh()
    const id = await draft()
    assert.deepEqual(await changes(), { [id]: 'upsert 1 at 10:00' })
    at('11:00')
    const words = {
      ...{ name: 'Oysters', subject: 'Come', preheader: '', bodyHtml: '', bodyText: 'Hello', eventId: null },
      ...{ bodyFormat: 'guided', seriesKey: '', seriesStep: null, seriesTotal: null },
    }
    await desk.act((work) => editWords(work, manager, { id, seenVersion: 1, words }))
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    const segment = { type: 'tag', anyOf: ['Wine'] } as const
    await desk.act((work) => editPeople(work, manager, { id, seenVersion: 2, segment }))
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 11:00' })
    at('12:00')
    const copy = await desk.act((work) => copyCampaign(work, manager, id))
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 11:00', [copy.id]: 'upsert 1 at 12:00' })
  })

  it('are noted when the list is built, a test arrives, it is scheduled, its list shrinks, it is cancelled', async () => {
    await fresh()
    const id = await draft()
    at('10:10')
    const composed = await calls.compose({ id })
    assert.equal(composed.body.campaign.revision, 2)
    assert.deepEqual(await changes(), { [id]: 'upsert 2 at 10:10' })
    at('10:20')
    assert.equal((await calls.test({ id })).status, 200)
    assert.deepEqual(await changes(), { [id]: 'upsert 3 at 10:20' })
    at('10:30')
    const sent = await calls.send({ id, scheduledAt: '2026-10-08T10:00:00Z' })
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual(await changes(), { [id]: 'upsert 4 at 10:30' })
    at('10:40')
    assert.equal((await calls.compose({ id })).body.campaign.revision, 5)
    assert.deepEqual(await changes(), { [id]: 'upsert 5 at 10:40' })
    at('10:50')
    assert.equal((await calls.cancel({ id })).status, 200)
    assert.deepEqual(await changes(), { [id]: 'upsert 6 at 10:50' })
    at('11:00')
    assert.equal((await calls.cancel({ id })).status, 409)
    assert.equal((await calls.test({ id })).status, 409)
    assert.deepEqual(await changes(), { [id]: 'upsert 6 at 10:50' })
  })

  it('are noted when it begins and when it has ended, and not with each batch', async () => {
    await fresh()
    const sent = await scene.campaign(desk.venue, { people: 100 })
    scene.process()
    await scene.until(sent, 'sent')
    assert.deepEqual(await changes(), { [sent.id]: 'upsert 3 at 10:00' })
  })

  it('are noted of the counters every ten seconds while they move', async () => {
    await fresh()
    scene.relay.judge = { to: (address) => (address === 'late@example.com' ? '451 4.2.1 Later' : 'take') }
    const made = await scene.campaign(desk.venue, { emails: ['soon@example.com', 'late@example.com'] })
    scene.process()
    await eventually(async () => (await scene.copies(made)).every(({ tries }) => tries > 0))
    assert.deepEqual(await changes(), { [made.id]: 'upsert 2 at 10:00' })
    const look = async () =>
      scene.until(await scene.campaign(await scene.service.venue(), { people: 1 }), 'sent')
    scene.pass(9_000)
    await look()
    assert.deepEqual(await changes(), { [made.id]: 'upsert 2 at 10:00' })
    scene.pass(1_000)
    await eventually(async () => (await row(made.id)).revision > 2)
    assert.deepEqual(await changes(), { [made.id]: 'upsert 3 at 10:00' })
    scene.pass(10_000)
    await look()
    assert.deepEqual(await changes(), { [made.id]: 'upsert 3 at 10:00' }, 'they did not move')
  })

  it('are noted of a hold and of why it waits, once', async () => {
    await fresh()
    const { id } = await scene.campaign(desk.venue)
    const { db, clock } = scene.service.context
    const until = clock().add({ minutes: 15 })
    for (const held of [true, false]) {
      assert.equal(await holdCampaign(db, desk.venue.id, id, until, 'The relay is down.', clock()), held)
      assert.deepEqual(await changes(), { [id]: 'upsert 2 at 10:00' })
    }
    at('11:00')
    for (const told of [true, false]) {
      assert.equal(await noteWaiting(db, desk.venue.id, id, 'venue-paused', clock()), told)
      assert.deepEqual(await changes(), { [id]: 'upsert 3 at 11:00' })
    }
  })

  it('are noted of one that missed its time', async () => {
    await fresh()
    const made = await scene.campaign(desk.venue)
    scene.pass(6 * 3_600_000 + 1)
    scene.process()
    await scene.until(made, 'cancelled')
    assert.deepEqual(await changes(), { [made.id]: 'upsert 2 at 16:00' })
    assert.match((await row(made.id)).last_error, /^It missed its time/)
  })

  it('are noted of each result that comes after it was cancelled or held: nobody counts for it now', async () => {
    for (const stop of [
      `status = 'cancelled', finished_at = '2026-10-06T10:00Z'`,
      `send_hold_until = '2026-10-06T12:00Z', last_error = 'The relay is down.'`,
    ]) {
      await fresh()
      const { id, boot, first, others } = await begun(2)
      await tell(id, boot, first, 'sent')
      assert.deepEqual(await changes(), {}, 'it is being sent')
      await scene.query(`update campaign set ${stop} where id = $1`, [id])
      at('10:05')
      await tell(id, boot, others[0] ?? 0, 'failed')
      assert.deepEqual(await changes(), { [id]: 'upsert 2 at 10:05' })
    }
  })

  it('are noted of copies whose process is gone', async () => {
    await fresh()
    const { id, boot } = await begun(2)
    const { db, clock } = scene.service.context
    at('10:05')
    for (const left of [2, 0]) {
      assert.equal((await takeOver(db, desk.venue.id, id, [boot], clock())).length, left)
      assert.deepEqual(await changes(), { [id]: 'upsert 2 at 10:05' })
    }
  })

  it('are noted of a late report that a copy came back, once', async () => {
    await fresh()
    const { id, boot, first } = await begun(1)
    await tell(id, boot, first, 'failed')
    await scene.query(`update campaign set status = 'sent', finished_at = updated_at where id = $1`, [id])
    at('11:00')
    for (const isNews of [true, false]) {
      const settled = await desk.act(({ db, venue, now }) => settleUnknown(db, venue.id, id, first, now()))
      assert.equal(settled, isNews)
      assert.deepEqual(await changes(), { [id]: 'upsert 2 at 11:00' })
    }
    assert.equal((await row(id)).sent_count, 1)
  })
})
