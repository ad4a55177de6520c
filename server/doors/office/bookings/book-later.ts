import { waitlistStatuses } from '@venue-data/contract/records/waitlist-entry.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { resolveService } from '../../../book/rules/resolve-service.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { eveningOf } from '../../../book/waitlist/actions.ts'
import { waitlistEntry } from '../../../book/waitlist/reads.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { bookFromWaitlist } from '../../../book/waitlist/seat-party.ts'
import { actorOf } from '../frame/actor.ts'
import { ownPath } from '../frame/own-path.ts'
import type { Form } from '../frame/page.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type Typed, versionIn } from '../parts/forms/fields.ts'
import { idIn } from '../parts/time-words.ts'
import { timeShown } from '../parts/staff-time.ts'

/*
 * The booking sheet for a party of the waitlist that gets a table for later. It carries which party, and its version and
 * status as they were seen: of two hosts one books it.
 */

/** The party of the waitlist that a sheet is for; undefined where it is for none. */
export const entryOf = async ({ db, venue }: OfficeWork, text: string): Promise<EntryRow | undefined> => {
  if (text === '') return undefined
  const id = idIn(text)
  const row = id === undefined ? undefined : await waitlistEntry(db, venue.id, id)
  if (!row) throw notFound('party on the waitlist')
  return row
}

/** Where staff came from, to come back to. */
export const laterBack = (text: string): string => ownPath(text) ?? '/office/waitlist'

/** Why a party that waits no more gets no table for later; undefined for who waits. */
export const notWaiting = ({ status, guest_name }: EntryRow): string | undefined =>
  status === 'waiting' || status === 'offered'
    ? undefined
    : `${guest_name ?? 'This party'} is no longer waiting. Nothing was done.`

/** A party in the fields of the sheet: who they are, and when they asked for, in the evening they wait for. */
export const typedEntry = async (
  work: OfficeWork,
  row: EntryRow,
  asked: { readonly date: string | null; readonly time: string; readonly back: string },
): Promise<Typed> => {
  const now = work.now()
  const { serviceDateNow } = await eveningOf(work, now)
  const waitsFor = row.service_date ?? row.date ?? serviceDateNow
  const time = asked.time === '' ? (row.requested_time ?? '') : asked.time
  const rules = await bookingRulesAround(work.db, work.venue, waitsFor)
  // A time after midnight is on the next date, in the same evening.
  const isNext = time !== '' && resolveService(rules, { date: waitsFor, time }).serviceDate < waitsFor
  const date =
    waitsFor > serviceDateNow
      ? isNext
        ? addDays(waitsFor, 1)
        : waitsFor
      : wallTimeOf(now, work.venue.timezone).date
  return {
    entry: String(row.id),
    version: String(row.version),
    status: row.status,
    back: laterBack(asked.back),
    date: asked.date ?? date,
    time: timeShown(time),
    partySize: String(row.party_size ?? 2),
    guestName: row.guest_name ?? '',
    phone: row.phone ?? '',
    email: row.email ?? '',
    notes: row.notes ?? '',
  }
}

/** What the sheet carries about the party besides what is typed. */
export const entryFields = (typed: Typed): Html =>
  html`${['entry', 'version', 'status', 'back'].map((name) => html`<input type="hidden" name="${name}" value="${typed[name]}" />`)}`

/** Books what the sheet asks for; refuses, as a value, a party that somebody else has moved since it was opened. */
export const bookLater = (
  work: OfficeWork,
  form: Form,
  { id }: EntryRow,
  asked: Omit<Parameters<typeof bookFromWaitlist>[2], 'id' | 'seenStatus' | 'seenVersion'>,
): ReturnType<typeof bookFromWaitlist> => {
  const seenStatus = waitlistStatuses.find((known) => known === form.text('status'))
  if (!seenStatus) throw badRequest('This form is incomplete; open the page again.')
  return bookFromWaitlist(work, actorOf(work.me), { ...asked, id, seenStatus, seenVersion: versionIn(form) })
}
