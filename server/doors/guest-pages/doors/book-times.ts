import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../../context.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt, readTime } from '../../../platform/kernel/time/written-time.ts'
import { type DayTimes, alternativesTo } from '../../../book/reservations/availability/availability.ts'
import { timesForGuests } from '../../../book/reservations/availability/times-for-guests.ts'
import type { Slot } from '../../../book/reservations/rules/open-times.ts'
import { serviceDateAt } from '../../../book/rules/service-now.ts'
import type { When } from '../../../book/day/when.ts'
import { refusalSentences } from '../../../messages/guest-words/refusal-words.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { guestText } from '../../../core/venue/guest-settings-rules.ts'
import { callLink, choiceField, mistakeSummary } from '../frame/parts.ts'
import { originPart } from '../frame/origin.ts'
import { type Counts, type ShownPage, type Visit, doorPath } from '../frame/visit.ts'
import { askSize, asideOf, mostGuests, sizesOf, timesPart } from './booking-parts.ts'
import { listPart } from './list.ts'
import type { TakingVisit } from './taking.ts'
import type { Asked } from './book-asked.ts'
import { daysShown, firstShown, stateOfDay, weeksPart } from './weeks-part.ts'

/*
 * The first of the two pages of `/v/{slug}/book`: how many, which day, about when, and the times nearest to that. It is
 * one form: any button sends everything chosen so far. A time pressed is held (`book-hold.ts`).
 */

export const timesPage = async (
  work: Work,
  visit: TakingVisit,
  asked: Asked,
): Promise<ShownPage & { readonly counts: Counts }> => {
  const { words, venue } = visit
  const { book } = words
  const rules = visit.rules.around(wallTimeOf(visit.now, venue.timezone).date)
  const sizes = sizesOf(rules)
  const { size, mistake } = askSize(visit, sizes, asked.size)
  const today = serviceDateAt(rules, visit.now)
  const last = rules.maxDaysAhead === null ? undefined : addDays(today, rules.maxDaysAhead)
  const first = firstShown(today, asked.date ?? asked.from ?? today, last)
  const times = { partySize: size, own: { hold: asked.hold } }
  const timesFrom = (from: LocalDate, days: number) =>
    timesForGuests(work, venue.country, { ...times, from, days })
  const { days } = await timesFrom(first, daysShown)
  const day = await chosenDay(days, asked.date, async (from) => {
    const found = await timesFrom(from, 1)
    return found.days
  })
  const state = stateOfDay(day)
  const hours = hoursOf(days)
  const around = nearestHour(hours, asked.around)
  return {
    title: `${book.title} · ${venue.name}`,
    description: book.title,
    counts: {
      door: 'book',
      steps: [state === 'open' ? 'times' : 'none-open'],
      // A day that nobody chose says nothing of what is wanted.
      ...(state !== 'open' &&
        asked.date !== undefined && { nothingOn: { serviceDate: day.serviceDate, partySize: size } }),
    },
    body: html`<div class="page wide">
      <div class="card pick">
        ${mistake === undefined ? takenNote(visit) : mistakeSummary(words, { size: mistake })}
        <h1>${book.title}</h1>
        <form class="fields" method="get" action="${visit.link(doorPath(venue, 'book'))}">
          ${keptFields(visit)} ${originPart(visit, 'book')}
          ${asked.hold !== undefined && html`<input type="hidden" name="hold" value="${asked.hold}" />`}
          <div class="asks">
            ${choiceField({
              name: 'size',
              label: book.guests,
              value: String(size),
              mistake,
              choices: sizes.map((one) => [String(one), visit.formats.number(one)]),
            })}
            ${
              hours.length > 1 &&
              choiceField({
                name: 'around',
                label: book.around,
                value: String(around),
                choices: hours.map((hour) => [String(hour), visit.formats.time(clockTimeAt(hour * 60))]),
              })
            }
            <button class="btn line" name="date" value="${day.serviceDate}">${book.show}</button>
          </div>
          ${weeksPart(visit, { days, today, chosen: day.serviceDate, size, last })}
          <div class="stack" id="times">
            ${
              state === 'open'
                ? openPart(visit, day, around)
                : state === 'full'
                  ? await fullPart(work, visit, size, day.serviceDate)
                  : await shutPart(work, visit, size, day)
            }
          </div>
        </form>
        ${waitPart(visit, size, day, state)} ${visit.framed && morePart(visit, rules)}
      </div>
      ${asideOf(visit, guestText(visit.settings, 'policy', visit.language), morePart(visit, rules))}
    </div>`,
  }
}

