import type { BookingRules } from '../../venue/booking-rules.ts'
import type { Day, Load, LoadOf } from './facts.ts'
import { bucketOf, limitsOf } from './placement.ts'
import type { Place } from './resolve-service.ts'

export const nobody: Load = { covers: 0, parties: 0 }

/** The day as it is around an arrival; its slot's load is asked for once, and not at all outside the hours. */
export const dayAt = (rules: BookingRules, place: Place, load: LoadOf): Day => {
  const day = emptyDayAt(rules, place)
  return day.bucket ? { ...day, load: load(day.bucket) } : day
}

/** The same before anybody looked at what its slot holds. */
export const emptyDayAt = (rules: BookingRules, place: Place): Day => ({
  rules,
  place,
  limits: limitsOf(rules, place.period),
  bucket: bucketOf(rules, place),
  load: nobody,
})
