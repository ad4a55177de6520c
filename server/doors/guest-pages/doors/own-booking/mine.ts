import type { Html } from '../../../../platform/html/html.ts'
import type { Work } from '../../../../context.ts'
import { type TimedBooking, isTimed } from '../../../../messages/guest-mail/booking-facts.ts'
import type { LocalDate } from '../../../../platform/kernel/time/written-time.ts'
import { wallTimeOf } from '../../../../platform/kernel/time/venue-clock.ts'
import { bookedReservation } from '../../../../book/day/book-row.ts'
import { type GuestBookingRow, guestBookingOf } from '../../../../book/reservations/guest/guest-booking.ts'
import { isGuestsToCancel, isInGuestsHands } from '../../../../book/reservations/change/change-by-guest.ts'
import { experienceInWords } from '../../../../book/reservations/guest/experience-words.ts'
import { cancelLimitOf, guestEndOf, guestLimitOf } from '../../../../book/reservations/guest/guest-limit.ts'
import { type ChangeRow, pendingChange } from '../../../../book/reservations/change/pending-change.ts'
import { type Behind, behindOf } from '../../../../messages/guest-mail/guarantee-facts.ts'
import { type AskedOfGuest, askedOfGuest } from '../../../../messages/guest-mail/tables/asked-facts.ts'
import { referenceOf } from '../../../../book/reservations/reference.ts'
import { serviceDateAt } from '../../../../book/rules/service-now.ts'
import { referenceKeyOf } from '../../../../core/venue/reference-key.ts'
import { bookingRulesAround } from '../../../../book/rules/rules-store.ts'
import type { Visit } from '../../frame/visit.ts'
import { slip } from '../booking-parts.ts'

/** A booking, and what its guest may know and do of it at this moment. */
export type Mine = {
  readonly work: Work
  readonly visit: Visit
  readonly row: TimedBooking
  readonly said: GuestBookingRow
  /** What it is called between the guest and the restaurant. */
  readonly reference: string
  readonly change: ChangeRow | undefined
  /** Whether it may still be changed here. */
  readonly isOpen: boolean
  /** Whether it may still be canceled here. */
  readonly isToCancel: boolean
  /** Until when both; null: it has no time, or its guest was promised more of one than of the other. */
  readonly limit: Temporal.Instant | null
  /** When its stay ends, if that is shorter than usual. */
  readonly end: Temporal.Instant | undefined
  /** The service date that it is now. */
  readonly today: LocalDate
  /** The card or the deposit behind it. */
  readonly guarantee: Behind | undefined
  /** What was booked with the table, in words. */
  readonly experience: string | undefined
  /** What is asked of its guest at this moment. */
  readonly asked: AskedOfGuest | undefined
}

export type Link = { readonly record: number; readonly issue: number }

/** The booking behind a link; undefined once the link ended: by staff, with its day, or because nothing is left. */
export const mineOf = async (
  work: Work,
  visit: Visit,
  { record, issue }: Link,
): Promise<Mine | undefined> => {
  const { db, venue } = work
  const row = await bookedReservation(db, venue.id, record)
  const said = await guestBookingOf(db, venue.id, record)
  if (!row || !said || said.link_issue !== issue || !isTimed(row)) return undefined
  const today = serviceDateAt(
    await bookingRulesAround(db, venue, wallTimeOf(visit.now, venue.timezone).date),
    visit.now,
  )
  const guarantee = await behindOf(work, row)
  const asked = guarantee && askedOfGuest(guarantee, row, visit, visit.now)
  const [limit, cancelLimit] = [await guestLimitOf(work, row), await cancelLimitOf(work, row)]
  // While a card is kept, its guest sees until when.
  const isKept = guarantee?.customer_ref != null
  if (row.service_date < today && !isKept) return undefined
  return {
    work,
    visit,
    row,
    said,
    reference: referenceOf(await referenceKeyOf(db, venue.id), row.id),
    change: await pendingChange(db, venue.id, record, visit.now),
    experience: await experienceInWords(work, row, [visit.language, visit.settings.language]),
    isOpen: await isInGuestsHands(work, row),
    isToCancel: await isGuestsToCancel(work, row),
    limit: limit && cancelLimit?.equals(limit) ? limit : null,
    end: await guestEndOf(work, row),
    today,
    guarantee,
    asked,
  }
}

export const slipOf = ({ visit: { words, formats }, row }: Mine): Html =>
  slip(words.book.slipDone, [
    { label: words.book.guests, value: formats.number(row.party_size ?? 0) },
    { label: words.book.date, value: formats.shortDay(row.date) },
    { label: words.book.time, value: formats.time(row.time) },
  ])
