import type { Work } from '../../context.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import {
  type BookRow,
  type Edited,
  type ExperienceChosen,
  experienceOf,
  placeColumns,
  typeColumns,
} from '../day/book-row.ts'
import type { Differing, HeldEdit } from './edits/held-edit.ts'
import { openDay, openDayOf } from '../day/open-day.ts'
import { evaluate, factsOf } from './rules/evaluate.ts'
import type { BookingRefusal, BookingRequest, Day } from '../day/facts.ts'
import { experience } from './rules/experience.ts'
import { partySize } from './rules/party-size.ts'
import { tables } from './rules/tables.ts'
import { placementOf } from '../rules/placement.ts'
import { readRules } from '../rules/rules-store.ts'
import {
  type StaffReason,
  experienceAgainst,
  lengthAgainst,
  reasonsAgainst,
  sizeAgainst,
} from './staff-reasons.ts'

/** Where a booking is placed after an edit, and what the rules judge about it. */
export type Placed = {
  readonly columns: Edited
  /** Nothing to judge: neither time nor size changes, or the booking has no place in the book. */
  readonly arrival?: {
    readonly day: Day
    readonly request: Omit<BookingRequest, 'door'>
    /** Another time; at the same time more or fewer guests; or nothing but for how long, or what goes with it. */
    readonly to: 'another time' | 'more' | 'fewer' | 'another length' | 'another experience'
    /** It has its table for longer than before. */
    readonly isLonger: boolean
    /** Something else goes with it. */
    readonly isOther: boolean
  }
}

/** Places a locked booking. Its own place, and the one requested for it, do not count against it. */
export const findNewPlace = async (
  work: Work,
  { row, differing, days }: HeldEdit,
  /** It keeps its place until what it asks for is answered. */
  staying = false,
): Promise<Placed> => {
  const { date, time, service_date, service_minute, starts_at } = row
  const { when, size, length } = differing
  const isOther = differing.experience !== undefined
  const chosen = experienceAfter(row, differing)
  const party_size = size ?? row.party_size
  const duration_minutes = length === undefined ? row.duration_minutes : length
  const own = { reservation: row.id, staying, ...(chosen && { experience: { key: chosen.key } }) }
  const isLonger = duration_minutes !== null && duration_minutes > (row.duration_minutes ?? duration_minutes)
  if (when) {
    const request = { ...when, partySize: party_size ?? 0, durationMinutes: duration_minutes }
    const day = await openDay(work, request, days, own)
    const place = placeColumns(when, placementOf(day, request.partySize), chosen)
    return {
      columns: { ...row, ...place, party_size, duration_minutes },
      arrival: { day, request, to: 'another time', isLonger, isOther },
    }
  }
  const columns = { ...row, party_size, duration_minutes }
  const isSame = size === undefined && length === undefined && !isOther
  if (isSame || !date || !time || !starts_at || !service_date || service_minute === null) return { columns }
  const day = await openDayOf(work, await readRules(work.db, work.venue), own, {
    serviceDate: service_date,
    serviceMinute: service_minute,
  })
  const request = {
    date,
    time,
    startsAt: toInstant(starts_at),
    partySize: party_size ?? 0,
    durationMinutes: duration_minutes,
  }
  const typed = isOther && typeColumns(chosen, placementOf(day, request.partySize))
  return {
    columns: { ...columns, ...typed },
    arrival: { day, request, to: kindOf(row, differing), isLonger, isOther },
  }
}

const kindOf = (
  { party_size }: BookRow,
  { size, length }: Differing,
): 'more' | 'fewer' | 'another length' | 'another experience' => {
  if (size !== undefined) return size > (party_size ?? 0) ? 'more' : 'fewer'
  return length === undefined ? 'another experience' : 'another length'
}

/** What goes with it after the edit. */
const experienceAfter = (row: BookRow, { experience }: Differing): ExperienceChosen | null =>
  experience === undefined ? experienceOf(row) : experience

/** The rules against it, for staff to confirm: for a new time all of them, for a new size its limits. */
export const reasonsAgainstPlace = ({ arrival }: Placed, now: Temporal.Instant): readonly StaffReason[] => {
  if (!arrival) return []
  const { day, to, isOther } = arrival
  const request = { ...arrival.request, door: 'staff' } as const
  if (to === 'another time') return reasonsAgainst(day, now, request)
  switch (to) {
    case 'another length':
      return [...lengthAgainst(day, now, request), ...(isOther ? experienceAgainst(day, now, request) : [])]
    case 'another experience':
      return experienceAgainst(day, now, request)
    default:
      return sizeAgainst(day, now, request, to === 'more')
  }
}

/**
 * The first rule that refuses a caller who can override none. For fewer guests, only the minimum party is checked; and that
 * there is a table, where they are to have one for longer.
 */
export const refusalOfPlace = ({ arrival }: Placed, now: Temporal.Instant): BookingRefusal | undefined => {
  if (!arrival) return undefined
  const { day, to, isLonger } = arrival
  const request = { ...arrival.request, door: 'online' } as const
  if (to === 'fewer') {
    const facts = factsOf(day, now, request)
    const refusal = partySize(facts)
    if (refusal?.reason === 'party-too-small') return refusal
    return experience(facts) ?? (isLonger ? tables(facts) : undefined)
  }
  const evaluation = evaluate(day, now, request)
  return evaluation.ok ? undefined : evaluation.refusal
}
