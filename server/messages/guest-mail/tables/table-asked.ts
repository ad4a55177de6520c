import { bookedReservation } from '../../../book/day/book-row.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { askedOfGuest } from './asked-facts.ts'
import { isTimed, whenInWords } from '../booking-facts.ts'
import { behindOf, guaranteeFact } from '../guarantee-facts.ts'
import { type Writing, type Written, bookingLink, speakingIn } from '../writing.ts'

/* To a guest of whom something is asked for a booking that is there, and once they did it. The button leads to their page. */

export const tableAskedLetter = (writing: Writing): Promise<Written> => letterOf(writing, false)

export const tableSecuredLetter = (writing: Writing): Promise<Written> => letterOf(writing, true)

const letterOf = async (
  { work, context, venue, settings, mail }: Writing,
  isDone: boolean,
): Promise<Written> => {
  const row = await bookedReservation(work.db, venue.id, mail.record_id)
  const said = await guestBookingOf(work.db, venue.id, mail.record_id)
  const guarantee = row && (await behindOf(work, row))
  if (!row || !said || !guarantee || row.email === null || !isTimed(row))
    return { dropped: 'the booking no longer has an address' }
  if (isDone && row.status === 'Cancelled') return { dropped: 'the booking was cancelled meanwhile' }
  const speaking = speakingIn(said.language, settings, venue)
  const { words, formats } = speaking
  const saying = { words, formats, venue }
  const asked = isDone ? undefined : askedOfGuest(guarantee, row, saying, work.now())
  if (!isDone && !asked) return { dropped: 'nothing is asked of the guest now' }
  const [label, sentences] = guaranteeFact(guarantee, saying)
  const title = asked?.title ?? words.asked.doneTitle
  return {
    speaking,
    letter: {
      to: row.email,
      subject: `${venue.name}: ${title}`,
      preheader: asked?.why ?? words.asked.doneText,
      state: { tone: asked ? 'wait' : 'good', words: label },
      title,
      slip: [
        [words.book.guests, formats.number(row.party_size ?? 0)],
        [words.book.date, formats.shortDay(row.date)],
        [words.book.time, formats.time(row.time)],
      ],
      paragraphs: asked
        ? [asked.why, asked.sentence, ...(asked.by === undefined ? [] : [asked.by])]
        : [words.asked.doneText],
      facts: [
        [words.book.when, whenInWords(row, formats)],
        ...(asked ? [] : [[label, sentences.join('\n')] as const]),
      ],
      button: {
        words: asked?.button ?? words.mail.changeOrCancel,
        url: bookingLink(context, venue.id, said),
      },
    },
  }
}
