import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { LocalDate } from '../../kernel/written-time.ts'
import type { BookingRules, Pacing } from '../../venue/booking-rules.ts'
import type { When } from '../when.ts'
import type { Place } from './resolve-service.ts'

/** What is asked for: when, for how many, and by which door. The API is `online`. */
export type BookingRequest = When & {
  /** Guests, 1 or more. */
  readonly partySize: number
  readonly door: Door
}

/** Staff are not held to blocks of scope `online` nor to paused online booking. */
export type Door = 'online' | 'staff'

/** A span of arrivals that share one pacing cap: `fromMinute <= service minute < toMinute`. */
export type Bucket = {
  readonly serviceDate: LocalDate
  readonly fromMinute: number
  readonly toMinute: number
}

/** What already arrives in a bucket: covers and parties in every status that counts. */
export type Load = { readonly covers: number; readonly parties: number }

/** Answers the load of a bucket, for whoever asks about many slots of a day. */
export type LoadOf = (bucket: Bucket) => Load

/** Why a request cannot be taken: the stable code, and a sentence a guest may read. */
export type BookingRefusal = { readonly reason: BookingReason; readonly sentence: string }

/** The limits in force for a request: the period's own where it has one, else the venue's. */
export type Limits = {
  readonly sameDayCutoffMinute: number | null
  readonly minParty: number
  readonly maxParty: number | null
  readonly pacing: Pacing
}

/** What an arrival lands in, made by `dayAt`: what the venue's rules say of its place, and what its slot holds. */
export type Day = {
  readonly rules: BookingRules
  readonly place: Place
  readonly limits: Limits
  /** Undefined when the arrival lies in no service; then the load is nobody. */
  readonly bucket: Bucket | undefined
  /** Besides the arrival itself. */
  readonly load: Load
}

/** Everything a rule may look at. */
export type Facts = Day & {
  /** The venue's clock: now, floored to the minute. */
  readonly clock: Temporal.Instant
  readonly request: BookingRequest
}

/** One booking rule: a refusal, or undefined when the request passes. */
export type Rule = (facts: Facts) => BookingRefusal | undefined
