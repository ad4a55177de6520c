import { bookedReservation } from '../../../book/day/book-row.ts'
import { refundOfGuarantee } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { moneyIn } from '../../guest-words/formats.ts'
import { isTimed, whenInWords } from '../booking-facts.ts'
import { behindOf, guaranteeFact } from '../guarantee-facts.ts'
import { type Writing, type Written, speakingIn } from '../writing.ts'

/** To a guest whose deposit or fee went back: how much of it, and what that leaves behind the booking. */
export const tableRefundedLetter = async ({ work, venue, settings, mail }: Writing): Promise<Written> => {
  const refund = await refundOfGuarantee(work.db, venue.id, mail.record_id)
  if (refund?.state !== 'succeeded') return { dropped: 'the money did not arrive' }
  const row = await bookedReservation(work.db, venue.id, refund.reservation_id)
  const behind = row && (await behindOf(work, row))
  if (!row || !behind || row.email === null || !isTimed(row))
    return { dropped: 'the booking no longer has an address' }
  const said = await guestBookingOf(work.db, venue.id, row.id)
  const speaking = speakingIn(said?.language ?? behind.language, settings, venue)
  const { words, formats } = speaking
  const back = words.secure.back(moneyIn(formats, refund.amount_cents, behind.currency))
  const [label, sentences] = guaranteeFact(behind, { words, formats, venue }, row)
  const more = sentences.filter((one) => one !== back)
  return {
    speaking,
    letter: {
      to: row.email,
      subject: `${venue.name}: ${words.tickets.refunded}, ${formats.shortDay(row.date)}`,
      preheader: back,
      state: { tone: 'wait', words: label },
      title: words.tickets.refunded,
      paragraphs: [back],
      facts: [
        [words.book.when, whenInWords(row, formats)],
        ...(more.length === 0 ? [] : [[label, more.join('\n')] as const]),
      ],
    },
  }
}
