import type { PartyRow } from '../../book/day/party-reads.ts'
import type { DiningTable } from '../../book/rules/floor/floor.ts'
import { shortestStay } from '../../book/rules/turn-minutes.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { DemoBooking } from '../guest-book.ts'
import { minuteMs } from '../venue-time.ts'
import { type Party, type Replay, mostMinutesInLine, replayEvening } from './replay-evening.ts'

/*
 * How long tables are idle while somebody waits: on, empty, nobody due there within the shortest stay, and a party present
 * that fits. Told by who holds which table by its rows, not by what the engine offers, so it can find the engine wrong.
 */

export type Idle = {
  readonly date: LocalDate
  readonly table: string
  readonly minutes: number
}

export type Played = {
  readonly covers: number
  /** By everybody who waited. */
  readonly waited: number
  readonly idle: readonly Idle[]
}

export const playDays = (
  bookings: readonly DemoBooking[],
  {
    from,
    days,
    ...replay
  }: Omit<Replay, 'date' | 'givesTables'> & { readonly from: LocalDate; readonly days: number },
): Played => {
  const until = addDays(from, days)
  const came = bookings.filter(
    ({ state, serviceDate }) => state.completedAt !== null && from <= serviceDate && serviceDate < until,
  )
  const played = [...Map.groupBy(came, ({ serviceDate }) => serviceDate)].map(([date, ofDay]) =>
    playDay(ofDay, { ...replay, date, givesTables: true }),
  )
  return {
    covers: played.reduce((sum, { covers }) => sum + covers, 0),
    waited: played.reduce((sum, { waited }) => sum + waited, 0),
    idle: played.flatMap(({ idle }) => idle),
  }
}

const playDay = (ofDay: readonly DemoBooking[], replay: Replay): Played => {
  let [covers, waited] = [0, 0]
  const idle: Idle[] = []
  /** Stretches that go on, by the table: when they began, and when the last one known ends. */
  const open = new Map<number, { readonly from: number; until: number }>()
  const { date, rules } = replay
  const close = ({ id, label }: DiningTable): void => {
    const stretch = open.get(id)
    open.delete(id)
    if (stretch) idle.push({ date, table: label, minutes: (stretch.until - stretch.from) / minuteMs })
  }
  replayEvening(ofDay, replay, {
    sits: (party, at) => {
      covers += party.size
      waited += (at - party.came) / minuteMs
    },
    rests: (at, next, line, rows) => {
      for (const table of rules.floor.tables) {
        const end = Math.min(next, idleUntil(table, at, line, rows, replay) ?? at)
        const stretch = open.get(table.id)
        if (end <= at) close(table)
        else if (stretch?.until === at) stretch.until = end
        else {
          close(table)
          open.set(table.id, { from: at, until: end })
        }
      }
    },
  })
  for (const table of rules.floor.tables) close(table)
  return { covers, waited, idle }
}

/** Until when a table that is empty now could have somebody of the line for the shortest stay; undefined: it could not. */
const idleUntil = (
  table: DiningTable,
  at: number,
  line: readonly Party[],
  rows: readonly PartyRow[],
  { rules }: Replay,
): number | undefined => {
  const ofTable = rows.filter(({ tables }) => tables?.includes(String(table.id)))
  if (ofTable.some(({ status }) => status === 'Seated')) return undefined
  const ends = line
    .filter(({ size }) => table.least <= size && size <= table.most)
    .map(({ id, came, isBooked, size }) => {
      const due = ofTable
        .filter(({ reservation_id }) => reservation_id !== id)
        .map(({ starts_at }) => Temporal.Instant.from(starts_at ?? '').epochMilliseconds)
      const leaves = isBooked ? Infinity : came + mostMinutesInLine * minuteMs
      return Math.min(leaves, ...due.map((one) => one - shortestStay(rules, size) * minuteMs))
    })
    .filter((end) => end > at)
  return ends.length === 0 ? undefined : Math.max(...ends)
}
