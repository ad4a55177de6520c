import { createHash } from 'node:crypto'
import type { Work } from '../../context.ts'
import { lostRace } from '../../platform/db/faults.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment } from '../../platform/db/sql.ts'
import { refuseErased } from '../../platform/http/records/erased-records.ts'
import { expectEvents, recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type ImportedDetails, writeImportedDetails } from './imported-details.ts'
import { joinBroughtHouse, nothingJoined } from '../house/actions.ts'
import type { GuestProfile } from '../house/rules.ts'
import { keepRegular } from './regular-writes.ts'
import { type GuestRow, presentGuest } from './guest.ts'
import { type Candidate, guestsThatMayMatch, guestForUpdate } from './reads.ts'
import {
  type FieldValues,
  type SoughtKeys,
  appendNotes,
  chooseMatch,
  conflictLine,
  fillIn,
  guestFields,
  matchesOf,
} from './rules.ts'
import { fillGuest, holdGuestBookRow, insertGuest, lockGuestBook } from './writes.ts'

export type SuppliedGuest = {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  /** Given by an integrator, or brought from another venue. */
  readonly externalId?: string | undefined
  /** Added to the staff notes. */
  readonly notes?: string | undefined
  /** Added to the staff notes, each line once. */
  readonly noteLines?: readonly string[] | undefined
  /** From another system, through an import. */
  readonly brought?: ImportedDetails | undefined
  readonly house?: GuestProfile | undefined
}

/** Where details came from, as the staff notes name it. */
export type GuestOrigin = 'automation' | 'public' | 'staff' | 'import'

/** Whom staff said it is, having seen who it may be: a guest of the book, or somebody new. */
export type GuestChoice = number | 'new'

export type MatchedGuest = {
  readonly guest: GuestRow
  readonly created: boolean
  readonly conflicting: FieldValues
  /** As the guest was before they were filled in; null for one just made. */
  readonly before: GuestRow | null
  /** Which version was filled in; 0 of one just made. */
  readonly versionBefore: number
  /** What was empty before and is not now, by name; of a guest just made nothing. */
  readonly filled: readonly string[]
}

/**
 * The one way to make or fill in a guest, for every entry point: matches under the lock of the guest book, fills only
 * empty fields, writes what differs into the staff notes, or makes a new guest and emits guest.created. Undefined if
 * there is neither an email address nor a usable phone number to identify them by. `choice` is staff's answer where
 * they were asked: it takes the place of the match, and an address that another guest has refuses it (409).
 */
export const matchOrMakeGuest = async (
  work: Work,
  supplied: SuppliedGuest,
  source: GuestOrigin,
  choice?: GuestChoice,
): Promise<MatchedGuest | undefined> => {
  const matched = await matchOrMakeWithoutEvent(work, supplied, source, choice)
  if (matched?.created) await emitGuestCreated(work, matched.guest)
  return matched
}

/** The same for callers that have more to write before the event, and then call `emitGuestCreated`. */
export const matchOrMakeWithoutEvent = async (
  work: Work,
  supplied: SuppliedGuest,
  source: GuestOrigin,
  choice?: GuestChoice,
): Promise<MatchedGuest | undefined> => {
  const candidates = await lockGuestBookAndFind(work, supplied, choice)
  return writeGuest(work, await whoItIs(work, supplied, candidates, choice), supplied, source)
}

/**
 * Who it is, of those whom the locked guest book has of them: a guest, somebody new, or undefined where nobody could find them
 * again. Refuses a choice of staff that does not hold, before anything is written.
 */
export const whoItIs = async (
  { db, venue }: Work,
  supplied: SuppliedGuest,
  candidates: readonly Candidate[],
  choice?: GuestChoice,
): Promise<GuestChoice | undefined> => {
  const sought = soughtKeys(supplied)
  if (choice === undefined)
    return chooseMatch(candidates, sought)?.id ?? (sought.emailKey || sought.phone ? 'new' : undefined)
  const owner = chooseMatch(candidates, { emailKey: sought.emailKey })
  if (owner && owner.id !== choice)
    throw new Refusal(409, 'Another guest has this email address: choose them, or leave the email off.')
  if (choice !== 'new') await refuseErased(db, venue.id, 'guest', choice)
  return choice
}

