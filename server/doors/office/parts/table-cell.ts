import { type Html, html } from '../../../platform/html/html.ts'
import type { EveningFloor, EveningParty } from '../../../book/tables/reads.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { endMinute, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { plainTime } from './plain-time.ts'

/*
 * A party's table next to its button: the label in the shape of the thing. A dashed one is still taken, with when it is
 * likely to be free; a dotted one means no table. A press opens the choice of another.
 */

/** The tables a party is to have or has, as a cell shows them. */
export type TablesShown = {
  /** Ids, ascending; none: without a table. */
  readonly ids: readonly number[]
  /** "26", "31+32"; empty: without a table. */
  readonly label: string
  /** Who sits there, if it is not the party itself: the last of them to leave. */
  readonly takenBy: EveningParty | undefined
  /** Who is expected there next, after the party. */
  readonly next: EveningParty | undefined
  /** Whether one of them is out of order or closed while they are to sit there: nobody can sit down there. */
  readonly off: boolean
}

/** The tables of everybody of an evening, by the ids of bookings. */
export const tablesShown = (evening: EveningFloor): ReadonlyMap<number, TablesShown> => {
  const known = new Map(evening.tables.map((table) => [table.id, table]))
  const parties = new Map(
    [...evening.tables.flatMap(({ parties }) => parties), ...evening.withoutTable].map((one) => [
      one.id,
      one,
    ]),
  )
  return new Map(
    [...parties.values()].map((party) => {
      const tables = party.tables.flatMap((id) => known.get(id) ?? [])
      const takenBy = tables
        .flatMap(({ now }) => now)
        .filter(({ id }) => id !== party.id)
        .toSorted((a, b) => Temporal.Instant.compare(b.until, a.until))[0]
      return [
        party.id,
        {
          ids: tables.map(({ id }) => id),
          label: joinedLabels(tables.map(({ label }) => label)),
          takenBy,
          next: first(
            tables
              .flatMap(({ parties }) => parties)
              .filter(
                ({ id, status, from }) =>
                  status === 'Confirmed' && id !== party.id && Temporal.Instant.compare(from, party.from) > 0,
              ),
          ),
          off: party.off !== undefined,
        },
      ]
    }),
  )
}

const first = (parties: readonly EveningParty[]): EveningParty | undefined =>
  parties.toSorted((a, b) => Temporal.Instant.compare(a.from, b.from))[0]

/** The cell of a party, as a link to the choice of another table. */
export const tableCell = (
  { id, name }: { readonly id: number; readonly name: string },
  /** `theirs`: they sit there, so it is not said to be free. `isAsked`: they need another, now. */
  {
    label,
    takenBy,
    off,
    theirs = false,
    isAsked = false,
  }: TablesShown & { readonly theirs?: boolean; readonly isAsked?: boolean },
  {
    now,
    timezone,
    back,
  }: { readonly now: Temporal.Instant; readonly timezone: string; readonly back: string },
): Html => {
  const isOver = takenBy !== undefined && Temporal.Instant.compare(takenBy.planned, now) <= 0
  const until =
    takenBy && (isOver ? html`soon` : plainTime(wallTimeOf(endMinute(takenBy.until), timezone).time))
  const hidden = (words: string): Html => html`<span class="hidden-text">${words}</span>`
  return html`<a
    id="t${id}"
    class="table-cell ${label === '' && 'none'} ${label.length > 3 && 'long'} ${isAsked && 'asked'} ${(takenBy || (off && !theirs)) && 'taken'}"
    ${pickLink(id, back)}
    ><span
      >${label === '' ? html`<span aria-hidden="true">–</span>${hidden('No table yet')}` : html`${hidden('Table ')}${label.replaceAll('+', '+\u200b')}`}</span
    >${off && !theirs ? html`<small>${hidden(', ')}off</small>` : until ? html`<small>${hidden(isOver ? ', taken, free ' : ', taken to ')}${until}</small>` : label !== '' && !theirs && hidden(', free')}${hidden(`, for ${name}: change`)}</a
  >`
}

/** Where the table of a booking, or of a party of the line, is chosen: a page, or with script a sheet over this one. */
export const pickLink = (id: number, back: string, kind: 'bookings' | 'waitlist' = 'bookings'): Html => {
  const to = `/office/${kind}/${id}/table?back=${encodeURIComponent(back)}`
  return html`href="${to}" hx-get="${to}" hx-target="#pick" hx-swap="innerHTML"`
}

/** "free until 20:45"; where nobody follows, "free tonight". */
export const untilWords = (until: Temporal.Instant | null, timezone: string): string =>
  until === null ? 'free tonight' : `free until ${timeOf(until, timezone)}`

/** "until 8:00 PM (65 min)": a short stay. */
export const shortWords = ({ until, minutes }: Omit<ShortStay, 'tables'>, timezone: string): string =>
  `until ${timeOf(until, timezone)} (${minutes} min)`
