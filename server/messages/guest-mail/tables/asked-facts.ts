import { type Asking, askingOf, termsAsked } from '../../../book/reservations/guarantee/asked/asking.ts'
import { type GuaranteeRow, agreedSentences } from '../../../book/reservations/guarantee/guarantee-store.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { Terms } from '../../../book/rules/guarantee-asked.ts'
import type { VenueRow } from '../../../core/venue/venues.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { type GuestFormats, moneyIn } from '../../guest-words/formats.ts'
import type { Words } from '../../guest-words/en.ts'
import { momentInWords } from '../booking-facts.ts'

/* What a guest is asked for, in the words of their page and of the mail that leads to it. */

type Saying = {
  readonly words: Words
  readonly formats: GuestFormats
  readonly venue: Pick<VenueRow, 'timezone' | 'country' | 'name'>
}

/** The sentence at the button, to which a guest agrees by pressing it. */
export const sentenceOf = (
  terms: Terms & { readonly currency: string },
  saying: Omit<Saying, 'venue'> & { readonly venue: Omit<Saying['venue'], 'name'> },
  now: Temporal.Instant,
): string => {
  const { secure } = saying.words
  const money = (cents: number): string => moneyIn(saying.formats, cents, terms.currency)
  const isFree = Temporal.Instant.compare(now, terms.freeUntil) < 0
  const until = isFree ? momentInWords(terms.freeUntil, saying) : undefined
  if (terms.kind !== 'card') {
    const total = money(terms.amountCents)
    return until === undefined ? secure.depositNow(total) : secure.depositFree(total, until)
  }
  const amount =
    terms.perGuestCents === null ? money(terms.amountCents) : secure.perGuest(money(terms.perGuestCents))
  return until === undefined ? secure.cardNow(amount) : secure.cardFree(until, amount)
}

export type AskedOfGuest = Asking & {
  readonly title: string
  readonly why: string
  /** What they agree to with the button. */
  readonly sentence: string
  /** By when; undefined: no day was said. */
  readonly by: string | undefined
  readonly button: string
  readonly hint: string | undefined
}

/** Undefined: nothing is asked of its guest. */
export const askedOfGuest = (
  row: GuaranteeRow,
  booking: BookRow,
  saying: Saying,
  now: Temporal.Instant,
): AskedOfGuest | undefined => {
  const asking = askingOf(row, booking, now)
  if (!asking) return undefined
  const { asked, secure, sale } = saying.words
  const amount = moneyIn(saying.formats, asking.cents, row.currency)
  const isFee = asking.kind === 'fee'
  const isFirst = row.status === 'asked'
  const terms = termsAsked(row, asking)
  const sentence = isFee
    ? agreedSentences(row).join('\n')
    : sentenceOf({ ...terms, currency: row.currency }, saying, now)
  const isOver = row.ask_until !== null && Temporal.Instant.compare(toInstant(row.ask_until), now) <= 0
  return {
    ...asking,
    title: isFee ? asked.feeTitle(amount) : isFirst ? asked.title : asked.moreTitle,
    why: isFee
      ? asked.feeText
      : asking.how === 'agree'
        ? asked.moreCard(saying.venue.name, moneyIn(saying.formats, terms.amountCents, row.currency))
        : (isFirst ? asked.text : asked.moreText)(saying.venue.name),
    sentence: [isFirst ? row.ask_note : null, sentence].filter(Boolean).join(' '),
    by:
      row.ask_until === null || isOver
        ? undefined
        : asked.by(momentInWords(toInstant(row.ask_until), saying)),
    button: asking.how === 'agree' ? asked.agree : asking.how === 'card' ? secure.withCard : sale.pay(amount),
    hint: asking.how === 'agree' ? undefined : asking.how === 'card' ? secure.cardHint : sale.payHint,
  }
}