/** The day that was asked for; without one, the first of those shown that has tables. */
const chosenDay = async (
  days: readonly DayTimes[],
  asked: LocalDate | undefined,
  read: (date: LocalDate) => Promise<readonly DayTimes[]>,
): Promise<DayTimes> => {
  const [first] = days as [DayTimes]
  if (asked === undefined) return days.find((day) => stateOfDay(day) === 'open') ?? first
  // A day that is over, or too far ahead, is not among them: an old link leads there.
  return days.find(({ serviceDate }) => serviceDate === asked) ?? (await read(asked))[0] ?? first
}

/** The hours of the days shown in which guests arrive. */
const hoursOf = (days: readonly DayTimes[]): readonly number[] => [
  ...new Set(
    days
      .flatMap(({ slots }) => slots.map(({ place }) => Math.floor(place.serviceMinute / 60)))
      .toSorted((a, b) => a - b),
  ),
]

/** The hour that most evenings out begin at. */
const usualHour = 19

/** The hour nearest to the one that was asked for; without one seven in the evening, or the middle of the day. */
const nearestHour = (hours: readonly number[], asked: number | undefined): number => {
  const middle = hours[Math.floor(hours.length / 2)] ?? usualHour
  const wanted = asked ?? (hours.includes(usualHour) ? usualHour : middle)
  return hours.toSorted((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted))[0] ?? wanted
}

/** How many times are shown at once. */
const nearTimes = 5

/** The open times nearest to an hour, in order of arrival; the rest is folded. */
const openPart = (visit: Visit, day: DayTimes, around: number): Html => {
  const { words, formats } = visit
  const away = ({ place }: Slot): number => Math.abs(place.serviceMinute - around * 60)
  const near = new Set(
    day.slots
      .filter(({ evaluation }) => evaluation.ok)
      .toSorted((a, b) => away(a) - away(b))
      .slice(0, nearTimes),
  )
  const rest = day.slots.filter((slot) => !near.has(slot))
  const button = ({ date, time }: When, more?: Html | false): Html =>
    html`<button ${posted(visit)} name="slot" value="${date} ${time}">${formats.time(time)}${more}</button>`
  // After midnight it is another day.
  const nextDay = ({ date }: When) =>
    date !== day.serviceDate && html` <small>${formats.shortDay(date)}</small>`
  return html`<h2>${words.book.timesOn(formats.day(day.serviceDate))}</h2>
    <ul class="times large">
      ${day.slots.filter((slot) => near.has(slot)).map((slot) => html`<li>${button(slot, nextDay(slot))}</li>`)}
    </ul>
    ${
      rest.length > 0 &&
      html`<details>
        <summary class="tap">${words.book.otherTimes(formats.weekday(day.serviceDate))}</summary>
        ${visit.framed && html`<p class="hint">${words.book.zoned(formats.zone)}</p>`}
        <div class="fields">${timesPart(visit, { ...day, slots: rest }, (slot) => button(slot))}</div>
      </details>`
    }`
}

/** The list for the day's full times: at hand where all are full, or the time that was pressed has just become it. */
const waitPart = (
  visit: Visit,
  size: number,
  day: DayTimes,
  state: ReturnType<typeof stateOfDay>,
): Html | undefined => {
  const part = listPart(visit, size, day)
  return part === undefined || state === 'full'
    ? part
    : html`<details ${visit.query.has('taken') && html`open`}>
        <summary class="tap">${visit.words.list.ifFull}</summary>
        ${part}
      </details>`
}

