import { type DayBook, type Slot, minuteOfDate } from '../today/read-day.ts'

/** The slots that still matter. */
export const slotsAhead = ({ slots, rules, date, now }: DayBook): readonly Slot[] => {
  const since = minuteOfDate(rules, date, now)
  return slots.filter(({ toMinute }) => toMinute > since)
}
