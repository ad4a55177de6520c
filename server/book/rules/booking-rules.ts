import { limits } from '@venue-data/contract/limits.ts'
import { minuteInWords } from '../../platform/kernel/time/in-words.ts'
import { minutesPerDay } from '../../platform/kernel/time/written-time.ts'
import {
  type Field,
  type ValueOf,
  as,
  clock,
  date,
  inside,
  line,
  list,
  checked,
  maybe,
  mistake,
  must,
  oneOf,
  optional,
  or,
  places,
  rare,
  record,
  trueOrFalse,
  whole,
} from './document-kinds.ts'
import { experienceKind } from './experiences/written-experience.ts'
import type { Floor } from './floor/floor.ts'
import { documentBounds } from './rules-document-bounds.ts'
import { floorKind } from './floor/written-floor.ts'

/*
 * A venue's booking rules: as the operator's rules document writes them (docs/operator.md#booking-rules), and as the
 * evaluator takes them. A new setting is a line here, with its bounds and what it is where nobody has set it.
 * Dates are service dates. Minutes named `…Minute` count from 00:00 of the service date, so an arrival
 * at 00:30 in Friday's 17:00–02:00 service is minute 1470 of Friday.
 */

const party = whole([1, limits.partyGuests])
/** Guests or parties in one bucket; 0 takes none. */
const load = whole([0, 100_000])
const interval = whole([1, minutesPerDay])
const weekday = whole(documentBounds.weekday)
const name = line(documentBounds.name)

/** How many may arrive within one bucket of `intervalMinutes`; null = no limit. */
const venuePacing = optional(
  record({ intervalMinutes: or(interval, 15), maxCovers: maybe(load), maxParties: maybe(load) }),
)

/** Null = the venue's own value applies. */
const ownPacing = optional(
  record({
    intervalMinutes: rare(maybe(interval), null),
    maxCovers: rare(maybe(load), null),
    maxParties: rare(maybe(load), null),
  }),
)
const noOwnPacing = { intervalMinutes: null, maxCovers: null, maxParties: null }

/** One service. */
const service = {
  /** The venue's name for this kind of booking, "Dinner". */
  name: rare(maybe(name), null),
  /** 0–1439. */
  opens: as('startMinute', must(clock)),
  /** The first minute no longer served: start + 1 to start + 1440. A close at or before its opening is on the next day. */
  closes: as('endMinute', must(clock)),
  /** The last minute a party may arrive, itself allowed; null = until the end. */
  lastArrival: as('lastArrivalMinute', rare(maybe(clock), null)),
  /** The only minutes at which parties are seated, ascending; empty = any minute. */
  seatings: as('seatingMinutes', rare(or(places(must(clock), 288), []), [])),
  // Null in what follows = the venue's own value applies.
  minParty: rare(maybe(party), null),
  maxParty: rare(maybe(party), null),
  sameDayCutoff: as('sameDayCutoffMinute', rare(maybe(clock), null)),
  pacing: rare(or(ownPacing, noOwnPacing), noOwnPacing),
}
const opening = ['opens', 'closes'] as const
const servicePeriod = record(service, opening)

type WrittenService = ValueOf<typeof servicePeriod>
type Minutes = { readonly seatingMinutes: readonly number[] }
export type ServicePeriod = Omit<WrittenService, keyof Minutes> & Minutes

/** A service as the document writes it. */
export const printService = (period: ServicePeriod) => servicePeriod.print(period)

/** Puts the times of a service on its own day and the next: one before the opening is after midnight. */
const inService = <T extends WrittenService>(written: T, field: Field): Omit<T, keyof Minutes> & Minutes => {
  const { startMinute, endMinute: closes, lastArrivalMinute: last, seatingMinutes: seatings } = written
  const endMinute = closes > startMinute ? closes : closes + minutesPerDay
  const onItsDay = (minute: number): number => (minute < startMinute ? minute + minutesPerDay : minute)
  const lies = `must lie within the service, ${minuteInWords(startMinute)} to ${minuteInWords(endMinute)}`
  // The closing minute itself may be named: it means the same as none.
  const isLate = last !== null && onItsDay(last) > endMinute
  if (isLate) mistake(inside(field, 'lastArrival'), lies)
  const seatingMinutes: number[] = []
  for (const [place, seating] of seatings.entries()) {
    if (seating === null) continue
    const minute = onItsDay(seating)
    const entry = inside(field, `seatings[${place}]`)
    if (minute >= endMinute) mistake(entry, `${lies}, before the close`)
    else if (seatingMinutes.includes(minute)) mistake(entry, 'is listed twice')
    else seatingMinutes.push(minute)
  }
  return {
    ...written,
    endMinute,
    lastArrivalMinute: last === null || isLate ? null : onItsDay(last),
    seatingMinutes: seatingMinutes.toSorted((a, b) => a - b),
  }
}

