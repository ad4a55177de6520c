import { type Content, type Html, html } from '../../../platform/html/html.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { icon } from '../parts/icon.ts'
import { live } from '../parts/live.ts'
import { counted } from '../parts/pager.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { waitInWords } from '../parts/time-words.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { isLate, minutesLate } from '../bookings/offered-moves.ts'
import { type BookQuery, type DayBook, bookAddress } from '../today/read-day.ts'
import type { EveningFloor } from '../../../book/tables/reads.ts'
import type { Reach } from '../../../book/tables/offered/at-door.ts'
import { isFree, roomsPart } from '../floor/floor-list.ts'
import { newsPart } from '../tablet/news.ts'
import { serverChip } from '../parts/server-chip.ts'
import { padForm } from './pad.ts'
import { arrivingRow, doneRow, hereRow, minutesLeft, seatedRow } from './rows.ts'
import { strips } from './strips.ts'
import { lapsedRow, waitingRow } from './waiting.ts'

/** What a party of two is told: a table now, one for a while, or how long for the whole evening. */
const quoteWords = ({ quote, offers }: DayBook, { timezone }: RowPlace): string => {
  const now = offers?.forTwo[0]
  if (now && !now.short && !now.needed && !now.isMany) return 'table for 2 now'
  return now?.short && !now.needed
    ? `for 2: now until ${timeOf(now.short.until, timezone)}, or ${waitInWords(quote)}`
    : `quote for 2: ${waitInWords(quote)}`
}

/** A party so many minutes late is hardly on its way: it is kept below those who are. */
const longLateMinutes = 90

/**
 * The three lists of an evening, with the strips above. Asks every moment whether anything changed, as the book does,
 * so that a move shows on every screen of the venue at once. The first row of each list is whom to see to first.
 */
export const servicePart = (day: DayBook, place: RowPlace): Html => {
  const { arriving, missing, here, seated } = sortOf(day)
  const waiting = [
    ...here.map((row) => ({
      id: row.id,
      anchor: `b${row.id}`,
      at: row.starts_at === null ? 0 : Temporal.Instant.from(row.starts_at).epochMilliseconds,
      show: (first: boolean) => hereRow(row, place, first),
    })),
    ...day.line.map((row) => ({
      id: row.id,
      anchor: `w${row.id}`,
      at: row.stands_at === null ? Number.MAX_SAFE_INTEGER : toInstant(row.stands_at).epochMilliseconds,
      show: (first: boolean) => waitingRow(row, place, first),
    })),
  ].toSorted((a, b) => a.at - b.at)
  const headWords = (
    rows: readonly DayRow[],
    isBad: (row: DayRow, now: Temporal.Instant) => boolean,
    word: string,
  ) =>
    eachMinute(day.now, (at) => {
      const bad = rows.filter((row) => isBad(row, at)).length
      return counted(coversOf(rows), 'cover') + (bad > 0 ? `, ${bad} ${word}` : '')
    })
  const withFloor = day.query.view === 'rooms' ? day.evening : undefined
  return html`<section ${live({ id: 'book', address: place.back, mark: day.mark, now: day.now })} class="service" aria-label="Service">
    ${strips(day, place)} ${newsPart(day)}
    <nav class="list-tabs" aria-label="Lists">
      ${tab('arriving', 'Arriving', arriving.length)} ${tab('waiting', 'Waiting', waiting.length)}
      ${withFloor ? tab('floor', 'Floor', seated.length) : tab('seated', 'Seated', seated.length)}
    </nav>
    <div class="lists ${withFloor && 'with-floor'}">
      ${list(
        {
          id: 'arriving',
          name: 'Arriving',
          count: arriving.length,
          words: headWords(arriving, isLate, 'late'),
        },
        html`${
          arriving.length > 0
            ? rowsOf(day.query, arriving, (row, isFirst) => arrivingRow(row, place, isFirst))
            : html`<p class="empty">
                  Nobody else is expected tonight. <a class="button" href="/office/bookings/new">New booking</a>
                </p>`
        }
          ${folded(
            { id: 'missing', name: 'Never came?', count: missing.length },
            rowsOf(day.query, missing, (row) => arrivingRow(row, place, false)),
          )}`,
      )}
      ${list(
        {
          id: 'waiting',
          name: 'Waiting',
          count: waiting.length,
          words: waiting.length === 0 && day.isTableFree ? 'tables free' : quoteWords(day, place),
        },
        html`${padForm(day, place.back)}
          ${
            waiting.length > 0
              ? rowsOf(
                  day.query,
                  waiting,
                  ({ show }, isFirst) => show(isFirst),
                  ({ anchor }) => anchor,
                )
              : html`<p class="empty">${
                  day.isTableNeeded
                    ? 'Nobody is in line, but parties without a table need those that are open.'
                    : 'Nobody is waiting.'
                } Press a size above when a party walks in.</p>`
          }
          ${folded(
            { id: 'lapsed', name: 'Did not come back', count: day.lapsed.length },
            rowsOf(
              day.query,
              day.lapsed,
              (row) => lapsedRow(row, place),
              ({ id }) => `w${id}`,
            ),
          )}`,
        nextUpPart(place),
      )}
      ${
        withFloor
          ? floorList(withFloor, day, seated.length, place)
          : list(
              {
                id: 'seated',
                name: 'Seated',
                count: seated.length,
                words: headWords(seated, (row, at) => (minutesLeft(row, at) ?? 0) < 0, 'over'),
              },
              html`${
                seated.length > 0
                  ? rowsOf(day.query, seated, (row, isFirst) => seatedRow(row, place, isFirst))
                  : html`<p class="empty">Nobody is seated yet.</p>`
              }
          ${folded(
            { id: 'done', name: 'Done and cancelled', count: day.finished.length },
            rowsOf(day.query, day.finished, (row) => doneRow(row, place)),
          )}`,
              day.evening && html`<a class="button to-other" href="/office/floor">Floor</a>`,
            )
      }
    </div>
  </section>`
}

