import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../../context.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { openTables } from '../../tables/offered/open-tables.ts'
import { readFloors } from '../../day/read-floor-day.ts'
import { bookingRulesAround, bookingRulesBetween } from '../../rules/rules-store.ts'
import { readDay } from '../../day/open-day.ts'
import type { Own } from '../../day/own-place.ts'
import { arrivalsBetween } from '../../day/arrivals-reads.ts'
import { type Evaluation, type Verdict, evaluate, verdicts } from '../rules/evaluate.ts'
import type { BookingRefusal, BookingRequest, FloorOf, LoadOf } from '../../day/facts.ts'
import { loadFromArrivals } from '../../day/load.ts'
import { nearestOpen } from '../rules/nearest-open.ts'
import { dayAt } from '../../day/day.ts'
import { areSoldOut, readOffers } from '../guarantee/open-experiences.ts'
import { type OpenTimes, type Slot, openTimes } from '../rules/open-times.ts'
import { type Placement, placementOf } from '../../rules/placement.ts'
import { turnMinutes } from '../../rules/turn-minutes.ts'
import { closedDay, resolveService } from '../../rules/resolve-service.ts'
import { type StaffReason, reasonsAgainst } from '../staff-reasons.ts'
import { bindsGuestsOnly } from '../staff-sentences.ts'
import { closedInStaffWords } from '../staff-sentences.ts'
import type { When } from '../../day/when.ts'

/*
 * What can be booked, without booking it. The rules are the same as for a request; nothing is locked, so the request
 * itself is judged again.
 */

type Reading = Pick<Work, 'db' | 'venue' | 'now'>

export type DayTimes = OpenTimes & { readonly serviceDate: LocalDate }

export type TimesAsked = {
  readonly from: LocalDate
  readonly days: number
  readonly partySize: number
  /** What is left out of the count: a slot that the caller holds is open to them. */
  readonly own?: Own | undefined
}

export type TimesFound = {
  readonly at: Temporal.Instant
  /** How long a table is held for this party. */
  readonly durationMinutes: number
  readonly days: readonly DayTimes[]
}

/** The times of some service dates, by two statements however many there are. */
export const timesOfDays = async (
  work: Reading,
  { from, days, partySize, own }: TimesAsked,
): Promise<TimesFound> => {
  const at = work.now()
  // The last date that can be written has none after it.
  const dates = [...new Set(Array.from({ length: days }, (_, day) => addDays(from, day)))]
  const { rules, load, floorOf } = await bookBetween(work, from, dates.at(-1) ?? from, own)
  return {
    at,
    durationMinutes: turnMinutes(rules, partySize),
    days: dates.map((serviceDate) => ({
      serviceDate,
      ...openTimes(rules, at, { serviceDate, partySize, door: 'online' }, load, floorOf),
    })),
  }
}

type Asked = When & Pick<BookingRequest, 'partySize'>

export type Checked = {
  readonly verdicts: readonly Verdict[]
  /** What a request would be refused with. */
  readonly refusal: BookingRefusal | undefined
  readonly placement: Placement
  readonly alternatives: readonly When[]
}

/** What every rule says of one time, and what could be had instead. */
export const checkTime = async (work: Reading, asked: Asked): Promise<Checked> => {
  const rules = await bookingRulesAround(work.db, work.venue, asked.date)
  const day = await readDay(work, rules, resolveService(rules, asked))
  const said = verdicts(day, work.now(), { ...asked, door: 'online' })
  const refusal = said.find((verdict) => verdict.refusal)?.refusal
  return {
    verdicts: said,
    refusal,
    placement: placementOf(day, asked.partySize),
    alternatives: refusal ? await alternativesTo(work, asked, refusal, limits.alternativesDefault) : [],
  }
}

/** What the rules say of one time now, and of which evening it is; `own` does not count against it. */
export const judgedAt = async (
  work: Reading,
  asked: Asked,
  own?: Own,
): Promise<{ readonly evaluation: Evaluation; readonly serviceDate: LocalDate }> => {
  const rules = await bookingRulesAround(work.db, work.venue, asked.date)
  const place = resolveService(rules, asked)
  const day = await readDay(work, rules, place, own)
  return {
    evaluation: evaluate(day, work.now(), { ...asked, door: 'online' }),
    serviceDate: place.serviceDate,
  }
}

