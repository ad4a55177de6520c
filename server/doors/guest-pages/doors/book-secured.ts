import type { Work } from '../../../context.ts'
import { type TableAsked, askTable, termsNow } from '../../../book/reservations/guarantee/ask-table.ts'
import type { AskedTerms } from '../../../book/reservations/guarantee/open-experiences.ts'
import type { When } from '../../../book/day/when.ts'
import { sentenceOf } from '../../../messages/guest-mail/tables/asked-facts.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import type { Visit } from '../frame/visit.ts'
import { networkNames } from '../frame/who.ts'
import type { Choice } from './book-experience.ts'
import type { TakingVisit } from './taking.ts'
import { linesPart, ofSum, payButton } from './pay-facts.ts'

/* A booking that is secured before it is made: what is asked, in the sentence that its guest agrees to, and the press. */

export const askedOf = async (
  work: Work,
  { venue, rules }: TakingVisit,
  choice: Choice,
  { size, when }: { readonly size: number; readonly when: When },
): Promise<AskedTerms | undefined> =>
  (choice.kind === 'chosen' ? choice.offer.terms : undefined) ??
  termsNow(work, venue.country, rules.around(when.date), { ...when, partySize: size })

/** What the form carries of what was shown: another amount, day or kind is shown again before it counts. */
export const agreedText = (terms: AskedTerms | undefined, { now }: Visit): string =>
  terms
    ? [
        ...[terms.kind, terms.amountCents, terms.perGuestCents ?? '', terms.currency],
        ...[terms.freeUntil.epochMilliseconds, isFree(terms, now)],
      ].join(' ')
    : ''

type Saying = Pick<Visit, 'words' | 'formats' | 'venue' | 'now'>

const isFree = ({ freeUntil }: AskedTerms, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(now, freeUntil) < 0

/** The sentence at the button, which is kept with the booking as it was shown. */
export const sentenceIn = (saying: Saying, terms: AskedTerms): string => sentenceOf(terms, saying, saying.now)

export const securedPart = (visit: Visit, terms: AskedTerms, guests: number | null): Html => {
  const { feeCents = 0, taxCents = 0, amountCents: totalCents, currency } = terms
  const sum = ofSum(visit, { feeCents, taxCents, totalCents, currency }, guests)
  return html`<div class="stack tight">
    <h2>${visit.words.secure[terms.kind]}</h2>
    <p>${sentenceIn(visit, terms)}</p>
    ${sum.length > 0 && linesPart(sum)}
    <input type="hidden" name="agreed" value="${agreedText(terms, visit)}" />
  </div>`
}

export const securedButton = (visit: Visit, terms: AskedTerms): Html => {
  const { words, formats } = visit
  // The same for everybody: nothing proves whose bookings there are.
  const booked = html`<p class="hint">${words.venue.alreadyBooked}</p>`
  return terms.kind === 'card'
    ? html`<button class="btn">${words.secure.withCard}</button>
        <p class="hint">${words.secure.cardHint}</p>
        ${booked}`
    : html`<button class="btn">${payButton(visit, moneyIn(formats, terms.amountCents, terms.currency))}</button>
        <p class="hint">${words.sale.payHint}</p>
        ${booked}`
}

/** The press: the id of the checkout; undefined where the guest has too many open. */
export const askSecured = (
  work: Work,
  visit: Visit,
  { request, terms, news }: Pick<TableAsked, 'request' | 'terms' | 'news'>,
): Promise<number | undefined> => {
  const [holder, ...formerly] = networkNames(visit)
  const asked: TableAsked = {
    ...{ request, terms, news },
    sentence: sentenceIn(visit, terms),
    title: titleIn(visit, terms, request.date, request.experience?.name),
    language: visit.language,
    by: { holder, formerly },
  }
  return askTable(work, asked)
}

/** What the processor's page calls it. */
export const titleIn = (
  { words, formats, venue }: Saying,
  terms: AskedTerms,
  date: LocalDate,
  experience?: string,
): string =>
  `${experience ?? words.secure[terms.kind]}: ${venue.name}, ${formats.day(date)}`.slice(0, mostOfTitle)

const mostOfTitle = 200
