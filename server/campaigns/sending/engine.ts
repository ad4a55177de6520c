// The cast: a request schedules a campaign and its list. A process looks for campaigns that are due (due.ts), claims
// some of their copies under a lease (claim.ts), puts twenty at a time on the wire with a committed mark that also
// records the outcome of the previous twenty (mark.ts), and hands them to the relay. Two groups do this at the same
// time, so that one marks while the other sends. A crash leaves claimed copies, which go back to waiting, and copies
// on the wire, which may have arrived and are never sent again automatically (takeover.ts). Trouble with the relay
// holds everything (relay-use.ts). Any number of processes can do this on one database.
import type { Context } from '../../context.ts'
import { isForEverybody } from '../../db/faults.ts'
import { codeOf } from '../../kernel/code-of.ts'
import { type LoopWatch, watchLoops } from '../../kernel/loop-watch.ts'
import { uuidFrom } from '../../kernel/uuid.ts'
import type { Outcome } from '../../mail/mailer.ts'
import type { VenueId } from '../../venue/venue.ts'
import { type Active, isReady, takeTurns } from './active.ts'
import { claimCopies, giveBackClaimed } from './claim.ts'
import { type CopyParts, prepareCopies } from './copies.ts'
import { deliverCopy } from './deliver.ts'
import {
  type DueCampaign,
  beginCampaign,
  dueCampaigns,
  finishCampaign,
  isMissed,
  missCampaign,
  nextDue,
  pausedVenues,
} from './due.ts'
import { holdCampaign, noteWaiting, pausedSentence, restoredSentence, holdSentence } from './holds.ts'
import { sendingLimits } from './limits.ts'
import { type Leaving, type Result, markBatch } from './mark.ts'
import { useRelay } from './relay-use.ts'
import { holdForSender } from './sender-hold.ts'
import { beat, campaignsLeftBehind, forgetProcess, takeOver, watchProcesses } from './takeover.ts'

export type SendingParts = Pick<Context, 'db' | 'clock' | 'random' | 'log' | 'config' | 'mail' | 'hold'> &
  CopyParts

export type SendingOptions = {
  /** Called with each outcome, for metrics. */
  readonly onOutcome?: (outcome: Outcome) => void
  /** Called with whether the loops get through. */
  readonly watch?: LoopWatch
  readonly lookMs?: number
  readonly beatMs?: number
  readonly goneAfterMs?: number
  readonly stopMs?: number
}

export type Sending = {
  /** Claims nothing new, lets what is on the wire end (12 s at most), writes its results and gives back the rest. */
  readonly stop: () => Promise<void>
  readonly counts: () => { readonly onTheWire: number; readonly claimed: number; readonly campaigns: number }
  /** Looks at once; whether nothing is left to do for this process until the clock moves on. */
  readonly isAtRest: () => Promise<boolean>
}

