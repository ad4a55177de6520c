import { limits } from '@venue-data/contract/limits.ts'
import type { WaitlistEntry, WaitlistStatus } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { newestOfRecord } from '../../core/activity/reads.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { markFreed } from '../day/freed-places.ts'
import { type StaySeen, stayUntil } from '../reservations/chosen-tables.ts'
import { releaseOffer } from '../reservations/holds/holds.ts'
import { resolveService } from '../rules/resolve-service.ts'
import { serviceDateAt } from '../rules/service-now.ts'
import type { TableChange } from '../../core/activity/table-change.ts'
import { holdPressThatPaged } from '../tables/hold-press.ts'
import { putBack } from '../tables/put-back.ts'
import { holdTable, releaseTable } from '../tables/table-holds.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { textParty } from '../texts/reach-party.ts'
import { type Evening, offerEnds } from './expiry.ts'
import { isUntold, tellBack } from './messages/back-in-line.ts'
import { mailParty } from './messages/mail-party.ts'
import { type PagedKept, holdAsBefore, openToPage, pagedBefore } from './paged-table.ts'
import { type WaitlistOutcome, entryDone, entryKept } from './outcome.ts'
import { type EntryRow, presentWaitlistEntry } from '../day/entry-row.ts'
import { quoteFor } from './quote.ts'
import { waitlistEntryForUpdate } from './reads.ts'
import { type PlainWaitlistMove, type WaitlistMoveName, waitlistMoves } from './states.ts'
import { type EntryDetails, entryChangedMeanwhile, judgeWaitlistMove, movedEntry } from './transition.ts'
import { type NewEntryRow, insertEntry, writeEntryMove } from './writes.ts'

export type Joining = Omit<
  NewEntryRow,
  'date' | 'serviceDate' | 'source' | 'quotedMinutes' | 'quotedByHand' | 'forLater' | 'requestedTime'
> & {
  /** The calendar date they wait for; omitted: today. */
  readonly date?: LocalDate
  readonly requestedTime?: string | null
  /** Places that come free are offered to it; omitted: if it waits for another day. */
  readonly forLater?: boolean
  /** Minutes quoted to the party; `estimated`: what `quoteFor` says, if a table takes so many; omitted: no quote. */
  readonly quotedMinutes?: number | 'estimated'
  /** Whether staff thought of the number themselves, so that others go by it; omitted: if they gave one. */
  readonly quotedByHand?: boolean
}

/** Adds a party to the waitlist, by staff, by themselves on the public page or by an integrator, and emits waitlist.added. */
export const joinWaitlist = async (work: Work, actor: Actor, joining: Joining): Promise<WaitlistEntry> => {
  const { db, venue } = work
  const now = work.now()
  const evening = await eveningOf(work, now)
  const date = joining.date ?? wallTimeOf(now, venue.timezone).date
  const serviceDate = await eveningWaitedFor(work, joining, evening)
  const quotedMinutes =
    joining.quotedMinutes === 'estimated'
      ? await waitFor(work, { serviceDate, partySize: joining.partySize })
      : (joining.quotedMinutes ?? null)
  const source = actor.kind === 'guest' || actor.kind === 'key' ? 'public' : 'staff'
  const requestedTime = joining.requestedTime ?? null
  const quotedByHand =
    joining.quotedByHand ?? (typeof joining.quotedMinutes === 'number' && actor.kind === 'staff')
  const forLater = joining.forLater ?? serviceDate > evening.serviceDateNow
  const made = {
    ...joining,
    forLater,
    date,
    serviceDate,
    requestedTime,
    quotedMinutes,
    quotedByHand,
    source,
  } as const
  const entry = await insertEntry(db, venue.id, made, now)
  // What came free before it was there is offered to it, too.
  if (forLater) await markFreed(db, venue.id, serviceDate)
  await recordEvent(work, 'waitlist.added', presentWaitlistEntry(entry), now)
  await recordActivity(
    work,
    actor,
    { action: 'join', record: { kind: 'waitlist_entry', id: entry.id }, before: null, after: entry },
    now,
  )
  return presentWaitlistEntry(entry)
}

/**
 * The service a party waits for. A party that gives no date and no time is at the door: it waits for the service that
 * is on now, which after midnight is last night's. A time says which service it is: at 00:30 "today at 19:00" is the
 * coming evening. A date without a time is that day's service.
 */
