import { floorToMinute } from './venue-clock.ts'
import { inRange, readDate, readMoment, readTime } from './written-time.ts'

/** The forms in which somebody says when they come: what can be read, and what is said of what cannot. */
export const writtenWhen = {
  date: {
    read: readDate,
    fault: 'not-a-date',
    sentence: 'The date must be a real day written YYYY-MM-DD, such as 2026-10-05.',
  },
  time: {
    read: readTime,
    fault: 'not-a-time',
    sentence: 'The time cannot be read; write it like 19:00 or 7:00 PM.',
  },
  startsAt: {
    read: (text: string): Temporal.Instant | undefined => {
      const moment = readMoment(text)
      return moment && inRange(floorToMinute(moment))
    },
    fault: 'not-a-moment',
    sentence: 'startsAt must be a date and time with a zone offset, such as 2026-10-05T19:00:00-04:00.',
  },
} as const

export type WrittenForm = keyof typeof writtenWhen
