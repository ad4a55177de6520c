import { checkoutById } from '../../../core/money/checkout-store.ts'
import type { TableForm } from '../../../book/reservations/guarantee/ask-table.ts'
import { refusedTitle, refusedWhy } from '../refused-facts.ts'
import { type Writing, type Written, speakingIn } from '../writing.ts'

/** For a booking that is there only who they are is kept. */
type Refused = { readonly email: string | null } & Partial<Pick<TableForm, 'asked'>>

/** To somebody who secured a table that could no longer be given: why, and what happens to the card or the money. */
export const tableRefusedLetter = async ({
  work,
  venue,
  settings,
  context,
  mail,
}: Writing): Promise<Written> => {
  const row = await checkoutById(work.db, venue.id, mail.record_id)
  const form = row?.form as Refused | null | undefined
  if (!row || !form) return { dropped: 'who it was for is forgotten by now' }
  if (form.email === null) return { dropped: 'no address is known' }
  const speaking = speakingIn(row.language, settings, venue)
  const { words, formats } = speaking
  const { book } = words
  const why = refusedWhy(words, row)
  const { asked } = form
  return {
    speaking,
    letter: {
      to: form.email,
      subject: [
        `${refusedTitle(words, row)}: ${venue.name}`,
        ...(asked ? [formats.shortDay(asked.date)] : []),
      ].join(', '),
      preheader: why[0] ?? '',
      state: { tone: 'wait', words: book.title },
      title: refusedTitle(words, row),
      ...(asked && {
        slip: [
          [book.guests, formats.number(asked.partySize)],
          [book.date, formats.shortDay(asked.date)],
          [book.time, formats.time(asked.time)],
        ],
      }),
      paragraphs: why,
      facts: [],
      ...(asked && {
        button: {
          words: words.secure.again,
          url: `${context.config.publicUrl}/v/${venue.slug}/book?size=${asked.partySize}&lang=${speaking.language}`,
        },
      }),
    },
  }
}
