import type { DemoBooking } from '../server/demo/guest-book.ts'
import { demoSeed, planDemo } from '../server/demo/plan.ts'
import { type Party, diningRoom, replayEvening, stayOf } from '../server/demo/test/replay-evening.ts'
import { minuteMs } from '../server/demo/venue-time.ts'
import { addDays } from '../server/platform/kernel/time/calendar.ts'
import type { LocalDate } from '../server/platform/kernel/time/written-time.ts'
import type { FloorDay } from '../server/book/day/day-floor.ts'
import type { Floor } from '../server/book/rules/floor/floor.ts'
import { likelyTablesFor } from '../server/book/tables/likely-table.ts'
import { type StaysByKind, eveningMinute, kindOf, staysOf } from '../server/book/tables/stays.ts'
import type { BookingRules } from '../server/book/rules/booking-rules.ts'
import { likeParties } from '../server/book/waitlist/line/line-now.ts'
import { inSteps, minutesByLine, recentMinutes } from '../server/book/waitlist/quote.ts'
import type { Figure } from './report.ts'

/*
 * How true quotes are. The demo's year is played again, day by day, as it was recorded: parties come when they came and stay
 * as long as they stayed; who was not booked waits in line until the service itself would seat them. The tables are
 * those of the dining room, so that on busy evenings there is a line. Each party that cannot sit down at once is quoted
 * twice as it comes: by the line and tonight's waits, and by tables with what the 90 days before tell of stays.
 */

const madeAt = Temporal.Instant.from('2026-10-06T19:00:00Z')
/** Days of the year that only tell of stays. */
const daysToLearn = 90

export const measureWaits = (): Figure[] => {
  const { bookings, rules } = planDemo({ now: madeAt, seed: demoSeed, scale: 1 })
  const came = bookings.filter(({ state }) => state.completedAt !== null)
  const first = came.map(({ serviceDate }) => serviceDate).toSorted()[0] ?? ''
  const waits = [...Map.groupBy(came, ({ serviceDate }) => serviceDate)]
    .filter(([date]) => date >= addDays(first, daysToLearn))
    .flatMap(([date, ofDay]) => {
      const from = addDays(date, -daysToLearn)
      const known = staysIn(came.filter(({ serviceDate: day }) => from <= day && day < date))
      return playAgain(ofDay, { date, rules: { ...rules, floor: diningRoom }, known })
    })
  const errors = (of: 'byLine' | 'byTables'): readonly number[] =>
    waits.map((wait) => Math.abs(wait[of] - wait.waited)).toSorted((a, b) => a - b)
  const [byLine, byTables] = [errors('byLine'), errors('byTables')]
  return [
    {
      name: `wait quotes’ median error in minutes, ${waits.length} parties that waited in nine months of the demo, for its dining room alone (floor: by the line and tonight’s waits)`,
      floor: shareOf(byLine, 0.5),
      service: shareOf(byTables, 0.5),
      goal: { most: 1 },
    },
    {
      name: 'the same, what nine in ten stay within',
      floor: shareOf(byLine, 0.9),
      service: shareOf(byTables, 0.9),
    },
  ]
}

const shareOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN

const staysIn = (bookings: readonly DemoBooking[]): StaysByKind => {
  const kinds = Map.groupBy(bookings, ({ partySize, serviceMinute }) =>
    kindOf({ partySize, isEvening: serviceMinute >= eveningMinute }),
  )
  return new Map(
    [...kinds].map(([kind, ofKind]) => {
      const minutes = ofKind.map((one) => stayOf(one) / minuteMs).toSorted((a, b) => a - b)
      const twentieths = Array.from({ length: 21 }, (_, n) => shareOf(minutes, n / 20))
      return [kind, { count: minutes.length, twentieths }]
    }),
  )
}

type Day = {
  readonly date: LocalDate
  readonly rules: BookingRules & { floor: Floor }
  readonly known: StaysByKind
}
type Wait = { readonly waited: number; readonly byLine: number; readonly byTables: number }

/** A day as it went: what everybody who had to wait was quoted, and how long they waited. */
const playAgain = (ofDay: readonly DemoBooking[], { date, rules, known }: Day): Wait[] => {
  const quotes = new Map<number, Omit<Wait, 'waited'>>()
  const ended: { readonly at: number; readonly size: number; readonly waited: number }[] = []
  const waits: Wait[] = []
  const stays = staysOf(rules, known)
  const quoted = (size: number, line: readonly Party[], at: number, day: FloorDay): Omit<Wait, 'waited'> => {
    const ahead = line.map((other) => other.size)
    const from = Temporal.Instant.fromEpochMilliseconds(at)
    const {
      sizes: [table],
    } = likelyTablesFor(day, stays, {
      ...{ serviceDate: date, from, ahead, sizes: [size] },
      likeLargest: (size) => likeParties(size).most,
    })
    const { least, most } = likeParties(size)
    const recent = ended.filter(
      (other) => other.at > at - recentMinutes * minuteMs && least <= other.size && other.size <= most,
    )
    const minutesUntil = table ? from.until(table.at).total('minutes') : undefined
    const byLine = minutesByLine(
      recent.map(({ waited }) => waited),
      line.length,
    )
    return { byLine: inSteps(byLine), byTables: inSteps(minutesUntil ?? byLine) }
  }
  replayEvening(
    ofDay,
    { date, rules, givesTables: false, short: false },
    {
      waits: ({ id, size }, line, at, day) => quotes.set(id, quoted(size, line, at, day)),
      sits: ({ id, size, came }, at) => {
        const quote = quotes.get(id)
        if (!quote) return
        const waited = (at - came) / minuteMs
        waits.push({ ...quote, waited })
        ended.push({ at, size, waited })
      },
    },
  )
  return waits
}