/**
 * The open times nearest to a refused one: within a few days, or if nothing is open then, further away. Empty if the
 * party's size is the trouble.
 */
export const alternativesTo = async (
  work: Reading,
  asked: Asked,
  { reason }: Pick<BookingRefusal, 'reason'>,
  most: number,
  /** What is left out, such as the booking that is to be moved there. */
  own?: Own,
  /** Of guests on the venue's own page, its country: what they choose with a time must be left, too. */
  country?: string,
): Promise<readonly When[]> => {
  if (reason === 'party-too-small' || reason === 'party-too-large') return []
  for (const days of [limits.alternativesDays, limits.alternativesFarDays]) {
    // An arrival after midnight belongs to the day before.
    const from = addDays(asked.date, -days - 1)
    const to = addDays(asked.date, days)
    const { rules, load, floorOf } = await bookBetween(work, from, to, own)
    const offersAt =
      country === undefined ? undefined : await readOffers(work, country, rules, { from, to, own })
    const isSoldOut =
      offersAt && ((slot: Slot) => areSoldOut(offersAt({ ...slot, partySize: asked.partySize })))
    const found = nearestOpen(rules, work.now(), asked, load, { days, most, floorOf, isSoldOut })
    if (found.length > 0) return found
  }
  return []
}

/** What decides about any time of these service dates: the rules, and what is booked. */
const bookBetween = async (
  { db, venue, now }: Reading,
  from: LocalDate,
  to: LocalDate,
  own?: Own,
): Promise<{
  readonly rules: BookingRules
  readonly load: LoadOf
  readonly floorOf: FloorOf | undefined
}> => {
  const at = now()
  const [rules, arrivals] = await Promise.all([
    bookingRulesBetween(db, venue, addDays(from, -1), addDays(to, 1)),
    arrivalsBetween(db, venue.id, from, to, { now: at, own }),
  ])
  const { floor } = rules
  return {
    rules,
    load: loadFromArrivals(arrivals),
    floorOf: floor ? await readFloors(db, venue.id, { ...rules, floor }, [from, to], at, own) : undefined,
  }
}

/** A time of a day as staff see it. */
export type StaffTime = When & {
  /** What speaks against it, but for what binds guests online only. */
  readonly reasons: readonly StaffReason[]
  /** Covers its slot has room for; null without a cap. */
  readonly left: number | null
  /** Whether a guest could ask for it online now. */
  readonly isOnline: boolean
  /** Whether nobody holds a table that would do, of a time for which they get none: others need it. */
  readonly isTableOpen: boolean
}

/** The times of one service date for a party, each with everything against it. */
export const staffTimes = async (
  work: Reading,
  {
    date,
    partySize,
    durationMinutes,
    own,
  }: {
    readonly date: LocalDate
    readonly partySize: number
    readonly durationMinutes?: number | undefined
    readonly own?: Own | undefined
  },
): Promise<{ readonly closed: string | null; readonly times: readonly StaffTime[] }> => {
  const { rules, load, floorOf } = await bookBetween(work, date, date, own)
  const now = work.now()
  const { slots } = openTimes(rules, now, { serviceDate: date, partySize, door: 'online' }, load, floorOf)
  const closed = closedDay(rules, date)
  return {
    closed: closed && closedInStaffWords(closed, wallTimeOf(now, rules.timezone).date),
    times: slots.map(({ place, evaluation, ...when }) => {
      const day = dayAt(rules, place, load, floorOf)
      const cap = day.limits.pacing.maxCovers
      const asked = { ...when, partySize, durationMinutes, door: 'staff' } as const
      const reasons = reasonsAgainst(day, now, asked).filter(({ reason }) => !bindsGuestsOnly(reason))
      const isWithout = reasons.some(({ reason }) => reason === 'tables-full')
      return {
        ...when,
        reasons,
        isTableOpen: isWithout && day.floor !== undefined && openTables(day.floor, asked).length > 0,
        left: cap === null ? null : Math.max(0, cap - day.load.covers),
        isOnline: evaluation.ok,
      }
    }),
  }
}
