import { askedOfGuest } from './asked-facts.ts'
import { agreedIn, guaranteeFact } from '../guarantee-facts.ts'
import { type Writing, type Written, bookingLink } from '../writing.ts'
import { aboutTable, noAddress } from './about-table.ts'

/* To a guest of whom something is asked for a booking that is there, and once they did it. The button leads to their page. */

export const tableAskedLetter = (writing: Writing): Promise<Written> => letterOf(writing, false)

export const tableSecuredLetter = (writing: Writing): Promise<Written> => letterOf(writing, true)

const letterOf = async (writing: Writing, isDone: boolean): Promise<Written> => {
  const { work, context, venue, mail } = writing
  const about = await aboutTable(writing, mail.record_id)
  if ('dropped' in about) return about
  const { row, guarantee, speaking, saying, said, to, when } = about
  if (!said) return noAddress
  if (isDone && row.status === 'Cancelled') return { dropped: 'the booking was cancelled meanwhile' }
  const { words, formats } = speaking
  const asked = isDone ? undefined : askedOfGuest(guarantee, row, saying, work.now())
  if (!isDone && !asked) return { dropped: 'nothing is asked of the guest now' }
  const [label, sentences] = guaranteeFact(guarantee, saying)
  const title = asked?.title ?? words.asked.doneTitle
  // A fee keeps the card longer than the mails of before said; the text has what was agreed on.
  const agreed = agreedIn(guarantee, saying)
  const more = asked?.kind === 'fee' ? sentences.filter((one) => !agreed.includes(one)) : []
  const behind = asked ? more : sentences
  return {
    speaking,
    letter: {
      to,
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
      facts: [when, ...(behind.length === 0 ? [] : [[label, behind.join('\n')] as const])],
      button: {
        words: asked?.button ?? words.mail.changeOrCancel,
        url: bookingLink(context, venue.id, said),
      },
    },
  }
}