/** Makes or fills in who it is. */
export const writeGuest = async (
  work: Work,
  who: GuestChoice | undefined,
  supplied: SuppliedGuest,
  source: GuestOrigin,
): Promise<MatchedGuest | undefined> => {
  if (who === undefined) return undefined
  return who === 'new' ? makeGuest(work, supplied) : fillMatch(work, who, supplied, source)
}

/** The id of who it is, for what is sent right behind: of somebody new, the last one that this connection gave a guest. */
export const guestIdOf = (who: GuestChoice | undefined): number | Fragment | null =>
  who === 'new' ? fragment(`currval('guest_id_seq')`) : (who ?? null)

/**
 * Locks the guest book and reads who a person may be, and in the same trip who is sent events, as every caller goes on to
 * record one. Without an address or a phone there is nobody to find, and nothing is locked.
 */
export const lockGuestBookAndFind = async (
  { db, venue }: Work,
  supplied: SuppliedGuest,
  choice?: GuestChoice,
): Promise<readonly Candidate[]> => {
  const sought = soughtKeys(supplied)
  const isSought = choice !== undefined || sought.emailKey || sought.phone
  const by = choice === undefined ? sought : { emailKey: sought.emailKey }
  const looking = isSought ? candidatesUnderLock(db, venue.id, by) : []
  expectEvents(db, venue.id)
  return looking
}

/** The guest that a booking with these details would be counted for, without locking anything. */
export const guestThatMatches = async (
  work: Pick<Work, 'db' | 'venue'>,
  supplied: Pick<SuppliedGuest, 'email' | 'phone'>,
): Promise<number | undefined> => (await guestsThatMatch(work, supplied)).at(0)?.id

/** That guest, and behind them everybody else who has the phone. */
export const guestsThatMatch = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  supplied: Pick<SuppliedGuest, 'email' | 'phone'>,
): Promise<GuestRow[]> => {
  const sought = soughtKeys(supplied)
  if (!sought.emailKey && !sought.phone) return []
  return matchesOf(await guestsThatMayMatch(db, venue.id, sought), sought).map(({ row }) => row)
}

/** In one round trip: the candidates are read behind the lock, so they include what it waited for. */
const candidatesUnderLock = async (db: Queries, venue: VenueId, sought: SoughtKeys): Promise<Candidate[]> => {
  const [isHeld, candidates] = await Promise.all([
    holdGuestBookRow(db, venue),
    guestsThatMayMatch(db, venue, sought),
  ])
  if (isHeld) return candidates
  await lockGuestBook(db, venue)
  return guestsThatMayMatch(db, venue, sought)
}

/** Emits guest.created for a guest made in this transaction, from the current row. */
export const emitGuestCreated = (work: Work, guest: GuestRow): Promise<void> =>
  recordEvent(work, 'guest.created', presentGuest(guest), toInstant(guest.updated_at))

/** Locks the guest book ahead of rows that must be locked after it (days, then the guest book, then rows). */
export const holdGuestBook = ({ db, venue }: Work): Promise<void> => lockGuestBook(db, venue.id)

export const soughtKeys = ({ email, phone }: Pick<SuppliedGuest, 'email' | 'phone'>) => ({
  emailKey: email === undefined ? undefined : emailKey(email),
  phone: phone === undefined ? undefined : phoneKey(phone),
})

