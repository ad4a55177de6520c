import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Party } from '../day/assignment/evening.ts'
import { byTurn, layOut } from '../day/assignment/judge.ts'
import { leavesAt } from '../day/assignment/board.ts'
import { type Soonest, soonestFor } from '../day/assignment/soonest.ts'
import { type FloorDay, dueMs, partyWanted } from '../day/day-floor.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import { minuteOf } from '../../platform/kernel/time/moment.ts'
import type { DiningTable } from '../rules/floor/floor.ts'
import { type Stays, eveningMinute } from './stays.ts'

/** Tables for a party that waits, and from when on it is likely to have them. */
export type LikelyTable = {
  readonly tables: readonly DiningTable[]
  readonly at: Temporal.Instant
  /** The booking that sits there until then; undefined: they wait for somebody who is yet to come, or for nobody. */
  readonly after: number | undefined
}

type Line = {
  readonly serviceDate: LocalDate
  /** From when on parties are seated. */
  readonly from: Temporal.Instant
  /** The sizes of the parties in line, in its order. */
  readonly ahead: readonly number[]
  /** The sizes asked about, each as if it came next. */
  readonly sizes: readonly number[]
  /** The largest party that needs about the same table as one of a size: what that may have, this one may. */
  readonly likeLargest: (size: number) => number
}

/** What parties are likely to get and when; undefined where no table takes so many. */
export type LikelyTables = {
  /**
   * Of booked parties whose time has come and who have no table, by the ids of their bookings: who is here goes first, then who is to
   * come any minute, then the line. Of who is late and may not come, what they would get if they came now; nobody waits for them.
   */
  readonly here: ReadonlyMap<number, LikelyTable>
  /** Of each of those in line. */
  readonly ahead: readonly (LikelyTable | undefined)[]
  /** Of each size that was asked about. */
  readonly sizes: readonly (LikelyTable | undefined)[]
  /** How much work it was; see `movingSteps`. */
  readonly steps: number
}

/**
 * Which table a party of each size is likely to get and when, if it joins the line now: who sits leaves when such parties do,
 * who is booked comes, at another table where that makes room, and who waits longer goes first.
 */
export const likelyTablesFor = (
  day: FloorDay,
  stays: Stays,
  { serviceDate, from, ahead, sizes, likeLargest }: Line,
): LikelyTables => {
  const leavingAt = leavingBy(day, stays, serviceDate)
  const parties = asTheyLeave(day, leavingAt).filter(({ id }) => !day.lateWithout.has(id))
  const laid = layOut({ ...day.evening, parties })
  const party = (partySize: number, place: number): Party => {
    const wanted = partyWanted(day, { startsAt: from, partySize, door: 'staff' })
    return {
      ...wanted,
      id: `in line ${place}`,
      asLargeAs: likeLargest(partySize),
      leaves: leavingAt(wanted, wanted.from),
    }
  }
  const asked = sizes.map((size) => party(size, ahead.length))
  const due = day.waiting
    .filter(({ from: since }) => since <= from.epochMilliseconds)
    .toSorted(byTurn)
    // Who is late is here by then, and may have any table.
    .map((one) => ({ ...one, onlineOnly: false }))
  const here = due.filter(({ id }) => laid.base.unseated.includes(id))
  const late = due.filter(({ id }) => day.lateWithout.has(id))
  const sitting = parties.filter(({ id }) => day.seated.has(id))
  const likely = (soonest: Soonest | undefined): LikelyTable | undefined =>
    soonest && {
      tables: day.floor.tables.filter(({ id }) => soonest.tables.includes(id)),
      at: Temporal.Instant.fromEpochMilliseconds(soonest.from),
      after: sittingUntil(sitting, soonest),
    }
  const found = soonestFor(laid, [...here, ...ahead.map(party)], asked, dueMs)
  const ifTheyCame = late.length === 0 ? undefined : soonestFor(laid, here, late, dueMs)
  const inLine = found.line.map(likely)
  const tables = [...inLine.slice(0, here.length), ...(ifTheyCame?.asked ?? []).map(likely)]
  return {
    here: new Map(
      [...here, ...late].flatMap(({ id }, n) => {
        const table = tables[n]
        return table ? [[Number(id), table] as const] : []
      }),
    ),
    ahead: inLine.slice(here.length),
    sizes: found.asked.map(likely),
    steps: found.steps + (ifTheyCame?.steps ?? 0),
  }
}

/** A party that sits down now at these tables, and who moves for it, by the ids of bookings. */
export type SitsDown = {
  readonly partySize: number
  readonly tables: readonly number[]
  readonly moves: ReadonlyMap<number, readonly number[]>
}

/** The day as it is once a party sat down. */
export const withSeated = (day: FloorDay, { partySize, tables, moves }: SitsDown): FloorDay => {
  const { evening, seated, now } = day
  const party = { ...partyWanted(day, { startsAt: now, partySize, door: 'staff' }), id: 'sits down' }
  const moved = evening.parties.map((one) => {
    const to = moves.get(Number(one.id))
    return to ? { ...one, tables: to } : one
  })
  return {
    ...day,
    evening: { ...evening, parties: [...moved, { ...party, tables, fixed: true }] },
    seated: new Set([...seated, party.id]),
  }
}

/** Who of those that sit leaves one of these tables at that moment. */
const sittingUntil = (seated: readonly Party[], { tables, from }: Soonest): number | undefined => {
  const last = seated.find(
    (party) => leavesAt(party) === from && party.tables.some((id) => tables.includes(id)),
  )
  return last && Number(last.id)
}

/**
 * Everybody of the evening, and when they are likely to leave. Who was given a shorter stay than is usual leaves when that is over;
 * who sits longer does so for as long as others who did. Who is late and may not come has the table that is kept for it until its
 * booked end, when it is anybody's.
 */
const asTheyLeave = (day: FloorDay, leavingAt: LeavingAt): readonly Party[] => {
  const { evening, seated, floor, rules, now } = day
  const at = minuteOf(now).epochMilliseconds
  const soon = at + (1 + floor.turnoverMinutes) * minuteMs
  return evening.parties.map((party) => {
    const sits = seated.has(party.id)
    const usual = (turnMinutes(rules, party.size) + floor.turnoverMinutes) * minuteMs
    const isOver = sits && party.until <= soon
    if ((!isOver && party.until - party.from < usual) || day.late.has(party.id)) return party
    // Who has not sat down yet does so now at the earliest, however long ago their time was.
    const from = sits ? party.from : Math.max(party.from, at)
    const leaves = leavingAt({ ...party, from }, sits ? at : from)
    return { ...party, leaves, until: sits ? Math.max(party.until, leaves) : party.until }
  })
}

/** When a party is likely to leave that is still there at an instant. */
type LeavingAt = (party: Party, at: number) => number

const leavingBy = (day: FloorDay, stays: Stays, serviceDate: LocalDate): LeavingAt => {
  const { floor, rules } = day
  const eveningFrom = instantOfMinute(rules.timezone, serviceDate, eveningMinute)
  return ({ from, size }, at) => {
    const sat = Math.max(0, at - from) / minuteMs
    const minutes = stays({ partySize: size, isEvening: from >= eveningFrom, sat })
    return from + Math.round(minutes + floor.turnoverMinutes) * minuteMs
  }
}

const minuteMs = 60_000
