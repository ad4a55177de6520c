import type { Work } from '../../../context.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { minutesWith, turnMinutes } from '../../rules/turn-minutes.ts'
import type { BookRow } from '../../day/book-row.ts'
import { readDay } from '../../day/open-day.ts'
import type { Day } from '../../day/facts.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import {
  type StaffReason,
  experienceAgainst,
  lengthAgainst,
  reasonsAgainst,
  sizeAgainst,
} from '../staff-reasons.ts'
import type { When } from '../../day/when.ts'

export type ReasonsNow = {
  readonly reasons: readonly StaffReason[]
  readonly day: Day
  /** Guests the slot would hold, and its cap; null if it has none. */
  readonly covers: number
  readonly mostCovers: number | null
}

/**
 * The reasons against a booking at this moment, for a form being filled in. Nothing is locked, so what is submitted
 * later is checked again, under the day's lock. `booking` is the one being changed; `entry` the party of the waitlist it is
 * for, whose own place does not count against it.
 */
export const reasonsNow = async (
  work: Pick<Work, 'db' | 'venue' | 'now'>,
  asked: When & {
    readonly partySize: number
    /** Absent: as booked, or the turn time. */
    readonly durationMinutes?: number | undefined
    /** Where they would like to sit; absent: as booked. */
    readonly seating?: string | null | undefined
    /** The key of what goes with it; '': nothing; absent: as booked. */
    readonly experience?: string | undefined
  },
  { booking, entry }: { readonly booking?: BookRow | undefined; readonly entry?: number | undefined } = {},
): Promise<ReasonsNow> => {
  const { db, venue, now } = work
  const rules = await bookingRulesAround(db, venue, asked.date)
  const experience = asked.experience ?? booking?.experience ?? ''
  const day = await readDay(work, rules, resolveService(rules, asked), {
    ...{ reservation: booking?.id, entry },
    ...(experience !== '' && { experience: { key: experience } }),
  })
  const durationMinutes =
    asked.durationMinutes ?? (booking ? minutesWith(rules, booking, asked.partySize) : null)
  const request = { ...asked, durationMinutes, door: 'staff' } as const
  const sameTime = booking !== undefined && booking.date === asked.date && booking.time === asked.time
  const size = booking?.party_size ?? 0
  const usual = turnMinutes(rules, asked.partySize)
  const isOther = experience !== (booking?.experience ?? '')
  const reasons = !sameTime
    ? reasonsAgainst(day, now(), request)
    : asked.partySize !== size
      ? sizeAgainst(day, now(), request, asked.partySize > size)
      : [
          ...((durationMinutes ?? usual) === (booking.duration_minutes ?? usual)
            ? []
            : lengthAgainst(day, now(), request)),
          ...(isOther ? experienceAgainst(day, now(), request) : []),
        ]
  return {
    reasons,
    day,
    covers: day.load.covers + asked.partySize,
    mostCovers: day.limits.pacing.maxCovers,
  }
}
