import type { Work } from '../../../context.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import type { EntryRow } from '../../day/entry-row.ts'
import { openDayOf } from '../../day/open-day.ts'
import { shortStayAt } from '../../day/short-stays.ts'
import { readRules } from '../../rules/rules-store.ts'
import type { FloorDay, Wanted } from '../../day/day-floor.ts'
import { type Moving, byMoving, movesMany, movingIn, placesByMoving, tablesOf } from '../arrange.ts'
import { type LateTable, lateTables } from './late-tables.ts'
import {
  type ForAWhile,
  type OpenTable,
  isFreeFor,
  neededLast,
  notAmong,
  openForAWhile,
  openTables,
} from './open-tables.ts'
import { swapIn } from '../swap.ts'
import { floorNow } from './at-door.ts'

/** A table that is open for a booking. */
export type TableForBooking = OpenTable & {
  /** Somebody is there who leaves before the party's time: it is open from then on, though the party may come sooner. */
  readonly isLater: boolean
}

export type TablesForBooking = {
  readonly open: readonly TableForBooking[]
  readonly moving: readonly Moving[]
  /** `isOwn`: at its own table, for which it is late. */
  readonly short: readonly (ForAWhile & { readonly isOwn?: true })[]
  /** Kept for a party that is late, for who could sit down now. */
  readonly late: readonly LateTable[]
  /** It is here: it goes before who is late and has no table. */
  readonly isHere: boolean
  /** Its time has come: a place by moving others is one to sit down at now. */
  readonly isTime: boolean
}

export type TablesForBooked = TablesForBooking & {
  /** Who else moves by a press that swaps them with that booking; undefined where it would be refused now. */
  readonly swapWith: (
    mine: readonly number[],
    other: { readonly id: number; readonly tables: readonly number[] },
  ) => Moving | undefined
}

/** Places by moving others that are offered at once. */
const mostMoving = 3

/**
 * The tables that are open for a booking, best first: where it may sit down now, then those that are open from its time on;
 * those that are free once others moved, and those that are free for a while: now, where it may sit down now, else in its time.
 * Undefined where tables decide nothing, and for a booking without a time.
 */
export const tablesForBooking = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  row: BookRow,
): Promise<TablesForBooked | undefined> => {
  const { service_date, service_minute, starts_at } = row
  if (service_date === null || service_minute === null || starts_at === null) return undefined
  const placed = { serviceDate: service_date, serviceMinute: service_minute }
  const rules = await readRules(work.db, work.venue)
  const { floor } = await openDayOf(work, rules, { reservation: row.id }, placed)
  if (!floor) return undefined
  const [at, now] = [toInstant(starts_at), work.now()]
  const isHere = row.checked_in_at !== null
  const isFree = (one: OpenTable): boolean => isFreeFor(one, isHere)
  const isTime = isHere || at.since(now).total('minutes') < dueMinutes
  const own = (floor.own?.party.tables ?? []).toSorted(byNumber)
  const isOwn = ({ tables }: OpenTable): boolean =>
    tables
      .map(({ id }) => id)
      .toSorted(byNumber)
      .join() === own.join()
  const wantedFrom = (startsAt: Temporal.Instant) => {
    const { party_size, duration_minutes: durationMinutes } = row
    return { startsAt, partySize: party_size ?? 1, durationMinutes, door: 'staff' } as const
  }
  const openFrom = (startsAt: Temporal.Instant): readonly OpenTable[] =>
    openTables(floor, wantedFrom(startsAt), row.status === 'Requested' ? 'new' : 'kept')
  // Its own table waits for nobody else while it has it.
  const asOwned = (open: readonly OpenTable[]): readonly OpenTable[] =>
    open.map((one) => (isOwn(one) ? { ...one, neededBy: undefined } : one)).toSorted(neededLast)
  const foundNow = openFrom(now)
  const openNow = asOwned(foundNow)
  // Who sits at a table of its size that nobody needs gains nothing by others who move.
  const isSettled = row.status === 'Seated' && foundNow.some((one) => isOwn(one) && isFree(one))
  const isOver = Temporal.Instant.compare(at, now) <= 0
  const later = row.status === 'Seated' ? [] : asOwned(openFrom(at))
  const atOnce = isTime ? openNow : []
  // Whoever is late and has the next party close behind has its own table for a while.
  const ownForAWhile =
    isOver && row.status !== 'Seated' && own.length > 0 && !atOnce.some(isOwn)
      ? shortStayAt(floor, wantedFrom(now), own, { laid: floor.laid('kept') })
      : undefined
  const ownStays = ownForAWhile
    ? [{ ...ownForAWhile, tables: tablesOf(floor, own), neededBy: undefined, isOwn: true } as const]
    : []
  // Of a time that has passed only its own table is left, which it has until its booked end.
  const inTime = isOver ? notAmong(ownStays, later.filter(isOwn)) : later
  const notYet = new Set(isOver ? [] : notAmong(openNow, inTime))
  return {
    isHere,
    isTime,
    open: [...atOnce, ...notAmong(atOnce, inTime)].map((one) => ({ ...one, isLater: notYet.has(one) })),
    moving: isSettled ? [] : moving(floor, wantedFrom(isTime ? now : at)),
    late:
      isTime && row.status === 'Confirmed' && !atOnce.some(isFree) ? lateTables(floor, wantedFrom(now)) : [],
    short:
      row.status === 'Seated'
        ? []
        : [
            ...ownStays,
            ...notAmong(
              [...ownStays, ...atOnce.filter(isFree), ...inTime.filter(isFree)],
              openForAWhile(floor, wantedFrom(isTime ? now : at)),
            ),
          ],
    swapWith: (mine, { id, tables }) => {
      const swapped = swapIn(floor, { booking: row, tables: mine }, { booking: id, tables })
      return swapped?.ok ? movingIn(floor, [...mine, ...tables], swapped) : undefined
    },
  }
}

/** Where a party of tonight's line may sit down now, whosever turn it is there; undefined where tables decide nothing. */
export const tablesForEntry = async (
  work: Work,
  { id: entry, party_size }: Pick<EntryRow, 'id' | 'party_size'>,
): Promise<TablesForBooking | undefined> => {
  const { floor, when } = await floorNow(work, { entry })
  if (!floor) return undefined
  const wanted = { ...when, partySize: party_size ?? 1, door: 'staff' } as const
  const open = openTables(floor, wanted)
  return {
    isHere: false,
    isTime: true,
    open: open.map((one) => ({ ...one, isLater: false })),
    moving: moving(floor, wanted),
    late: lateTables(floor, wanted),
    short: notAmong(
      open.filter((one) => isFreeFor(one, false)),
      openForAWhile(floor, wanted),
    ),
  }
}

/** As the search would seat them, which their row says, too; then others. Last, what many would move for. */
const moving = (floor: FloorDay, wanted: Wanted): readonly Moving[] => {
  const first = byMoving(floor, wanted)
  const known = first && first.moves.size > 0 ? [first] : []
  return [...known, ...notAmong(known, placesByMoving(floor, wanted, mostMoving))]
    .toSorted((a, b) => Number(movesMany(a)) - Number(movesMany(b)))
    .slice(0, mostMoving)
}

const byNumber = (a: number, b: number): number => a - b

/** A party due so soon may be seated. */
const dueMinutes = 30
