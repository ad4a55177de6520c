import { agreedSentences } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { moneyIn } from '../../guest-words/formats.ts'
import { agreedIn, guaranteeFact } from '../guarantee-facts.ts'
import { type Writing, type Written, bookingLink } from '../writing.ts'
import { aboutTable, noAddress } from './about-table.ts'

/** To a guest whose card was charged: the sum, and the sentence that they agreed to. */
export const tableChargedLetter = async (writing: Writing): Promise<Written> => {
  const about = await aboutTable(writing, writing.mail.record_id)
  if ('dropped' in about) return about
  const { guarantee, speaking, saying, to, when } = about
  const { secure } = speaking.words
  const amount = moneyIn(speaking.formats, guarantee.paid_cents, guarantee.currency)
  const title = secure.chargedTitle(amount)
  const agreed = agreedIn(guarantee, saying)
  const [label, sentences] = guaranteeFact(guarantee, saying)
  // The title has the sum, and the text what was agreed on.
  const more = sentences.filter((one) => one !== secure.charged(amount) && !agreed.includes(one))
  return {
    speaking,
    letter: {
      to,
      subject: `${writing.venue.name}: ${title}`,
      preheader: agreedSentences(guarantee).join(' '),
      state: { tone: 'wait', words: label },
      title,
      paragraphs: agreed,
      facts: [when, ...(more.length === 0 ? [] : [[label, more.join('\n')] as const])],
    },
  }
}

/**
 * To a guest who secured a table on a site of the venue's: what was paid or kept, the sentence that they agreed to, and the
 * page where they cancel by it. Of the booking itself the site tells them.
 */
export const tableReceiptLetter = async (writing: Writing): Promise<Written> => {
  const about = await aboutTable(writing, writing.mail.record_id)
  if ('dropped' in about) return about
  const { guarantee, speaking, saying, said, to, when } = about
  if (!said) return noAddress
  const { words, formats } = speaking
  const [label, sentences] = guaranteeFact(guarantee, saying)
  const agreed = agreedSentences(guarantee)
  const title =
    guarantee.kind === 'card'
      ? words.secure.card
      : words.secure.paid(moneyIn(formats, guarantee.amount_cents, guarantee.currency))
  return {
    speaking,
    letter: {
      to,
      subject: `${writing.venue.name}: ${title}`,
      preheader: agreed.join(' '),
      state: { tone: 'good', words: label },
      title,
      paragraphs: agreed,
      facts: [when, [label, sentences.filter((one) => !agreed.includes(one)).join('\n') || label]],
      button: {
        words: words.mail.changeOrCancel,
        url: bookingLink(writing.context, writing.venue.id, said),
      },
    },
  }
}
