import type { Figure } from '@venue-data/contract/records/figures.ts'
import type { DocumentRules } from '../../book/rules/booking-rules.ts'
import { isClosedOn } from '../../book/rules/planned-hours.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { lengthOf } from './days-to-count.ts'
import type { Days } from './report-reads.ts'

type Row = Figure['rows'][number]

/** Guests of some days, and which of these days were open. */
export type OpenDays = { readonly covers: readonly Row[]; readonly dates: readonly LocalDate[] }

/**
 * A day is open if it has a service by the rules as they are now, or if somebody was served: an open evening on which nobody
 * came counts, a closed one does not. None before the venue's first booking, and none that is not over.
 */
export const openDaysOf = (
  covers: readonly Row[],
  { from, to }: Days,
  {
    rules,
    today,
    since,
  }: {
    readonly rules: Pick<DocumentRules, 'periods' | 'specialDays' | 'closures'>
    readonly today: LocalDate
    readonly since: LocalDate | null
  },
): OpenDays => {
  const over = covers.filter(({ key }) => String(key['date']) < today)
  const served = new Set(over.map(({ key }) => String(key['date'])))
  const dates = Array.from({ length: lengthOf({ from, to }) }, (_, at) => addDays(from, at)).filter(
    (date) => served.has(date) || (date < today && date >= (since ?? date) && !isClosedOn(rules, date)),
  )
  return { covers: over, dates }
}
