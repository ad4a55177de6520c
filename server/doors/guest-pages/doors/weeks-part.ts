import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { DayTimes } from '../../../book/reservations/availability/availability.ts'
import type { Slot } from '../../../book/reservations/rules/open-times.ts'
import type { Visit } from '../frame/visit.ts'

const daysPerWeek = 7

/** How many days are on the page at once. */
export const daysShown = 3 * daysPerWeek

type Shown = {
  /** From today on, or some weeks later: never a day that is over. */
  readonly days: readonly DayTimes[]
  readonly today: LocalDate
  readonly chosen: LocalDate
  readonly size: number
  /** The last day that is open to bookings; undefined: there is no end. */
  readonly last: LocalDate | undefined
}

/** The first of the days shown together with one: whole pages of weeks, counted from today. */
export const firstShown = (today: LocalDate, date: LocalDate, last: LocalDate | undefined): LocalDate => {
  const seen = last !== undefined && date > last ? last : date
  const ahead = Temporal.PlainDate.from(today).until(seen).days
  return ahead <= 0 ? today : addDays(today, ahead - (ahead % daysShown))
}

/**
 * Weeks that begin with today, as buttons of the form around them: a day that is pressed is sent with what else was
 * chosen there. Open days and full ones can be pressed; others say why not.
 */
export const weeksPart = (
  { words, formats }: Pick<Visit, 'words' | 'formats'>,
  { days, today, chosen, size, last }: Shown,
): Html => {
  const { book } = words
  const bookable = days.filter(({ serviceDate }) => last === undefined || serviceDate <= last)
  const weeks = Array.from({ length: Math.ceil(bookable.length / daysPerWeek) }, (_, week) =>
    days.slice(week * daysPerWeek, (week + 1) * daysPerWeek),
  )
  const first = days[0]?.serviceDate ?? today
  const end = weeks.at(-1)?.at(-1)?.serviceDate ?? first
  const next = addDays(first, daysShown)
  const months = formats.months(first, end)
  return html`<div class="weeks">
    <div class="monthbar">
      ${arrow(book.earlier, 'M13 4l-6 6 6 6', first > today && addDays(first, -daysShown))}
      <h2>${months}</h2>
      ${arrow(book.later, 'M7 4l6 6-6 6', (last === undefined || next <= last) && next > first && next)}
    </div>
    <table class="month">
      <caption class="vh">
        ${book.daysFor(months, formats.number(size))}
      </caption>
      <thead>
        <tr>
          ${days
            .slice(0, daysPerWeek)
            .map(
              ({ serviceDate }) =>
                html`<th scope="col" abbr="${formats.weekday(serviceDate)}">${formats.weekdayLetter(serviceDate)}</th>`,
            )}
        </tr>
      </thead>
      <tbody>
        ${weeks.map((week) => html`<tr>${week.map((day) => html`<td>${dayPart({ words, formats }, day, { today, chosen })}</td>`)}</tr>`)}
      </tbody>
    </table>
    <ul class="key">
      <li><i class="open"></i>${book.keyOpen}</li>
      <li><i class="full"></i>${book.keyFull}</li>
      <li><i class="shut"></i>${book.keyClosed}</li>
    </ul>
  </div>`
}

const dayPart = (
  { words: { book }, formats }: Pick<Visit, 'words' | 'formats'>,
  day: DayTimes,
  { today, chosen }: Pick<Shown, 'today' | 'chosen'>,
): Html => {
  const date = day.serviceDate
  const state = stateOfDay(day)
  const isFirst = date.endsWith('-01') && html`<small>${formats.shortMonth(date)}</small>`
  const number = formats.number(Number(date.slice(8)))
  const isToday = date === today && html`data-today`
  const isChosen = date === chosen && html`aria-current="true"`
  if (state === 'shut')
    return html`<span class="d shut" ${isToday} ${isChosen}
      >${isFirst}${number}<span class="vh"> ${day.closed ? book.closed : book.notOpen}</span></span
    >`
  const said = state === 'full' ? book.full : date === today ? book.todayHasTables : book.hasTables
  return html`<button
    class="${state}"
    name="date"
    value="${date}"
    aria-label="${formats.day(date)}, ${said}"
    ${isToday}
    ${isChosen}
  >
    ${isFirst}<b>${number}</b>
  </button>`
}

export const stateOfDay = ({ slots }: DayTimes): 'open' | 'full' | 'shut' => {
  if (slots.some(({ evaluation }) => evaluation.ok)) return 'open'
  return slots.some(isFull) ? 'full' : 'shut'
}

/** A time that could be had if somebody gave up theirs. */
export const isFull = ({ evaluation }: Pick<Slot, 'evaluation'>): boolean =>
  !evaluation.ok && /^pacing-|^tables-full$/.test(evaluation.refusal.reason)

/** Leads to the weeks from a day; greyed where there is no such day. */
const arrow = (name: string, path: string, from: LocalDate | false): Html => {
  const drawing = html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
    <path d="${path}" fill="none" stroke="currentColor" stroke-width="2" />
  </svg>`
  return from === false
    ? html`<span class="btn line" aria-disabled="true" role="button" aria-label="${name}">${drawing}</span>`
    : html`<button class="btn line" name="from" value="${from}" aria-label="${name}">${drawing}</button>`
}