/** A service that runs every week on an ISO weekday (1 = Monday, 7 = Sunday) of its service date. */
const weeklyPeriod = checked(
  record({ weekday: must(weekday), ...service }, ['weekday', ...opening]),
  inService,
)
export type WeeklyPeriod = ServicePeriod & { readonly weekday: number }

/** A date whose own periods replace its weekday's; no periods = closed that day, under this name. */
const specialDay = record({
  date: must(date),
  name: maybe(name),
  periods: must(list(checked(servicePeriod, inService), 24)),
})
export type SpecialDay = ValueOf<typeof specialDay>

/** Days without any service, both ends included. The name is public: refusals say it. */
const closure = checked(record({ from: must(date), to: must(date), name: must(name) }), (closed, field) => {
  if (closed.to < closed.from) mistake(inside(field, 'to'), 'must not be before from')
  return closed
})
export type Closure = ValueOf<typeof closure>

/** Minutes for a party of up to `upTo` guests, ascending; the last row applies to larger parties too. */
const bySize = (minutes: typeof interval) =>
  checked(places(record({ upTo: must(party), minutes: must(minutes) }), 50), (rows, field) => {
    const known = rows.map((row) => row?.upTo)
    for (const [place, row] of rows.entries())
      if (row && known.indexOf(row.upTo) < place)
        mistake({ ...field, name: `${field.name}[${place}].upTo` }, 'is listed twice')
    return rows.filter((row) => row !== null).toSorted((a, b) => a.upTo - b.upTo)
  })
const shortest = whole([0, minutesPerDay])

/** What the venue's own booking page asks for before it books: a card that is kept, or a deposit. */
export const securities = ['card', 'deposit'] as const

/**
 * Of these rows the first that fits a booking says what it asks: nothing fits nothing is asked. Amounts are hundredths of the
 * venue's currency, for each guest or for the party; it is free to cancel until so many elapsed hours before.
 */
const guarantee = checked(
  record({
    asks: must(oneOf(securities)),
    amountCents: must(whole(documentBounds.guaranteeCents)),
    per: or(oneOf(['guest', 'party']), 'guest'),
    freeUntilHours: or(whole(documentBounds.freeUntilHours), 24),
    /** The least party it is for. */
    partyFrom: or(party, 1),
    /** Names of services; none: every service. */
    services: list(name, 24),
    from: maybe(date),
    to: maybe(date),
  }),
  (row, field) => {
    if (row.from !== null && row.to !== null && row.to < row.from)
      mistake(inside(field, 'to'), 'must not be before from')
    return row
  },
)
export type GuaranteeRule = ValueOf<typeof guarantee>

export const blockScopes = ['online', 'all'] as const

/** Two times of a service date; which minutes they are, its hours say (`block-span.ts`). Without a scope it holds for everybody. */
export const writtenBlock = record({
  serviceDate: must(date),
  from: must(clock),
  to: must(clock),
  nextDay: rare(maybe(trueOrFalse), null),
  /** `online` refuses guests and integrations only, `all` is also shown to staff. */
  scope: or(oneOf(blockScopes), 'all'),
  publicNote: maybe(line(300)),
})

/**
 * A span of one service date without bookings, `from <= minute < to`, at most 1440 minutes long
 * and ending by minute 2880. Only what guests may read is
 * here: the staff note of a block may name another guest's party and never reaches the evaluator.
 */
export type Block = Omit<ValueOf<typeof writtenBlock>, 'from' | 'to' | 'nextDay'> & {
  readonly fromMinute: number
  readonly toMinute: number
}

/** `at` is where the slot begins, read as a block's `from`. */
export const writtenException = record({
  serviceDate: must(date),
  at: must(clock),
  nextDay: rare(maybe(trueOrFalse), null),
  maxCovers: maybe(load),
  maxParties: maybe(load),
})