export const eveningWaitedFor = async (
  { db, venue }: Work,
  { date, requestedTime, windowStart }: Joining,
  { now, serviceDateNow }: Evening,
): Promise<LocalDate> => {
  const wall = wallTimeOf(now, venue.timezone)
  const time = requestedTime ?? windowStart ?? null
  // Without a date, an hour that has passed is one after midnight, later in the current service.
  if (time === null || (date === undefined && time < wall.time)) return date ?? serviceDateNow
  const day = date ?? wall.date
  return resolveService(await bookingRulesAround(db, venue, day), { date: day, time }).serviceDate
}

export type EntryMoveRequest = {
  readonly id: number
  /** The status the page showed. A party whose status has changed since is not moved. */
  readonly seenStatus?: WaitlistStatus
  /** The version the page showed. A party that has changed since is not moved. */
  readonly seenVersion?: number
  /** Whether it undoes a press that was just made: a party that comes back has waited as long as before it. */
  readonly isUndo?: boolean
}

/**
 * Makes a move that affects only the waitlist: quote, page, not yet, left, expired, back in line.
 * `quotedMinutes` is for a quote; omitted, it is what `quoteFor` says. Refuses, as a value, what the table of
 * moves does not allow; throws 404 for a missing entry. The undo of a page puts back whom that moved.
 */
export const moveEntry = async (
  work: Work,
  actor: Actor,
  request: EntryMoveRequest & {
    readonly move: PlainWaitlistMove
    readonly quotedMinutes?: number
    /** For `page`: tables that are free for a while, and the end of the stay there, as staff saw it. */
    readonly stay?: StaySeen | undefined
  },
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const isUndone = request.move === 'rejoin' && request.isUndo
  const floor = request.move === 'page' || isUndone ? await openToPage(work, request.id) : undefined
  const press =
    request.move === 'notYet' && request.isUndo ? await holdPressThatPaged(work, request.id) : undefined
  const entry = await waitlistEntryForUpdate(db, venue.id, request.id)
  if (!entry) throw notFound('party on the waitlist')
  const now = work.now()
  const evening = await eveningOf(work, now)
  const judgement = judgeWaitlistMove(request.move, entry, { ...evening, ...request, actor })
  if (judgement.kind !== 'go') return entryKept(entry, judgement)
  const partySize = entry.party_size ?? 1
  const stay =
    floor && request.stay
      ? stayUntil(work, { floor }, { startsAt: now, partySize, door: 'staff' }, request.stay)
      : undefined
  if (stay && !stay.until) return entryKept(entry, { kind: 'refused', sentence: tableGone })
  if (stay && stay.reasons.length > 0) return { kind: 'needs override', reasons: stay.reasons }
  const restored = request.move === 'quote' && request.isUndo ? await quoteBefore(work, entry) : undefined
  const quotedMinutes =
    request.move === 'quote' && !restored
      ? (request.quotedMinutes ?? (await quoteOf(work, entry)))
      : undefined
  if (quotedMinutes === null) {
    const sentence = `No table takes ${partySize}, not even joined ones: say yourself how many minutes.`
    return entryKept(entry, { kind: 'refused', sentence })
  }
  const quotedByHand = request.quotedMinutes !== undefined
  const waitsFor = entry.service_date ?? entry.date ?? evening.serviceDateNow
  const paged = isUndone ? await pagedBefore(work, entry) : undefined
  const unpaged = request.move === 'notYet' && request.isUndo ? await pageBefore(work, entry) : undefined
  const details = {
    ...{ now, quotedMinutes, quotedByHand, restored, isUndo: request.isUndo },
    unpaged,
    pagedUntil: paged?.until,
  }
  return writeMoved(work, actor, request.move, entry, details, async () => {
    if (press) return (await (await putBack(work, press, undefined))?.write()) ?? []
    if (floor && paged) await holdAsBefore(work, floor, entry, paged)
    if (!floor || isUndone || waitsFor !== evening.serviceDateNow) return []
    const expiresAt = now.add({ minutes: limits.doorOfferMinutes })
    const held = stay?.until && { tables: request.stay?.tables ?? [], until: stay.until }
    return holdTable(work, floor, { entry: entry.id, partySize, now, expiresAt, held })
  })
}

const tableGone = 'This table is no longer free.'

/**
 * Writes a move that was checked, with its activity and its event. `alongside`: what it does to tables
 * with it, such as holding the one the party is paged for.
 */
