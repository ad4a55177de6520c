import { refundOfGuarantee } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { centsOfRefundMail } from '../../../mail/refund-mails.ts'
import { moneyIn } from '../../guest-words/formats.ts'
import { guaranteeFact } from '../guarantee-facts.ts'
import type { Writing, Written } from '../writing.ts'
import { aboutTable } from './about-table.ts'

/** To a guest whose deposit or fee went back: how much of it, and what that leaves behind the booking. */
export const tableRefundedLetter = async (writing: Writing): Promise<Written> => {
  const { work, venue, mail } = writing
  const refund = await refundOfGuarantee(work.db, venue.id, mail.record_id)
  const cents = await centsOfRefundMail(work.db, venue.id, { ...mail, kind: 'tableRefunded' })
  if (!refund || cents === 0) return { dropped: 'the money did not arrive' }
  const about = await aboutTable(writing, refund.reservation_id)
  if ('dropped' in about) return about
  const { row, guarantee, speaking, saying, to, when } = about
  const { words, formats } = speaking
  const money = (cents: number): string => moneyIn(formats, cents, guarantee.currency)
  const back = words.secure.back(money(cents))
  const [label, sentences] = guaranteeFact(guarantee, saying, row)
  // Beside this one the sum of all of them has to say that it is one.
  const { refunded: all } = guarantee
  const inAll = (one: string): string =>
    all > cents && one === words.secure.back(money(all)) ? words.secure.backInAll(money(all)) : one
  const more = sentences.filter((one) => one !== back).map(inAll)
  return {
    speaking,
    letter: {
      to,
      subject: `${venue.name}: ${words.tickets.refunded}, ${formats.shortDay(row.date)}`,
      preheader: back,
      state: { tone: 'wait', words: label },
      title: words.tickets.refunded,
      paragraphs: [back],
      facts: [when, ...(more.length === 0 ? [] : [[label, more.join('\n')] as const])],
    },
  }
}
