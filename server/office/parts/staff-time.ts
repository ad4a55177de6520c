import type { ServicePeriod } from '../../venue/booking-rules.ts'
import { timeInWords } from '../../kernel/in-words.ts'
import { type ClockTime, clockTimeAt, readTime } from '../../kernel/written-time.ts'

/**
 * A time as staff type it in a hurry, read as the day's services make likely: at a dinner "8", "830", "8.30" and
 * "8:30" are in the evening. What leaves no doubt is read as anywhere: "8p", "8 am", "2030", "08:30", "19.30".
 * Undefined where nobody could read it. For staff only: the API reads times as docs/api.md says.
 */
export const readStaffTime = (
  typed: string,
  periods: readonly Pick<ServicePeriod, 'startMinute' | 'endMinute'>[],
): ClockTime | undefined => {
  const plain = typed.normalize('NFKC').trim()
  const short = /^(1[0-2]|[1-9])(?:[:.h ]?([0-5]\d))?$/.exec(plain)
  if (!short) return readTime(typed)
  const morning = (Number(short[1]) % 12) * 60 + Number(short[2] ?? 0)
  const evening = morning + noon
  const isServed = (minute: number) =>
    periods.some(({ startMinute, endMinute }) => startMinute <= minute && minute < endMinute)
  // Between two that are served, or two that are not, guests rather mean the later one.
  return clockTimeAt(isServed(morning) && !isServed(evening) ? morning : evening)
}

/** A time of an address or a record, as a field shows it; what cannot be read stays as it is. */
export const timeShown = (text: string): string => {
  const time = readTime(text)
  return time === undefined ? text : timeInWords(time)
}

const noon = 12 * 60
