import type { BookingRules } from '../rules/booking-rules.ts'
import type { Day, FloorOf, Load, LoadOf } from './facts.ts'
import { bucketOf, limitsAt } from '../rules/placement.ts'
import type { Place } from '../rules/resolve-service.ts'

export const nobody: Load = { covers: 0, parties: 0 }

/** The day around an arrival; its slot's load is queried once, and not at all outside opening hours. */
export const dayAt = (rules: BookingRules, place: Place, load: LoadOf, floorOf?: FloorOf): Day => {
  const day = emptyDayAt(rules, place)
  return day.bucket ? { ...day, load: load(day.bucket), floor: floorOf?.(place.serviceDate) } : day
}

/** The same, before it is known what is booked. */
export const emptyDayAt = (rules: BookingRules, place: Place): Day => {
  const bucket = bucketOf(rules, place)
  const limits = limitsAt(rules, place.period, bucket)
  return { rules, place, limits, bucket, load: nobody, floor: undefined }
}
