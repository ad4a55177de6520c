import type { BookingReason } from '@venue-data/contract/reasons.ts'
import type { WallTime } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules, Limits } from '../rules/booking-rules.ts'
import type { FloorDay } from './day-floor.ts'
import type { ExperienceAsked } from './own-place.ts'
import type { When } from './when.ts'
import type { Place } from '../rules/resolve-service.ts'

/** The request: when, for how many, and through which channel. The API is `online`. */
export type BookingRequest = When & {
  /** Guests, 1 or more. */
  readonly partySize: number
  readonly door: Door
  /** How long it needs its table; absent: the turn time. */
  readonly durationMinutes?: number | null | undefined
  /** Where the party would like to sit, in words; it decides between tables only. */
  readonly seating?: string | null | undefined
}

/** Staff are not bound by blocks with scope `online` or by paused online booking. */
export type Door = 'online' | 'staff'

/** A span of arrivals that share one pacing cap: `fromMinute <= service minute < toMinute`. */
export type Bucket = {
  readonly serviceDate: LocalDate
  readonly fromMinute: number
  readonly toMinute: number
}

/** What already arrives in a bucket: covers and parties in every status that counts. */
export type Load = {
  readonly covers: number
  readonly parties: number
  /** Of these, what is held for somebody who is about to book, and until when the last of it is. */
  readonly held?: { readonly covers: number; readonly parties: number; readonly until: Temporal.Instant }
  /** When the first of what counts for a while counts no more. */
  readonly lapsesAt?: Temporal.Instant
}

/** Looks up a bucket's load, for callers that ask about many slots of a day. */
export type LoadOf = (bucket: Bucket) => Load

/** Looks up a service date's tables, likewise; absent where they decide nothing. */
export type FloorOf = (serviceDate: LocalDate) => FloorDay | undefined

/** Why a request cannot be taken: the stable code, and a sentence a guest may read. */
export type BookingRefusal = { readonly reason: BookingReason; readonly sentence: string }

/** What an arrival lands in, made by `dayAt`: its place under the venue's rules, and its slot's load. */
export type Day = {
  readonly rules: BookingRules
  readonly place: Place
  readonly limits: Limits
  /** Undefined when the arrival is outside every service; then the load is zero. */
  readonly bucket: Bucket | undefined
  /** Without the arrival itself. */
  readonly load: Load
  /** The day's tables with everybody who needs one, without the arrival itself; undefined where they decide nothing. */
  readonly floor: FloorDay | undefined
  /** The experience that is asked for, and how many other parties have it that evening; absent: none is. */
  readonly experience?: (ExperienceAsked & ExperienceTaken) | undefined
}

/** Bookings and holds of an experience in an evening. */
export type ExperienceTaken = {
  readonly taken: number
  /** When the first of what counts for a while counts no more. */
  readonly lapsesAt?: Temporal.Instant
}

/** Everything a rule may look at. */
export type Facts = Day & {
  /** The venue's clock: now, floored to the minute. */
  readonly clock: Temporal.Instant
  /** The same, as the clock on the venue's wall shows it. */
  readonly wall: WallTime
  readonly request: BookingRequest
}

/** One booking rule: a refusal, or undefined when the request passes. */
export type Rule = (facts: Facts) => BookingRefusal | undefined
