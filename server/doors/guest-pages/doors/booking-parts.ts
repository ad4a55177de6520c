import { limits } from '@venue-data/contract/limits.ts'
import type { GuestFormats } from '../../../messages/guest-words/formats.ts'
import type { Words } from '../../../messages/guest-words/en.ts'
import { refusalSentences, shortRefusal } from '../../../messages/guest-words/refusal-words.ts'
import { type Content, type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { Refusal } from '../../../platform/kernel/refusal.ts'
import { minutesPerDay, readDate } from '../../../platform/kernel/time/written-time.ts'
import type { DayTimes } from '../../../book/reservations/availability/availability.ts'
import { type When, readWhen } from '../../../book/day/when.ts'
import type { Slot } from '../../../book/reservations/rules/open-times.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { callLink } from '../frame/parts.ts'
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

/** Most parties are two. */
const usualSize = 2

export type SizeAsked = {
  readonly size: number
  /** Why it is asked again: the size in the request is not one taken here. */
  readonly mistake: string | undefined
}

/**
 * A party's size as a form or an address names it: of these sizes, or of the one a booking has. Where nothing is said, the
 * usual one is meant; what is no size here is asked again, and never taken for another.
 */
export const askSize = (
  { words, formats }: Pick<Visit, 'words' | 'formats'>,
  sizes: readonly number[],
  text: string,
  own?: number | null,
): SizeAsked => {
  const size = /^\d{1,5}$/.test(text) ? Number(text) : undefined
  if (size !== undefined && (sizes.includes(size) || size === own)) return { size, mistake: undefined }
  const [least = 1] = sizes
  const most = sizes.at(-1) ?? least
  return {
    size: own ?? (sizes.includes(usualSize) ? usualSize : least),
    mistake: text === '' ? undefined : words.book.enterSize(formats.number(least), formats.number(most)),
  }
}

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

type PartyRules = Pick<BookingRules, 'minParty' | 'maxParty'>

/** The largest party that may be chosen here; larger ones call. */
export const mostGuests = ({ minParty, maxParty }: PartyRules): number =>
  Math.max(minParty, Math.min(maxParty ?? limits.sizesUnlessSet, limits.sizesMost))

/** How many guests may be chosen here. */
export const sizesOf = (rules: PartyRules): number[] => {
  const { minParty } = rules
  const most = mostGuests(rules)
  return Array.from({ length: most - minParty + 1 }, (_, n) => minParty + n)
}

export const sizePart = (
  { words, formats }: Pick<Visit, 'words' | 'formats'>,
  sizes: readonly number[],
  chosen: number,
  /** Where a size leads; in a form each is a button, so that what was typed stays. */
  to: ((size: number) => string) | 'buttons',
  mistake?: string,
): Html =>
  html`${mistake !== undefined && html`<p class="error" id="f-size-e">${mistake}</p>`}
  <div class="sizes" id="f-size" tabindex="-1" role="group" aria-label="${words.book.howMany}">
    ${sizes.map((size) => {
      const current = size === chosen && html`aria-current="true"`
      const inside = html`${formats.number(size)}<span class="vh">${words.book.guestsHidden(size)}</span>`
      return to === 'buttons'
        ? html`<button name="resize" value="${size}" ${current}>${inside}</button>`
        : html`<a href="${to(size)}" ${current}>${inside}</a>`
    })}
  </div>`

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

/** The venue's address, phone and policy, next to a form. No frame on the venue's own site shows it. */
export const asideOf = (visit: Visit, policy: string | null, more?: Html): Html => {
  const { venue, words } = visit
  return html`<aside class="aside" aria-label="${words.venue.findUs}">
    <div class="stack">
      <h2>${venue.name}</h2>
      ${venue.postal_address !== null && html`<p>${addressLine(venue.postal_address)}</p>`}
      ${venue.phone !== null && html`<p>${callLink(venue, 'tap')}</p>`}
      ${more}
      ${
        policy !== null &&
        html`<hr />
          <h3>${words.book.before}</h3>
          <p class="soft small">${policy}</p>`
      }
    </div>
  </aside>`
}
