import { randomBytes } from 'node:crypto'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import { momentOfWall, momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { type DayTimes, judgedAt, timesOfDays } from '../reservations/availability/availability.ts'
import { offersOfDays } from '../reservations/availability/times-for-guests.ts'
import { allAsk, offersNow } from '../reservations/guarantee/open-experiences.ts'
import { newHoldId, placeHold } from '../reservations/holds/holds.ts'
import { holdDays } from '../day/open-day.ts'
import type { Own } from '../day/own-place.ts'
import type { When } from '../day/when.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { countryOf } from '../../core/venue/venues.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { eveningOf, writeMoved } from './actions.ts'
import { type WaitlistOutcome, entryKept } from './outcome.ts'
import { waitlistEntryForUpdate } from './reads.ts'
import { type EntryRow, entryRow } from '../day/entry-row.ts'
import { judgeWaitlistMove } from './transition.ts'

/*
 * Places that came free on a full day, offered to those who wait for that day, one party at a time and in the order they
 * joined. Cast: code that frees places leaves a mark (day/freed-places.ts); a job (freed-job.ts) takes the
 * day's lock, finds the first party that every rule takes now, and holds the place for it until its offer ends. Until
 * then the place is anybody's. Any number of processes may run the job: the lock lets one at a time look, and what it
 * offered counts for the next. A crash leaves the mark.
 */

/** Parties looked at for one offer: more than any list of a day. */
const mostLookedAt = 500

/**
 * Makes the first offer of a day that can be made now, if any. Only parties that can be reached by mail get an
 * automatic offer.
 */
export const offerNext = async (work: Work, serviceDate: LocalDate, minutes: number): Promise<boolean> => {
  const { db, venue } = work
  await holdDays(work, undefined, [serviceDate])
  const waiting = await db.many(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry
     where venue_id = ${venue.id} and service_date = ${serviceDate} and for_later and status = 'waiting'
       and email is not null
     order by coalesce(rejoined_at, created_at), id limit ${mostLookedAt}`)
  const times = timesBySize(work, serviceDate, machine)
  for (const entry of waiting) {
    const outcome = await makeOffer(work, { kind: 'service' }, entry, { minutes, times })
    if (outcome.kind === 'done') return true
  }
  return false
}

/** Offers a party what it waits for, by hand, at any hour and whether it can be mailed or not. */
export const offerByHand = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  { id, seenVersion }: { readonly id: number; readonly seenVersion?: number },
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const seen = await db.maybe(sql(entryRow)`
    select ${columnsOf(entryRow)} from waitlist_entry where venue_id = ${venue.id} and id = ${id}`)
  if (!seen) throw notFound('party on the waitlist')
  const serviceDate = seen.service_date ?? seen.date
  if (serviceDate === null)
    return entryKept(seen, { kind: 'refused', sentence: 'This party isn’t waiting for another day.' })
  await holdDays(work, undefined, [serviceDate])
  const { settings } = await guestSettingsOf(db, venue.id)
  const times = timesBySize(work, serviceDate, {})
  const offer = { minutes: settings.offerMinutes, times, ...(seenVersion !== undefined && { seenVersion }) }
  return makeOffer(work, actor, seen, offer)
}

/** What asks where nobody of the staff does. */
const machine: Own = { isMachine: true }

type TimesOf = (partySize: number) => Promise<DayTimes | undefined>

/** A day's times for a size, read once: nothing is written while the first party that fits is looked for. */
const timesBySize = (work: Work, serviceDate: LocalDate, own: Own): TimesOf => {
  const known = new Map<number, Promise<DayTimes | undefined>>()
  return (partySize) => {
    const times = known.get(partySize) ?? timesWithoutChoice(work, serviceDate, partySize, own)
    known.set(partySize, times)
    return times
  }
}

/** Where guests must choose something that is paid or secured, an offer would skip it: the list offers no such time. */
const timesWithoutChoice = async (
  work: Work,
  serviceDate: LocalDate,
  partySize: number,
  own: Own,
): Promise<DayTimes | undefined> => {
  const found = await timesOfDays(work, { from: serviceDate, days: 1, partySize, own })
  const country = () => countryOf(work.db, work.venue.id)
  const offersOf = await offersOfDays(work, country, found, { partySize, own })
  const [day] = found.days
  return day && { ...day, slots: day.slots.filter((slot) => !allAsk(offersOf(slot))) }
}

type Offer = { readonly minutes: number; readonly times: TimesOf; readonly seenVersion?: number }

const makeOffer = async (
  work: Work,
  actor: Actor,
  seen: EntryRow,
  { minutes, times, seenVersion }: Offer,
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const own: Own = actor.kind === 'service' ? machine : {}
  const when = await timeFor(work, seen, times, own)
  const none = { kind: 'refused', sentence: 'Nothing is left for them at the times they asked for.' } as const
  if (!when) return entryKept(seen, none)
  const entry = await waitlistEntryForUpdate(db, venue.id, seen.id)
  if (!entry) throw notFound('party on the waitlist')
  const now = work.now()
  const facts = { ...(await eveningOf(work, now)), actor, seenVersion }
  const judgement = judgeWaitlistMove('offer', entry, facts)
  if (judgement.kind !== 'go') return entryKept(entry, judgement)
  const until = earlier(now.add({ minutes }), when.startsAt)
  if (Temporal.Instant.compare(until, now) <= 0) return entryKept(entry, none)
  const held = await placeHold(work, {
    ...when,
    id: newHoldId(randomBytes),
    partySize: entry.party_size ?? 1,
    by: { entry: entry.id, until },
    isMachine: own.isMachine ?? false,
  })
  if (held.kind !== 'held') return entryKept(entry, none)
  return writeMoved(work, actor, 'offer', entry, { now, offeredUntil: until })
}

/** The time a party asked for, or the earliest slot of its window, if every rule takes it now. */
const timeFor = async (work: Work, entry: EntryRow, times: TimesOf, own: Own): Promise<When | undefined> => {
  const { timezone } = work.venue
  const { date, requested_time, window_start, window_end } = entry
  const partySize = entry.party_size ?? 1
  if (date !== null && requested_time !== null) {
    const startsAt = momentOfWall({ date, time: requested_time }, timezone, work.now())
    const when = startsAt && { date, time: requested_time, startsAt }
    if (when && (await isOpen(work, { ...when, partySize }, own))) return when
    if (window_start === null && window_end === null) return undefined
  }
  const from =
    date !== null && window_start !== null ? momentWallReaches({ date, time: window_start }, timezone) : null
  const to =
    date !== null && window_end !== null ? endOfWindow({ date, window_start, window_end }, timezone) : null
  const day = await times(partySize)
  const slot = day?.slots.find(
    ({ startsAt, evaluation }) =>
      evaluation.ok &&
      (from === null || Temporal.Instant.compare(from, startsAt) <= 0) &&
      (to === null || Temporal.Instant.compare(startsAt, to) <= 0),
  )
  return slot && { date: slot.date, time: slot.time, startsAt: slot.startsAt }
}

const endOfWindow = (
  { date, window_start, window_end }: { date: LocalDate; window_start: string | null; window_end: string },
  timezone: string,
): Temporal.Instant => {
  const day = window_start !== null && window_end < window_start ? addDays(date, 1) : date
  return momentWallReaches({ date: day, time: window_end }, timezone)
}

const isOpen = async (
  work: Work,
  asked: When & { readonly partySize: number },
  own: Own,
): Promise<boolean> => {
  if (!(await judgedAt(work, asked, own)).evaluation.ok) return false
  const rules = await bookingRulesAround(work.db, work.venue, asked.date)
  if (rules.experiences.length === 0) return true
  const country = await countryOf(work.db, work.venue.id)
  return !allAsk(await offersNow(work, country, rules, { ...asked, own }))
}

const earlier = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) <= 0 ? one : other
