import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import type { ReservationRow } from './book-row.ts'

export const presentReservation = (row: ReservationRow): Reservation => ({
  id: row.id,
  guestName: row.guest_name,
  email: row.email,
  phone: row.phone,
  partySize: row.party_size,
  date: row.date,
  time: row.time,
  durationMinutes: row.duration_minutes,
  status: row.status,
  source: row.source,
  bookingType: row.booking_type,
  notes: row.notes,
  floorStage: row.floor_stage,
  externalId: row.external_id,
  createdAt: row.created_at,
  checkedInAt: row.checked_in_at,
  cancelledAt: row.cancelled_at,
  cancelledBy: row.cancelled_by,
  updatedAt: row.updated_at,
  revision: row.revision,
})
