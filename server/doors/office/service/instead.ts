import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import type { AtDoor } from '../../../book/tables/offered/at-door.ts'
import type { EveningFloor } from '../../../book/tables/reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { type Content, html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from '../parts/plain-time.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { minutesLate } from '../bookings/offered-moves.ts'
import { minutesSince } from '../parts/time-words.ts'
import { movingWords, surnamesOf } from './line-offers.ts'
import { type TablesShown, shortWords, tablesShown } from '../parts/table-cell.ts'

/*
 * A party that is here, or whose time has come, and cannot have its table as booked: others still sit there, or it has none.
 * Its row asks, and says where else it could sit. Nobody is moved for it; staff choose. Who is here already is proposed a table
 * first. One that is late for a table which others need next may have it for a while: its row says until when, and seats it so.
 */

/** Rows that ask at once: each costs a search. */
const mostAsked = 8
/** Rows that say how long they may have their own table. */
const mostOwn = 30

type Seen = {
  readonly atDoor: AtDoor
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
}

/** What a row asks: whole, for the peek, and as the row has room for it. */
export type Asks = {
  readonly whole: string
  readonly brief: Content
  /** What it says is a short one at their own table. */
  readonly stay?: Omit<ShortStay, 'tables'>
  /** Where and until when its Seat puts the party, as the row says it; absent: at its own table, or others sit there. */
  readonly seat?: { readonly tables: readonly number[]; readonly until?: Temporal.Instant | undefined }
}

/**
 * "table 11 is 28 min over: 3 until 9:00 PM, or 15 when Le moves", in brief "3 until 9:00 PM"; "10 until 7:45 PM (50 min)" of
 * their own table; by the ids of bookings.
 */
export const insteadWords = (
  { atDoor, evening, now, timezone }: Seen,
  bookings: readonly DayRow[],
): ReadonlyMap<number, Asks> => {
  const shown = tablesShown(evening)
  const surnames = surnamesOf(evening)
  const asking = bookings
    .flatMap((row) => {
      const own = row.status === 'Confirmed' ? shown.get(row.id) : undefined
      const isTime = row.checked_in_at !== null || minutesLate(row, now) >= 0
      const why = own && isTime ? whyAsked(own, now) : undefined
      return own && why !== undefined ? [{ row, own, why }] : []
    })
    .toSorted((a, b) => Number(b.row.checked_in_at !== null) - Number(a.row.checked_in_at !== null))
  const proposed = new Set<number>()
  const isLeft = (tables: readonly { readonly id: number }[]): boolean =>
    !tables.some(({ id }) => proposed.has(id))
  const labels = (tables: readonly { readonly label: string }[]): string =>
    joinedLabels(tables.map(({ label }) => label))
  const elsewhere = ({ row, own, why }: (typeof asking)[number]): [number, Asks][] => {
    const { open, moving, short } = atDoor.insteadFor({
      id: row.id,
      partySize: row.party_size ?? 1,
      durationMinutes: row.duration_minutes,
    })
    const free = open.find(isLeft)
    const stay = short.find(({ tables }) => isLeft(tables))
    const moved = moving && moving.moves.size > 0 && isLeft(moving.tables) ? moving : undefined
    const forAWhile = stay && { ...stay, words: `until ${timeOf(stay.until, timezone)}` }
    const byMoving = moved && { tables: moved.tables, words: movingWords(moved, surnames), until: undefined }
    const isWithout = why === 'none'
    // Where the row has a Seat it does what comes first, which is a whole stay, as in all offers.
    const options = free
      ? [{ tables: free, words: 'is free', until: undefined }]
      : (isWithout ? [byMoving, forAWhile] : [forAWhile, byMoving]).filter((one) => one !== undefined)
    for (const { tables } of options) for (const { id } of tables) proposed.add(id)
    const said = options.map(({ tables, words }) => `${labels(tables)} ${words}`)
    const asks = said.length === 0 ? '' : `: ${said.join(', or ')}`
    const brief = said[0] ?? (isWithout ? undefined : `${own.label} is ${why} over`)
    const whole = isWithout ? 'no table yet' : `table ${own.label} is ${why} min over`
    const [first] = options
    const seat =
      isWithout && first ? { tables: first.tables.map(({ id }) => id), until: first.until } : undefined
    // Of who has no table the cell next to it says so.
    return brief === undefined ? [] : [[row.id, { whole: `${whole}${asks}`, brief, ...(seat && { seat }) }]]
  }
  const ownFor = ({ row, own: { ids: tables, label } }: (typeof asking)[number]): [number, Asks][] => {
    const { id, party_size, duration_minutes: durationMinutes } = row
    const stay = atDoor.ownStay({ id, partySize: party_size ?? 1, durationMinutes, tables })
    if (!stay) return []
    const until = plainTime(wallTimeOf(stay.until, timezone).time)
    return [
      [
        id,
        {
          whole: `${label} ${shortWords(stay, timezone)}`,
          brief: html`${label} until ${until}`,
          stay,
          seat: { tables, until: stay.until },
        },
      ],
    ]
  }
  return new Map([
    ...asking
      .filter(({ why }) => why !== 'ready')
      .slice(0, mostAsked)
      .flatMap(elsewhere),
    ...asking
      .filter(({ why }) => why === 'ready')
      .slice(0, mostOwn)
      .flatMap(ownFor),
  ])
}

/**
 * Why it is asked where a party could sit: so many minutes others sit at its table over their time, or it has none; `ready`: it
 * may sit down there, if maybe for a while only. Undefined while others may sit there still, or the table is off.
 */
const whyAsked = ({ label, takenBy, off }: TablesShown, now: Temporal.Instant) => {
  if (label === '') return 'none' as const
  if (!takenBy) return off ? undefined : ('ready' as const)
  const over = minutesSince(takenBy.planned, now)
  return over > 0 ? over : undefined
}
