import { bookedReservation } from '../../../book/day/book-row.ts'
import { agreedSentences } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { moneyIn } from '../../guest-words/formats.ts'
import { isTimed, whenInWords } from '../booking-facts.ts'
import { agreedIn, behindOf, guaranteeFact } from '../guarantee-facts.ts'
import { type Writing, type Written, bookingLink, speakingIn } from '../writing.ts'

/** To a guest whose card was charged: the sum, and the sentence that they agreed to. */
export const tableChargedLetter = async ({ work, venue, settings, mail }: Writing): Promise<Written> => {
  const row = await bookedReservation(work.db, venue.id, mail.record_id)
  const guarantee = row && (await behindOf(work, row))
  if (!row || !guarantee || row.email === null || !isTimed(row))
    return { dropped: 'the booking no longer has an address' }
  const said = await guestBookingOf(work.db, venue.id, row.id)
  const speaking = speakingIn(said?.language ?? null, settings, venue)
  const { words, formats } = speaking
  const amount = moneyIn(formats, guarantee.paid_cents, guarantee.currency)
  const title = words.secure.chargedTitle(amount)
  const agreed = agreedIn(guarantee, { words, formats, venue })
  const [label, sentences] = guaranteeFact(guarantee, { words, formats, venue })
  // The title has the sum, and the text what was agreed on.
  const more = sentences.filter((one) => one !== words.secure.charged(amount) && !agreed.includes(one))
  return {
    speaking,
    letter: {
      to: row.email,
      subject: `${venue.name}: ${title}`,
      preheader: agreedSentences(guarantee).join(' '),
      state: { tone: 'wait', words: label },
      title,
      paragraphs: agreed,
      facts: [
        [words.book.when, whenInWords(row, formats)],
        ...(more.length === 0 ? [] : [[label, more.join('\n')] as const]),
      ],
    },
  }
}

/**
 * To a guest who secured a table on a site of the venue's: what was paid or kept, the sentence that they agreed to, and the
 * page where they cancel by it. Of the booking itself the site tells them.
 */
export const tableReceiptLetter = async ({
  work,
  context,
  venue,
  settings,
  mail,
}: Writing): Promise<Written> => {
  const row = await bookedReservation(work.db, venue.id, mail.record_id)
  const said = await guestBookingOf(work.db, venue.id, mail.record_id)
  const guarantee = row && (await behindOf(work, row))
  if (!row || !said || !guarantee || row.email === null || !isTimed(row))
    return { dropped: 'the booking no longer has an address' }
  const speaking = speakingIn(said.language, settings, venue)
  const { words, formats } = speaking
  const { secure } = words
  const [label, sentences] = guaranteeFact(guarantee, { words, formats, venue })
  const title =
    guarantee.kind === 'card'
      ? secure.card
      : secure.paid(moneyIn(formats, guarantee.amount_cents, guarantee.currency))
  return {
    speaking,
    letter: {
      to: row.email,
      subject: `${venue.name}: ${title}`,
      preheader: agreedSentences(guarantee).join(' '),
      state: { tone: 'good', words: label },
      title,
      paragraphs: agreedSentences(guarantee),
      facts: [
        [words.book.when, whenInWords(row, formats)],
        [label, sentences.filter((one) => !agreedSentences(guarantee).includes(one)).join('\n') || label],
      ],
      button: { words: words.mail.changeOrCancel, url: bookingLink(context, venue.id, said) },
    },
  }
}
