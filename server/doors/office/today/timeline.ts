import { type Html, html } from '../../../platform/html/html.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { isLate } from '../bookings/offered-moves.ts'
import { type DayBook, minuteOfDate } from './read-day.ts'
import { minuteInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'

/** Pixels: fifteen minutes are wide enough to read a party size, a line is high enough for a finger. */
const perMinute = 1.8
const lane = 46
const head = 28

/**
 * The evening as bars: when each party arrives and how long its table is held. Parties that do not overlap share a
 * line. Drawn with attributes only, so that it needs neither styles nor scripts.
 */
export const timeline = (day: DayBook): Html => {
  const minuteNow = day.date === day.today ? minuteOfDate(day.rules, day.date, day.now) : undefined
  // Today the past two hours are enough; parties that left before that are in the list.
  const since = minuteNow === undefined ? 0 : Math.floor((minuteNow - 120) / 60) * 60
  const placed = lanesOf(
    [...day.bookings, ...day.finished.filter(({ status }) => status === 'Completed')]
      .filter((row): row is Placed => row.service_minute !== null)
      .filter((row) => row.status !== 'Completed' || endOf(row) > since),
  )
  if (placed.length === 0) return html`<p class="empty">No bookings on this day.</p>`
  const { from, to } = rangeOf(day, placed, since)
  const x = (minute: number) => Math.round((minute - from) * perMinute)
  const lanes = Math.max(...placed.map((one) => one.lane)) + 1
  const width = x(to)
  const height = head + lanes * lane
  const hours = Array.from(
    { length: Math.floor((to - from) / 60) + 1 },
    (_, i) => Math.ceil(from / 60) * 60 + i * 60,
  )
  return html`<div class="timeline" tabindex="0" role="region" aria-label="Timeline">
    <svg width="${width}" height="${height}" class="grid" aria-label="Bookings by time">
      ${hours
        .filter((minute) => minute < to)
        .map(
          (minute) =>
            html`<line class="hour" x1="${x(minute)}" x2="${x(minute)}" y1="${head}" y2="${height}" /><text
                class="hour-name"
                x="${x(minute) + 4}"
                y="18"
              >
                ${minuteInWords(minute)}
              </text>`,
        )}
      ${placed.map(
        (one) =>
          html`<a href="/office/bookings/${one.row.id}" aria-label="${sizeAndName(one.row)} ${timeAndState(one.row)}${allergyWords(one.row)}"
            ><svg
              x="${x(Math.max(from, one.from)) + 1}"
              y="${head + one.lane * lane + 1}"
              width="${Math.max(40, x(one.to) - x(Math.max(from, one.from)) - 2)}"
              height="${lane - 2}"
              ><rect
                class="bar-of ${isLate(one.row, day.now) ? 'is-late' : `is-${one.row.status.toLowerCase()}`}"
                width="100%"
                height="100%"
                rx="6"
              /><text x="8" y="19" class="strong">${one.row.allergies !== null && mark}${sizeAndName(one.row)}</text>
              <text x="8" y="36">${timeAndState(one.row)}</text></svg
          ></a>`,
      )}
      ${
        minuteNow !== undefined &&
        minuteNow > from &&
        minuteNow < to &&
        html`<line class="now" x1="${x(minuteNow)}" x2="${x(minuteNow)}" y1="0" y2="${height}" />`
      }
    </svg>
  </div>`
}

type Placed = DayRow & { service_minute: number }
type Bar = { readonly row: Placed; readonly from: number; readonly to: number; readonly lane: number }

/** A booking without a turn time is drawn an hour long. */
const undatedMinutes = 60

const endOf = ({ service_minute, duration_minutes }: Placed): number =>
  service_minute + (duration_minutes ?? undatedMinutes)

/** The first free line; there are few lines, so a linear search is quick. */
const lanesOf = (rows: readonly Placed[]): Bar[] => {
  const freeAt: number[] = []
  return rows
    .toSorted((a, b) => a.service_minute - b.service_minute || a.id - b.id)
    .map((row) => {
      const from = row.service_minute
      const to = endOf(row)
      const found = freeAt.findIndex((free) => free <= from)
      const lane = found === -1 ? freeAt.length : found
      freeAt[lane] = to
      return { row, from, to, lane }
    })
}

const rangeOf = ({ periods }: DayBook, bars: readonly Bar[], since: number): { from: number; to: number } => {
  const first = Math.min(...bars.map((bar) => bar.from), ...periods.map((one) => one.startMinute))
  const from = Math.max(Math.floor(first / 60) * 60, since)
  return { from, to: Math.max(from + 120, Math.ceil(Math.max(...bars.map((bar) => bar.to)) / 60) * 60 + 45) }
}

const sizeAndName = ({ party_size, guest_name }: DayRow): string =>
  `${party_size ?? '?'} · ${guest_name ?? 'No name'}`

/** Shown as a mark, and as a word for screen readers. */
const mark = '⚠ '
const allergyWords = ({ allergies }: DayRow): string =>
  allergies === null ? '' : `, allergies: ${allergies}`

const timeAndState = ({ time, floor_stage, status }: DayRow): string =>
  `${time && timeInWords(time)} ${floor_stage ?? status}`
