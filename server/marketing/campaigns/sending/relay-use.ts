import type { Context } from '../../../context.ts'
import { codeOf } from '../../../platform/kernel/code-of.ts'
import type { Outcome } from '../../../mail/mailer.ts'
import { sendingLimits } from './limits.ts'
import { type RelayState, holdOff, isPaced, isWell, slowDown, slowedTo, take } from './pace.ts'
import { changeRelay, readRelay, relayName } from './relay.ts'
import type { Meaning } from './schedule.ts'

/** The relay as this process knows it: the shared state, read now and then, and what it heard itself. */
export type RelayUse = {
  readonly refresh: () => Promise<void>
  /** Resolves when what was heard is in the database. */
  readonly written: () => Promise<void>
  /** Nothing may be sent now. */
  readonly isHeld: () => boolean
  /** It was held and has answered nothing since, or took none of the campaign's last copies: one at a time. */
  readonly isDoubtful: (campaign: number) => boolean
  readonly isSlow: () => boolean
  readonly take: (wanted: number) => Promise<{ readonly granted: number; readonly waitMs: number }>
  readonly heard: (campaign: number, outcome: Outcome, meaning: Meaning) => void
  /** Whether this outcome, already heard, means that it takes nothing of the campaign, and not only not this copy. */
  readonly isAllRefused: (campaign: number, outcome: Outcome, meaning: Meaning) => boolean
}

/** @param onHeld called when this process finds the relay in trouble, and until when nothing is sent */
export const useRelay = (
  { db, clock, config, log }: Pick<Context, 'db' | 'clock' | 'config' | 'log'>,
  onHeld: (outcome: Outcome, until: Temporal.Instant) => void,
): RelayUse => {
  const name = relayName(config)
  const { mailLimits: limits } = config
  let state: RelayState = {}
  let troubles = 0
  /** By campaign, since its last copy that was taken: a venue's sender may be refused while another's is not. */
  const refusals = new Map<number, Refusals>()
  const accepted: number[] = []
  const nowMs = (): number => clock().epochMilliseconds

  /** Changes on their way to the database, one after the other. */
  let writing: Promise<void> = Promise.resolve()
  let changes = 0

  const change = (to: (state: RelayState) => RelayState): void => {
    state = to(state)
    changes++
    writing = write(writing, to)
  }

  const write = async (before: Promise<void>, to: (state: RelayState) => RelayState): Promise<void> => {
    await before
    try {
      await changeRelay(db, name, (shared) => ({ state: to(shared) }))
    } catch (error) {
      log.warn({ code: codeOf(error) }, 'the state of the relay could not be written')
    }
  }

  const isHeld = (): boolean => state.hold !== undefined && state.hold.until > nowMs()

  const hearTrouble = (outcome: Outcome): void => {
    troubles++
    // After a hold one more is enough.
    if (isHeld() || (troubles < sendingLimits.troublesToHold && state.hold === undefined)) return
    const at = nowMs()
    change((before) => holdOff(before, at))
    const { until } = state.hold ?? { until: at }
    log.warn(
      { phase: outcome.kind === 'relay-trouble' ? outcome.phase : 'message' },
      'the mail relay is left alone for a while',
    )
    onHeld(outcome, Temporal.Instant.fromEpochMilliseconds(until))
  }

  /** It answered, even if with a refusal. */
  const hearAnswer = (): void => {
    troubles = 0
    if (state.hold !== undefined) change(isWell)
  }

  const hearRefused = (campaign: number, meaning: Meaning): void => {
    const { all, sender } = refusals.get(campaign) ?? { all: 0, sender: 0 }
    const isSender = meaning.kind === 'put off' && meaning.sender
    refusals.set(campaign, { all: all + 1, sender: sender + (isSender ? 1 : 0) })
    // A campaign that ends so leaves its count behind.
    const [oldest] = refusals.keys()
    if (refusals.size > campaignsCounted && oldest !== undefined) refusals.delete(oldest)
  }

  const hearAccepted = (campaign: number): void => {
    refusals.delete(campaign)
    accepted.push(performance.now())
    if (accepted.length > 1_000) accepted.splice(0, 500)
  }

  /** Copies a second that the relay took from this process lately. */
  const speed = (): number => {
    const since = performance.now() - 5_000
    const lately = accepted.filter((at) => at > since)
    const [first] = lately
    return first === undefined ? 1 : lately.length / Math.max(1, (performance.now() - first) / 1_000)
  }

  return {
    refresh: async () => {
      await writing
      const before = changes
      const shared = await readRelay(db, name)
      // What was heard meanwhile is newer.
      if (changes === before) state = shared
    },
    written: () => writing,
    isHeld,
    isDoubtful: (campaign) =>
      state.hold !== undefined || (refusals.get(campaign)?.all ?? 0) >= sendingLimits.troublesToHold,
    isSlow: () => isPaced(limits, state, nowMs()),
    take: async (wanted) => {
      if (!isPaced(limits, state, nowMs())) return { granted: wanted, waitMs: 0 }
      const before = changes
      const answer = await changeRelay(db, name, (shared) => take(limits, shared, wanted, nowMs()))
      if (changes === before) state = answer.state
      return answer
    },
    heard: (campaign, outcome, meaning) => {
      // A relay that breaks off in the middle of each mail would leave a whole list unknown.
      if (outcome.kind === 'relay-trouble' || outcome.kind === 'unknown') hearTrouble(outcome)
      else hearAnswer()
      if (meaning.kind === 'sent') hearAccepted(campaign)
      if (outcome.kind === 'refused') hearRefused(campaign, meaning)
      if (meaning.kind === 'put off' && meaning.slower) {
        const [perSecond, at] = [slowedTo(state, nowMs()) ?? speed(), nowMs()]
        change((before) => slowDown(before, perSecond, at))
      }
    },
    isAllRefused: (campaign, outcome, meaning) => {
      if (outcome.kind !== 'refused') return false
      if (outcome.phase === 'sender') return true
      const { all, sender } = refusals.get(campaign) ?? { all: 0, sender: 0 }
      return meaning.kind === 'put off'
        ? sender >= sendingLimits.troublesToHold
        : all >= sendingLimits.refusalsToHold
    },
  }
}

/** Refusals in a row: all of them, and those that speak of the sender. */
type Refusals = { readonly all: number; readonly sender: number }
const campaignsCounted = 1_000
