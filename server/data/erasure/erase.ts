import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { withdrawCheckouts } from '../../core/money/checkout-store.ts'
import { holdGuestBook } from '../../crm/guests/actions.ts'
import { showGuarantee } from '../../book/reservations/guarantee/show-guarantee.ts'
import { forgetUnmadeOf } from '../../book/reservations/guest/booking-proof.ts'
import { pages } from '../../platform/db/pages.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { erasedAddress } from '../../marketing/subscribers/erased-address.ts'
import {
  blankRecords,
  disguiseSuppression,
  forgetAnswers,
  forgetEvents,
  forgetForms,
  forgetFiles,
  forgetKeptAnswers,
  forgetMails,
  freeTexts,
  isBatchUnderWay,
  isImporting,
  jsonTexts,
  keepSuppressed,
  mentionsIn,
  removeRecords,
  textForUpdate,
  writeText,
  writeTrail,
} from './erase-writes.ts'
import { trailWhileMerged, writtenOf } from './find-kept.ts'
import { type Found, findPerson, reservationsOfPerson } from './find-person.ts'
import type { Contact } from './person.ts'
import { announceErasure } from './receipts/actions.ts'
import { type Words, bareTrail, digitsOf, jsonScrubber, needlesOf, scrubber } from './scrub.ts'

/*
 * Erases one person, starting from any of their records, in one transaction. Their records stay without them, for the
 * counts; data only about them is deleted; they are removed from delivery bytes, stored answers and trails, and from
 * mentions in other records' texts. Long scans come first, without locks; then the guest book is locked, as everywhere,
 * so that nobody is matched to them in the meantime.
 *
 * An address that must not be mailed (it is on the do-not-email list, or its owner had left the email list) stays
 * protected as a fingerprint; any other goes on no list. Connected software is notified with the records' ids alone.
 * Erasing somebody twice finds nothing and changes nothing.
 */
export const erasePerson = async (work: Work, actor: Actor, sought: Contact): Promise<Found> => {
  const { db, venue } = work
  const before = await findPerson(work, sought)
  const mentions = await mentionsOf(work, before.words)
  await holdGuestBook(work)
  if (await isImporting(db, venue.id)) {
    throw new Refusal(
      409,
      'An import is running, and its file may contain this person. Erase them when it has finished.',
    )
  }
  if (await isBatchUnderWay(db, venue.id)) {
    throw new Refusal(
      409,
      'Connected software is sending records, and they may contain this person. Erase them when it has finished; it takes seconds.',
    )
  }
  const known = new Set(before.ids.reservation)
  const isSame = (await reservationsOfPerson(db, venue.id, before.person)).every((id) => known.has(id))
  const found = isSame ? before : await findPerson(work, sought)
  const now = work.now()
  const whileMerged = await trailWhileMerged(work, found.ids.guest)
  await protectAddress(work, found)
  await blankRecords(db, venue.id, found.ids, now)
  await removeRecords(db, venue.id, found.ids, now)
  // Nothing is asked of them any more, and their cards go: the bookings say so to their readers.
  for (const { reservation_id: booking } of found.guarantees) await showGuarantee(work, booking)
  const checkouts = found.checkouts.map(({ id }) => id)
  await withdrawCheckouts(db, venue.id, { ids: checkouts, reservations: found.ids.reservation })
  await forgetForms(db, venue.id, { checkouts, reservations: found.ids.reservation })
  // Only now, with their records locked, can nothing be added to these.
  const { events, trail } = await writtenOf(work, found.ids)
  await forgetEvents(
    db,
    venue.id,
    events.map(({ id }) => id),
  )
  await forgetKeptAnswers(db, venue.id, found.answers)
  await forgetAnswers(db, venue.id, [...needlesOf(found.words), ...found.words.names, ...found.words.phones])
  for (const { id, before, after } of [...trail, ...whileMerged]) {
    await writeTrail(db, venue.id, id, bareTrail(before), bareTrail(after))
  }
  await forgetMails(
    db,
    venue.id,
    found.ids.subscriber,
    found.bounces.map(({ id }) => id),
  )
  await scrubMentions(work, found.words, mentions, now)
  await forgetFiles(db, venue.id, now)
  await announceErasure(work, found.ids, now)
  if (isAnything(found)) {
    await recordActivity(
      work,
      actor,
      {
        action: 'erase a person',
        record: { kind: 'guest', id: found.ids.guest[0] ?? 0 },
        before: null,
        after: countsOf(found),
      },
      now,
    )
  }
  return found
}

