import type { Figure } from '@venue-data/contract/records/figures.ts'
import type { DocumentRules, ServicePeriod } from '../../book/rules/booking-rules.ts'
import { isClosedOn, plannedPeriodsOn } from '../../book/rules/resolve-service.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { datesIn } from './days-to-count.ts'
import type { Days } from './report-reads.ts'

type Row = Figure['rows'][number]

/** Guests of some days, and which of these days were open. */
export type OpenDays = {
  readonly covers: readonly Row[]
  readonly dates: readonly LocalDate[]
  /** All days of the period, open or not. */
  readonly all: readonly LocalDate[]
  /** Why there was a service less, of each date that was closed or blocked for one: "private party", or nothing. */
  readonly closed?: ReadonlyMap<LocalDate, string>
  /** Not among the open ones: days on which somebody came, though the venue had closed or blocked them all day. */
  readonly shut?: readonly LocalDate[]
}

/** Rules, and the weekly hours that days had before these were changed. */
export type RulesInTime = DocumentRules & { readonly hoursBefore?: readonly HoursBefore[] }

/** Hours of the days before one, and not before the entry ahead of it. */
export type HoursBefore = { readonly before: LocalDate; readonly periods: DocumentRules['periods'] }

type Hours = Pick<RulesInTime, 'periods' | 'specialDays' | 'closures' | 'blocks' | 'hoursBefore'>

/** By the weekly hours that a date had, and by closed days, special days and blocks as they are now. */
const rulesOn = (rules: Hours, date: LocalDate): Hours => {
  const then = rules.hoursBefore?.find(({ before }) => date < before)
  return then ? { ...rules, periods: then.periods } : rules
}

/** The services that a date would have if nothing closed or blocked it. */
const servicesOn = (rules: Hours, date: LocalDate): readonly ServicePeriod[] =>
  plannedPeriodsOn(rulesOn(rules, date), date)

/** Whether nobody could be booked on a date: no service, or each within a block of all bookings. */
export const isShutOn = (rules: Hours, date: LocalDate): boolean =>
  isClosedOn(rulesOn(rules, date), date) ||
  servicesOn(rules, date).every((service) => isBlocked(rules, date, service))

/** Whether the venue closed or blocked all services that it would have had on a date; a weekday without any is not meant. */
export const isShutByVenueOn = (rules: Hours, date: LocalDate): boolean =>
  servicesOn(rules, date).length > 0 && isShutOn(rules, date)

/**
 * Whether a date counts as an open day, everywhere: if it had a service, or if somebody came on a weekday that had none. One that
 * the venue closed or blocked is no open day, even if somebody came, nor is one before the venue's first booking (`since`).
 */
export const isOpenOn = (
  { rules, since }: { readonly rules: Hours; readonly since: LocalDate | null },
  date: LocalDate,
  hasGuests: boolean,
): boolean => (hasGuests ? !isShutByVenueOn(rules, date) : date >= (since ?? date) && !isShutOn(rules, date))

/** Why a date had a service less than planned, in the words that guests were told; undefined where it had all. */
export const shutWords = (rules: Hours, date: LocalDate): string | undefined => {
  const services = servicesOn(rules, date)
  if (services.length === 0) return undefined
  const closure = rules.closures.find(({ from, to }) => from <= date && date <= to)
  if (closure) return closure.name
  const service = services.find((one) => isBlocked(rules, date, one))
  if (!service) return undefined
  const note = rules.blocks.find((block) => isOfAll(block, date) && block.publicNote !== null)?.publicNote
  // It is a sentence of its own to guests, and a few words of one here.
  return note == null
    ? ''
    : (note.charAt(0).toLowerCase() + note.slice(1)).trimEnd().replace(/\.$/, '').trimEnd()
}

const isOfAll = ({ scope, serviceDate }: Hours['blocks'][number], date: LocalDate): boolean =>
  scope === 'all' && serviceDate === date

/** Whether blocks of all bookings leave no arrival of a service: several in a row are one. */
const isBlocked = (
  { blocks }: Hours,
  date: LocalDate,
  { startMinute, endMinute, lastArrivalMinute }: ServicePeriod,
): boolean => {
  let free = startMinute
  for (const { fromMinute, toMinute } of blocks
    .filter((block) => isOfAll(block, date))
    .toSorted((a, b) => a.fromMinute - b.fromMinute))
    if (fromMinute <= free) free = Math.max(free, toMinute)
  return free >= Math.min(endMinute, (lastArrivalMinute ?? endMinute) + 1)
}

/**
 * An open evening on which nobody came counts, one that was closed, or blocked for all bookings, does not; of those, the ones on
 * which somebody was served nevertheless are named. None before the venue's first booking, and none that is not over.
 */
export const openDaysOf = (
  covers: readonly Row[],
  days: Days,
  facts: { readonly rules: Hours; readonly today: LocalDate; readonly since: LocalDate | null },
): OpenDays => {
  const { rules, today } = facts
  const over = covers.filter(({ key }) => String(key['date']) < today)
  const served = new Set(over.map(({ key }) => String(key['date'])))
  const all = datesIn(days)
  const dates = all.filter((date) => date < today && isOpenOn(facts, date, served.has(date)))
  const closed = new Map(
    all.flatMap((date) => {
      const words = date < today ? shutWords(rules, date) : undefined
      return words === undefined ? [] : [[date, words] as const]
    }),
  )
  return {
    covers: over,
    dates,
    all,
    closed,
    shut: all.filter((date) => served.has(date) && !isOpenOn(facts, date, true)),
  }
}
