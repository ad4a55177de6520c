import { guestRecord } from '../../crm/guests/guest.ts'
import { contactKeys } from '../../platform/kernel/phone/contact-keys.ts'
import { type Tables, insertAllWithIds } from './bulk.ts'
import type { DemoGuest } from '../guest-book.ts'

/** Writes the guests; the id of each. */
export const writeGuests = (tables: Tables, guests: readonly DemoGuest[]): Promise<Map<DemoGuest, number>> =>
  insertAllWithIds(tables, 'guest', guests, (one) => ({
    ...guestRecord.columns(one),
    ...contactKeys(one.email, one.phone),
    staff_notes: one.staffNotes,
    allergies: one.allergies,
  }))