export const writeMoved = async (
  work: Work,
  actor: Actor,
  name: WaitlistMoveName,
  entry: EntryRow,
  details: EntryDetails,
  alongside: () => Promise<readonly TableChange[]> = async () => [],
): Promise<WaitlistOutcome> => {
  const { db, venue } = work
  const move = waitlistMoves[name]
  const { now } = details
  const after = await writeEntryMove(db, venue.id, entry.id, move, movedEntry(name, entry, details), now)
  // The entry has been locked since it was checked, so this is a bug; throwing rolls back a reservation made for it.
  if (!after) throw new Error(entryChangedMeanwhile(entry))
  // A table that was held for the party is free for anybody again, whichever move this is.
  let held: Awaited<ReturnType<typeof releaseTable>>
  if (entry.status === 'offered' && name !== 'quote') {
    await markFreed(db, venue.id, (await releaseOffer(work, entry.id))?.service_date ?? null)
    held = await releaseTable(work, entry.id)
    if (held) await markFreed(db, venue.id, entry.service_date ?? entry.date)
  }
  const byStaff = actor.kind === 'staff'
  if (name === 'page' && !(await textParty(work, after, 'linePaged', now, offerEnds(after))))
    await mailParty(work, after, 'linePaged', now, { until: offerEnds(after), byStaff })
  if (after.status === 'waiting' && entry.status !== 'waiting') await tellBack(work, after, now, byStaff)
  if (name === 'offer') await mailParty(work, after, 'listOffered', now, { until: offerEnds(after), byStaff })
  // Who was offered a table of another day learns that it is gone, and that they wait no more.
  if (name === 'expire' && entry.status === 'offered' && entry.for_later)
    await mailParty(work, after, 'listLapsed', now, { byStaff })
  await recordEvent(work, move.names, presentWaitlistEntry(after), now, {
    before: presentWaitlistEntry(entry),
  })
  const record = { kind: 'waitlist_entry', id: entry.id } as const
  const tables = await alongside()
  const paged: PagedKept | null =
    entry.status === 'offered' && entry.offered_until !== null
      ? { offered_until: entry.offered_until, held: held ?? null }
      : null
  await recordActivity(
    work,
    actor,
    { action: name, record, before: { ...entry, paged }, after: { ...after, paged: null }, tables },
    now,
  )
  return entryDone(after)
}

/** The current evening at the venue: what the conditions of the moves are checked against. */
export const eveningOf = async ({ db, venue }: Work, now: Temporal.Instant): Promise<Evening> => {
  const rules = await bookingRulesAround(db, venue, wallTimeOf(now, venue.timezone).date)
  return { now, serviceDateNow: serviceDateAt(rules, now), timezone: venue.timezone }
}

/** What `quoteFor` says; null for a party that is larger than tables take, to whom no wait is promised. */
const waitFor = async (work: Work, asked: Parameters<typeof quoteFor>[1]): Promise<number | null> => {
  const { minutes, largest } = await quoteFor(work, asked)
  return largest === undefined ? minutes : null
}

/** What a party was promised before its last change, a quote, by the trail; undefined after any other change. */
const quoteBefore = async (
  { db, venue }: Work,
  entry: EntryRow,
): Promise<Pick<EntryRow, 'quoted_minutes' | 'quoted_at' | 'quoted_by_hand'> | undefined> => {
  const last = await newestOfRecord(db, venue.id, 'waitlist_entry', entry.id)
  if (last?.action !== 'quote' || typeof last.before !== 'object') return undefined
  // The trail has what differed.
  const {
    quoted_minutes = entry.quoted_minutes,
    quoted_at = entry.quoted_at,
    quoted_by_hand = entry.quoted_by_hand,
  } = (last.before ?? {}) as Partial<EntryRow>
  return { quoted_minutes, quoted_at, quoted_by_hand }
}

/** When a party was paged before its last change, where no message said so; undefined after any other. */
const pageBefore = async (work: Work, entry: EntryRow): Promise<Pick<EntryRow, 'paged_at'> | undefined> => {
  const last = await newestOfRecord(work.db, work.venue.id, 'waitlist_entry', entry.id)
  if (last?.action !== 'page' || !(await isUntold(work, entry.id))) return undefined
  const { paged_at = entry.paged_at } = (last.before ?? {}) as Partial<EntryRow>
  return { paged_at }
}

const quoteOf = (work: Work, { id, service_date, date, party_size }: EntryRow): Promise<number | null> =>
  waitFor(work, { serviceDate: service_date ?? date, partySize: party_size ?? 1, entry: id })
