import type { WaitlistEntry } from '@venue-data/contract/records/waitlist-entry.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { badRequest, notFound, refuse } from '../../platform/kernel/refusal.ts'
import { type SeenVersion, asSeen } from '../../platform/kernel/running/seen-version.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import { type Joining, eveningOf, eveningWaitedFor, joinWaitlist, moveEntry } from './actions.ts'
import { type EntryRow, type EntryWords, presentWaitlistEntry } from '../day/entry-row.ts'
import { waitlistEntry, waitlistEntryForUpdate } from './reads.ts'
import { type WaitAsked, type WaitRefusal, whyNotWait } from './rules.ts'
import { inLine } from './states.ts'
import { writeEntryWords } from './writes.ts'

/*
 * What integrators do with the line. A party asks to wait, changes its mind or leaves; who is quoted, paged and seated is
 * for staff, who correct in the same way what they noted.
 */

type Key = Actor & { readonly kind: 'key' }
type Seen = { readonly id: number; readonly seenVersion: SeenVersion }

/** Puts a party in line, if the venue's rules let it wait. */
export const joinByKey = async (work: Work, actor: Key, joining: Joining): Promise<WaitlistEntry> => {
  const serviceDate = await eveningWaitedFor(work, joining, await eveningOf(work, work.now()))
  const date = joining.date ?? serviceDate
  const from = joining.requestedTime ?? joining.windowStart ?? null
  const { partySize } = joining
  const refusal = await judge(work, {
    serviceDate,
    time: from === null ? null : { date, time: from },
    partySize,
  })
  if (refusal) throw refuse(refusal.reason, refusal.sentence)
  return joinWaitlist(work, actor, joining)
}

const judge = async ({ db, venue, now }: Work, asked: WaitAsked): Promise<WaitRefusal | undefined> =>
  whyNotWait(await bookingRulesAround(db, venue, asked.time?.date ?? asked.serviceDate), now(), asked)

/** A party that waits already may be too large, or too small, for a table as it now is. */
const judgeSize = async (work: Work, { service_date, date }: EntryRow, partySize: number): Promise<void> => {
  const serviceDate = service_date ?? date
  const refusal = serviceDate && (await judge(work, { serviceDate, time: null, partySize }))
  if (refusal && refusal.reason.startsWith('party-')) throw refuse(refusal.reason, refusal.sentence)
}

/** Changes what a waiting party said, or staff noted of it; a column left out stays. What the venue asks of a party binds keys alone. */
export const changeEntry = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, changes }: Seen & { readonly changes: Partial<EntryWords> },
): Promise<EntryRow> => {
  const { db, venue } = work
  const before = asSeen('waitlist entry', await waitlistEntryForUpdate(db, venue.id, id), seenVersion)
  if (!inLine.some((status) => status === before.status)) throw noLongerInLine(before)
  const to = { ...before, ...changes }
  // Staff may have noted a party at the door by its name alone.
  const isByKey = actor.kind === 'key'
  if (isByKey && !to.email && !to.phone && (before.email || before.phone)) {
    throw badRequest('The party needs an email or a phone number.', 'no-contact')
  }
  if (isByKey && to.party_size !== null && to.party_size !== before.party_size)
    await judgeSize(work, before, to.party_size)
  const now = work.now()
  const after = await writeEntryWords(db, venue.id, id, to, now)
  await recordEvent(work, 'waitlist.updated', presentWaitlistEntry(after), now, {
    before: presentWaitlistEntry(before),
  })
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'waitlist_entry', id }, before, after },
    now,
  )
  return after
}

/** Takes a party off the line; one that has left already stays as it is. */
export const leaveByKey = async (work: Work, actor: Key, { id, seenVersion }: Seen): Promise<EntryRow> => {
  const { db, venue } = work
  const before = asSeen('waitlist entry', await waitlistEntryForUpdate(db, venue.id, id), seenVersion)
  const outcome = await moveEntry(work, actor, { id, move: 'leave' })
  if (outcome.kind === 'refused') throw noLongerInLine(before)
  const after = await waitlistEntry(db, venue.id, id)
  if (!after) throw notFound('waitlist entry')
  return after
}

const noLongerInLine = ({ status }: EntryRow) =>
  refuse('not-in-state', `This party is no longer on the waitlist: it is ${status}.`)
