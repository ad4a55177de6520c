import { addDays, isoWeekdays, weekdayName } from '../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, spanInWords } from '../../platform/kernel/time/in-words.ts'
import { minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import type { DocumentRules, ServicePeriod } from './booking-rules.ts'
import { plannedPeriodsOn, specialDayOn } from './resolve-service.ts'

/** A day as the sentences name it, with its services. */
type Day = { readonly name: string; readonly periods: readonly ServicePeriod[] }

/**
 * One sentence for each two services that claim the same minute: within a day, or one running past midnight into the
 * next day's first. Refused when hours are saved, because an arrival must belong to one service. Closures are ignored:
 * lifting one must not uncover an overlap.
 */
export const overlapMistakes = (hours: Pick<DocumentRules, 'periods' | 'specialDays'>): readonly string[] => [
  ...isoWeekdays.flatMap((weekday) => {
    const today = weeklyDay(hours, weekday)
    return [...overlapsWithin(today), ...overlapsAcross(today, weeklyDay(hours, (weekday % 7) + 1))]
  }),
  ...hours.specialDays.flatMap(({ date }) => {
    const dayBefore = addDays(date, -1)
    const today = datedDay(hours, date)
    return [
      ...overlapsWithin(today),
      // A special day before this one has already been compared with it.
      ...(specialDayOn(hours, dayBefore) ? [] : overlapsAcross(datedDay(hours, dayBefore), today)),
      ...overlapsAcross(today, datedDay(hours, addDays(date, 1))),
    ]
  }),
]

const weeklyDay = ({ periods }: Pick<DocumentRules, 'periods'>, weekday: number): Day => ({
  name: weekdayName(weekday),
  periods: periods.filter((period) => period.weekday === weekday),
})

const datedDay = (hours: Pick<DocumentRules, 'periods' | 'specialDays'>, date: string): Day => ({
  name: dayAndYearInWords(date),
  periods: plannedPeriodsOn(hours, date),
})

const overlapsWithin = ({ name, periods }: Day): readonly string[] => {
  const inOrder = periods.toSorted((a, b) => a.startMinute - b.startMinute)
  return inOrder.flatMap((period, place) => {
    const next = inOrder[place + 1]
    if (!next || period.endMinute <= next.startMinute) return []
    return [`On ${name}, ${inWords(period)} and ${inWords(next)} overlap.`]
  })
}

const overlapsAcross = (today: Day, tomorrow: Day): readonly string[] =>
  today.periods.flatMap((period) =>
    tomorrow.periods
      .filter((next) => period.endMinute - minutesPerDay > next.startMinute)
      .map((next) => `${inWords(period)} on ${today.name} runs into ${inWords(next)} on ${tomorrow.name}.`),
  )

const inWords = ({ name, startMinute, endMinute }: ServicePeriod): string =>
  `${name ?? 'the service'} (${spanInWords(startMinute, endMinute)})`
