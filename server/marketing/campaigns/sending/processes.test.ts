import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import { startChild } from '../../../test/child.ts'
import { eventually } from '../../../test/eventually.ts'
import { compiledSources, patience } from '../../../test/patience.ts'
import type { Mortal } from '../../../integrations/webhooks/test/faults/run.ts'
import { sharedSecrets } from '../../../integrations/webhooks/test/faults/run.ts'
import { runMailFaults } from '../test/faults/run.ts'
import { startSink } from '../test/faults/sink.ts'
import { type SendingScene, startSendingScene } from '../test/sending-scene.ts'
import { claimCopies } from './claim.ts'
import { sendingLimits } from './limits.ts'
import { markBatch } from './mark.ts'
import { beat } from './takeover.ts'

describe('processes that send from one database', () => {
  let scene: SendingScene
  before(async () => {
    scene = await startSendingScene()
  })
  afterEach(async () => {
    scene.relay.judge = {}
    await scene.stopProcesses()
    scene.relay.received.length = 0
  })
  after(() => scene.stop())

  it('share a list, and nobody is mailed twice', async () => {
    const venues = await Promise.all([scene.service.venue(), scene.service.venue(), scene.service.venue()])
    const campaigns = await Promise.all(venues.map((venue) => scene.campaign(venue, { people: 300 })))
    const sendings = [scene.process(), scene.process()]
    await eventually(() =>
      sendings.every((one) => one.counts().onTheWire > 0 || scene.relay.received.length > 600),
    )
    for (const campaign of campaigns) assert.equal((await scene.until(campaign, 'sent')).sent_count, 300)
    const ids = scene.relay.received.map(({ messageId }) => messageId)
    assert.equal(ids.length, 900)
    assert.equal(new Set(ids).size, 900)
  })

  it('share what the relay grants for an hour', async () => {
    const limited = await startSendingScene({ MAIL_PER_HOUR: '100' })
    try {
      const campaign = await limited.campaign(await limited.service.venue(), { people: 30 })
      limited.process()
      limited.process()
      type Relay = { state: { left: { perHour: number }; filledAt: number } }
      /** All that may be used at this moment of the clock was taken. */
      const isTaken = async (): Promise<boolean> => {
        const [row] = await limited.query<Relay>('select state from mail_relay')
        const now = limited.service.context.clock().epochMilliseconds
        return row?.state.left.perHour === 0 && row.state.filledAt === now
      }
      // A twentieth at once, and no more in that moment.
      await eventually(async () => limited.relay.received.length === 5 && (await isTaken()))
      // An hour is longer than a claim: the process that took what came in may have nothing left to send with it.
      let most = 5
      await eventually(async () => {
        if (limited.relay.received.length > 5) return true
        if (await isTaken()) {
          most += 5
          limited.pass(3_600_000)
        }
        return false
      })
      await limited.stopProcesses()
      assert.ok(limited.relay.received.length <= most, `${limited.relay.received.length} of ${most}`)
      assert.equal((await limited.state(campaign)).status, 'sending')
    } finally {
      await limited.stop()
    }
  })

  it('let venues take turns: a short list does not wait for a long one', async () => {
    const [one, other] = [await scene.service.venue(), await scene.service.venue()]
    const long = await scene.campaign(one, { people: 1_500 })
    scene.process()
    await eventually(() => scene.relay.received.length > 50)
    const short = await scene.campaign(other, { people: 20 })
    await scene.until(short, 'sent')
    assert.equal((await scene.state(long)).status, 'sending')
    await scene.until(long, 'sent')
  })

  /** Claims, and puts on the wire, as a process does that is then killed. */
  const leaveBehind = async (people: number, onWire: number) => {
    const { workerDb: db, clock } = scene.service.context
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people })
    await scene.query(`update campaign set status = 'sending' where id = $1`, [campaign.id])
    const boot = randomUUID()
    await beat(db, boot)
    const { claimed } = await claimCopies(
      db,
      venue.id,
      campaign.id,
      { boot, size: 'many', ticketEvent: null, isBirthday: false, topics: [] },
      clock(),
    )
    const leaving = claimed
      .slice(0, onWire)
      .map(({ subscriber_id }) => ({ subscriber: subscriber_id, messageId: `<${subscriber_id}@x>` }))
    await markBatch(db, venue.id, campaign.id, { boot, results: [], leaving }, clock())
    return { campaign, boot, leaving }
  }

  it('take over from one that is gone: claimed copies are sent, those on the wire are unknown', async () => {
    const { campaign } = await leaveBehind(50, 20)
    scene.process({ goneAfterMs: 200 })
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count], [30, 20])
    assert.match(ended.last_error, /20 have an unknown outcome/)
    assert.equal(scene.relay.received.length, 30)
  })

  it('a campaign of which all was on the wire then has started: it may have been handed over', async () => {
    const at = scene.service.context.clock().epochMilliseconds
    const { campaign } = await leaveBehind(5, 5)
    scene.pass(1_000)
    scene.process({ goneAfterMs: 200 })
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.failed_count, new Date(ended.started_at ?? 0).getTime()], [5, at])
  })

  it('take over by the lease where nothing is known of the process', async () => {
    const { campaign, boot } = await leaveBehind(5, 2)
    await scene.query('delete from mail_process where boot = $1', [boot])
    scene.process()
    scene.pass(sendingLimits.claimLeaseMs)
    await eventually(() => scene.relay.received.length === 3)
    scene.pass(sendingLimits.wireLeaseMs - sendingLimits.claimLeaseMs)
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count], [3, 2])
  })

  it('one that comes back late can put nothing on the wire that others took over, and its results count for nothing', async () => {
    const { campaign, boot, leaving } = await leaveBehind(5, 2)
    scene.process({ goneAfterMs: 200 })
    await scene.until(campaign, 'sent')
    const { workerDb: db, clock } = scene.service.context
    const all = (await scene.copies(campaign)).map(({ subscriber_id }) => ({
      subscriber: subscriber_id,
      messageId: '<late@x>',
    }))
    const results = leaving.map(({ subscriber }) => ({
      subscriber,
      state: 'sent' as const,
      why: null,
      dueAt: clock(),
      tried: true,
      answer: '',
    }))
    const marked = await markBatch(
      db,
      campaign.venue.id,
      campaign.id,
      { boot, results, leaving: all },
      clock(),
    )
    assert.deepEqual(marked, [])
    const { sent_count, failed_count } = await scene.state(campaign)
    assert.deepEqual([sent_count, failed_count], [3, 2])
  })

  it('a cancel takes what is claimed; what is on the wire ends as it ends', async () => {
    const { campaign, boot, leaving } = await leaveBehind(10, 4)
    const { status } = await scene.service.call('POST', '/api/v1/campaigns/cancel', {
      key: campaign.venue.key,
      body: { id: campaign.id },
    })
    assert.equal(status, 200)
    const { workerDb: db, clock } = scene.service.context
    const about = { why: null, dueAt: clock(), tried: true, answer: '' }
    const results = leaving.map(({ subscriber }, n) => ({
      ...about,
      subscriber,
      state: n === 0 ? ('waiting' as const) : ('sent' as const),
    }))
    await markBatch(db, campaign.venue.id, campaign.id, { boot, results, leaving: [] }, clock())
    const { sent_count, skipped_count, row_count } = await scene.state(campaign)
    assert.deepEqual([sent_count, skipped_count, row_count], [3, 7, 10])
  })

  it('one that is stopped lets mails on the wire end and gives back the rest', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 600 })
    const sending = scene.process()
    await eventually(() => scene.relay.received.length > 40)
    await sending.stop()
    const copies = await scene.copies(campaign)
    assert.ok(copies.every(({ state }) => state === 'sent' || state === 'waiting'))
    assert.equal(copies.filter(({ state }) => state === 'sent').length, scene.relay.received.length)
    assert.equal((await scene.state(campaign)).sent_count, scene.relay.received.length)
    scene.process()
    assert.equal((await scene.until(campaign, 'sent')).sent_count, 600)
    assert.equal(new Set(scene.relay.received.map(({ messageId }) => messageId)).size, 600)
  })

  it('one that is stopped does not wait for ever for the relay', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 3 })
    scene.relay.judge = { end: () => 'hang' }
    const sending = scene.process({ stopMs: 300 })
    await eventually(() => scene.relay.received.length === 3)
    await sending.stop()
    scene.process({ goneAfterMs: 200 })
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count], [0, 3])
  })

  it('killed at random moments: no Message-ID twice, nobody unaccounted for', async () => {
    const sink = await startSink(20)
    const secrets = sharedSecrets()
    const own = await startSendingScene({ SECRETS: secrets })
    own.service.setClock(Temporal.Now.instant().subtract({ minutes: 1 }).toString())
    const start = async (): Promise<Mortal> => {
      const program = join(import.meta.dirname, '../test/faults/quick-sender.ts')
      // A process that lives counts that it does many times in this time, on this machine, too.
      const goneAfterMs = String(Math.round((3 / 16) * patience.ms()))
      const child = startChild(process.execPath, [program, goneAfterMs], {
        env: {
          ...compiledSources,
          DATABASE_URL: own.service.databaseUrl,
          SECRETS: secrets,
          SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        },
      })
      return { ...child, ready: () => child.until(() => child.said() !== '') }
    }
    try {
      const campaign = await own.campaign(await own.service.venue(), { people: 1_500 })
      const { problems, figures } = await runMailFaults({
        db: own.service.db,
        sink,
        campaign: campaign.id,
        people: 1_500,
        kills: 3,
        killAfterMs: [50, 600],
        start,
        processes: 2,
      })
      assert.deepEqual(problems, [], JSON.stringify(figures))
      assert.ok((figures['kills'] ?? 0) >= 2, JSON.stringify(figures))
    } finally {
      await own.stop()
      await sink.stop()
    }
  })
})
