import { minuteOf } from '../../../platform/kernel/time/moment.ts'
import type { Work } from '../../../context.ts'
import type { Own } from '../../day/own-place.ts'
import { type Wanted, floorWithout, floorWithoutLate, partyWanted } from '../../day/day-floor.ts'
import { readDay } from '../../day/open-day.ts'
import { type ShortStay, endOfStay, shortStayAt } from '../../day/short-stays.ts'
import { whenNow } from '../../day/when.ts'
import type { DiningTable } from '../../rules/floor/floor.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { shortestStay } from '../../rules/turn-minutes.ts'
import { arrange, movesMany } from '../arrange.ts'
import { type Needing, type OpenTable, laidAtTables, neededBy, openTables } from './open-tables.ts'
import { type Place, placesNow } from './places.ts'

/** The tables that are open now for a walk-in, best first; undefined where tables decide nothing. */
export const tablesAtDoor = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  partySize: number,
): Promise<readonly OpenTable[] | undefined> => {
  const { floor, when } = await floorNow(work)
  return floor && openTables(floor, { ...when, partySize, door: 'staff' })
}

/** For how long a party of a table's largest size could sit down there now: as long as it would, for a while, or less. */
export type Reach = 'whole' | 'a while' | 'less'

/** What there is at the door now. */
export type AtDoor = {
  /** The tables that are open for a walk-in of a size, best first. */
  readonly openFor: (partySize: number) => readonly OpenTable[]
  readonly reachOf: (table: Pick<DiningTable, 'id' | 'most'>) => Reach
  /** Who has no table yet and would get this one while such a party sat there. */
  readonly neededAt: (table: Pick<DiningTable, 'id' | 'most'>) => Needing | undefined
  /** Until when a seated party could stay where it is, at most until then; what is past: it holds somebody up. */
  readonly stayTo: (
    party: Pick<Wanted, 'partySize'> & { readonly id: number; readonly tables: readonly number[] },
    most: Temporal.Instant,
  ) => Temporal.Instant
  /** Where a party could sit down now, in order. `id`: its booking, which is in nobody's way; `isHere`: it is, and waits. */
  readonly placesFor: (
    party: Pick<Wanted, 'partySize' | 'durationMinutes' | 'seating'> & {
      readonly id?: number
      readonly isHere?: boolean
    },
  ) => Iterable<Place>
  /**
   * The short stay of a booked party at its own table, if it sits down now: others come there before it would leave, and stay.
   * `isTooShort`: even that is less than the shortest. Undefined where it may stay as long as it would.
   */
  readonly ownStay: (
    party: Pick<Wanted, 'partySize' | 'durationMinutes'> & {
      readonly id: number
      readonly tables: readonly number[]
    },
  ) => (Omit<ShortStay, 'tables'> & { readonly isTooShort?: true }) | undefined
}

/** The same; undefined where tables decide nothing. */
export const atDoorNow = async (work: Pick<Work, 'db' | 'venue' | 'now'>): Promise<AtDoor | undefined> => {
  const { floor, when } = await floorNow(work)
  const wanted = (partySize: number) => ({ ...when, partySize, door: 'staff' }) as const
  return (
    floor && {
      openFor: (partySize) => openTables(floor, wanted(partySize)),
      reachOf: ({ id, most }) =>
        shortestStay(floor.rules, most) === 0 || endOfStay(floor, wanted(most), [id]) === undefined
          ? 'whole'
          : shortStayAt(floor, wanted(most), [id])
            ? 'a while'
            : 'less',
      neededAt: ({ id, most }) => neededBy(floor, partyWanted(floor, wanted(most)), [id]),
      stayTo: ({ id, partySize, tables }, most) => {
        const durationMinutes = minuteOf(when.startsAt).until(most).total('minutes')
        if (durationMinutes <= 0) return most
        return endOfStay(floor, { ...wanted(partySize), durationMinutes }, tables, { sitting: id }) ?? most
      },
      placesFor: ({ id, isHere = false, ...party }) => {
        const asked = { ...when, ...party, door: 'staff' } as const
        return id === undefined
          ? placesNow(floor, asked)
          : placesNow(floorWithout(floor, id), asked, { load: 'kept', isHere })
      },
      ownStay: ({ id, partySize, durationMinutes, tables }) => {
        const asked = { ...wanted(partySize), durationMinutes }
        // As it is judged once it sits down there.
        const among = { sitting: id, laid: floor.laid('kept') }
        const until =
          shortestStay(floor.rules, partySize) > 0 ? endOfStay(floor, asked, tables, among) : undefined
        const party = { ...partyWanted(floor, asked), id: String(id) }
        if (!until || Temporal.Instant.compare(until, when.startsAt) <= 0) return undefined
        const arranged = arrange(floor, [{ party, tables }])
        if (arranged.ok && !movesMany(arranged)) return undefined
        return (
          shortStayAt(floor, asked, tables, among) ?? {
            ...{ until, isTooShort: true },
            minutes: Math.max(0, minuteOf(when.startsAt).until(until).total('minutes')),
          }
        )
      },
    }
  )
}

/** A table that nobody has now, for who is at the door. */
export type TableAtDoor = {
  /** Who would sit down there of those who have none yet; for as long as a party of its size stays. */
  readonly neededBy: Needing | undefined
  /** The short stay there of a party of a size. */
  readonly shortFor: (partySize: number) => Omit<ShortStay, 'tables'> | undefined
}

export const tableAtDoor = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  { id, most }: Pick<DiningTable, 'id' | 'most'>,
): Promise<TableAtDoor | undefined> => {
  const { floor, when } = await floorNow(work)
  const wanted = (partySize: number) => ({ ...when, partySize, door: 'staff' }) as const
  // Whoever is late for it is named on its card.
  const rest = floor && floorWithoutLate(floor)
  return (
    rest && {
      neededBy: neededBy(rest, partyWanted(rest, wanted(most)), [id]),
      shortFor: (partySize) =>
        shortStayAt(rest, wanted(partySize), [id]) ??
        shortStayAt(rest, wanted(partySize), [id], { laid: laidAtTables(rest) }),
    }
  )
}

/** The evening's parties and tables now. `own`: the party itself, which is in nobody's way. */
export const floorNow = async (work: Pick<Work, 'db' | 'venue' | 'now'>, own?: Own) => {
  const when = whenNow(work)
  const rules = await bookingRulesAround(work.db, work.venue, when.date)
  const { floor } = await readDay(work, rules, resolveService(rules, when), own)
  return { floor, when }
}
