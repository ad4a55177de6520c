import { type VisitRow, bookingsOfGuest } from '../../../book/reservations/reads.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { LeadRow } from '../../../crm/leads/lead.ts'
import { leadsOfGuest } from '../../../crm/leads/reads.ts'
import type { StaffGuestRow } from '../../../crm/guests/guest.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { type SoldOrderRow, ordersOfBuyer } from '../../../tickets/order-reads.ts'

export type GuestHistory = {
  readonly reservations: readonly VisitRow[]
  readonly leads: readonly LeadRow[]
  /** Bought under the guest's address. */
  readonly ticketOrders: readonly SoldOrderRow[]
}

/** Of each kind, more than anybody scrolls through; the counters include all. */
const mostOfHistory = 200

/** A guest's bookings, inquiries and orders, latest first. */
export const guestHistory = async (
  db: Queries,
  venue: VenueId,
  { id, email }: Pick<StaffGuestRow, 'id' | 'email'>,
): Promise<GuestHistory> => {
  const [reservations, leads, ticketOrders] = await Promise.all([
    bookingsOfGuest(db, venue, id, mostOfHistory),
    leadsOfGuest(db, venue, id, mostOfHistory),
    email === null ? [] : ordersOfBuyer(db, venue, emailKey(email), mostOfHistory),
  ])
  return { reservations, leads, ticketOrders }
}
