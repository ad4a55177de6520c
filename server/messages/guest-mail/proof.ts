import { makePrivateToken } from '../../mail/link-token.ts'
import { proofMinutes, unmadeBooking } from '../../book/reservations/guest/booking-proof.ts'
import { bookingOfForm } from '../../book/reservations/guest/guest-booking.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** The link by which a guest makes the booking that their form asked for. */
export const proofLetter = async ({ work, context, venue, settings, mail }: Writing): Promise<Written> => {
  const kept = await unmadeBooking(work.db, venue.id, mail.record_id, work.now())
  if (!kept) return { dropped: 'the time to press its button is over' }
  const { asked, language } = kept
  if ((await bookingOfForm(work.db, venue.id, asked.said.formToken)) !== undefined)
    return { dropped: 'it was booked' }
  const speaking = speakingIn(language, settings, venue)
  const { words, formats } = speaking
  const when = `${formats.shortDay(asked.date)}, ${formats.time(asked.time)}`
  return {
    speaking,
    letter: {
      to: asked.email,
      subject: words.proof.subject(venue.name, when),
      preheader: words.proof.mail(formats.number(proofMinutes)),
      state: { tone: 'wait', words: words.proof.state },
      title: words.proof.pressTitle,
      slip: [
        [words.book.guests, formats.number(asked.partySize)],
        [words.book.date, formats.shortDay(asked.date)],
        [words.book.time, formats.time(asked.time)],
      ],
      paragraphs: [words.proof.mail(formats.number(proofMinutes))],
      button: {
        words: words.proof.button,
        url: `${context.config.publicUrl}/b/${makePrivateToken(context.secrets, 'proof', { venue: venue.id, record: mail.record_id, issue: 0 })}`,
      },
      foot: words.proof.foot,
    },
  }
}