/** The evening's parties by where they are; late ones first, then by time; at the table by the time that is left. */
const sortOf = ({ bookings, now }: DayBook) => {
  const expected = bookings.filter((row) => row.status !== 'Seated' && row.checked_in_at === null)
  const isMissing = (row: DayRow) => minutesLate(row, now) > longLateMinutes
  return {
    arriving: expected.filter((row) => !isMissing(row)),
    missing: expected.filter(isMissing),
    here: bookings.filter((row) => row.status !== 'Seated' && row.checked_in_at !== null),
    seated: bookings
      .filter(({ status }) => status === 'Seated')
      .toSorted(
        (a, b) =>
          (minutesLeft(a, now) ?? Number.MAX_SAFE_INTEGER) - (minutesLeft(b, now) ?? Number.MAX_SAFE_INTEGER),
      ),
  }
}

const coversOf = (rows: readonly DayRow[]): number =>
  rows.reduce((sum, row) => sum + (row.party_size ?? 0), 0)

const tab = (id: string, name: string, count: number): Html =>
  html`<a href="#${id}" data-list="${id}">${name} <span class="amount">${count}</span></a>`

/** Whose turn it is, where the service has a line-up, which it leads to. */
const nextUpPart = ({ servers }: RowPlace): Html | undefined => {
  const next = servers?.turn[0]
  return next && html`<a class="next-up" href="/office/line-up">next ${serverChip(next)}</a>`
}

type ListHead = {
  readonly id: string
  readonly name: string
  readonly count: number
  readonly words: Content
}

/** "9 free · 9 for a while · 2 due": the tables that nobody has, by how long a party of their size could sit down there. */
const freeWords = ({ tables }: EveningFloor, reachOf: DayBook['reachOf']): string => {
  const reach = tables.filter(isFree).map((table) => reachOf?.(table) ?? 'whole')
  const count = (of: Reach): number => reach.filter((one) => one === of).length
  const [whole, some, less] = [count('whole'), count('a while'), count('less')]
  return [
    `${whole} free`,
    ...(some > 0 ? [`${some} for a while`] : []),
    ...(less > 0 ? [`${less} due`] : []),
  ].join(' · ')
}

/** The third column as the rooms. */
const floorList = (
  evening: EveningFloor,
  { reachOf, neededAt, bookings }: Pick<DayBook, 'reachOf' | 'neededAt' | 'bookings'>,
  seated: number,
  place: RowPlace,
): Html =>
  html`<section class="list floor" id="floor" aria-labelledby="h-floor">
    <header>
      <h2 id="h-floor">Floor</h2>
      <span class="amount">${seated}</span>
      <span class="soft">${freeWords(evening, reachOf)}</span>
      <a class="button to-other" href="/office/service">Seated</a>
    </header>
    ${roomsPart(evening, { ...place, reachOf, neededAt, mustSee: new Map(bookings.map((row) => [row.id, row])) })}
  </section>`

const list = ({ id, name, count, words }: ListHead, rows: Html, other?: Html): Html =>
  html`<section class="list ${id}" id="${id}" aria-labelledby="h-${id}">
    <header>
      <h2 id="h-${id}">${name}</h2>
      <span class="amount">${count}</span>
      <button type="button" class="to-now" data-now hidden>Now</button>
      <span class="soft">${words}</span>${other}
    </header>
    <div class="list-rows" tabindex="-1">${rows}</div>
  </section>`

const folded = ({ id, name, count }: Omit<ListHead, 'words'>, rows: Html): Html | undefined =>
  count === 0
    ? undefined
    : html`<details id="${id}" class="fold">
        <summary>${icon('chevron-down', 'small')}${name} <span class="amount">${count}</span></summary>
        ${rows}
      </details>`

/** Rows of one list before somebody asks for the rest: more than an hour of a large house, and a screen that is light. */
const mostAtOnce = 40

/** The first rows of a list, and a way to the others, which leads to the first of them. */
const rowsOf = <Row extends { readonly id: number }>(
  query: BookQuery,
  rows: readonly Row[],
  show: (row: Row, isFirst: boolean) => Html,
  anchor: (row: Row) => string = ({ id }) => `b${id}`,
): Html => {
  const shown = query.isWhole ? rows : rows.slice(0, mostAtOnce)
  const next = rows[shown.length]
  return html`<ul>
      ${shown.map((row, i) => show(row, i === 0))}
    </ul>
    ${
      next &&
      html`<p class="find-more">
        <a class="button quiet" href="${bookAddress({ ...query, isWhole: true })}#${anchor(next)}"
          >Show ${rows.length - shown.length} more</a
        >
      </p>`
    }`
}
