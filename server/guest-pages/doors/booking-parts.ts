import type { GuestFormats } from '../../guest-words/formats.ts'
import type { Words } from '../../guest-words/en.ts'
import { refusalSentences, shortRefusal } from '../../guest-words/refusal-words.ts'
import { type Content, type Html, html } from '../../html/html.ts'
import { addDays, weekdayOf } from '../../kernel/calendar.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { type LocalDate, minutesPerDay, readDate } from '../../kernel/written-time.ts'
import { callAddress } from '../../kernel/phone.ts'
import type { DayTimes } from '../../reservations/availability.ts'
import { type When, readWhen } from '../../reservations/when.ts'
import type { Slot } from '../../reservations/rules/open-times.ts'
import type { BookingRules } from '../../venue/booking-rules.ts'
import type { Visit } from '../frame/visit.ts'
import { addressLine } from '../frame/whole-page.ts'

/* What the pages of booking and of changing a booking share. */

type Cell = { readonly label: string; readonly value: Content; readonly to?: string }

/** Guests, date, time: in the same three places from the first press to the mail. `at`: the step one is at. */
export const slip = (label: string, cells: readonly Cell[], at?: number): Html =>
  html`<ol class="slip" aria-label="${label}">
    ${cells.map(({ label: name, value, to }, place) => {
      const inside = html`<small>${name}</small><b>${value}</b>`
      return html`<li ${place === at && html`aria-current="step"`}>
        ${to === undefined ? html`<span class="cell">${inside}</span>` : html`<a class="cell" href="${to}">${inside}</a>`}
      </li>`
    })}
  </ol>`

/** A party's size as a form or an address names it, or the one that is meant without. */
export const readSize = (text: string | null, otherwise: number): number =>
  text !== null && /^[1-9]\d{0,3}$/.test(text) ? Number(text) : otherwise

