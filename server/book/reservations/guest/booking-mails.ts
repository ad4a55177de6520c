import type { Work } from '../../../context.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { type MailsWhere, factsOf } from '../../../mail/guest-mail-kinds.ts'
import {
  dropGuestMails,
  hasLeft,
  notDueSince,
  putOffGuestMails,
  queueGuestMail,
} from '../../../mail/guest-mail-queue.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { BookRow } from '../../day/book-row.ts'
import { guestBookingOf, keepGuestBooking, nothingSaid } from './guest-booking.ts'
import { isAsKnown, knownSince } from './known-to-guest.ts'

export type BookingMail = MailsWhere<{ to: 'guest'; record: 'booking' }>

/**
 * What guests of bookings by connected software are never mailed: the software that made the booking already informs
 * them. The rest is mailed if the venue wants it.
 */
const mailedByOthers: ReadonlySet<BookingMail> = new Set(['bookingReceived', 'bookingConfirmed'])

/** `at`: not before; absent: at once. `byStaff`: they just pressed it, so it does not wait for the pace of mails to one address. */
type Mailing = {
  readonly at?: Temporal.Instant | undefined
  readonly byStaff?: boolean
  /** What its form said was kept with it, and so it has a link; absent: it is given one. */
  readonly hasLink?: boolean | undefined
}

type Mailed = Pick<BookRow, 'id' | 'email' | 'source' | 'starts_at'>

/**
 * Has the guest of a booking mailed, in the transaction of what happened to it. Guests who booked by themselves are;
 * guests of imports, walk-ins and bookings that staff entered are not, nor is anybody after the booking's start.
 * Answers whether it will be.
 */
export const mailGuest = async (
  work: Work,
  row: Mailed,
  kind: BookingMail,
  now: Temporal.Instant,
  { at, byStaff = false, hasLink = false }: Mailing = {},
): Promise<boolean> => {
  if (row.starts_at === null) return false
  const times = timesOf(row.starts_at, kind, at)
  if (isOver(times, now) || !(await isMailed(work, row, kind, hasLink))) return false
  const { db, venue } = work
  await Promise.all([
    !hasLink && keepGuestBooking(db, venue.id, row.id, nothingSaid),
    queueGuestMail(db, venue.id, { kind, record: row.id, byStaff, ...times }, now),
  ])
  return true
}

/** Whether a mail would come too late from the beginning. */
const isOver = ({ until }: { readonly until?: Temporal.Instant }, now: Temporal.Instant): boolean =>
  until !== undefined && Temporal.Instant.compare(now, until) >= 0

const timesOf = (starts: Moment, kind: BookingMail, at: Temporal.Instant | undefined) => {
  const until = factsOf(kind).isOfPast ? undefined : toInstant(starts)
  const isInTime = at !== undefined && (!until || Temporal.Instant.compare(at, until) < 0)
  return { ...(isInTime && { at }), ...(until && { until }) }
}

const cancellations = [
  'bookingCancelledByGuest',
  'bookingDeclined',
  'bookingCancelled',
] as const satisfies readonly BookingMail[]
const changes = ['bookingChanged'] as const satisfies readonly BookingMail[]

/**
 * Has the guest mailed that their booking has another time or size. After a press of staff it waits until `at`, for its Undo,
 * and there is one mail about all they press meanwhile: each press has it wait on, and it is not sent once the booking is
 * again as its guest knows it, by an Undo or by hand.
 */
export const mailChange = async (
  work: Work,
  { before, after }: { readonly before: BookRow; readonly after: BookRow },
  now: Temporal.Instant,
  { at, byStaff = false }: Mailing,
): Promise<void> => {
  const { db, venue } = work
  const waiting = { kinds: changes, record: after.id }
  const since = await notDueSince(db, venue.id, waiting, now)
  if (since !== undefined && at === undefined) await saidAlready(work, after.id, now)
  else if (since !== undefined && after.starts_at !== null) {
    const times = timesOf(after.starts_at, 'bookingChanged', at)
    const pointless = isOver(times, now)
      ? 'the booking has begun'
      : isAsKnown(await knownSince(db, venue.id, before, since), after)
        ? 'the change was undone'
        : undefined
    const kept = pointless
      ? await dropGuestMails(db, venue.id, { ...waiting, answer: pointless }, now)
      : await putOffGuestMails(db, venue.id, { ...waiting, ...times }, now)
    if (kept > 0) return
  }
  await mailGuest(work, after, 'bookingChanged', now, { at, byStaff })
}

/** A mail that goes at once says how the booking is: one about a change that still waits would repeat it. */
export const saidAlready = async ({ db, venue }: Work, booking: number, now: Temporal.Instant) => {
  const answer = 'a later mail says it'
  await dropGuestMails(db, venue.id, { kinds: changes, record: booking, answer }, now)
}

/**
 * Has the guest mailed about a cancellation, by staff not before `at`, for its Undo. What they have not heard of until then
 * waits as long: it is still to be said if the cancellation is undone.
 */
