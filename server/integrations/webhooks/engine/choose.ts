import { type Moment, later, toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import { UNANSWERED_TO_SLOW } from '../schedule.ts'
import { engineLimits } from './limits.ts'
import type { WaitingRow } from './look.ts'

/** How many more attempts this process can run. */
export type Room = { readonly first: number; readonly retry: number; readonly both: number }

export type Choice = {
  /** Deliveries to take now. */
  readonly taken: readonly Waiting[]
  /** Events whose first attempt this is; the pace counts them. */
  readonly leaving: readonly number[]
  /** When the venue's next turn makes sense; undefined: only after something new happens. */
  readonly nextAt: Temporal.Instant | undefined
  readonly pacedUntil: Temporal.Instant | undefined
  /**
   * The venue or one of its endpoints is at its in-flight limit, so look again when an attempt ends. The worker that
   * takes the last place sets it too, since another worker may be the one that finds none left.
   */
  readonly isFull: boolean
}

type Waiting = WaitingRow & {
  readonly id: string
  readonly event_id: number
  readonly tries: number
  readonly due_at: Moment
  readonly late: boolean
  readonly ring: boolean
  readonly endpoint_id: string
  readonly endpoint_in_flight: number
  readonly unanswered_count: number
  readonly held: boolean
}

/**
 * Decides what a venue sends in its turn: a few events, within the pace and within what may be in flight. An event is
 * counted once, however many endpoints it goes to; each first try counts it again, so that an endpoint that was turned
 * back on is paced too. Retries are not counted.
 */
export const choose = (
  rows: readonly WaitingRow[],
  room: Room,
  now: Temporal.Instant,
  leaseMs: number = engineLimits.leaseMs,
): Choice => {
  const [
    { left_count, left_oldest, left_late_count, left_late_oldest, kept_for_rings, in_flight } = noFacts,
  ] = rows
  const waiting = rows.filter((row): row is Waiting => row.id !== null)
  const moment = toMoment(now)
  const due = waiting.filter(({ due_at }) => due_at <= moment)

  const taken: Waiting[] = []
  let inFlightSilent = silentInFlight(waiting)
  const leaving = new Set<number>()
  const takenOf = new Map<string, number>()
  let mayLeave = engineLimits.paceEvents - left_count
  let mayLeaveLate = engineLimits.paceLateEvents - left_late_count
  let keptForRings = kept_for_rings
  let retries = 0
  let isMore = false
  let isPaced = false
  let isLatePaced = false
  let isProcessFull = false
  let waitsForTry = false
  let isFull = false

  const isLateTurn = left_late_count * engineLimits.firstForOneLate < left_count - left_late_count
  for (const one of alternating(due, isLateTurn)) {
    const isFirst = one.tries === 0
    const isNewEvent = isFirst && !leaving.has(one.event_id)
    const counts = isNewEvent && !one.left_recently
    const ofEndpoint = one.endpoint_in_flight + (takenOf.get(one.endpoint_id) ?? 0)
    const ofKind = isFirst ? room.first - (taken.length - retries) : room.retry - retries
    const keptForOthers = one.ring ? 0 : keptForRings
    if (counts && mayLeave <= keptForOthers) isPaced = true
    else if (counts && one.late && mayLeaveLate <= keptForOthers) isLatePaced = true
    else if (
      isFirst
        ? isNewEvent && leaving.size >= engineLimits.eventsOfTurn
        : retries >= engineLimits.retriesOfTurn
    )
      isMore = true
    else if (
      in_flight + taken.length >= engineLimits.triesOfVenue ||
      (isSilent(one) && inFlightSilent >= engineLimits.triesOfSilent) ||
      ofEndpoint >= triesOfEndpoint(one)
    )
      waitsForTry = true
    else if (ofKind <= 0 || room.both - taken.length <= 0) isProcessFull = true
    else {
      taken.push(one)
      if (isSilent(one)) inFlightSilent++
      isFull ||=
        in_flight + taken.length >= engineLimits.triesOfVenue ||
        inFlightSilent >= engineLimits.triesOfSilent ||
        ofEndpoint + 1 >= triesOfEndpoint(one)
      takenOf.set(one.endpoint_id, (takenOf.get(one.endpoint_id) ?? 0) + 1)
      if (isFirst) leaving.add(one.event_id)
      else retries++
      if (counts) mayLeave--
      if (counts && one.late) mayLeaveLate--
      if (counts && one.ring) keptForRings = Math.max(keptForRings - 1, 0)
    }
  }

  const pacedUntil = mayLeave <= 0 && left_oldest !== null ? freeAgainAt(left_oldest) : undefined
  const nowMs = now.epochMilliseconds
  const momentsMs = waiting
    .filter(({ due_at }) => due_at > moment)
    .map(({ due_at }) => toInstant(due_at).epochMilliseconds)
  if (isMore) momentsMs.push(nowMs)
  if (isPaced && left_oldest !== null) momentsMs.push(freeAgainAt(left_oldest).epochMilliseconds)
  if (isLatePaced && left_late_oldest !== null)
    momentsMs.push(freeAgainAt(left_late_oldest).epochMilliseconds)
  if (isProcessFull) momentsMs.push(nowMs + engineLimits.fullProcessMs)
  if (waitsForTry) momentsMs.push(nowMs + engineLimits.fullEndpointMs)
  if (taken.length > 0) momentsMs.push(nowMs + leaseMs)
  return {
    taken,
    leaving: [...leaving],
    nextAt:
      momentsMs.length === 0 ? undefined : Temporal.Instant.fromEpochMilliseconds(Math.min(...momentsMs)),
    pacedUntil,
    isFull: isFull || waitsForTry,
  }
}

const noFacts = {
  left_count: 0,
  left_oldest: null,
  left_late_count: 0,
  left_late_oldest: null,
  kept_for_rings: 0,
  in_flight: 0,
} as const

/** When an event that left at a given moment stops counting. */
const freeAgainAt = (leftAt: Moment): Temporal.Instant =>
  later(toInstant(leftAt), engineLimits.paceWindowMs + engineLimits.startWithinMs)

/**
 * Doorbells go first. Then events held for a disabled endpoint, in the order they happened. Then the oldest first;
 * first attempts and retries alternate, so that neither delays the other at their endpoint. Original event names
 * precede those added later, except that one of the later ones goes out now and then, so that nothing waits forever.
 */
const alternating = (due: readonly Waiting[], isLateTurn: boolean): Waiting[] => {
  const rings = due.filter(({ ring }) => ring)
  const held = due
    .filter((one) => one.held && !one.ring)
    .toSorted((one, other) => one.event_id - other.event_id)
  const inOrder = due
    .filter((one) => !one.held && !one.ring)
    .toSorted((one, other) => (one.due_at < other.due_at ? -1 : one.due_at > other.due_at ? 1 : 0))
  const late = inOrder.filter(({ tries, late }) => tries === 0 && late)
  const first = [
    ...(isLateTurn ? late.splice(0, 1) : []),
    ...inOrder.filter(({ tries, late }) => tries === 0 && !late),
    ...late,
  ]
  const again = inOrder.filter(({ tries }) => tries > 0)
  const merged: Waiting[] = []
  for (let i = 0; i < Math.max(first.length, again.length); i++) {
    const pair = [first[i], again[i]]
    for (const one of pair) if (one) merged.push(one)
  }
  return [...rings, ...held, ...merged]
}

const isSilent = ({ unanswered_count }: Waiting): boolean => unanswered_count > 0

/** A try in flight is a row itself, so each endpoint that has one is among them. */
const silentInFlight = (waiting: readonly Waiting[]): number =>
  [
    ...new Map(waiting.filter(isSilent).map((one) => [one.endpoint_id, one.endpoint_in_flight])).values(),
  ].reduce((sum, count) => sum + count, 0)

/** Sending one at a time also preserves the order on the wire. */
const triesOfEndpoint = ({ unanswered_count, held }: Waiting): number =>
  held || unanswered_count >= UNANSWERED_TO_SLOW
    ? engineLimits.triesOfSlowEndpoint
    : engineLimits.triesOfEndpoint
