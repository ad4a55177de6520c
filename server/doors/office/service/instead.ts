import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { AtDoor } from '../../../book/tables/offered/at-door.ts'
import type { EveningFloor } from '../../../book/tables/reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { minutesLate } from '../bookings/offered-moves.ts'
import { minutesSince } from '../parts/time-words.ts'
import { movingWords, surnamesOf } from './line-offers.ts'
import { tablesShown } from '../parts/table-cell.ts'

/*
 * A party that is here, or whose time has come, while others still sit at its table: its row asks, and says where else it
 * could sit. Nobody is moved for it; staff choose. Who is here already is proposed a table first.
 */

/** Rows that ask at once: each costs a search. */
const mostAsked = 8

type Seen = {
  readonly atDoor: AtDoor
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
}

/** What a row asks: whole, for the peek, and as the row has room for it. */
export type Asks = { readonly whole: string; readonly brief: string }

/** "table 11 is 28 min over: 3 until 9:00 PM, or 15 when Le moves", in brief "3 until 9:00 PM", by the ids of bookings. */
export const insteadWords = (
  { atDoor, evening, now, timezone }: Seen,
  bookings: readonly DayRow[],
): ReadonlyMap<number, Asks> => {
  const shown = tablesShown(evening)
  const surnames = surnamesOf(evening)
  const asking = bookings
    .flatMap((row) => {
      const own = row.status === 'Confirmed' ? shown.get(row.id) : undefined
      const over = own?.takenBy ? minutesSince(own.takenBy.planned, now) : 0
      const isTime = row.checked_in_at !== null || minutesLate(row, now) >= 0
      return own && over > 0 && isTime ? [{ row, own, over }] : []
    })
    .toSorted((a, b) => Number(b.row.checked_in_at !== null) - Number(a.row.checked_in_at !== null))
    .slice(0, mostAsked)
  const proposed = new Set<number>()
  const isLeft = (tables: readonly { readonly id: number }[]): boolean =>
    !tables.some(({ id }) => proposed.has(id))
  const labels = (tables: readonly { readonly label: string }[]): string =>
    joinedLabels(tables.map(({ label }) => label))
  return new Map(
    asking.map(({ row, own, over }) => {
      const { open, moving, short } = atDoor.insteadFor({
        partySize: row.party_size ?? 1,
        durationMinutes: row.duration_minutes,
      })
      const free = open.find(isLeft)
      const stay = short.find(({ tables }) => isLeft(tables))
      const moved = moving && moving.moves.size > 0 && isLeft(moving.tables) ? moving : undefined
      const options = free
        ? [`${labels(free)} is free`]
        : [
            ...(stay ? [`${labels(stay.tables)} until ${timeOf(stay.until, timezone)}`] : []),
            ...(moved ? [`${labels(moved.tables)} ${movingWords(moved, surnames)}`] : []),
          ]
      for (const { id } of free ?? [...(stay?.tables ?? []), ...(moved?.tables ?? [])]) proposed.add(id)
      const asks = options.length === 0 ? '' : `: ${options.join(', or ')}`
      const whole = `table ${own.label} is ${over} min over`
      return [row.id, { whole: `${whole}${asks}`, brief: options[0] ?? `${own.label} is ${over} over` }]
    }),
  )
}
