import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Floor } from './floor/floor.ts'
import type { WrittenFloor } from './floor/written-floor.ts'

/*
 * A venue's booking rules, as the evaluator takes them.
 * Dates are service dates. Minutes named `…Minute` count from 00:00 of the service date, so an arrival
 * at 00:30 in Friday's 17:00–02:00 service is minute 1470 of Friday.
 * Special days, closures and blocks may be narrowed to the days around a request: the day before it,
 * the day itself and, for saving hours, the day after.
 */
export type BookingRules = DocumentRules & {
  /** IANA name of the venue's zone. */
  readonly timezone: string
  /** The venue's public phone number, as it is to be read to a guest. */
  readonly phone: string | null
  /** What there is to seat people at; null where tables decide about nothing. */
  readonly floor: Floor | null
}

/** The part of the rules that the operator's rules document carries (docs/operator.md#booking-rules). */
export type DocumentRules = {
  /** True refuses every request that comes in online; staff still book. */
  readonly onlinePaused: boolean
  /** Smallest and largest party, both allowed; null = no limit. */
  readonly minParty: number
  readonly maxParty: number | null
  /** Least time between now and the arrival, in elapsed minutes. */
  readonly minNoticeMinutes: number
  /** Calendar days from today that are open; the last one is included. Null = no limit. */
  readonly maxDaysAhead: number | null
  /** Minute of the service date (0–1439) from which that date takes no more bookings; null = none. */
  readonly sameDayCutoffMinute: number | null
  readonly pacing: Pacing
  /** How far apart the picker shows slots, in minutes. What is shown, not a rule. */
  readonly slotStepMinutes: number
  /** How long a table is held, by party size, ascending; the last row applies to larger parties too. */
  readonly turnTimes: readonly TurnTime[]
  readonly periods: readonly WeeklyPeriod[]
  readonly specialDays: readonly SpecialDay[]
  readonly closures: readonly Closure[]
  readonly blocks: readonly Block[]
  readonly pacingExceptions: readonly PacingException[]
  /** The venue's tables; absent leaves them alone. */
  readonly tables?: WrittenFloor
}

/** How many may arrive within one bucket of `intervalMinutes`; null = no limit. */
export type Pacing = {
  readonly intervalMinutes: number
  readonly maxCovers: number | null
  readonly maxParties: number | null
}

/** A party of up to `upTo` guests holds its table for `minutes`. */
export type TurnTime = { readonly upTo: number; readonly minutes: number }

/** One service. Null in an override = the venue's own value applies. */
export type ServicePeriod = {
  /** The venue's name for this kind of booking, "Dinner". */
  readonly name: string | null
  /** 0–1439. */
  readonly startMinute: number
  /** The first minute no longer served: start + 1 to start + 1440. */
  readonly endMinute: number
  /** The last minute a party may arrive, itself allowed; null = until the end. */
  readonly lastArrivalMinute: number | null
  /** The only minutes at which parties are seated, ascending; empty = any minute. */
  readonly seatingMinutes: readonly number[]
  readonly sameDayCutoffMinute: number | null
  readonly minParty: number | null
  readonly maxParty: number | null
  readonly pacing: {
    readonly intervalMinutes: number | null
    readonly maxCovers: number | null
    readonly maxParties: number | null
  }
}

/** A service that runs every week on an ISO weekday (1 = Monday, 7 = Sunday) of its service date. */
export type WeeklyPeriod = ServicePeriod & { readonly weekday: number }

/** A date whose own periods replace its weekday's; no periods = closed that day, under this name. */
export type SpecialDay = {
  readonly date: LocalDate
  readonly name: string | null
  readonly periods: readonly ServicePeriod[]
}

/** Days without any service, both ends included. The name is public: refusals say it. */
export type Closure = { readonly from: LocalDate; readonly to: LocalDate; readonly name: string }

/**
 * A span of one service date without bookings, `from <= minute < to`, at most 1440 minutes long
 * and ending by minute 2880. Only what guests may read is
 * here: the staff note of a block may name another guest's party and never reaches the evaluator.
 */
export type Block = {
  readonly serviceDate: LocalDate
  readonly fromMinute: number
  readonly toMinute: number
  /** `online` refuses guests and integrations only, `all` is also shown to staff. */
  readonly scope: BlockScope
  readonly publicNote: string | null
}

export const blockScopes = ['online', 'all'] as const
export type BlockScope = (typeof blockScopes)[number]

/**
 * What one slot of one service takes in place of what its hours say; null = as they say. Where no slot begins at
 * `fromMinute` anymore, it is kept and applies to nothing.
 */
export type PacingException = {
  readonly serviceDate: LocalDate
  readonly fromMinute: number
  readonly maxCovers: number | null
  readonly maxParties: number | null
}

/** The rules of a venue that has set none: no limits, and no hours either. */
export const defaultRules: DocumentRules = {
  onlinePaused: false,
  minParty: 1,
  maxParty: null,
  minNoticeMinutes: 0,
  maxDaysAhead: null,
  sameDayCutoffMinute: null,
  pacing: { intervalMinutes: 15, maxCovers: null, maxParties: null },
  slotStepMinutes: 15,
  turnTimes: [],
  periods: [],
  specialDays: [],
  closures: [],
  blocks: [],
  pacingExceptions: [],
}

/** How long a table is held where the venue has set no turn times, in minutes. */
export const defaultTurnMinutes = 120
