import type { Work } from '../../../context.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import { type GuestMailKind, dropGuestMails, queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import type { BookRow } from '../../day/book-row.ts'
import { guestBookingOf, keepGuestBooking, nothingSaid } from './guest-booking.ts'

export type BookingMail = Extract<GuestMailKind, `booking${string}`>

/**
 * What guests of bookings by connected software are never mailed: the software that made the booking already informs
 * them. The rest is mailed if the venue wants it.
 */
const mailedByOthers: ReadonlySet<BookingMail> = new Set(['bookingReceived', 'bookingConfirmed'])

type Mailed = Pick<BookRow, 'id' | 'email' | 'source' | 'starts_at'>

/**
 * Has the guest of a booking mailed, in the transaction of what happened to it. Guests who booked by themselves are;
 * guests of imports, walk-ins and bookings that staff entered are not, nor is anybody after the booking's start.
 * `at`: not before; absent: at once.
 */
export const mailGuest = async (
  work: Work,
  row: Mailed,
  kind: BookingMail,
  now: Temporal.Instant,
  at?: Temporal.Instant,
): Promise<void> => {
  if (!(await isMailed(work, row, kind)) || row.starts_at === null) return
  const { db, venue } = work
  // What is no longer ahead is still worth saying of a cancellation.
  const isOfPast = kind.startsWith('bookingCancelled') || kind === 'bookingDeclined'
  const until = isOfPast ? undefined : toInstant(row.starts_at)
  const isInTime = at !== undefined && (!until || Temporal.Instant.compare(at, until) < 0)
  await keepGuestBooking(db, venue.id, row.id, nothingSaid)
  await queueGuestMail(
    db,
    venue.id,
    { kind, record: row.id, ...(isInTime && { at }), ...(until && { until }) },
    now,
  )
}

const cancellations = [
  'bookingCancelledByGuest',
  'bookingDeclined',
  'bookingCancelled',
] as const satisfies readonly BookingMail[]
const changes = ['bookingChanged'] as const satisfies readonly BookingMail[]

/**
 * A press was undone: its mail is not sent, if it still waits for that; answers whether it did. `pressed`: when the press was
 * made, of which there may be several.
 */
export const keepMailBack = async (
  { db, venue }: Work,
  booking: number,
  undone: 'cancellation' | 'change',
  now: Temporal.Instant,
  pressed?: readonly Moment[],
): Promise<boolean> => {
  const kinds = undone === 'change' ? changes : cancellations
  const answer = `the ${undone} was undone`
  return (await dropGuestMails(db, venue.id, { kinds, record: booking, madeAt: pressed, answer }, now)) > 0
}

/** The mail about a cancellation: the guest's own, the venue's, or that the venue could not take a request. */
export const cancellationMail = (
  before: Pick<BookRow, 'status'>,
  { cancelled_by }: Pick<BookRow, 'cancelled_by'>,
): (typeof cancellations)[number] => {
  if (cancelled_by === 'guest') return 'bookingCancelledByGuest'
  return before.status === 'Requested' ? 'bookingDeclined' : 'bookingCancelled'
}

/** Has the guest of a confirmed booking reminded, the venue's number of hours before it starts. */
export const remindGuest = async (work: Work, row: Mailed, now: Temporal.Instant): Promise<void> => {
  if (row.starts_at === null || !(await isMailed(work, row, 'bookingReminder'))) return
  const { db, venue } = work
  const { settings } = await guestSettingsOf(db, venue.id)
  if (settings.reminderHours === 0) return
  const until = toInstant(row.starts_at)
  const at = until.subtract({ hours: settings.reminderHours })
  if (Temporal.Instant.compare(at, now) <= 0) return
  await keepGuestBooking(db, venue.id, row.id, nothingSaid)
  await queueGuestMail(db, venue.id, { kind: 'bookingReminder', record: row.id, at, until }, now)
}

const isMailed = async ({ db, venue }: Work, row: Mailed, kind: BookingMail): Promise<boolean> => {
  switch (mailedWhen(row)) {
    case 'always':
      return true
    case 'with-link':
      return (await guestBookingOf(db, venue.id, row.id)) !== undefined
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
