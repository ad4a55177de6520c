import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { quietFrom, quietUntil } from '../../../platform/kernel/time/quiet-hours.ts'
import { Refusal, badRequest } from '../../../platform/kernel/refusal.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { guestBookingOf } from '../../reservations/guest/guest-booking.ts'
import { guestPlaceOf } from '../guest-place.ts'
import { type Reach, reachOf } from '../../texts/reach-party.ts'
import { type Measured, measured, plainQuotes } from '../../texts/rules.ts'
import { type TextedRecord, queueGuestText } from '../../texts/texts-store.ts'
import { phoneInWords } from '../../../platform/kernel/phone/shown-phone.ts'

/*
 * A text that staff type for a party in line or a booking: in one segment, outside of quiet hours, to a number that did
 * not ask for an end. It goes the way of every text, at most once.
 */

type Place = Pick<Work, 'db' | 'venue' | 'now'>

export type Texted = {
  readonly id: number
  readonly guest_name: string | null
  readonly party_size: number | null
  readonly phone: string | null
  readonly language: string | null
}

/** The party or the booking that a text is about; undefined when it is gone. */
export const textedOf = async (
  { db, venue }: Pick<Place, 'db' | 'venue'>,
  { kind, id }: TextedRecord,
): Promise<Texted | undefined> => {
  if (kind === 'waitlist_entry') return guestPlaceOf(db, venue.id, id)
  const row = await bookedReservation(db, venue.id, id)
  return row && { ...row, language: (await guestBookingOf(db, venue.id, id))?.language ?? null }
}

/** What goes around the words that staff type: who is texting, and on the first text to somebody how to stop them. */
export type Around = { readonly before: string; readonly after: string }

/** The whole text as it goes out, and the room it takes. */
export const wholeText = (words: string, { before, after }: Around): Measured & { readonly body: string } => {
  const typed = words.normalize('NFC').replaceAll('\0', '').replaceAll('\r\n', '\n').trim()
  const body = `${before}${plainQuotes(typed)}${after}`
  return { body, ...measured(body) }
}

/** Why somebody cannot be texted, for staff; undefined where they can. */
export const unreachableWords = (reach: Reach, phone: string | null): string | undefined => {
  switch (reach.kind) {
    case 'number':
      return undefined
    case 'no sender':
      return 'This venue sends no texts: enter an account under Settings, Texts.'
    case 'no number':
      return 'There is no phone number.'
    case 'unsure':
      return `${phoneInWords(phone)} has no country code, so nobody can tell whose number it is.`
    case 'stopped':
      return `${phoneInWords(phone)} answered STOP and gets no more texts, until it answers START. Call them.`
    default:
      return reach satisfies never
  }
}

/** Why no text goes out now, with the time from which one may; undefined outside of quiet hours. */
export const quietWords = ({ venue, now }: Pick<Place, 'venue' | 'now'>): string | undefined => {
  const until = quietUntil(now(), venue.timezone)
  return until && `These are quiet hours: a text can go out from ${timeOf(until, venue.timezone)}. Call them.`
}

const tooLongWords = ({ used, most, odd }: Measured): string =>
  odd === undefined
    ? `One text takes ${most} letters, and this is ${used}: take out ${used - most}.`
    : `With “${odd}”, which not every phone has, one text takes ${most} letters, and this is ${used}: take out ${used - most}, or write it without “${odd}”.`

/** How long a text is tried while the provider cannot be reached: what a host types is for now. */
const triedMinutes = 30

/**
 * Has a text sent. Refuses no words, more than one segment, a number that cannot be texted, and quiet hours, with a
 * sentence for staff.
 */
export const typeText = async (
  work: Work,
  actor: Actor,
  about: TextedRecord,
  {
    phone,
    words,
    around,
  }: { readonly phone: string | null; readonly words: string; readonly around: Around },
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const cannot = unreachableWords(await reachOf(work, phone), phone) ?? quietWords(work)
  if (cannot !== undefined) throw new Refusal(409, cannot)
  if (words.trim() === '') throw badRequest('Type what to text.')
  const { body, ...room } = wholeText(words, around)
  if (room.used > room.most) throw badRequest(tooLongWords(room))
  const [tried, quiet] = [now.add({ minutes: triedMinutes }), quietFrom(now, venue.timezone)]
  await queueGuestText(
    db,
    venue.id,
    {
      kind: about.kind === 'reservation' ? 'bookingTyped' : 'lineTyped',
      record: about.id,
      until: Temporal.Instant.compare(tried, quiet) < 0 ? tried : quiet,
      body,
    },
    now,
  )
  // Without the words: they are about the guest, and go when the guest does.
  await recordActivity(work, actor, { action: 'sendText', record: about, before: null, after: {} }, now)
}
