import { type Moving, arrange, tablesOf } from './arrange.ts'
import type { Party, Span } from '../day/assignment/evening.ts'
import { type FloorDay, type Seating, type Wanted, partyWanted, seat } from '../day/day-floor.ts'
import { type Needing, neededBy } from './offered/open-tables.ts'
import { byLabel } from '../rules/floor/written-floor.ts'

/*
 * The tables of an evening as staff choose one for a party: what is free and until when, and who has the others.
 */

/** A table, or tables that may be joined. */
export type TableChoice = {
  /** Ids, ascending. */
  readonly tables: readonly number[]
  /** "12", "12+13". */
  readonly label: string
  readonly room: string
  readonly least: number
  readonly most: number
  readonly features: readonly string[]
  /** Whether the party is as large as it is meant for. */
  readonly fits: boolean
  /** The instant at which it is next needed or out of order; null where nobody follows. */
  readonly until: Temporal.Instant | null
  /** Who has it for some of that time, in order of arrival; empty: it is free. */
  readonly taken: readonly Holder[]
  /** Of a single table that is taken: the party expected there has another one to go to. */
  readonly givesWay: boolean
  /** Out of order or off by plan for some of that time. */
  readonly off: boolean
  /** Of one that is open: who has no table yet and would get it. */
  readonly neededBy: Needing | undefined
}

/** Somebody who has a table. */
export type Holder = {
  /** The booking; undefined for a party that was paged. */
  readonly reservation: number | undefined
  readonly size: number
  readonly from: Temporal.Instant
  /** Without the gap after them. */
  readonly until: Temporal.Instant
  /** Staff put them there, or they are here or due soon; a machine would move others. */
  readonly stays: boolean
}

export type TableChoices = {
  /** What a machine would give them now; undefined: nothing. */
  readonly best: TableChoice | undefined
  /** Who moves for that; undefined where nobody does. */
  readonly moving: Moving | undefined
  /** The tables the booking has now. */
  readonly held: TableChoice | undefined
  /** Free and of the right size first, the least wasted seats first. */
  readonly all: readonly TableChoice[]
}

/** Every table and combination for a party. Any that is not off may be chosen, except one whose party stays. */
export const tableChoices = (day: FloorDay, wanted: Wanted): TableChoices => {
  const party = partyWanted(day, wanted)
  const singles = day.floor.tables.map(({ id, least, most }) => ({ tables: [id], least, most }))
  const joined = day.floor.combinations.filter(({ least, most }) => least <= party.size && party.size <= most)
  const look = choiceOf(day, party)
  const all = [...singles, ...joined].map(look).toSorted(betterFor(party))
  const known = (tables: readonly number[]): TableChoice | undefined =>
    tables.length === 0
      ? undefined
      : (all.find((one) => one.tables.join() === tables.join()) ??
        look({ tables, least: party.size, most: party.size }))
  const seating = seat(day, wanted)
  return {
    moving: seating.seated && seating.moves.size > 0 ? movingOf(day, seating) : undefined,
    best: seating.seated ? known(seating.tables.toSorted(byNumber)) : undefined,
    held: known((day.own?.party.tables ?? []).toSorted(byNumber)),
    all,
  }
}

const movingOf = (day: FloorDay, { tables, moves }: Seated): Moving => ({
  tables: tablesOf(day, tables),
  moves: new Map([...moves].map(([id, to]) => [id, tablesOf(day, to)])),
})

type Seated = Extract<Seating, { readonly seated: true }>

/** Whether nobody has it meanwhile, it is in use, and the party is of its size. */
export const isOpen = ({ fits, off, taken }: TableChoice): boolean => fits && !off && taken.length === 0

/** Whether staff can put the party there. */
export const mayChoose = ({ taken, off }: TableChoice): boolean => !off && !taken.some(({ stays }) => stays)

const choiceOf = (day: FloorDay, party: Party) => {
  const { floor, evening, movable } = day
  const rest = floor.turnoverMinutes * 60_000
  const meets = ({ from, until }: Span): boolean => from < party.until && party.from < until
  return ({ tables, least, most }: Pick<TableChoice, 'tables' | 'least' | 'most'>): TableChoice => {
    const members = floor.tables.filter(({ id }) => tables.includes(id))
    const offs = evening.tables
      .filter(({ id }) => tables.includes(id))
      .flatMap(({ unavailable }) => unavailable)
    const holders = evening.parties
      .filter((other) => other.tables.some((table) => tables.includes(table)))
      .filter(({ group }) => group === null || group !== party.group)
    // For assigning, a table is off only after the rest that the party before it is counted with.
    const later = [...holders, ...offs.map((off) => ({ ...off, from: off.from - rest }))]
      .filter(({ until }) => until > party.from)
      .map(({ from }) => from)
    const there = holders.filter(meets)
    const off = offs.some(meets)
    return {
      tables: tables.toSorted(byNumber),
      label: members
        .map(({ label }) => label)
        .toSorted(byLabel)
        .join('+'),
      room: floor.rooms.find(({ id }) => id === members[0]?.room)?.name ?? '',
      least,
      most,
      features: [...new Set(members.flatMap(({ features }) => features))],
      fits: least <= party.size && party.size <= most,
      until: later.length === 0 ? null : Temporal.Instant.fromEpochMilliseconds(Math.min(...later)),
      taken: there
        .toSorted((a, b) => a.from - b.from)
        .map((other) => ({
          reservation: Number.isInteger(Number(other.id)) ? Number(other.id) : undefined,
          size: other.size,
          from: Temporal.Instant.fromEpochMilliseconds(other.from),
          until: Temporal.Instant.fromEpochMilliseconds(other.until - rest),
          stays: !movable.has(other.id),
        })),
      givesWay:
        tables.length === 1 &&
        there.length > 0 &&
        !off &&
        there.every(({ id }) => movable.has(id)) &&
        arrange(day, [{ party, tables }]).ok,
      off,
      neededBy: there.length === 0 && !off ? neededBy(day, party, tables) : undefined,
    }
  }
}

const byNumber = (a: number, b: number): number => a - b

/**
 * Free before taken, of the right size before others; then what the party would like, the fewest seats wasted and the fewest
 * tables joined.
 */
const betterFor =
  ({ features: wished }: Party) =>
  (a: TableChoice, b: TableChoice): number =>
    rank(a) - rank(b) ||
    lacking(a, wished) - lacking(b, wished) ||
    a.most - b.most ||
    a.tables.length - b.tables.length ||
    byLabel(a.label, b.label)

const lacking = ({ features, room }: TableChoice, wished: readonly string[]): number =>
  wished.filter((feature) => feature !== room && !features.includes(feature)).length

const rank = (one: TableChoice): number =>
  (one.off ? 8 : 0) + (one.fits ? 0 : 2) + (one.taken.length === 0 ? 0 : mayChoose(one) ? 1 : 4)
