import type { SoldOccurrence } from '../../../tickets/event-reads.ts'
import { dayAndYearInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'

/** "Saturday 14 November 2026, 20:30 · Late seating". */
export const whenOf = ({
  date,
  start_time,
  title,
}: Pick<SoldOccurrence, 'date' | 'start_time' | 'title'>): string =>
  `${dayAndYearInWords(date)}${start_time === null ? '' : `, ${timeInWords(start_time.slice(0, 5))}`}${title === null ? '' : ` · ${title}`}`