/** Of a button in the form: it writes, where the others only look. */
const posted = (visit: Visit): Html =>
  html`formmethod="post" formaction="${visit.link(doorPath(visit.venue, 'book'))}"`

/** What a form that looks must say again, since it replaces the address's query. */
const keptFields = (visit: Visit): readonly Html[] => {
  const [, query = ''] = visit.link(doorPath(visit.venue, 'book')).split('?')
  return [...new URLSearchParams(query)].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
}

const morePart = ({ words, formats, venue }: Visit, rules: BookingRules): Html | undefined => {
  const most = formats.number(mostGuests(rules))
  return venue.phone === null
    ? html`<p class="hint">${words.book.moreSilent(most)}</p>`
    : html`<p class="hint">
        ${words.book.more(most)} ${callLink(venue, 'nb')}.
      </p>`
}

/** The time that was pressed went to somebody else in between. */
const takenNote = ({ words, formats, query }: Visit): Html | undefined => {
  const time = readTime(query.get('taken') ?? '')
  return time !== undefined
    ? html`<div class="note wait" role="alert" tabindex="-1" autofocus>
        <h2>${words.book.takenTitle(formats.time(time))}</h2>
      </div>`
    : undefined
}

export const nearPart = (visit: Visit, near: readonly When[]): Html =>
  html`<div class="near">
    ${near.map(
      ({ date, time }) =>
        html`<button ${posted(visit)} name="slot" value="${date} ${time}">
          <span>${visit.formats.shortDay(date)}</span> ${visit.formats.time(time)}
        </button>`,
    )}
  </div>`

/** The same for somebody whose time is gone: the press holds another, and brings their form back filled. */
export const againForm = (
  visit: Visit,
  near: readonly When[],
  { size, kept }: { readonly size: number; readonly kept: Readonly<Record<string, string>> },
): Html =>
  html`<form class="fields" method="post" action="${visit.link(doorPath(visit.venue, 'book'))}">
    <input type="hidden" name="do" value="again" />
    <input type="hidden" name="size" value="${size}" />
    ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
    ${nearPart(visit, near)}
  </form>`

/** The open times nearest to the evening of a day. */
const nearestTo = (work: Work, visit: Visit, size: number, date: LocalDate): Promise<readonly When[]> =>
  alternativesTo(
    work,
    { date, time: '19:00', startsAt: visit.now, partySize: size },
    { reason: 'pacing-covers-full' },
    limits.alternativesDefault,
    undefined,
    visit.venue.country,
  )

const fullPart = async (work: Work, visit: Visit, size: number, date: LocalDate): Promise<Html> => {
  const { words, formats } = visit
  const near = await nearestTo(work, visit, size, date)
  const guests = formats.number(size)
  return html`<h2>${words.book.fullTitle(formats.day(date))}</h2>
    <p>${near.length > 0 ? words.book.fullText(guests) : words.book.fullNone(guests)}</p>
    ${near.length > 0 && nearPart(visit, near)}`
}

/** A day that nobody can book: why, and what is nearest. */
const shutPart = async (
  work: Work,
  visit: Visit,
  size: number,
  { serviceDate, closed, slots }: DayTimes,
): Promise<Html> => {
  const { words, formats } = visit
  const near = await nearestTo(work, visit, size, serviceDate)
  const sentences = refusalSentences(closed ? [] : slots, words, formats)
  return html`<h2>${formats.day(serviceDate)}</h2>
    <p>${words.book.noTimes}</p>
    ${sentences.map((sentence) => html`<p>${sentence}</p>`)}
    ${near.length > 0 && html`<p>${words.book.nearest}</p>${nearPart(visit, near)}`}`
}
