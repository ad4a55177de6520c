import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import type { When } from '../../day/when.ts'
import type { FloorOf, LoadOf } from '../../day/facts.ts'
import { type Slot, openTimes } from './open-times.ts'
import { resolveService } from '../../rules/resolve-service.ts'

/**
 * The shown times nearest to an asked one that would be taken: of the same service first, then of the same day, then of
 * the days around it, nearest day first; within each by how far the time of day is away, and of two equally near the
 * earlier. At most `most`, and none further than `days` days away.
 */
export const nearestOpen = (
  rules: BookingRules,
  clock: Temporal.Instant,
  asked: When & { readonly partySize: number },
  load: LoadOf,
  {
    days,
    most,
    floorOf,
    isSoldOut = () => false,
  }: {
    readonly days: number
    readonly most: number
    readonly floorOf?: FloorOf | undefined
    /** Whether a time that is open is not to be had all the same. */
    readonly isSoldOut?: ((slot: Slot) => boolean) | undefined
  },
): readonly Slot[] => {
  const place = resolveService(rules, asked)
  const inOtherService = (slot: Slot): number => (slot.place.period === place.period ? 0 : 1)
  const minutesAway = (slot: Slot): number => Math.abs(slot.place.serviceMinute - place.serviceMinute)
  const found: Slot[] = []
  for (const serviceDate of daysAround(place.serviceDate, days)) {
    if (found.length >= most) break
    const onDay = { serviceDate, partySize: asked.partySize, door: 'online' } as const
    const open = openTimes(rules, clock, onDay, load, floorOf).slots.filter(
      (slot) => slot.evaluation.ok && !isSoldOut(slot),
    )
    const isSameDay = serviceDate === place.serviceDate
    found.push(
      ...open.toSorted(
        (a, b) => (isSameDay ? inOtherService(a) - inOtherService(b) : 0) || minutesAway(a) - minutesAway(b),
      ),
    )
  }
  return found.slice(0, most)
}

/** A date, the day before and the day after, two days before and after, and so on. */
const daysAround = (date: LocalDate, days: number): readonly LocalDate[] => {
  const steps = Array.from({ length: days }, (_, step) => step + 1)
  return [...new Set([date, ...steps.flatMap((step) => [addDays(date, -step), addDays(date, step)])])]
}
