import { bookedReservation } from '../../../book/day/book-row.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { isTimed, whenInWords } from '../booking-facts.ts'
import { behindOf } from '../guarantee-facts.ts'
import { type Writing, speakingIn } from '../writing.ts'

/** What letters about the money of a booked table are written from; or why there is nobody to write to. */
export const aboutTable = async ({ work, venue, settings }: Writing, id: number) => {
  const row = await bookedReservation(work.db, venue.id, id)
  const guarantee = row && (await behindOf(work, row))
  if (!row || !guarantee || row.email === null || !isTimed(row)) return noAddress
  const said = await guestBookingOf(work.db, venue.id, id)
  const speaking = speakingIn(said?.language ?? guarantee.language, settings, venue)
  const { words, formats } = speaking
  return {
    ...{ row, to: row.email, said, guarantee, speaking, saying: { words, formats, venue } },
    when: [words.book.when, whenInWords(row, formats)] as const,
  }
}

export const noAddress = { dropped: 'the booking no longer has an address' } as const
