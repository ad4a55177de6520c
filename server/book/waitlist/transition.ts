import { limits } from '@venue-data/contract/limits.ts'
import { type Actor, doerOf } from '../../core/activity/actor.ts'
import { type Moment, toMoment } from '../../platform/kernel/time/moment.ts'
import { type Evening, eveningIsOver, isOverdue } from './expiry.ts'
import type { EntryRow } from '../day/entry-row.ts'
import { type WaitlistMove, type WaitlistMoveName, type WaitlistStamp, waitlistMoves } from './states.ts'

export type WaitlistFacts = Evening & {
  readonly actor: Actor
  /** The status the page showed, if a page asked. */
  readonly seenStatus?: string | undefined
  /** The version the page showed: if anything changed since, the move is refused. */
  readonly seenVersion?: number | undefined
}

export type WaitlistJudgement =
  | { readonly kind: 'go' }
  | { readonly kind: 'unchanged' | 'refused'; readonly sentence: string }

/** Whether a move may be made: who asks, what the page showed, the status, the conditions, in this order. */
export const judgeWaitlistMove = (
  name: WaitlistMoveName,
  entry: EntryRow,
  facts: WaitlistFacts,
): WaitlistJudgement => {
  const move: WaitlistMove = waitlistMoves[name]
  const fits = move.from.some((status) => status === entry.status)
  if (!move.who.includes(doerOf(facts.actor))) return refuse('Only venue staff can do this.')
  if (facts.seenVersion !== undefined && facts.seenVersion !== entry.version) {
    return refuse(entryChangedMeanwhile(entry))
  }
  if (!fits && entry.status === move.to) {
    return { kind: 'unchanged', sentence: `This party is already ${entry.status}.` }
  }
  if (!fits || (facts.seenStatus !== undefined && facts.seenStatus !== entry.status)) {
    return refuse(entryChangedMeanwhile(entry))
  }
  if (move.conditions.includes('overdue') && !isOverdue(entry, facts)) {
    return refuse('This party can still come.')
  }
  if (move.conditions.includes('evening runs') && eveningIsOver(entry, facts)) {
    return refuse('The evening they waited for is over.')
  }
  return { kind: 'go' }
}

/** The columns a move writes. */
export type MovedEntry = Pick<
  EntryRow,
  | 'status'
  | 'quoted_minutes'
  | 'quoted_at'
  | 'quoted_by_hand'
  | 'offered_until'
  | 'paged_at'
  | 'seated_at'
  | 'left_at'
  | 'rejoined_at'
  | 'reservation_id'
  | 'booked_as'
>

export type EntryDetails = {
  readonly now: Temporal.Instant
  readonly quotedMinutes?: number | undefined
  /** When an offer ends; omitted: as at the door. */
  readonly offeredUntil?: Temporal.Instant
  /** Whether staff said so, rather than the service. */
  readonly quotedByHand?: boolean
  /** What an undone quote gives back. */
  readonly restored?: Pick<MovedEntry, 'quoted_minutes' | 'quoted_at' | 'quoted_by_hand'> | undefined
  /** When they were paged before, of a page that is undone before a message went out; absent: they stay paged. */
  readonly unpaged?: Pick<MovedEntry, 'paged_at'> | undefined
  readonly reservationId?: number | undefined
  /** Whether it undoes a press: a party that comes back has waited as long as before it. */
  readonly isUndo?: boolean | undefined
  /** Of an undone press that took a paged party out of the line: until when it is paged, as before. */
  readonly pagedUntil?: Temporal.Instant | undefined
}

/** An entry after a move. */
export const movedEntry = (
  name: WaitlistMoveName,
  entry: EntryRow,
  {
    now,
    quotedMinutes,
    quotedByHand,
    restored,
    unpaged,
    offeredUntil,
    reservationId,
    isUndo,
    pagedUntil,
  }: EntryDetails,
): MovedEntry => {
  const move: WaitlistMove = waitlistMoves[name]
  const moment = (column: WaitlistStamp): Moment | null =>
    move.clears.includes(column) ? null : move.stamps.includes(column) ? toMoment(now) : entry[column]
  // A party whose table was taken back has waited all along; only one with a window starts again, which else would have
  // passed.
  const comesBack = !isUndo && (name === 'rejoin' || (name === 'recall' && entry.window_end !== null))
  return {
    status: pagedUntil ? 'offered' : move.to === 'same' ? entry.status : move.to,
    quoted_minutes: name === 'quote' ? (quotedMinutes ?? null) : entry.quoted_minutes,
    quoted_at: moment('quoted_at'),
    quoted_by_hand: name === 'quote' ? (quotedByHand ?? false) : entry.quoted_by_hand,
    ...restored,
    paged_at: moment('paged_at'),
    ...unpaged,
    offered_until: pagedUntil
      ? toMoment(pagedUntil)
      : offerEnd(move, entry, offeredUntil ?? now.add({ minutes: limits.doorOfferMinutes })),
    seated_at: moment('seated_at'),
    left_at: moment('left_at'),
    rejoined_at: comesBack ? toMoment(now) : entry.rejoined_at,
    reservation_id: move.reservation === 'removed' ? null : (reservationId ?? entry.reservation_id),
    booked_as: bookedAs(move, entry),
  }
}

/** An offer is held from when it is made; a party that is quoted again meanwhile keeps its offer. */
const offerEnd = (move: WaitlistMove, entry: EntryRow, until: Temporal.Instant): Moment | null => {
  if (move.to === 'offered') return toMoment(until)
  return move.to === 'same' ? entry.offered_until : null
}

const bookedAs = ({ reservation }: WaitlistMove, entry: EntryRow): string | null => {
  switch (reservation) {
    case undefined:
      return entry.booked_as
    case 'Seated':
      return 'seated'
    case 'Confirmed':
      return 'later'
    case 'removed':
      return null
    default:
      return reservation satisfies never
  }
}

/** The message for a page that shows an old state. */
export const entryChangedMeanwhile = ({
  guest_name,
  status,
}: Pick<EntryRow, 'guest_name' | 'status'>): string => {
  const who = guest_name === null ? 'This party' : `The party of ${guest_name}`
  return status === 'expired'
    ? `${who} has changed: their time ran out, and they are no longer in line.`
    : `${who} has changed: it is now ${status}.`
}

const refuse = (sentence: string): WaitlistJudgement => ({ kind: 'refused', sentence })
