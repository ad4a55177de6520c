import type { BookingRules } from '../../venue/booking-rules.ts'
import type { Day, Load, LoadOf } from './facts.ts'
import { bucketOf, limitsAt } from './placement.ts'
import type { Place } from './resolve-service.ts'

export const nobody: Load = { covers: 0, parties: 0 }

/** The day around an arrival; its slot's load is queried once, and not at all outside opening hours. */
export const dayAt = (rules: BookingRules, place: Place, load: LoadOf): Day => {
  const day = emptyDayAt(rules, place)
  return day.bucket ? { ...day, load: load(day.bucket) } : day
}

/** The same, before the slot's load is known. */
export const emptyDayAt = (rules: BookingRules, place: Place): Day => {
  const bucket = bucketOf(rules, place)
  return { rules, place, limits: limitsAt(rules, place.period, bucket), bucket, load: nobody }
}
