import { checkoutById } from '../../core/money/checkout-store.ts'
import type { TableForm } from '../../book/reservations/guarantee/ask-table.ts'
import { refusedTitle, refusedWhy } from './refused-facts.ts'
import { type Writing, type Written, speakingIn } from './writing.ts'

/** To somebody who secured a table that could no longer be given: why, and what happens to the card or the money. */
export const tableRefusedLetter = async ({
  work,
  venue,
  settings,
  context,
  mail,
}: Writing): Promise<Written> => {
  const row = await checkoutById(work.db, venue.id, mail.record_id)
  const form = row?.form as TableForm | null | undefined
  if (!row || !form) return { dropped: 'who it was for is forgotten by now' }
  const speaking = speakingIn(row.language, settings, venue)
  const { words, formats } = speaking
  const { book } = words
  const [why, back] = refusedWhy(words, row)
  const { date, time, partySize } = form.asked
  return {
    speaking,
    letter: {
      to: form.email,
      subject: `${refusedTitle(words, row)}: ${venue.name}, ${formats.shortDay(date)}`,
      preheader: why,
      state: { tone: 'wait', words: book.title },
      title: refusedTitle(words, row),
      slip: [
        [book.guests, formats.number(partySize)],
        [book.date, formats.shortDay(date)],
        [book.time, formats.time(time)],
      ],
      paragraphs: [why, back],
      facts: [],
      button: {
        words: words.secure.again,
        url: `${context.config.publicUrl}/v/${venue.slug}/book?size=${partySize}&lang=${speaking.language}`,
      },
    },
  }
}
