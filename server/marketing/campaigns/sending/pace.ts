import type { Config } from '../../../config.ts'
import { sendingLimits } from './limits.ts'

/*
 * How fast a relay is used, as data in and data out; relay.ts keeps the state in the database, shared by all processes.
 * Three buckets, for a second, an hour and a day. Those of an hour and a day start with a twentieth and fill with the
 * rest, so that no hour and no day holds more than was agreed, wherever it begins. A relay that asks for less is used at
 * half the speed, and from then on a tenth faster each minute.
 */

export type RelayState = {
  /** What is left in each bucket that has a limit, at `filledAt` (epoch milliseconds). */
  readonly left?: Partial<Record<Bucket, number>>
  readonly filledAt?: number
  /** Copies per second since the relay asked for less. */
  readonly slowed?: { readonly perSecond: number; readonly at: number }
  /** Nothing is sent before; `seconds` is how long this hold is, and the next one twice as long. */
  readonly hold?: { readonly until: number; readonly seconds: number }
  /** Whether the relay answered when it was last tried without a mail, and when (probe.ts). */
  readonly probe?: { readonly at: number; readonly isUp: boolean }
}

type Bucket = 'perSecond' | 'perHour' | 'perDay' | 'slow'
type Filling = { readonly most: number; readonly perMs: number }

const share = 20

/** What each bucket holds at most, and how fast it fills. */
const fillings = (limits: Config['mailLimits'], state: RelayState, nowMs: number): Map<Bucket, Filling> => {
  const found = new Map<Bucket, Filling>()
  const { perSecond, perHour, perDay } = limits
  if (perSecond !== undefined)
    found.set('perSecond', { most: Math.max(1, perSecond / 10), perMs: perSecond / 1_000 })
  if (perHour !== undefined) found.set('perHour', spread(perHour, 3_600_000))
  if (perDay !== undefined) found.set('perDay', spread(perDay, 86_400_000))
  const slow = slowedTo(state, nowMs)
  if (slow !== undefined) found.set('slow', { most: Math.max(1, slow), perMs: slow / 1_000 })
  return found
}

const spread = (limit: number, ms: number): Filling => {
  const most = Math.max(1, Math.floor(limit / share))
  return { most, perMs: Math.max(limit - most, limit / 2) / ms }
}

/** The speed since the relay asked for less; undefined when it has recovered to four times that. */
export const slowedTo = ({ slowed }: RelayState, nowMs: number): number | undefined => {
  if (!slowed) return undefined
  const factor = 1.1 ** Math.max(0, Math.floor((nowMs - slowed.at) / 60_000))
  return factor >= 4 ? undefined : slowed.perSecond * factor
}

/** Whether taking has to ask at all. */
export const isPaced = (limits: Config['mailLimits'], state: RelayState, nowMs: number): boolean =>
  fillings(limits, state, nowMs).size > 0

/** Takes up to `wanted`; with none granted, `waitMs` says when there may be one. */
export const take = (
  limits: Config['mailLimits'],
  state: RelayState,
  wanted: number,
  nowMs: number,
): { readonly state: RelayState; readonly granted: number; readonly waitMs: number } => {
  const buckets = fillings(limits, state, nowMs)
  const passed = Math.max(0, nowMs - (state.filledAt ?? nowMs))
  const left = new Map(
    [...buckets].map(([bucket, { most, perMs }]) => [
      bucket,
      Math.min(most, (state.left?.[bucket] ?? most) + passed * perMs),
    ]),
  )
  const granted = Math.max(
    0,
    Math.min(wanted, ...[...left.values()].map((there) => Math.floor(there + 1e-9))),
  )
  const waitMs =
    granted > 0
      ? 0
      : Math.max(0, ...[...buckets].map(([bucket, { perMs }]) => (1 - (left.get(bucket) ?? 1)) / perMs))
  return {
    granted,
    waitMs: Math.ceil(waitMs),
    state: {
      ...state,
      filledAt: nowMs,
      left: Object.fromEntries([...left].map(([bucket, there]) => [bucket, there - granted])),
    },
  }
}

/** The relay asked for less: half of what we did. Once in ten seconds, however many answers say so. */
export const slowDown = (state: RelayState, perSecondNow: number, nowMs: number): RelayState => {
  if (state.slowed && nowMs - state.slowed.at < 10_000) return state
  const before = slowedTo(state, nowMs) ?? perSecondNow
  return { ...state, slowed: { perSecond: Math.max(1, Math.min(before, perSecondNow) / 2), at: nowMs } }
}

/** Leaves the relay alone: half a minute, then twice as long each time, up to a quarter of an hour. */
export const holdOff = (state: RelayState, nowMs: number): RelayState => {
  if (state.hold && state.hold.until > nowMs) return state
  const seconds = Math.min(
    sendingLimits.holdMostSeconds,
    state.hold ? state.hold.seconds * 2 : sendingLimits.holdLeastSeconds,
  )
  return { ...state, hold: { seconds, until: nowMs + seconds * 1_000 } }
}

/** The relay answers: the next hold is a short one again. */
export const isWell = (state: RelayState): RelayState => {
  const { hold: _, ...rest } = state
  return rest
}
