import { partiesOfPast } from '../../../book/day/party-reads.ts'
import { arrivalsBetween } from '../../../book/day/arrivals-reads.ts'
import { loadFromArrivals } from '../../../book/day/load.ts'
import { wouldFit } from '../../../book/reservations/availability/would-fit.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { bucketOf, limitsOf } from '../../../book/rules/placement.ts'
import { placeInBook } from '../../../book/rules/resolve-service.ts'
import { readRules } from '../../../book/rules/rules-store.ts'
import { datesIn } from '../../../data/reports/days-to-count.ts'
import { partiesPaced, timesPaced } from '../../../data/reports/demand/demand-reads.ts'
import { parties } from '../../../data/reports/in-words.ts'
import { type RulesInTime, isOpenOn } from '../../../data/reports/open-days.ts'
import type { Days } from '../../../data/reports/report-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays, weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { minuteInWords, numberInWords, shortDayInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import type { Press } from './picture.ts'

/*
 * A time that the venue's own limit on guests fills week after week, though there would have been tables: no day to come shows
 * it, as such a time fills late. It is looked for in the dates that are over, by placing who was turned away next to who came.
 */

/** From this many dates of a weekday on, most of them are no accident. */
export const fewestWeeks = 4

/** Times that are looked at, those with most parties first; of each the last dates, and guests who are placed on each. */
const [mostTimes, mostDates, mostGuests] = [3, 4, 12]

/** A past evening is judged as it was so many days before: a request refused for lack of room was not too late. */
const daysBefore = 3

/** Of a week, the weeks before it count too: one Saturday is no pattern. Undefined where the limit turned away nobody who had a table. */
export const weeklyLimit = async (
  work: OfficeWork,
  rules: RulesInTime,
  {
    today,
    days,
    since,
  }: { readonly today: LocalDate; readonly days: Days; readonly since: LocalDate | null },
): Promise<Press | undefined> => {
  const to = days.to < today ? days.to : addDays(today, -1)
  const weeks = addDays(to, 1 - 7 * fewestWeeks)
  const from = days.from < weeks ? days.from : weeks
  const times = await timesPaced(work.db, work.venue.id, { from, to }, mostTimes)
  for (const time of times) {
    const dates = datesIn({ from, to }).filter((date) => weekdayOf(date) === time.weekday)
    const open = dates.filter((date) => isOpenOn({ rules, since }, date, false)).length
    // One that was closed after somebody had been refused was open then.
    const all = Math.max(open, time.dates)
    if (all < fewestWeeks || time.dates * 2 <= all) continue
    const fit = await placedOn(work, rules, dates.slice(-mostDates), time.minute)
    if (fit.parties > 0)
      return {
        press: inWords(rules, {
          ...{ ...time, all, placed: fit.parties, hasTables: fit.hasTables },
          // The figures of the page are of its own days.
          span: from === days.from && to === days.to ? undefined : { from, to },
        }),
        guests: fit.guests,
        isFirst: true,
      }
  }
  return undefined
}

/** Who was turned away by the limit as it is now, and would have had a place next to those who had one. */
const placedOn = async (
  { db, venue, now }: OfficeWork,
  rules: DocumentRules,
  dates: readonly LocalDate[],
  serviceMinute: number,
) => {
  const asked = await partiesPaced(db, venue.id, dates, serviceMinute)
  const [first = '', last = ''] = [dates[0], dates.at(-1)]
  const loadOf = loadFromArrivals(await arrivalsBetween(db, venue.id, first, last, { now: now() }))
  const read = await readRules(db, venue)
  const came = read.hasTables ? await partiesOfPast(db, venue.id, dates) : []
  const fits = [...Map.groupBy(asked, ({ service_date: date }) => date)].flatMap(([serviceDate, ofDate]) => {
    const place = placeInBook(rules, { serviceDate, serviceMinute })
    const slot = bucketOf(rules, place)
    const { pacing, maxParty } = limitsOf(rules, place.period)
    if (!slot || pacing.maxCovers === null) return []
    const [booked, cap] = [loadOf(slot), pacing.maxCovers]
    const asking = ofDate
      .map(({ least, most, parties: n }) => ({
        ...{ serviceMinute, least, parties: n },
        size: Math.max(least, Math.min(most, maxParty ?? most)),
      }))
      // What was raised since takes some of them now.
      .filter(({ least }) => booked.covers + least > cap)
    const beside = came.filter(({ service_date: date }) => date === serviceDate)
    return wouldFit(
      read.around(serviceDate),
      judgedAt(serviceDate, venue.timezone),
      { slot, booked, most: mostGuests, beside },
      asking,
    )
  })
  const sum = (of: 'parties' | 'guests'): number => fits.reduce((all, fit) => all + fit[of], 0)
  return { parties: sum('parties'), guests: sum('guests'), hasTables: read.hasTables }
}

const judgedAt = (date: LocalDate, timezone: string): Temporal.Instant =>
  Temporal.PlainDate.from(addDays(date, -daysBefore)).toZonedDateTime({ timeZone: timezone }).toInstant()

type Time = {
  readonly weekday: number
  readonly minute: number
  readonly parties: number
  readonly dates: number
  readonly all: number
  /** How many had no room then, the limit or not. */
  readonly full: number
  readonly placed: number
  readonly hasTables: boolean
  /** The days that were looked at, where they are others than those of the report. */
  readonly span: Days | undefined
}

const inWords = (rules: DocumentRules, time: Time): Html => {
  const day = weekdayName(time.weekday)
  const tables = time.hasTables
    ? ` On the last ${numberInWords(Math.min(mostDates, time.all))}, there was a table for ${parties(time.placed)} of them or more.`
    : ''
  const span =
    time.span === undefined
      ? ''
      : ` from ${shortDayInWords(time.span.from)} to ${shortDayInWords(time.span.to)}`
  return html`<div class="press-only"><p>On ${day}s at ${minuteInWords(time.minute)}${span}, ${limitedInWords(time)}, on ${numberInWords(time.dates)} of ${numberInWords(time.all)} ${day}s.${tables}</p>${limitLink(rules, time)}</div>`
}

/** "your limit on guests turned away 24 of 28 parties that had no room": the picture beside it counts all of them. */
const limitedInWords = ({ parties: limited, full }: Pick<Time, 'parties' | 'full'>): string =>
  `your limit on guests turned away ${full === limited ? parties(limited) : `${numberInWords(limited)} of ${parties(full)} that had no room`}`

/** What is full week after week is a limit: of its service, or else of the venue. */
export const limitLink = (
  { periods }: Pick<DocumentRules, 'periods'>,
  { weekday, minute }: { readonly weekday: number; readonly minute: number },
): Html => {
  const isOfService = periods.some(
    (one) =>
      one.weekday === weekday &&
      one.startMinute <= minute &&
      minute < one.endMinute &&
      one.pacing.maxCovers !== null,
  )
  return html`<p class="press-only"><a href="/office/settings${isOfService ? `#day-${weekday}` : '/limits'}">Change how many guests a time takes</a></p>`
}
