import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { withoutStop } from '../../../platform/kernel/sentence.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt } from '../../../platform/kernel/time/written-time.ts'
import { closedDay, openPeriodsOn, resolveService } from '../../../book/rules/resolve-service.ts'
import { momentOfServiceMinute, serviceDateAt } from '../../../book/rules/service-now.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { guestDoors, guestText } from '../../../core/venue/guest-settings-rules.ts'
import { bookingRulesBetween } from '../../../book/rules/rules-store.ts'
import { direct, originWord } from '../frame/origin.ts'
import { callLink, statePill } from '../frame/parts.ts'
import type { DoorPage } from '../frame/serve-visits.ts'
import { type ShownPage, type Visit, doorPath } from '../frame/visit.ts'
import { addressLine, logoPart } from '../frame/whole-page.ts'
import { isTaking, pausedPart } from './taking.ts'
import { restaurantFacts } from './venue-facts.ts'

const daysOfHours = 7
const daysOfClosures = 30

/** `/v/{slug}`: what the venue is, when it is open, and what guests can do. */
export const venuePages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug',
    answer: (work, visit) => venuePage(work, visit),
  },
]

export const venuePage = async ({ db, venue }: Work, visit: Visit): Promise<ShownPage> => {
  const today = wallTimeOf(visit.now, venue.timezone).date
  const rules = await bookingRulesBetween(db, venue, addDays(today, -1), addDays(today, daysOfClosures))
  return {
    title: visit.venue.name,
    description: guestText(visit.settings, 'welcome', visit.language) ?? visit.venue.name,
    facts: restaurantFacts(visit, rules, today),
    look: 'lone',
    body: html`<div class="page wide">
      <div class="card">${heroPart(visit, rules)} ${doorsPart(visit, rules)}</div>
      <aside class="aside" aria-label="${visit.words.venue.aside}">
        ${hoursPart(visit, rules, serviceDateAt(rules, visit.now))} ${placePart(visit)}
      </aside>
    </div>`,
  }
}

const heroPart = (visit: Visit, rules: BookingRules): Html => {
  const welcome = guestText(visit.settings, 'welcome', visit.language)
  return html`<div class="hero">
    ${logoPart(visit, 72)}
    <h1>${visit.venue.name}</h1>
    ${openPart(visit, rules)} ${welcome !== null && html`<p>${welcome}</p>`}
  </div>`
}

/** Whether it is open now, until when, or when it opens next. */
const openPart = ({ now, words, formats, venue }: Visit, rules: BookingRules): Html | undefined => {
  if (rules.periods.length === 0 && rules.specialDays.length === 0) return undefined
  const wall = wallTimeOf(now, venue.timezone)
  const { period } = resolveService(rules, wall)
  if (period)
    return statePill('good', 'check', words.venue.openUntil(formats.time(clockTimeAt(period.endMinute))))
  for (let day = 0; day <= daysOfHours; day++) {
    const date = addDays(wall.date, day)
    const next = openPeriodsOn(rules, date)
      .toSorted((a, b) => a.startMinute - b.startMinute)
      .find(
        ({ startMinute }) =>
          Temporal.Instant.compare(momentOfServiceMinute(rules, date, startMinute), now) > 0,
      )
    if (!next) continue
    const time = formats.time(clockTimeAt(next.startMinute))
    return statePill(
      'off',
      'clock',
      day === 0 ? words.venue.closedUntilToday(time) : words.venue.closedUntil(formats.day(date), time),
    )
  }
  return statePill('off', 'clock', words.venue.closed)
}

const doorsPart = (visit: Visit, rules: BookingRules): Html => {
  const { words, settings, venue, link } = visit
  if (!isTaking(venue, rules)) return pausedPart(visit)
  const doors = guestDoors.filter((door) => settings.doors.includes(door))
  if (doors.length === 0) return html``
  return html`<nav aria-label="${words.venue.doors}">
    <ul class="doors">
      ${doors.map((door, place) => {
        const [name, more] = words.venue.door[door]
        return html`<li>
          <a class="door ${place === 0 && 'main'}" href="${link(handedOn(visit, doorPath(venue, door)))}"
            ><span><b>${name}</b><small>${more}</small></span></a
          >
        </li>`
      })}
    </ul>
  </nav>`
}

/** An address of a door, with where somebody came from if that is known. */
const handedOn = ({ origin, came }: Visit, path: string): string => {
  const isKnown = origin.from !== direct || origin.campaign !== null
  return isKnown ? `${path}?${originWord}=${came(null)}` : path
}

const hoursPart = ({ words, formats }: Visit, rules: BookingRules, today: LocalDate): Html | undefined => {
  if (rules.periods.length === 0 && rules.specialDays.length === 0) return undefined
  const dates = Array.from({ length: daysOfHours }, (_, day) => addDays(today, day))
  const last = addDays(today, daysOfHours - 1)
  const later = rules.closures.filter(({ from }) => from > last)
  return html`<div class="stack">
    <h2>${words.venue.hours}</h2>
    <table class="hours">
      <caption class="vh">
        ${words.venue.hoursOf(formats.zone)}
      </caption>
      <tbody>
        ${dates.map((date) => {
          const spans = openPeriodsOn(rules, date)
            .toSorted((a, b) => a.startMinute - b.startMinute)
            .map(({ startMinute, endMinute }) =>
              formats.span(clockTimeAt(startMinute), clockTimeAt(endMinute)),
            )
          const day = formats.shortDay(date)
          return html`<tr ${date === today && html`aria-current="date"`}>
            <th scope="row">${date === today ? words.venue.today(day) : day}</th>
            <td>
              ${
                spans.length === 0
                  ? [
                      words.venue.closedDay,
                      closedDay(rules, date)?.by !== 'weekday' && closedName(rules, date),
                    ]
                  : spans.map((span, place) => html`${place > 0 && html`<br />`}${span}`)
              }
            </td>
          </tr>`
        })}
      </tbody>
    </table>
    ${later.map(
      ({ from, name }) =>
        html`<p class="hint">${words.venue.closedOn(formats.day(from), withoutStop(name))}</p>`,
    )}
  </div>`
}

const closedName = (rules: BookingRules, date: LocalDate): string => {
  const closed = closedDay(rules, date)
  return closed && 'name' in closed && closed.name !== null ? ` (${withoutStop(closed.name)})` : ''
}

const placePart = ({ words, venue }: Visit): Html | undefined => {
  if (venue.postal_address === null && venue.phone === null) return undefined
  const address = addressLine(venue.postal_address)
  return html`<div class="stack">
    <h2>${words.venue.findUs}</h2>
    ${
      venue.postal_address !== null &&
      html`<p>${venue.postal_address.split('\n').map((line, at) => html`${at > 0 && html`<br />`}${line}`)}</p>`
    }
    <p class="row">
      ${
        address !== '' &&
        html`<a
          href="https://www.google.com/maps/search/?api=1&query=${encodeURIComponent(`${venue.name}, ${address}`)}"
          rel="noopener noreferrer"
          target="_top"
          >${words.page.directions}</a
        >`
      }
      ${callLink(venue)}
    </p>
  </div>`
}
