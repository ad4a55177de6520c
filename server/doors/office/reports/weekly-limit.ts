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
import { counted, parties } from '../../../data/reports/in-words.ts'
import { type RulesInTime, isOpenOn } from '../../../data/reports/open-days.ts'
import type { Days } from '../../../data/reports/report-reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays, weekdayName, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { minuteInWords, numberInWords, shortDayInWords } from '../../../platform/kernel/time/in-words.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { addressOf } from '../parts/pager.ts'
import type { WeeklyLimit } from './picture.ts'

/*
 * A time that the venue's own limit on guests fills week after week, though there would have been tables: no day to come shows
 * it, as such a time fills late. It is looked for in the dates that are over, by placing who was turned away next to who came.
 */

/** From this many dates of a weekday on, most of them are no accident. */
export const fewestWeeks = 4

/** Times that are looked at, those with most parties first; and guests who are placed on each date. */
const [mostTimes, mostGuests] = [3, 12]

/** A past evening is judged as it was so many days before: a request refused for lack of room was not too late. */
const daysBefore = 3

/** Of the same last weeks in every report: two that are read one after the other would else advise two things. */
export const weeklyLimit = async (
  work: OfficeWork,
  rules: RulesInTime,
  { weeks, days, since }: { readonly weeks: Days; readonly days: Days; readonly since: LocalDate | null },
): Promise<WeeklyLimit> => {
  const times = await timesPaced(work.db, work.venue.id, weeks, mostTimes)
  let why: 'few' | 'full' = 'few'
  for (const time of times) {
    const dates = datesIn(weeks).filter((date) => weekdayOf(date) === time.weekday)
    const open = dates.filter((date) => isOpenOn({ rules, since }, date, false)).length
    // One that was closed after somebody had been refused was open then.
    const all = Math.max(open, time.dates)
    if (all < fewestWeeks || time.dates * 2 <= all) continue
    const { parties: placed, guests, ...fit } = await placedOn(work, rules, dates, time.minute)
    why = 'full'
    if (placed > 0) {
      const isOfReport = weeks.from === days.from && weeks.to === days.to
      const span = isOfReport ? undefined : weeks
      return {
        advised: { press: inWords(rules, { ...time, ...fit, all, placed, span }), guests, isFirst: true },
      }
    }
  }
  return { advised: undefined, why }
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
    const fit = wouldFit(
      read.around(serviceDate),
      judgedAt(serviceDate, venue.timezone),
      { slot, booked, most: mostGuests, beside },
      asking,
    )
    return { ...fit, needed: fit.parties === 0 ? 0 : booked.covers + fit.guests }
  })
  const sum = (of: 'parties' | 'guests'): number => fits.reduce((all, fit) => all + fit[of], 0)
  return {
    ...{ parties: sum('parties'), guests: sum('guests'), hasTables: read.hasTables },
    needed: Math.max(0, ...fits.map(({ needed }) => needed)),
  }
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
  /** The limit with which those who were placed would have come. */
  readonly needed: number
  /** The weeks that were looked at, where they are not the days of the report. */
  readonly span: Days | undefined
}

const inWords = (rules: DocumentRules, time: Time): Html => {
  const day = weekdayName(time.weekday)
  const { span } = time
  const when =
    span === undefined ? 'On' : `From ${shortDayInWords(span.from)} to ${shortDayInWords(span.to)}, on`
  const tables = time.hasTables
    ? ` At least ${numberInWords(time.placed)} of them would have had a table.`
    : ''
  const why =
    span === undefined
      ? ''
      : ' This is about the last 4 whole weeks in every report, as what you change holds for days to come.'
  return html`<div class="press-only stack"><p>${when} ${day}s at ${minuteInWords(time.minute)}, ${limitedInWords(time)}, on ${numberInWords(time.dates)} of ${numberInWords(time.all)} ${day}s.${tables}${why}</p>${limitLink(rules, time, time.needed)}</div>`
}

/** "your limit on guests turned away 24 of 28 parties that had no room": the picture beside it counts all of them. */
const limitedInWords = ({ parties: limited, full }: Pick<Time, 'parties' | 'full'>): string =>
  `your limit on guests turned away ${full === limited ? parties(limited) : `${numberInWords(limited)} of ${parties(full)} that had no room`}`

/** What is full week after week is a limit: of its service, or else of the venue. It is said as it is now, with what would have been enough. */
export const limitLink = (
  rules: DocumentRules,
  { weekday, minute }: { readonly weekday: number; readonly minute: number },
  needed?: number,
): Html => {
  const period = rules.periods.find(
    (one) => one.weekday === weekday && one.startMinute <= minute && minute < one.endMinute,
  )
  const { maxCovers, intervalMinutes } = limitsOf(rules, period ?? null).pacing
  const isOfService = period !== undefined && period.pacing.maxCovers !== null
  const asks = needed === undefined ? {} : { guests: String(needed) }
  const place = isOfService
    ? `${addressOf('/office/settings', { day: String(weekday), minute: String(minute), ...asks })}#day-${weekday}`
    : `${addressOf('/office/settings/limits', asks)}#pacing`
  const enough = needed === undefined ? '' : `; ${numberInWords(needed)} would have been enough for that`
  const now =
    maxCovers === null
      ? ''
      : `It takes ${counted(maxCovers, 'guest')} in ${intervalMinutes} minutes now${enough}. `
  return html`<p class="press-only">${now}<a href="${place}">Change how many guests a time takes</a></p>`
}