/** Whether an erased person's address stays protected, as a fingerprint. */
export const staysProtected = ({ person, suppressions, subscribers }: Found): boolean =>
  person.email !== null &&
  (suppressions.length > 0 || subscribers.some(({ status }) => status === 'unsubscribed'))

/** How many records of each kind there are. */
export const countsOf = (found: Found): Readonly<Record<string, number>> => ({
  guests: found.guests.length,
  reservations: found.reservations.length,
  unmade_bookings: found.unmade.length,
  waitlist_entries: found.waitlist.length,
  leads: found.leads.length,
  ticket_orders: found.ticketOrders.length,
  checkouts: found.checkouts.length,
  subscribers: found.subscribers.length,
  consents: found.consents.length,
  mails: found.mails.length,
  bounces: found.bounces.length,
  events: found.events.length,
  kept_answers: found.answers.length,
})

const isAnything = (found: Found): boolean => Object.values(countsOf(found)).some((count) => count > 0)

const protectAddress = async ({ db, venue, now }: Work, { person, subscribers }: Found): Promise<void> => {
  if (person.email === null) return
  const key = emailKey(person.email)
  await forgetUnmadeOf(db, venue.id, key)
  const disguise = erasedAddress(venue.id, key)
  if (await disguiseSuppression(db, venue.id, key, disguise)) return
  const left = subscribers.find(({ status }) => status === 'unsubscribed')
  if (left) {
    const since = left.unsubscribed_at ?? now().toString()
    await keepSuppressed(db, venue.id, disguise, 'staff_removal', since)
  }
}

type Mention = { readonly table: string; readonly column: string; readonly id: number }

/** Where other records' texts may mention somebody. */
const mentionsOf = async ({ db, venue }: Work, words: Words): Promise<Mention[]> => {
  if (needlesOf(words).length === 0 && digitsOf(words).length === 0) return []
  const found: Mention[] = []
  for (const { table, columns } of [...freeTexts, ...jsonTexts]) {
    for (const column of columns) {
      const read = (last?: { readonly id: number }) =>
        mentionsIn(db, venue.id, table, column, words, last?.id ?? 0)
      for await (const rows of pages(read))
        for (const { id, text } of rows) if (text !== null) found.push({ table, column, id })
    }
  }
  return found
}

/** Removes the mentions from the current texts: staff may have edited them in the meantime. */
const scrubMentions = async (
  { db, venue }: Work,
  words: Words,
  mentions: readonly Mention[],
  now: Temporal.Instant,
): Promise<void> => {
  const scrub = scrubber(words)
  const clean = jsonScrubber(words)
  const inJson = (text: string): string => {
    const value: unknown = JSON.parse(text)
    const cleaned = JSON.stringify(clean(value))
    return cleaned === JSON.stringify(value) ? text : cleaned
  }
  const isJson = new Set(['event', ...jsonTexts.map(({ table }) => table)])
  for (const { table, column, id } of mentions) {
    const row = await textForUpdate(db, venue.id, table, column, id)
    if (!row || row.text === null) continue
    const cleaned = isJson.has(table) ? inJson(row.text) : scrub(row.text)
    if (cleaned !== row.text) await writeText(db, venue.id, table, column, id, cleaned, now)
  }
}