export const startSending = (parts: SendingParts, options: SendingOptions = {}): Sending => {
  const { db, clock, random, log, hold: sendingHold } = parts
  const { lookMs, beatMs, goneAfterMs, stopMs } = { ...sendingLimits, ...options }
  const { watch = watchLoops() } = options
  const boot = uuidFrom(random)
  const actives = new Map<number, Active>()
  const goneProcesses = watchProcesses(boot, goneAfterMs)
  const resting = new Set<() => void>()
  const abandoned = Promise.withResolvers<void>()
  let stopping = false
  let onTheWire = 0
  /** Looks that ended, and whether one is under way. */
  let looks = 0
  let isLooking = false
  /** The relay's pace, not only the clock, decides when the next emails may go. */
  let isPaced = false

  const warn = (sentence: string) => (error: unknown) => log.warn({ code: codeOf(error) }, sentence)
  const wake = (): void => {
    for (const resume of resting) resume()
  }
  const rest = async (ms: number): Promise<void> => {
    if (stopping) return
    const { promise, resolve } = Promise.withResolvers<void>()
    resting.add(resolve)
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
    resting.delete(resolve)
  }

  const drop = async (active: Active): Promise<void> => {
    active.isGone = true
    if (actives.get(active.id) === active) actives.delete(active.id)
    active.claimed.length = 0
    await active.claiming
    await giveBackClaimed(db, active.venue, active.id, boot).catch(
      // Their lease runs out.
      warn('claimed copies could not be given back'),
    )
  }

  const hold = (active: Active, until: Temporal.Instant, outcome: Outcome): Promise<void> =>
    holdCampaign(db, active.venue, active.id, until, holdSentence(outcome), clock()).then(
      () => drop(active),
      warn('a campaign could not be held'),
    )

  const relay = useRelay(parts, (outcome, until) => {
    for (const active of actives.values()) void hold(active, until, outcome)
  })

  const claim = (active: Active): Promise<void> =>
    (active.claiming ??= (async () => {
      try {
        const size = relay.isSlow() || actives.size > sendingLimits.campaignsToClaimFew ? 'few' : 'many'
        const asked = { boot, size, ...active.copies.lastLook } as const
        const { claimed, skipped } = await claimCopies(db, active.venue, active.id, asked, clock())
        if (!active.isGone) active.claimed.push(...claimed)
        active.isDry = claimed.length === 0 && skipped === 0
      } catch (error) {
        active.isDry = true
        warn('copies of a campaign could not be claimed; it will be tried again')(error)
      } finally {
        active.claiming = undefined
      }
    })())

  /** Puts copies on the wire and tells results; what it cannot write now it writes later. */
  const mark = async (
    active: Active,
    results: readonly Result[],
    leaving: readonly Leaving[],
  ): Promise<Leaving[]> => {
    try {
      return await markBatch(db, active.venue, active.id, { boot, results, leaving }, clock())
    } catch (error) {
      warn('a batch of mails could not be marked; it will be tried again')(error)
    }
    // The mark may have been made without our knowing: these are not sent, and go back with the results.
    const back = leaving.map(({ subscriber }) => untried(subscriber, clock()))
    for (const started = performance.now(); ;) {
      await new Promise((resolve) => setTimeout(resolve, sendingLimits.writeAgainMs))
      try {
        await markBatch(
          db,
          active.venue,
          active.id,
          { boot, results: [...results, ...back], leaving: [] },
          clock(),
        )
        return []
      } catch (error) {
        warn('results of mails could not be written yet')(error)
        // After that the copies' lease runs out, and others call them unknown.
        if (stopping && performance.now() - started > stopMs) return []
      }
    }
  }

  const takeTurn = takeTurns()
  const nextTurn = (): Active | undefined =>
    stopping || relay.isHeld() || sendingHold.isOn() ? undefined : takeTurn(actives.values())

  const group = async (): Promise<void> => {
    let before: { readonly active: Active; readonly results: readonly Result[] } | undefined
    const tell = async (): Promise<void> => {
      if (!before) return
      const { active, results } = before
      before = undefined
      await mark(active, results, [])
      active.underWay--
    }
    for (;;) {
      const active = nextTurn()
      if (before && before.active !== active) await tell()
      if (!active) {
        if (stopping) return
        await rest(lookMs)
        continue
      }
      // Others may have those whose lease expired; they would only use up what the relay allows.
      while ((active.claimed[0]?.leaseUntilMs ?? Infinity) <= clock().epochMilliseconds)
        active.claimed.shift()
      if (active.claimed.length === 0) {
        await tell()
        await claim(active)
        continue
      }
      const ahead = relay.isSlow() ? sendingLimits.batch : sendingLimits.claimAhead
      if (active.claimed.length < ahead && !active.isDry) void claim(active)
      const most = relay.isDoubtful(active.id) ? 1 : sendingLimits.batch
      const { granted, waitMs } = await relay
        .take(Math.min(most, active.claimed.length))
        .catch(() => ({ granted: 0, waitMs: lookMs }))
      isPaced = granted === 0
      if (granted === 0) {
        await tell()
        await rest(Math.min(Math.max(waitMs, 1), lookMs))
        continue
      }
      const batch = new Map(active.claimed.splice(0, granted).map((copy) => [copy.subscriber_id, copy]))
      const results = before?.active === active ? before.results : []
      const leaving = [...batch.values()].map((copy) => ({
        subscriber: copy.subscriber_id,
        messageId: active.copies.messageIdFor(copy),
      }))
      active.underWay++
      const marked = await mark(active, results, leaving)
      if (before) active.underWay--
      const ended: Result[] = []
      before = { active, results: ended }
      onTheWire += marked.length
      const all = marked.map(async ({ subscriber, messageId }) => {
        const copy = batch.get(subscriber)
        if (copy) ended.push(await deliverCopy(delivery, active, copy, messageId))
        onTheWire--
      })
      await Promise.race([Promise.all(all), abandoned.promise])
    }
  }

  const delivery = {
    ...parts,
    ...(options.onOutcome && { onOutcome: options.onOutcome }),
    relay,
    untried,
    onSenderRefused: (active: Active, outcome: Outcome) =>
      hold(active, clock().add({ seconds: sendingLimits.senderHoldSeconds }), outcome),
  }

  const look = async (): Promise<void> => {
    isLooking = true
    try {
      await lookAround()
    } finally {
      isLooking = false
      looks++
    }
  }

  const lookAround = async (): Promise<void> => {
    await relay.refresh()
    const now = clock()
    const due = await dueCampaigns(db, now)
    // Nothing begins, and nothing is called too late, before the operator let it go.
    if (sendingHold.isOn()) {
      for (const { venue_id, id } of due) await noteWaiting(db, venue_id, id, restoredSentence, now)
      for (const active of actives.values()) await drop(active)
      return
    }
    const paused = await pausedVenues(db, [...new Set(due.map(({ venue_id }) => venue_id))])
    const going = new Set<number>()
    for (const one of due) {
      const goes = await tellAlone(goOn(one, paused, now))
      if (goes) going.add(one.id)
    }
    for (const active of actives.values()) {
      if (!going.has(active.id) || relay.isHeld()) await drop(active)
      else if (active.isDry && active.claimed.length === 0 && active.underWay === 0)
        await tellAlone(endOrWait(active, now))
    }
    if (actives.values().some(isReady)) wake()
  }

  /** One campaign's own failure does not keep the others waiting. */
  const tellAlone = <T>(work: Promise<T>): Promise<T | void> =>
    work.catch((error: unknown) => {
      if (isForEverybody(error)) throw error
      warn('a campaign could not be looked after; it will be tried again')(error)
    })

  /** Begins a due campaign or leaves it waiting; true: it is to be sent now. */
  const goOn = async (
    one: DueCampaign,
    paused: ReadonlySet<number>,
    now: Temporal.Instant,
  ): Promise<boolean> => {
    const { venue_id: venue, id, status } = one
    if (status === 'scheduled' && isMissed(one, now)) await missCampaign(db, venue, id, now)
    else if (paused.has(venue)) await noteWaiting(db, venue, id, pausedSentence, now)
    else if (!actives.has(id) && (await holdForSender(db, parts.config, venue, id, now))) return false
    else if (status === 'sending' || (await beginCampaign(db, venue, id, now))) {
      if (!actives.has(id)) await activate(venue, id)
      return true
    }
    return false
  }

  /** Nothing of it can be claimed: it has ended, others have the rest, or the rest is due later. */
  const endOrWait = async (active: Active, now: Temporal.Instant): Promise<void> => {
    const { venue, id } = active
    if (performance.now() < active.askAgainAtMs && now.epochMilliseconds < active.nextDueMs) return
    if (await finishCampaign(db, venue, id, now)) return drop(active)
    active.nextDueMs = (await nextDue(db, venue, id))?.epochMilliseconds ?? Number.POSITIVE_INFINITY
    active.askAgainAtMs = performance.now() + sendingLimits.looksOfDry * lookMs
    active.isDry = active.nextDueMs > now.epochMilliseconds
  }

  const activate = async (venue: VenueId, id: number): Promise<void> => {
    const copies = await prepareCopies(db, parts, venue, id)
    if (!copies) return
    const idle = { isDry: false, nextDueMs: 0, askAgainAtMs: 0, underWay: 0, isGone: false }
    actives.set(id, { venue, id, copies, claimed: [], claiming: undefined, ...idle })
  }

  const keepBeating = async (): Promise<void> => {
    await beat(db, boot)
    const gone = await goneProcesses(db)
    for (const { venue_id, campaign_id } of await campaignsLeftBehind(db, gone, clock())) {
      await takeOver(db, venue_id, campaign_id, gone, clock())
      const active = actives.get(campaign_id)
      if (active) active.askAgainAtMs = 0
    }
    for (const one of gone) await forgetProcess(db, one)
  }

  const again = async (name: string, run: () => Promise<void>, everyMs: number): Promise<void> => {
    const notes = watch.loop(name)
    while (!stopping) {
      await run().then(notes.well, (error: unknown) => {
        notes.failed()
        warn('looking after campaigns failed; it will be tried again')(error)
      })
      await rest(everyMs)
    }
  }
  // Before anything is claimed, others must be able to see that we are alive.
  const started = keepBeating().catch(warn('looking after campaigns failed; it will be tried again'))
  const groups = started.then(() => Promise.all(Array.from({ length: sendingLimits.groups }, group)))
  const loops = started.then(() =>
    Promise.all([
      again('campaigns: look what is due', look, lookMs),
      again('campaigns: say that we live', keepBeating, beatMs),
    ]),
  )

  return {
    counts: () => ({
      onTheWire,
      claimed: actives.values().reduce((sum, { claimed }) => sum + claimed.length, 0),
      campaigns: actives.size,
    }),
    isAtRest: async () => {
      // One that is under way may have begun before the clock was moved.
      const enough = looks + (isLooking ? 2 : 1)
      while (looks < enough && !stopping) {
        if (!isLooking) wake()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      const nowMs = clock().epochMilliseconds
      const waits = ({ claimed, underWay, isDry, nextDueMs }: Active): boolean =>
        underWay === 0 && ((isDry && claimed.length === 0 && nextDueMs > nowMs) || isPaced)
      return onTheWire === 0 && actives.values().every(waits)
    },
    stop: async () => {
      stopping = true
      wake()
      const impatient = setTimeout(abandoned.resolve, stopMs)
      await Promise.all([groups, loops])
      clearTimeout(impatient)
      await Promise.all([...actives.values()].map(drop))
      await relay.written()
      // What is still on the wire is seen as left behind because our count stands still.
      if (onTheWire === 0) await forgetProcess(db, boot).catch(() => undefined)
    },
  }
}

const untried = (subscriber: number, now: Temporal.Instant): Result => ({
  subscriber,
  state: 'waiting',
  why: null,
  dueAt: now,
  tried: false,
  answer: '',
})