export const mailCancellation = async (
  work: Work,
  { before, after }: { readonly before: Pick<BookRow, 'status'>; readonly after: BookRow },
  now: Temporal.Instant,
  at?: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = work
  if (at && after.starts_at !== null) {
    const times = timesOf(after.starts_at, 'bookingChanged', at)
    await putOffGuestMails(db, venue.id, { kinds: changes, record: after.id, ...times }, now)
  }
  await mailGuest(work, after, cancellationMail(before, after), now, { at })
}

/**
 * A cancellation was undone: the mail about it is not sent, if it still waits for that. Who may have read it hears that the
 * booking is on again, by mail if there is one for them, else by a call of staff. Answers how; undefined: they know of nothing.
 */
export const mailRestored = async (
  work: Work,
  { before, after }: { readonly before: Pick<BookRow, 'cancelled_at'>; readonly after: BookRow },
  now: Temporal.Instant,
  mailing: Pick<Mailing, 'byStaff'>,
): Promise<'mail' | 'call' | undefined> => {
  const { db, venue } = work
  const mails = { kinds: cancellations, record: after.id }
  const answer = 'the cancellation was undone'
  if ((await dropGuestMails(db, venue.id, { ...mails, answer }, now)) > 0) return undefined
  const since = before.cancelled_at
  if (since === null || !(await hasLeft(db, venue.id, { ...mails, since }))) return undefined
  await saidAlready(work, after.id, now)
  const isAhead = after.starts_at !== null && Temporal.Instant.compare(now, after.starts_at) < 0
  if (!isAhead || !(await mailGuest(work, after, restoredMail(after), now, mailing))) return 'call'
  return 'mail'
}

/** Guests of connected software are never mailed that they are confirmed; that their booking has changed they are. */
const restoredMail = ({ source, status }: Pick<BookRow, 'source' | 'status'>): BookingMail => {
  if (source === 'automation') return 'bookingChanged'
  return status === 'Confirmed' ? 'bookingConfirmed' : 'bookingReceived'
}

/** The mail about a cancellation: the guest's own, the venue's, or that the venue could not take a request. */
const cancellationMail = (
  before: Pick<BookRow, 'status'>,
  { cancelled_by }: Pick<BookRow, 'cancelled_by'>,
): (typeof cancellations)[number] => {
  if (cancelled_by === 'guest') return 'bookingCancelledByGuest'
  return before.status === 'Requested' ? 'bookingDeclined' : 'bookingCancelled'
}

/** Has the guest of a confirmed booking reminded, the venue's number of hours before it starts. */
export const remindGuest = async (
  work: Work,
  row: Mailed,
  now: Temporal.Instant,
  { hasLink, settings }: Pick<Mailing, 'hasLink'> & { readonly settings?: GuestSettings } = {},
): Promise<void> => {
  if (row.starts_at === null || mailedWhen(row) === 'never') return
  const known = settings ?? (await guestSettingsOf(work.db, work.venue.id)).settings
  const at = reminderAt(row.starts_at, known)
  if (at === undefined || Temporal.Instant.compare(at, now) <= 0) return
  await mailGuest(work, row, 'bookingReminder', now, { at, hasLink })
}

/** When a guest is reminded of a booking that starts then; undefined: the venue reminds nobody. */
export const reminderAt = (
  starts: Moment,
  { reminderHours }: Pick<GuestSettings, 'reminderHours'>,
): Temporal.Instant | undefined =>
  reminderHours === 0 ? undefined : toInstant(starts).subtract({ hours: reminderHours })

/** A confirmed booking was moved: what waits would come by its old time, which may be after the meal began. */
export const remindAgain = async (work: Work, row: Mailed, now: Temporal.Instant): Promise<void> => {
  const { db, venue } = work
  const waiting = { kinds: ['bookingReminder'], record: row.id, answer: 'the booking was moved' } as const
  await dropGuestMails(db, venue.id, waiting, now)
  await remindGuest(work, row, now)
}

const isMailed = async (
  { db, venue }: Work,
  row: Mailed,
  kind: BookingMail,
  hasLink: boolean,
): Promise<boolean> => {
  switch (mailedWhen(row)) {
    case 'always':
      return true
    case 'with-link':
      return hasLink || (await guestBookingOf(db, venue.id, row.id)) !== undefined
    case 'if-wanted':
      return !mailedByOthers.has(kind) && (await guestSettingsOf(db, venue.id)).settings.mailConnected
    default:
      return false
  }
}

/** When the guest of a booking is mailed about it without anybody's press. */
export const mailedWhen = ({
  email,
  source,
}: Pick<Mailed, 'email' | 'source'>): 'always' | 'with-link' | 'if-wanted' | 'never' => {
  if (email === null) return 'never'
  if (source === 'public') return 'always'
  // Who took an offered table has a link to it; whom staff booked from the line has not.
  if (source === 'waitlist') return 'with-link'
  return source === 'automation' ? 'if-wanted' : 'never'
}
