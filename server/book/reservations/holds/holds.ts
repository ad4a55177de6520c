import { limits } from '@venue-data/contract/limits.ts'
import type { Context, Work } from '../../../context.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import type { TableAsked } from '../../../platform/kernel/refusal.ts'
import { later, toInstant } from '../../../platform/kernel/time/moment.ts'
import { clockTimeAt, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import { forEachVenue } from '../../../core/venue/each-venue.ts'
import { markFreed } from '../../day/freed-places.ts'
import {
  type HoldId,
  type HoldRow,
  coversHeld,
  heldBy,
  holdById,
  venuesWithLapsedHolds,
} from './hold-reads.ts'
import {
  type NewHold,
  deleteHold,
  deleteLapsedHolds,
  deleteOffer,
  insertHold,
  insertOffer,
  moveHoldEnd,
  prolongHold,
} from './hold-writes.ts'
import { holdAndOpenDay, holdDays, openDay } from '../../day/open-day.ts'
import { coversOfService } from '../rules/capacity.ts'
import { evaluate } from '../rules/evaluate.ts'
import type { BookingRefusal } from '../../day/facts.ts'
import type { When } from '../../day/when.ts'

/*
 * Holding places for a party that is about to book them: a guest who fills in the form, software that asks first, a
 * party on the waitlist that was made an offer. A hold is not a reservation: it is in no list and has no event. Every
 * sum counts it until it expires, by the clock of the reader, so its places are free again at that moment with or
 * without the sweep. Making one is judged as the request itself would be, under the day's lock.
 */

/** An expired hold is kept this long, in case its maker wants it after all. */
const keptMinutes = 10

/** Who holds: `keyAsHolder`, or a hash of an address, 64 characters at most. */
export type Holder = string

/** A key of the API, as a holder. */
export const keyAsHolder = (key: number): Holder => `key:${key}`

/** A new id for a hold: 128 bits of the given random source. */
export const newHoldId = (random: (size: number) => Buffer): HoldId => random(16).toString('base64url')

/**
 * A holder, and other names under which it may hold already. `isGuest`: somebody on the venue's own pages, where
 * anybody may hold; together they get a share of a service, and guests beyond it are judged when they press the button.
 */
type HeldBy = {
  readonly holder: Holder
  readonly formerly?: readonly Holder[]
  readonly isGuest?: boolean
}

/** Guests hold a quarter of a service's covers together, or so many where that is more. */
const leastShare = 8

export type HoldAsked = When & {
  readonly id: HoldId
  readonly partySize: number
  /** Who is about to book; or the party on the waitlist, for which the venue holds it until its offer ends. */
  readonly by: HeldBy | { readonly entry: number; readonly until: Temporal.Instant }
  /** The venue's own job asks; absent: a person, or their software. */
  readonly isMachine?: boolean
  /** The key of the experience that was chosen with it. */
  readonly experience?: string | undefined
  /** The hold of the slot chosen before, which this one replaces. */
  readonly instead?: HoldId | undefined
}

export type HoldOutcome =
  | { readonly kind: 'held'; readonly hold: HoldRow }
  /** A rule says no: nothing is held, and an earlier hold stays as it is. */
  | { readonly kind: 'refused'; readonly refusal: BookingRefusal; readonly table: TableAsked }
  /** The holder has `limits.holdsOfKey` already, or guests hold their share of the service. */
  | { readonly kind: 'too many' }

/**
 * Holds a slot, if every rule for requests online takes the party; the hold it replaces is left out of the sums and
 * given up. Locks the service date, so that of any number of holds and requests for the last places exactly those that
 * fit get through. An entry of the waitlist has one hold at a time: release what it has first.
 */
export const placeHold = async (
  work: Work,
  { id, partySize, by, instead, experience, isMachine = false, ...when }: HoldAsked,
): Promise<HoldOutcome> => {
  const { db, venue } = work
  const own = {
    ...{ hold: instead, isMachine },
    ...('entry' in by && { entry: by.entry }),
    ...(experience !== undefined && { experience: { key: experience } }),
  }
  const [day] = await holdAndOpenDay(work, { ...when, partySize }, own)
  const now = work.now()
  const evaluation = evaluate(day, now, { ...when, partySize, door: 'online' })
  if (!evaluation.ok)
    return { kind: 'refused', refusal: evaluation.refusal, table: { ...day.place, partySize } }
  const given = instead === undefined ? undefined : await deleteHold(db, venue.id, instead)
  await markFreed(db, venue.id, given?.service_date ?? null)
  const { serviceDate, serviceMinute } = evaluation.placement
  const expiresAt = 'entry' in by ? by.until : inMinutes(now)
  const made: NewHold = {
    id,
    serviceDate,
    serviceMinute,
    startsAt: when.startsAt,
    partySize,
    expiresAt,
    experience,
  }
  if ('entry' in by) return { kind: 'held', hold: await insertOffer(db, venue.id, made, by.entry) }
  const { period } = day.place
  const covers = by.isGuest && period ? coversOfService(day.rules, serviceDate, period) : null
  if (period && covers !== null) {
    const held = await coversHeld(db, venue.id, { serviceDate, period }, now)
    if (held + partySize > Math.max(leastShare, Math.floor(covers / 4))) return { kind: 'too many' }
  }
  const formerly = await heldBy(db, venue.id, by.formerly ?? [], now)
  for (let place = 1; place <= limits.holdsOfKey - formerly; place++) {
    const hold = await insertHold(db, venue.id, made, { holder: by.holder, place }, now)
    if (hold) return { kind: 'held', hold }
  }
  return { kind: 'too many' }
}

export type ExtendOutcome =
  | Exclude<HoldOutcome, { kind: 'too many' }>
  /** It was held longer before, and stays as it is. */
  | { readonly kind: 'extended before'; readonly hold: HoldRow }
  /** It was used or given up, or ran out a while ago: the slot takes a new hold. */
  | { readonly kind: 'gone' }

/**
 * Holds a slot for `limits.holdMinutes` from now, once. A hold that ran out meanwhile is judged again, as somebody may have
 * taken the places. Locks the service date.
 */
export const extendHold = async (work: Work, id: HoldId): Promise<ExtendOutcome> => {
  const { db, venue } = work
  const seen = await holdById(db, venue.id, id)
  if (!seen) return { kind: 'gone' }
  const when = { ...whenHeld(seen), partySize: seen.party_size }
  const days = await holdDays(work, when, [seen.service_date])
  const row = await holdById(db, venue.id, id)
  if (!row) return { kind: 'gone' }
  if (row.extended) return { kind: 'extended before', hold: row }
  const now = work.now()
  if (Temporal.Instant.compare(toInstant(row.expires_at), now) <= 0) {
    const experience = row.experience === null ? undefined : { key: row.experience }
    const day = await openDay(work, when, days, { hold: id, experience })
    const evaluation = evaluate(day, now, { ...when, door: 'online' })
    if (!evaluation.ok)
      return { kind: 'refused', refusal: evaluation.refusal, table: { ...day.place, ...when } }
  }
  const hold = await prolongHold(db, venue.id, id, inMinutes(now))
  return hold ? { kind: 'held', hold } : { kind: 'gone' }
}

/** Gives up a hold, or removes it once it was booked, in the transaction that books; undefined when it is gone. */
export const releaseHold = ({ db, venue }: Pick<Work, 'db' | 'venue'>, id: HoldId) =>
  deleteHold(db, venue.id, id)

/** Holds a place until another moment, as while it can be paid. */
export const holdUntil = (
  { db, venue }: { readonly db: Work['db']; readonly venue: Pick<Work['venue'], 'id'> },
  id: HoldId,
  end: Temporal.Instant,
): Promise<number> => moveHoldEnd(db, venue.id, id, end)

/** Gives up what is held for a party on the waitlist; undefined where nothing is. */
export const releaseOffer = (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  entry: number,
): Promise<HoldRow | undefined> => deleteOffer(db, venue.id, entry)

/** The arrival that a hold is for. */
export const whenHeld = ({ service_date, service_minute, starts_at }: HoldRow): When => ({
  date: addDays(service_date, Math.floor(service_minute / minutesPerDay)),
  time: clockTimeAt(service_minute),
  startsAt: toInstant(starts_at),
})

/** Tidies holds that ran out a while ago; they count nowhere since. Returns how many. */
export const sweepHolds = async ({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<number> => {
  const before = later(clock(), -keptMinutes * 60_000)
  let swept = 0
  await forEachVenue({ db, log }, await venuesWithLapsedHolds(db, before), async (venue) => {
    await db.transaction(async (queries) => {
      const within = queries.within(venue.id)
      const lapsed = await deleteLapsedHolds(within, venue.id, before)
      for (const date of new Set(lapsed.map(({ service_date }) => service_date)))
        await markFreed(within, venue.id, date)
      swept += lapsed.length
    })
  })
  return swept
}

const inMinutes = (now: Temporal.Instant): Temporal.Instant => later(now, limits.holdMinutes * 60_000)
