import type { Work } from '../../context.ts'
import { type TableChange, joinedChanges } from '../../core/activity/table-change.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { bookedReservation } from '../day/book-row.ts'
import { type Arrival, daysOfBooking, holdDays } from '../day/open-day.ts'
import { readRules } from '../rules/rules-store.ts'
import { changesOfPress, pressThatMade, pressThatPaged } from './press-reads.ts'

/** A press to be undone, with the dates locked that it concerns. */
export type Press = AnyPress & { readonly reservation: number }

export type AnyPress = {
  /** Its booking; undefined: a party in line has none. */
  readonly reservation: number | undefined
  /** Its rows of the activity log. */
  readonly rows: readonly number[]
  readonly changes: readonly TableChange[]
  readonly dates: ReadonlySet<LocalDate>
}

/**
 * Locks the dates of a press: those of its booking, of everybody it moved, and where its booking goes, in ascending order.
 * Undefined where it is no press of this booking.
 */
export const holdPress = async (
  work: Work,
  reservation: number,
  rows: readonly number[],
  to?: Arrival,
): Promise<Press | undefined> => {
  const { db, venue } = work
  if (rows.length === 0) return undefined
  const changes = await changesOfPress(db, venue.id, { kind: 'reservation', id: reservation }, rows)
  if (!changes) return undefined
  const joined = joinedChanges(changes)
  return { reservation, rows, changes: joined, dates: await holdDates(work, [reservation], joined, to) }
}

const holdDates = async (
  work: Work,
  bookings: readonly number[],
  changes: readonly TableChange[],
  to?: Arrival,
): Promise<ReadonlySet<LocalDate>> => {
  const { db, venue } = work
  const rules = await readRules(db, venue)
  const days: (LocalDate | null)[] = []
  for (const id of new Set([...bookings, ...changes.map((one) => one.reservation)])) {
    const row = await bookedReservation(db, venue.id, id)
    if (row) days.push(...daysOfBooking(rules, row))
  }
  return holdDays(work, to, days)
}

/** The same of the press that made a booking. */
export const holdPressThatMade = async (work: Work, reservation: number): Promise<Press | undefined> => {
  const row = await pressThatMade(work.db, work.venue.id, reservation)
  return row === undefined ? undefined : holdPress(work, reservation, [row])
}

/** The same of the press that paged a party in line, if it is the last that was done with it and others moved for it. */
export const holdPressThatPaged = async (work: Work, entry: number): Promise<AnyPress | undefined> => {
  const { db, venue } = work
  const { row, changes } = (await pressThatPaged(db, venue.id, entry)) ?? {}
  if (row === undefined || !changes || changes.length === 0) return undefined
  const joined = joinedChanges(changes)
  return { reservation: undefined, rows: [row], changes: joined, dates: await holdDates(work, [], joined) }
}
