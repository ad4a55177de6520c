import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { type SceneCampaign, type SendingScene, startSendingScene } from '../test/sending-scene.ts'
import type { Sending } from './engine.ts'

const minute = 60_000

describe('sending through a relay with faults', () => {
  let scene: SendingScene
  before(async () => {
    scene = await startSendingScene()
  })
  afterEach(async () => {
    scene.relay.judge = {}
    await scene.relay.start()
    await scene.stopProcesses()
    scene.relay.received.length = 0
    await scene.query('delete from mail_relay')
    await scene.query(
      `update campaign set status = 'cancelled', finished_at = now() where status in ('scheduled', 'sending')`,
    )
  })
  after(() => scene.stop())

  /** Whether a copy is in a process's hands, or could be. */
  const isAnyDue = async (campaign: SceneCampaign): Promise<boolean> => {
    const now = scene.service.context.clock().epochMilliseconds
    return (await scene.copies(campaign)).some(
      ({ state, due_at }) =>
        state === 'claimed' || state === 'wire' || (state === 'waiting' && new Date(due_at).getTime() <= now),
    )
  }

  /** Whether what is left waits for a later time. With nothing left the campaign ends by itself. */
  const waitsForTime = async (campaign: SceneCampaign): Promise<boolean> =>
    !(await isAnyDue(campaign)) && (await scene.copies(campaign)).some(({ state }) => state === 'waiting')

  /** Lets time pass in steps until the campaign has ended. */
  const passUntilEnded = async (campaign: SceneCampaign, stepMs: number, steps: number): Promise<void> => {
    for (let n = 0; n < steps; n++) {
      const isSettled = await eventually(async () => {
        const { status } = await scene.state(campaign)
        return status !== 'sending' ? 'ended' : (await waitsForTime(campaign)) && 'waits'
      })
      if (isSettled === 'ended') return
      scene.pass(stepMs)
    }
    assert.fail(`not ended: ${JSON.stringify(await scene.state(campaign))}`)
  }

  const assertOnceEach = (campaign: SceneCampaign): void => {
    const ids = scene.relay.received.map(({ messageId }) => messageId)
    assert.equal(new Set(ids).size, ids.length, 'no Message-ID twice')
    assert.deepEqual(scene.relay.received.map(({ to }) => to).toSorted(), campaign.emails.toSorted())
  }

  /** How many have failed once the held campaign has nothing in anybody's hands. */
  const settledFailures = async (campaign: SceneCampaign, sending: Sending): Promise<number> => {
    await eventually(
      async () =>
        (await sending.isAtRest()) &&
        (await scene.copies(campaign)).every(({ state }) => state === 'waiting' || state === 'failed'),
    )
    return (await scene.copies(campaign)).filter(({ state }) => state === 'failed').length
  }

  it('sends all, and none twice, where many answers are to try again later', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 60 })
    let n = 0
    scene.relay.judge = { end: () => (n++ % 10 < 3 ? '454 4.7.0 Throttling failure' : 'take') }
    scene.process()
    // The relay is used more slowly then, so time has to pass: a second for each look, more when nothing is due.
    const ended = await eventually(async () => {
      const state = await scene.state(campaign)
      if (state.status === 'sent') return state
      if (state.sent_count > 0) scene.pass((await isAnyDue(campaign)) ? 1_000 : 60_000)
      return undefined
    })
    assert.deepEqual([ended.sent_count, ended.failed_count], [60, 0])
    assertOnceEach(campaign)
    const [kept] = await scene.query<{ state: { slowed?: unknown } }>('select state from mail_relay')
    assert.ok(kept?.state.slowed, 'the relay is used more slowly')
  })

  it('put off again and again: after 1, 5, 15, 60 minutes, 3, 6 and 12 hours, then given up', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 1 })
    const tried: number[] = []
    const start = scene.service.context.clock().epochMilliseconds
    scene.relay.judge = {
      to: () => {
        tried.push((scene.service.context.clock().epochMilliseconds - start) / minute)
        return '450 4.2.0 Greylisted'
      },
    }
    scene.process()
    await scene.until(campaign, 'sending')
    await passUntilEnded(campaign, 20 * minute, 24 * 3)
    const ended = await scene.until(campaign, 'sent')
    const [copy] = await scene.copies(campaign)
    assert.deepEqual([copy?.state, copy?.why, copy?.tries], ['failed', 'used-up', 8])
    assert.equal(ended.failed_count, 1)
    assert.match(
      ended.last_error,
      /1 person may not have received it: 1 was given up after a day of attempts\./,
    )
    const gaps = tried.slice(1).map((at, n) => at - (tried[n] as number))
    for (const [n, least] of [1, 5, 15, 60, 180, 360, 720].entries()) {
      assert.ok((gaps[n] ?? 0) >= least && (gaps[n] ?? 0) < least + 21, `gap ${n}: ${gaps[n]}`)
    }
  })

  it('a mailbox that does not exist: failed for good, and on the do-not-email list', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 6 })
    const [gone, full] = campaign.emails
    scene.relay.judge = {
      to: (address) =>
        address === gone ? '550 5.1.1 No such user' : address === full ? '552 5.2.2 Mailbox full' : 'take',
    }
    scene.process()
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count], [4, 2])
    const suppressed = await scene.query<{ email_key: string; reason: string }>(
      'select email_key, reason from suppression where venue_id = $1',
      [venue.id],
    )
    assert.deepEqual(suppressed, [{ email_key: gone, reason: 'bounced' }])
    const bounces = await scene.query(
      'select kind, source, status_code from mail_bounce where venue_id = $1 order by status_code',
      [venue.id],
    )
    assert.deepEqual(bounces, [
      { kind: 'hard', source: 'relay', status_code: '5.1.1' },
      { kind: 'soft', source: 'relay', status_code: '5.2.2' },
    ])
  })

  for (const [what, break_] of [
    ['before the final dot', { body: () => 'drop' as const }],
    ['behind the final dot', { end: () => 'drop' as const }],
  ] as const) {
    it(`the connection lost ${what}: unknown, never sent again`, async () => {
      const venue = await scene.service.venue()
      const campaign = await scene.campaign(venue, { people: 30 })
      let n = 0
      const once = () => (n++ === 10 ? 'drop' : 'take')
      scene.relay.judge = 'body' in break_ ? { body: once } : { end: once }
      scene.process()
      const ended = await scene.until(campaign, 'sent')
      assert.deepEqual([ended.sent_count, ended.failed_count], [29, 1])
      assert.match(ended.last_error, /1 has an unknown outcome/)
      const ids = scene.relay.received.map(({ messageId }) => messageId)
      assert.equal(new Set(ids).size, ids.length)
    })
  }

  it('a relay that breaks off in every mail does not leave the whole list unknown', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 300 })
    scene.relay.judge = { end: () => 'drop' }
    scene.process()
    const held = await scene.untilTroubled(campaign)
    assert.match(held.last_error, /^The mail relay breaks off in the middle of mails/)
    scene.relay.judge = {}
    scene.pass(30_000)
    const ended = await scene.until(campaign, 'sent')
    assert.ok(ended.failed_count <= 40, `${ended.failed_count} unknown`)
    assert.equal(ended.sent_count + ended.failed_count, 300)
    const ids = scene.relay.received.map(({ messageId }) => messageId)
    assert.equal(new Set(ids).size, ids.length)
  })

  it('dead for a while: nothing is lost, no try is used, everybody reads why, and it goes on by itself', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 60 })
    await scene.relay.stop()
    scene.process()
    const held = await scene.untilTroubled(campaign)
    assert.equal(held.status, 'sending')
    assert.match(held.last_error, /^The mail relay cannot be used \(connect: \w+\)\./)
    assert.equal(
      Temporal.Instant.from(new Date(held.send_hold_until ?? 0).toISOString())
        .since(scene.service.context.clock())
        .total('seconds'),
      30,
    )
    // Twice as long each time.
    scene.pass(30_000)
    await eventually(async () => {
      const until = new Date((await scene.state(campaign)).send_hold_until ?? 0).getTime()
      return until - scene.service.context.clock().epochMilliseconds === 60_000
    })
    await scene.relay.start()
    scene.pass(60_000)
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.last_error], [60, ''])
    assertOnceEach(campaign)
    assert.ok((await scene.copies(campaign)).every(({ tries }) => tries === 1))
  })

  it('dead in the middle: those under way are unknown, the others are sent once', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 400 })
    let taken = 0
    scene.relay.judge = {
      end: () => {
        if (++taken === 150) void scene.relay.stop()
        return 'take'
      },
    }
    scene.process()
    await scene.untilTroubled(campaign)
    await scene.relay.start()
    scene.pass(30_000)
    const ended = await scene.until(campaign, 'sent')
    const ids = scene.relay.received.map(({ messageId }) => messageId)
    assert.equal(new Set(ids).size, ids.length, 'no Message-ID twice')
    assert.equal(ended.sent_count + ended.failed_count, 400)
    assert.ok(ended.failed_count <= 40, `${ended.failed_count} unknown`)
    const copies = await scene.copies(campaign)
    const got = new Set(ids)
    assert.ok(
      copies.filter(({ state }) => state === 'sent').every(({ message_id }) => got.has(message_id ?? '')),
    )
  })

  it('a refused sender holds the campaign and burns nobody', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 60 })
    scene.relay.judge = { from: () => '550 5.7.1 Sender not allowed' }
    const sending = scene.process()
    const held = await scene.untilTroubled(campaign)
    assert.match(
      held.last_error,
      /^The mail relay refuses the sender: 550 5\.7\.1 Sender not allowed\. It is asked again/,
    )
    assert.deepEqual([held.status, held.failed_count], ['sending', 0])
    // A refusal after the clock moved would put the campaign on hold again.
    assert.equal(await settledFailures(campaign, sending), 0)
    scene.relay.judge = {}
    scene.pass(16 * minute)
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count, ended.last_error], [60, 0, ''])
    assertOnceEach(campaign)
  })

  it('a sender refused only when the recipient is named, as Postfix does, burns nobody', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 200 })
    scene.relay.judge = { to: () => '550 5.1.8 Sender address rejected: Domain not found' }
    const sending = scene.process()
    const held = await scene.untilTroubled(campaign)
    assert.match(held.last_error, /^The mail relay refuses the sender: 550 5\.1\.8 /)
    assert.deepEqual([held.status, held.failed_count], ['sending', 0])
    // A refusal after the clock moved would put the campaign on hold again.
    assert.equal(await settledFailures(campaign, sending), 0)
    scene.relay.judge = {}
    scene.pass(16 * minute)
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count, ended.last_error], [200, 0, ''])
    assertOnceEach(campaign)
  })

  it('a relay that refuses everybody for any reason does not get the whole list', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 400 })
    let asked = 0
    scene.relay.judge = {
      to: () => {
        asked++
        return '550 relay not permitted'
      },
    }
    const sending = scene.process()
    const held = await scene.untilTroubled(campaign)
    assert.match(
      held.last_error,
      /^The mail relay refused 20 people in a row for good: 550 relay not permitted\. It is asked again/,
    )
    const burnt = await settledFailures(campaign, sending)
    assert.ok(burnt >= 20 && burnt <= 60, `${burnt} burnt`)
    assert.equal(asked, burnt)

    scene.pass(16 * minute)
    await eventually(() => asked > burnt)
    const later = await settledFailures(campaign, sending)
    assert.ok(later <= burnt + 4, `${later - burnt} more burnt a quarter of an hour later`)

    scene.relay.judge = {}
    scene.pass(16 * minute)
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.failed_count], [400 - later, later])
    assert.equal(new Set(scene.relay.received.map(({ to }) => to)).size, 400 - later)
  })

  it('one venue’s refused sender is held while another’s mail is taken', async () => {
    const [refused, fine] = [await scene.service.venue(), await scene.service.venue()]
    const bad = await scene.campaign(refused, { people: 200 })
    const good = await scene.campaign(fine, { people: 200 })
    const unwanted = new Set(bad.emails)
    scene.relay.judge = { to: (address) => (unwanted.has(address) ? '550 no' : 'take') }
    const sending = scene.process()
    await scene.until(good, 'sent')
    await scene.untilTroubled(bad)
    const burnt = await settledFailures(bad, sending)
    assert.ok(burnt <= 60, `${burnt} burnt`)
  })

  it('a recipient whom the relay refuses by its rules does not stop the others', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { people: 30 })
    const [odd] = campaign.emails
    scene.relay.judge = { to: (address) => (address === odd ? '550 5.7.1 Not to them' : 'take') }
    scene.process()
    await eventually(async () => (await scene.state(campaign)).sent_count === 29)
    const [first] = await scene.copies(campaign)
    assert.deepEqual([first?.state, first?.tries], ['waiting', 1])
  })
})
