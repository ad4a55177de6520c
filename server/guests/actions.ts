import type { Work } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { recordEvent } from '../events/record.ts'
import { emailKey } from '../kernel/email.ts'
import { toInstant } from '../kernel/moment.ts'
import { phoneKey } from '../kernel/phone.ts'
import { wallTimeOf } from '../kernel/venue-clock.ts'
import type { VenueId } from '../venue/venue.ts'
import { type BroughtAlong, writeBroughtAlong } from './brought-along.ts'
import { presentGuest } from './present.ts'
import { type Candidate, type GuestRow, guestsThatMayMatch, guestForUpdate } from './reads.ts'
import {
  type FieldValues,
  type SoughtKeys,
  appendNotes,
  chooseMatch,
  conflictLine,
  fillIn,
  guestFields,
} from './rules.ts'
import { fillGuest, holdGuestBookRow, insertGuest, lockGuestBook } from './writes.ts'

export type SuppliedGuest = {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  /** Added to the notes for staff. */
  readonly notes?: string | undefined
  /** From another system, by an import. */
  readonly brought?: BroughtAlong | undefined
}

/** Where details came from, as the notes for staff name it. */
export type GuestOrigin = 'automation' | 'public' | 'staff' | 'import'

export type MatchedGuest = {
  readonly guest: GuestRow
  readonly created: boolean
  readonly conflicting: FieldValues
}

/**
 * The one way a guest is made or filled in, for every door: matches under the lock of the guest book, fills only empty
 * fields, writes what differs into the notes for staff, or makes a new guest and emits guest.created. Undefined when
 * there is neither an email address nor a usable phone number to know them by.
 */
export const matchOrMakeGuest = async (
  work: Work,
  supplied: SuppliedGuest,
  source: GuestOrigin,
): Promise<MatchedGuest | undefined> => {
  const matched = await matchOrMakeUntold(work, supplied, source)
  if (matched?.created) await tellOfGuest(work, matched.guest)
  return matched
}

/** The same for whoever has more to write before a new guest is told of, and then calls `tellOfGuest`. */
export const matchOrMakeUntold = async (
  work: Work,
  supplied: SuppliedGuest,
  source: GuestOrigin,
): Promise<MatchedGuest | undefined> => {
  const sought = soughtKeys(supplied)
  if (!sought.emailKey && !sought.phone) return undefined
  const { db, venue } = work
  const found = chooseMatch(await candidatesUnderLock(db, venue.id, sought), sought)
  return found ? fillMatch(work, found.id, supplied, source) : makeGuest(work, supplied, source)
}

/** In one piece: the candidates are read behind the lock, so they see what it waited for. */
const candidatesUnderLock = async (db: Queries, venue: VenueId, sought: SoughtKeys): Promise<Candidate[]> => {
  const [isHeld, candidates] = await Promise.all([
    holdGuestBookRow(db, venue),
    guestsThatMayMatch(db, venue, sought),
  ])
  if (isHeld) return candidates
  await lockGuestBook(db, venue)
  return guestsThatMayMatch(db, venue, sought)
}

/** Tells of a guest who was made in this transaction, as the row now says. */
export const tellOfGuest = (work: Work, guest: GuestRow): Promise<void> =>
  recordEvent(work, 'guest.created', presentGuest(guest), toInstant(guest.updated_at))

/** Holds the guest book ahead of rows that must be held after it (days, then the guest book, then rows). */
export const holdGuestBook = ({ db, venue }: Work): Promise<void> => lockGuestBook(db, venue.id)

export const soughtKeys = ({ email, phone }: Pick<SuppliedGuest, 'email' | 'phone'>) => ({
  emailKey: email === undefined ? undefined : emailKey(email),
  phone: phone === undefined ? undefined : phoneKey(phone),
})

const fillMatch = async (
  { db, venue, now }: Work,
  matched: number,
  supplied: SuppliedGuest,
  source: GuestOrigin,
): Promise<MatchedGuest> => {
  const { staff_notes: before, ...guest } = await guestForUpdate(db, venue.id, matched)
  const { fill, conflicting } = fillIn(guest, supplied)
  const moment = now()
  const { date } = wallTimeOf(moment, venue.timezone)
  const lines = guestFields.flatMap((field) => {
    const value = conflicting[field]
    const line = value === undefined ? '' : conflictLine({ date, source, field, value })
    // A file that is imported again on another day says nothing new.
    return line === '' || (source === 'import' && before.includes(line.slice(date.length))) ? [] : [line]
  })
  const notes = appendNotes(before, [...(supplied.notes ? [supplied.notes] : []), ...lines]) ?? ''
  const filled =
    Object.keys(fill).length === 0 && notes === before
      ? guest
      : await fillGuest(db, venue.id, guest.id, fill, notes, moment)
  const whole =
    supplied.brought && (await writeBroughtAlong(db, venue.id, guest.id, supplied.brought, moment))
  return { guest: whole ?? filled, created: false, conflicting }
}

const makeGuest = async (work: Work, supplied: SuppliedGuest, source: GuestOrigin): Promise<MatchedGuest> => {
  const { fill } = fillIn({}, supplied)
  const now = work.now()
  const staffNotes = appendNotes('', supplied.notes ? [supplied.notes] : []) ?? ''
  const { brought } = supplied
  const guest = await insertGuest(work.db, work.venue.id, { ...fill, staffNotes, brought }, now)
  if (!guest) {
    const sought = soughtKeys(supplied)
    const found = chooseMatch(await guestsThatMayMatch(work.db, work.venue.id, sought), sought)
    if (!found) throw new Error('a guest is neither there nor can be made')
    return fillMatch(work, found.id, supplied, source)
  }
  return { guest, created: true, conflicting: {} }
}
