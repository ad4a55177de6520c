import type { WaitlistSource, WaitlistStatus } from '@venue-data/contract/records/waitlist-entry.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingStory } from './booking-story.ts'

/** A party on the list. One that got a table has the story of its booking, whose contact it takes over. */
export type WaitlistStory = {
  readonly date: LocalDate
  readonly partySize: number
  readonly requestedTime: string | null
  readonly windowStart: string | null
  readonly windowEnd: string | null
  readonly source: WaitlistSource
  readonly notes: string | null
  /** Waits for a place in the book of another day, instead of at the door. */
  readonly forLater: boolean
  /** When they said that they are on their way. */
  readonly comingAt: number | null
  readonly quotedMinutes: number | null
  readonly createdAt: number
  readonly quotedAt: number | null
  readonly pagedAt: number | null
  readonly leftAt: number | null
  readonly ending: Extract<WaitlistStatus, 'expired' | 'cancelled'> | null
  readonly booking: BookingStory | null
  /** Name and number as they were given on the list; a table's booking has its own. */
  readonly guestName: string
  readonly phone: string | null
}

export type WaitlistState = {
  readonly status: WaitlistStatus
  readonly quotedMinutes: number | null
  readonly quotedAt: number | null
  readonly pagedAt: number | null
  readonly seatedAt: number | null
  readonly leftAt: number | null
  readonly updatedAt: number
}

/** What the entry says at a moment; undefined before the party joins. */
export const waitlistAsOf = (story: WaitlistStory, now: number): WaitlistState | undefined => {
  if (story.createdAt > now) return undefined
  const reached = (moment: number | null | undefined): number | null =>
    moment !== null && moment !== undefined && moment <= now ? moment : null
  const moments = {
    quotedAt: reached(story.quotedAt),
    pagedAt: reached(story.pagedAt),
    seatedAt: reached(story.booking?.arrival?.seatedAt),
    leftAt: reached(story.leftAt),
  }
  return {
    status:
      moments.seatedAt !== null
        ? 'booked'
        : moments.leftAt !== null && story.ending !== null
          ? story.ending
          : moments.pagedAt !== null
            ? 'offered'
            : 'waiting',
    ...moments,
    quotedMinutes: moments.quotedAt === null ? null : story.quotedMinutes,
    updatedAt: Math.max(story.createdAt, ...Object.values(moments).map((moment) => moment ?? 0)),
  }
}
