import type { VisitRow } from '../../../book/reservations/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { dayNumber } from '../../../platform/kernel/time/calendar.ts'
import { dateInWords } from '../../../platform/kernel/time/in-words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { counted } from '../parts/pager.ts'

export const cameTo = ({ status }: VisitRow): boolean => status === 'Seated' || status === 'Completed'

/** What a guest's bookings say of how they come; null where nobody knows. */
export const habitsOf = (bookings: readonly VisitRow[]) => {
  const visits = bookings.filter(cameTo)
  const stays = visits.flatMap(({ seated_at, completed_at }) =>
    seated_at === null || completed_at === null
      ? []
      : [(toInstant(completed_at).epochMilliseconds - toInstant(seated_at).epochMilliseconds) / 60_000],
  )
  return {
    size: mostOften(visits.flatMap(({ party_size }) => party_size ?? [])),
    lastTable: visits.find((row) => row.tables.length > 0)?.tables.join(' + ') ?? null,
    stayMinutes:
      stays.length === 0 ? null : Math.round(stays.toSorted((a, b) => a - b)[stays.length >> 1] ?? 0),
    covers: visits.reduce((sum, { party_size }) => sum + (party_size ?? 0), 0),
  }
}

const mostOften = <T>(all: readonly T[]): T | null => {
  const counts = Map.groupBy(all, (one) => one)
  return [...counts].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null
}

const [width, height, edge] = [820, 84, 14] as const

/** A guest's bookings on a line of time: larger for a larger party, and each kind another form. In words for who hears it. */
export const visitStrip = (bookings: readonly VisitRow[], today: LocalDate): Html | undefined => {
  const dated = bookings
    .flatMap((row) => (row.date === null ? [] : [{ ...row, date: row.date }]))
    .toReversed()
  const [first, last] = [dated[0]?.date, dated.at(-1)?.date]
  if (first === undefined || last === undefined || dated.length < 2) return undefined
  const [from, to] = [dayNumber(first), Math.max(dayNumber(last), dayNumber(today))]
  const at = (date: LocalDate): number =>
    Math.round(edge + ((width - 2 * edge) * (dayNumber(date) - from)) / Math.max(1, to - from))
  const years = Array.from(
    { length: Number(last.slice(0, 4)) - Number(first.slice(0, 4)) },
    (_, i) => Number(first.slice(0, 4)) + i + 1,
  )
  return html`<div class="visits-box" tabindex="0" role="region" aria-label="Visits over time">
      <svg class="visits" viewBox="0 0 ${width} ${height}" role="img" aria-label="${inWords(dated, first, today)}">
        <path class="line" d="M${edge} 36H${width - edge}" />
        ${years.map(
          (year) =>
            html`<path class="line" d="M${at(`${year}-01-01`)} 12v48" /><text x="${at(`${year}-01-01`)}" y="78">${year}</text>`,
        )}
        ${dated.map((row) => markOf(row, at(row.date)))}
      </svg>
    </div>
    <p class="soft small">Larger dot, larger party. Ring: coming. Crossed ring: no-show. Dashed ring: cancelled.</p>`
}

const markOf = (row: VisitRow, x: number): Html => {
  const r = 5 + Math.min(8, row.party_size ?? 2)
  if (cameTo(row)) return html`<circle class="v" cx="${x}" cy="36" r="${r}" />`
  if (row.status === 'No-show')
    return html`<circle class="no" cx="${x}" cy="36" r="7" /><path class="no" d="M${x - 4} 32l8 8m0-8-8 8" />`
  return html`<circle class="${row.status === 'Cancelled' ? 'can' : 'next'}" cx="${x}" cy="36" r="7" />`
}

const inWords = (rows: readonly VisitRow[], first: LocalDate, today: LocalDate): string => {
  const count = (is: (row: VisitRow) => boolean, one: string, many?: string): string[] => {
    const found = rows.filter(is).length
    return found === 0 ? [] : [counted(found, one, many)]
  }
  return `Since ${dateInWords(first)}: ${[
    ...count(cameTo, 'visit'),
    ...count(({ status }) => status === 'No-show', 'no-show'),
    ...count(({ status }) => status === 'Cancelled', 'cancelled booking'),
    ...count(
      ({ status, date }) => ['Requested', 'Confirmed'].includes(status) && (date ?? '') >= today,
      'coming',
      'coming',
    ),
  ].join(', ')}`
}
