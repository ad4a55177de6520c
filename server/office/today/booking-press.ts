import type { Html } from '../../html/html.ts'
import { notFound } from '../../kernel/refusal.ts'
import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import type { Press } from '../parts/press.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { bookAt } from './book.ts'
import { isBook } from './read-day.ts'

/** The booking that a path or a form names; 404 where the venue has no such booking. */
export const bookingOf = async ({ db, venue }: OfficeWork, id: number | undefined): Promise<BookRow> => {
  const row = id === undefined ? undefined : await bookedReservation(db, venue.id, id)
  if (!row) throw notFound('booking')
  return row
}

/** "Maya, 2 guests". */
export const whoOf = ({ guest_name, party_size }: Pick<BookRow, 'guest_name' | 'party_size'>): string =>
  `${guest_name ?? 'No name'}, ${guestsInWords(party_size)}`

/** A button pressed on a booking, on the page `back`. */
export const bookingPress = (
  work: OfficeWork,
  { partOnly }: Pick<OfficeRequest, 'partOnly'>,
  row: BookRow,
  back: string,
  { label, again }: { readonly label: string; readonly again: (confirm: Html) => Html },
): Press => ({
  partOnly,
  where: isBook(back) ? `${back}#b${row.id}` : back,
  list: () => bookAt(work, back),
  who: whoOf(row),
  label,
  again,
})