/** An arrival as a button names it: both in the one form that these pages write. */
export const readSlot = ({ venue, now }: Visit, date: string, time: string): When | undefined => {
  if (readDate(date) === undefined || !/^\d{2}:\d{2}$/.test(time)) return undefined
  try {
    return readWhen({ date, time, startsAt: undefined }, venue.timezone, now)
  } catch (error) {
    // No such time, or beyond the years that are kept.
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** How many guests may be chosen here. */
export const sizesOf = ({ minParty, maxParty }: Pick<BookingRules, 'minParty' | 'maxParty'>): number[] => {
  const most = Math.min(maxParty ?? 12, 20)
  return Array.from({ length: Math.max(0, most - minParty + 1) }, (_, n) => minParty + n)
}

export const sizePart = (
  { words, formats }: Pick<Visit, 'words' | 'formats'>,
  sizes: readonly number[],
  chosen: number,
  /** Where a size leads; in a form each is a button, so that what was typed stays. */
  to: ((size: number) => string) | 'buttons',
): Html =>
  html`<div class="sizes" role="group" aria-label="${words.book.howMany}">
    ${sizes.map((size) => {
      const current = size === chosen && html`aria-current="true"`
      const inside = html`${formats.number(size)}<span class="vh">${words.book.guestsHidden(size)}</span>`
      return to === 'buttons'
        ? html`<button name="resize" value="${size}" ${current}>${inside}</button>`
        : html`<a href="${to(size)}" ${current}>${inside}</a>`
    })}
  </div>`

export const stateOfDay = ({ slots }: DayTimes): 'open' | 'full' | 'shut' => {
  if (slots.some(({ evaluation }) => evaluation.ok)) return 'open'
  const isFull = slots.some(
    ({ evaluation }) => !evaluation.ok && /^pacing-|^tables-full$/.test(evaluation.refusal.reason),
  )
  return isFull ? 'full' : 'shut'
}

type Month = {
  /** The first of the month. */
  readonly first: LocalDate
  readonly today: LocalDate
  readonly days: readonly DayTimes[]
  readonly chosen: LocalDate | undefined
  readonly size: number
  readonly to: (date: LocalDate) => string
  readonly monthTo: (first: LocalDate) => string
  /** The last day that is open to bookings; undefined: there is no end. */
  readonly last: LocalDate | undefined
}

/** A calendar month: open days are links, full ones too, and closed ones are named. */
export const monthPart = (
  { words, formats }: Pick<Visit, 'words' | 'formats'>,
  { first, today, days, chosen, size, to, monthTo, last }: Month,
): Html => {
  const known = new Map(days.map((day) => [day.serviceDate, day]))
  const before = `${addDays(first, -1).slice(0, 8)}01`
  const next = `${addDays(first, 31).slice(0, 8)}01`
  const lead = (weekdayOf(first) - formats.firstWeekday + 7) % 7
  const count = Temporal.PlainDate.from(first).daysInMonth
  const cells: (LocalDate | undefined)[] = [
    ...Array<undefined>(lead).fill(undefined),
    ...Array.from({ length: count }, (_, n) => addDays(first, n)),
  ]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    cells.slice(week * 7, week * 7 + 7),
  )
  const aWeek = Array.from({ length: 7 }, (_, n) => addDays('2024-01-01', formats.firstWeekday - 1 + n))
  const arrow = (path: string): Html =>
    html`<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <path d="${path}" fill="none" stroke="currentColor" stroke-width="2" />
    </svg>`
  const cell = (date: LocalDate | undefined): Html => {
    if (date === undefined) return html`<td></td>`
    const number = formats.number(Number(date.slice(8)))
    const day = known.get(date)
    const isToday = date === today && html`data-today`
    if (!day)
      return html`<td><span class="d past" ${isToday}>${number}<span class="vh"> ${words.book.past}</span></span></td>`
    const isChosen = date === chosen && html`aria-current="true"`
    switch (stateOfDay(day)) {
      case 'open':
        return html`<td>
          <a class="open" href="${to(date)}" ${isToday} ${isChosen}
            >${number}<span class="vh"> ${date === today ? words.book.todayHasTables : words.book.hasTables}</span></a
          >
        </td>`
      case 'full':
        return html`<td>
          <a class="full" href="${to(date)}" ${isToday} ${isChosen}><b>${number}</b><span class="vh"> ${words.book.full}</span></a>
        </td>`
      default:
        return html`<td>
          <span class="d shut" ${isToday}
            >${number}<span class="vh"> ${day.closed ? words.book.closed : words.book.notOpen}</span></span
          >
        </td>`
    }
  }
  const step = (month: LocalDate, isOn: boolean, path: string): Html =>
    isOn
      ? html`<a class="btn line" href="${monthTo(month)}" aria-label="${formats.month(month)}">${arrow(path)}</a>`
      : html`<span class="btn line" aria-disabled="true" role="link" aria-label="${formats.month(month)}">${arrow(path)}</span>`
  return html`<div class="monthbar">
      ${step(before, first > today, 'M13 4l-6 6 6 6')}
      <h3>${formats.month(first)}</h3>
      ${step(next, last === undefined || next <= last, 'M7 4l6 6-6 6')}
    </div>
    <table class="month">
      <caption class="vh">
        ${words.book.daysFor(formats.month(first), formats.number(size))}
      </caption>
      <thead>
        <tr>
          ${aWeek.map((day) => html`<th scope="col" abbr="${formats.weekday(day)}">${formats.weekdayLetter(day)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${weeks.map((week) => html`<tr>${week.map(cell)}</tr>`)}
      </tbody>
    </table>
    <ul class="key">
      <li><i class="open"></i>${words.book.keyOpen}</li>
      <li><i class="full"></i>${words.book.keyFull}</li>
      <li><i class="shut"></i>${words.book.keyClosed}</li>
    </ul>`
}

/** The times of a day by service, those after midnight under a heading of their own. */
export const timesPart = (
  { words, formats }: { readonly words: Words; readonly formats: GuestFormats },
  { slots, serviceDate }: DayTimes,
  button: (slot: Slot) => Html,
): Html => {
  const groups = [
    ...Map.groupBy(slots, ({ place }) =>
      place.serviceMinute >= minutesPerDay ? '' : (place.period?.name ?? words.book.time),
    ),
  ]
  return html`${groups.map(([name, group]) => {
    const sentences = refusalSentences(group, words, formats)
    return html`<div class="stack">
      ${
        name === ''
          ? html`<div>
              <h2>${words.book.afterMidnight}</h2>
              <p class="hint">
                ${words.book.afterMidnightHint(formats.day(addDays(serviceDate, 1)), formats.weekday(serviceDate))}
              </p>
            </div>`
          : html`<h2>${name}</h2>`
      }
      <ul class="times">
        ${group.map((slot) =>
          slot.evaluation.ok
            ? html`<li>${button(slot)}</li>`
            : html`<li class="no">${formats.time(slot.time)}<small>${shortRefusal(slot, words, formats)}</small></li>`,
        )}
      </ul>
      ${sentences.length > 0 && html`<ul class="why">${sentences.map((one) => html`<li>${one}</li>`)}</ul>`}
    </div>`
  })}`
}

/** The venue's address, phone and policy, beside a form. */
export const asideOf = (visit: Visit, policy: string | null): Html => {
  const { venue, words } = visit
  return html`<aside class="aside" aria-label="${words.venue.findUs}">
    <div class="stack">
      <h2>${venue.name}</h2>
      ${venue.postal_address !== null && html`<p>${addressLine(venue.postal_address)}</p>`}
      ${venue.phone !== null && html`<p><a class="tap" href="${callAddress(venue.phone)}">${venue.phone}</a></p>`}
      ${
        policy !== null &&
        html`<hr />
          <h3>${words.book.before}</h3>
          <p class="soft small">${policy}</p>`
      }
    </div>
  </aside>`
}