/**
 * What one slot of one service takes in place of what its hours say; null = as they say. Where no slot begins at
 * `fromMinute` anymore, it is kept and applies to nothing.
 */
export type PacingException = Omit<ValueOf<typeof writtenException>, 'at' | 'nextDay'> & {
  readonly fromMinute: number
}

/** Everything but `periods` may be absent. The fields every venue looks for are always printed. */
export const writtenRules = record(
  {
    /** Smallest and largest party, both allowed; null = no limit. */
    minParty: or(party, 1),
    maxParty: maybe(party),
    /** Least time between now and the arrival, in elapsed minutes; at most a year. */
    minNoticeMinutes: or(whole([0, 525_600]), 0),
    /** Calendar days from today that are open; the last one is included. Null = no limit. */
    maxDaysAhead: maybe(whole([0, 3650])),
    /** Minute of the service date (0–1439) from which that date takes no more bookings; null = none. */
    sameDayCutoff: as('sameDayCutoffMinute', maybe(clock)),
    pacing: venuePacing,
    /** How long a table is held, by party size. */
    turnMinutes: as('turnTimes', bySize(interval)),
    /** The shortest stay that staff are offered; none set: the usual ones, 0: whole stays only. */
    shortestStays: rare(or(bySize(shortest), []), []),
    /** How far apart the picker shows slots, in minutes. What is shown, not a rule. */
    slotStepMinutes: rare(or(interval, 15), 15),
    /** True refuses every request that comes in online; staff still book. */
    onlinePaused: rare(or(trueOrFalse, false), false),
    periods: must(list(weeklyPeriod, 200)),
    specialDays: list(specialDay, 1000),
    closures: list(closure, 1000),
    blocks: list(writtenBlock, 5000),
    pacingExceptions: rare(list(writtenException, 5000), []),
    /** When a card or a deposit is asked for, and how many days after a visit a card is kept. */
    guarantees: rare(or(list(guarantee, 50), []), []),
    keepCardDays: rare(or(whole(documentBounds.keepCardDays), 3), 3),
    /** True cancels a booking of which a card or a deposit was asked and not given in time. */
    letGoUnsecured: rare(or(trueOrFalse, false), false),
    experiences: rare(or(list(experienceKind, documentBounds.experiences), []), []),
    /** The venue's tables; null leaves them alone. */
    tables: rare(maybe(floorKind), null),
  },
  ['pacing', 'periods', 'specialDays', 'tables'],
)

type WrittenRules = ValueOf<typeof writtenRules>

/** The part of the rules that the operator's rules document carries. */
export type DocumentRules = Omit<WrittenRules, 'blocks' | 'pacingExceptions' | 'tables'> & {
  readonly blocks: readonly Block[]
  readonly pacingExceptions: readonly PacingException[]
  /** The venue's tables; absent leaves them alone. */
  readonly tables?: NonNullable<WrittenRules['tables']>
}

/**
 * What decides about a request. Special days, closures and blocks may be narrowed to the days around it: the day before
 * it, the day itself and, for saving hours, the day after.
 */
export type BookingRules = DocumentRules & {
  /** IANA name of the venue's zone. */
  readonly timezone: string
  /** The venue's public phone number, as it is to be read to a guest. */
  readonly phone: string | null
  /** What there is to seat people at; null where tables decide about nothing. */
  readonly floor: Floor | null
}

/** What a service may set in place of the venue, besides its pacing; null there = the venue's own. */
export const limitNames = [
  'sameDayCutoffMinute',
  'minParty',
  'maxParty',
] as const satisfies readonly (keyof ServicePeriod & keyof DocumentRules)[]
/** The limits in force for a request: the period's own if set, otherwise the venue's. */
export type Limits = Pick<DocumentRules, (typeof limitNames)[number] | 'pacing'>

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
  shortestStays: [],
  periods: [],
  specialDays: [],
  closures: [],
  blocks: [],
  pacingExceptions: [],
  guarantees: [],
  keepCardDays: 3,
  letGoUnsecured: false,
  experiences: [],
}

/** How long a table is held where the venue has set no turn times, in minutes. */
export const defaultTurnMinutes = 120

/** The shortest stays that are offered where the venue has set none. */
export const defaultShortestStays: DocumentRules['shortestStays'] = [
  { upTo: 2, minutes: 45 },
  { upTo: 4, minutes: 60 },
  { upTo: 5, minutes: 75 },
]