const fillMatch = async (
  work: Work,
  matched: number,
  supplied: SuppliedGuest,
  source: GuestOrigin,
): Promise<MatchedGuest> => {
  const { db, venue } = work
  const { staff_notes: before, allergies, version, ...guest } = await guestForUpdate(db, venue.id, matched)
  const { fill, conflicting } = fillIn({ ...guest, externalId: guest.external_id }, supplied)
  const moment = work.now()
  const { date } = wallTimeOf(moment, venue.timezone)
  const lines = guestFields.flatMap((field) => {
    const value = conflicting[field]
    const line = value === undefined ? '' : conflictLine({ date, source, field, value })
    // A file imported again on another day adds nothing new.
    return line === '' || (source === 'import' && before.includes(line.slice(date.length))) ? [] : [line]
  })
  const joined = supplied.house ? await joinBroughtHouse(work, guest.id, supplied.house) : nothingJoined
  const toNote = [...notesOf(supplied), ...joined.left, ...otherAllergies(allergies, supplied), ...lines]
  const notes = appendNotes(before, toNote) ?? ''
  const filled =
    Object.keys(fill).length === 0 && notes === before
      ? guest
      : await fillGuest(db, venue.id, guest.id, fill, notes, moment)
  const whole =
    supplied.brought && (await writeImportedDetails(db, venue.id, guest.id, supplied.brought, moment))
  if (whole) await keepRegular(db, venue.id, whole, guest.visit_count)
  const after = whole ?? filled
  await recordEvent(work, 'guest.updated', presentGuest(after), moment, { before: presentGuest(guest) })
  const added = new Set(toNote.filter((line) => (appendNotes(before, [line]) ?? '') !== before))
  return {
    guest: after,
    created: false,
    conflicting,
    before: guest,
    versionBefore: version,
    filled: [
      ...Object.keys(fill),
      ...joined.filled,
      ...(allergies === null && supplied.brought?.allergies ? ['allergies'] : []),
      ...raisedBy(guest, after),
      ...[...added].map((line) => `note:${digestOfNote(guest.id, line)}`),
    ],
  }
}

/** What a file's details did to a guest's row. A count says how far it went up; the last visit, which it was. */
const raisedBy = (before: GuestRow, after: GuestRow): string[] => [
  ...(before.seating_preference === null && after.seating_preference !== null ? ['seatingPreference'] : []),
  ...(before.referral_source === null && after.referral_source !== null ? ['referralSource'] : []),
  ...(after.visit_count > before.visit_count ? [`visits:${after.visit_count - before.visit_count}`] : []),
  ...(after.no_show_count > before.no_show_count
    ? [`noShows:${after.no_show_count - before.no_show_count}`]
    : []),
  ...(after.cancellation_count > before.cancellation_count
    ? [`cancellations:${after.cancellation_count - before.cancellation_count}`]
    : []),
  ...(after.last_visit_date === before.last_visit_date ? [] : [`lastVisit:${before.last_visit_date ?? ''}`]),
]

/** Finds a line again in a guest's notes without keeping what it says. */
export const digestOfNote = (guest: number, line: string): string =>
  createHash('sha256')
    .update(`${guest} ${line.replaceAll(/\r\n?/g, '\n').trim()}`)
    .digest('base64url')
    .slice(0, 12)

const notesOf = ({ notes, noteLines = [] }: SuppliedGuest): string[] => [
  ...(notes ? [notes] : []),
  ...noteLines,
]

/** Allergies are never written over, and never lost. */
const otherAllergies = (known: string | null, { brought }: SuppliedGuest): string[] => {
  const given = brought?.allergies ?? null
  if (known === null || given === null) return []
  return known.toLowerCase().includes(given.toLowerCase())
    ? []
    : [`Allergies: ${given.replaceAll(/\s+/g, ' ')}`]
}

const makeGuest = async (work: Work, supplied: SuppliedGuest): Promise<MatchedGuest> => {
  const { fill } = fillIn({}, supplied)
  const now = work.now()
  const staffNotes = appendNotes('', notesOf(supplied)) ?? ''
  const { brought } = supplied
  const guest = await insertGuest(work.db, work.venue.id, { ...fill, staffNotes, brought }, now)
  if (!guest) throw lostRace('somebody with this address was added without the lock of the guest book')
  await keepRegular(work.db, work.venue.id, guest, 0)
  if (supplied.house) await joinBroughtHouse(work, guest.id, supplied.house)
  return { guest, created: true, conflicting: {}, before: null, versionBefore: 0, filled: [] }
}
