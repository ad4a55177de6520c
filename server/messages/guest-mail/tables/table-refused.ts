import { checkoutById } from '../../../core/money/checkout-store.ts'
import { bookedReservation } from '../../../book/day/book-row.ts'
import type { TableForm } from '../../../book/reservations/guarantee/ask-table.ts'
import { moneyIn } from '../../guest-words/formats.ts'
import { isTimed } from '../booking-facts.ts'
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
  // Of a booking that is there the form keeps no more than who they are.
  const booking =
    row.reservation_id === null ? undefined : await bookedReservation(work.db, venue.id, row.reservation_id)
  const { asked } = form
  const table =
    asked ?? (booking && isTimed(booking) ? { ...booking, partySize: booking.party_size } : undefined)
  return {
    speaking,
    letter: {
      to: form.email,
      subject: [
        `${refusedTitle(words, row)}: ${venue.name}`,
        ...(table ? [formats.shortDay(table.date)] : []),
      ].join(', '),
      preheader: why[0] ?? '',
      state: { tone: 'wait', words: book.title },
      title: refusedTitle(words, row),
      ...(table && {
        slip: [
          [book.guests, formats.number(table.partySize ?? 0)],
          [book.date, formats.shortDay(table.date)],
          [book.time, formats.time(table.time)],
        ],
      }),
      paragraphs: why,
      facts:
        row.mode === 'payment' ? [[words.sale.total, moneyIn(formats, row.total_cents, row.currency)]] : [],
      ...(asked && {
        button: {
          words: words.secure.again,
          url: `${context.config.publicUrl}/v/${venue.slug}/book?size=${asked.partySize}&lang=${speaking.language}`,
        },
      }),
    },
  }
}
