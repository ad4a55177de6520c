import { leastCoin } from '../../../core/money/currency.ts'
import type { Work } from '../../../context.ts'
import { type OfferedExperience, offersNow } from '../../../book/reservations/guarantee/open-experiences.ts'
import { isHoldId } from '../../../book/reservations/holds/hold-reads.ts'
import { termsOfExperience } from '../../../book/rules/guarantee-asked.ts'
import { wordsOfExperience } from '../../../book/rules/experiences/experiences.ts'
import type { When } from '../../../book/day/when.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { mistakeSummary } from '../frame/parts.ts'
import { type ShownPage, type Visit, doorPath, typed } from '../frame/visit.ts'
import { asideOf, slip } from './booking-parts.ts'
import { originPart } from '../frame/origin.ts'
import { here } from './book-asked.ts'
import type { TakingVisit } from './taking.ts'

/*
 * What is booked with a time (`/v/{slug}/book`): one of the experiences that are offered then. One that asks nothing is
 * booked without a question; of several, or where one asks for something, the guest chooses before their details.
 */

type Asked = { readonly size: number; readonly when: When }

export type Choice =
  | { readonly kind: 'table' }
  | { readonly kind: 'chosen'; readonly offer: OfferedExperience; readonly isOnly: boolean }
  | { readonly kind: 'ask'; readonly offers: readonly OfferedExperience[] }

/** What an address or a form says of it; what the guest holds does not count against them. */
export const choiceOf = async (
  work: Work,
  visit: TakingVisit,
  { size, when }: Asked,
  key = typed(visit, 'experience') || (visit.query.get('experience') ?? ''),
): Promise<Choice> => {
  const hold = typed(visit, 'hold') || (visit.query.get('hold') ?? '')
  const own = isHoldId(hold) ? { hold } : undefined
  const rules = visit.rules.around(when.date)
  const offers = await offersNow(work, visit.venue.country, rules, { ...when, partySize: size, own })
  const open = offers.filter(({ isFull }) => !isFull)
  const named = open.find(({ experience }) => experience.key === key)
  const [only, ...others] = offers
  const free = only && others.length === 0 && !only.terms && !only.isFull ? only : undefined
  if (offers.length === 0) return { kind: 'table' }
  if (free) return { kind: 'chosen', offer: free, isOnly: true }
  return named ? { kind: 'chosen', offer: named, isOnly: false } : { kind: 'ask', offers }
}

export const chosenKey = (choice: Choice): string | undefined =>
  choice.kind === 'chosen' ? choice.offer.experience.key : undefined

/** Asks what is booked, each with its words and its price. */
export const choicePage = (
  visit: Visit,
  { size, when }: Asked,
  offers: readonly OfferedExperience[],
  mistake?: string,
): ShownPage => {
  const { words, formats, venue } = visit
  const { book, experience } = words
  const hold = typed(visit, 'hold') || (visit.query.get('hold') ?? '')
  const otherTime = here(visit, { size, date: when.date, hold })
  const isOpen = offers.some(({ isFull }) => !isFull)
  return {
    title: `${experience.title} · ${venue.name}`,
    body: html`<div class="page wide">
      <div class="card">
        ${mistakeSummary(words, mistake === undefined ? {} : { experience: mistake })}
        ${slip(book.slip, [
          { label: book.guests, value: formats.number(size), to: otherTime },
          { label: book.date, value: formats.shortDay(when.date), to: otherTime },
          { label: book.time, value: formats.time(when.time), to: otherTime },
        ])}
        <h1>${experience.title}</h1>
        <form class="fields" method="post" action="${visit.link(doorPath(venue, 'book'))}">
          ${originPart(visit, 'book')}
          <input type="hidden" name="do" value="choose" />
          <input type="hidden" name="size" value="${size}" />
          <input type="hidden" name="day" value="${when.date}" />
          <input type="hidden" name="time" value="${when.time}" />
          <input type="hidden" name="hold" value="${hold}" />
          ${typedBefore(visit)}
          <fieldset id="f-experience" tabindex="-1">
            <legend class="vh">${experience.title}</legend>
            ${offers.map((offer) => choicePart(visit, offer, size))}
          </fieldset>
          ${isOpen ? html`<button class="btn">${experience.goOn}</button>` : html`<a class="btn" href="${otherTime}">${book.anotherDay}</a>`}
        </form>
      </div>
      ${asideOf(visit, null)}
    </div>`,
  }
}

/** What was typed at another time that was taken, or before what was chosen was gone. */
const typedBefore = (visit: Visit): readonly Html[] => [
  ...typedDetails.map((name) => hidden(name, typed(visit, name))),
  ...[...visit.form.keys()].filter((name) => isTick(name)).map((name) => hidden(name, 'yes')),
]
export const typedDetails = ['name', 'email', 'tel', 'occasion', 'seat', 'note', 'token'] as const
/** What guests type; a token is of one form. */
export type TypedDetail = Exclude<(typeof typedDetails)[number], 'token'>
export const isTick = (name: string): boolean => /^q\d$/.test(name) || name === 'news'
const hidden = (name: string, value: string): Html =>
  value === '' ? html`` : html`<input type="hidden" name="${name}" value="${value}" />`

const choicePart = (visit: Visit, offer: OfferedExperience, size: number): Html => {
  const { experience, isFull } = offer
  const { name, text } = shownWords(visit, offer)
  const price = isFull ? visit.words.book.full : priceInWords(visit, offer, size)
  return html`<label class="tick"
    ><input type="radio" name="experience" value="${experience.key}" required ${isFull && html`disabled`} />
    <span
      ><b>${name}</b>${text !== null && html`<br />${text}`}${price !== undefined && html`<br /><span class="soft">${price}</span>`}</span
    ></label
  >`
}

const shownWords = ({ language, settings }: Visit, { experience }: OfferedExperience) =>
  wordsOfExperience(experience, [language, settings.language])

/** "$95.00 a guest"; of a card or a deposit also which it is. */
const priceInWords = (
  visit: Visit,
  { experience, terms }: OfferedExperience,
  size: number,
): string | undefined => {
  if (!terms) return undefined
  const { secure } = visit.words
  const money = (cents: number): string => moneyIn(visit.formats, cents, terms.currency)
  if (terms.kind === 'prepaid') {
    // With the fee and the tax of one guest, as it is paid.
    const one = termsOfExperience(
      experience,
      { partySize: 1, startsAt: terms.freeUntil },
      leastCoin(terms.currency),
    )
    const total = money(terms.amountCents)
    if (size === 1 || !one) return total
    // The tax is rounded once for all of them: where that shows, the sum is named that is paid.
    return one.amountCents * size === terms.amountCents
      ? secure.perGuest(money(one.amountCents))
      : `${visit.words.sale.total}: ${total}`
  }
  const amount =
    terms.perGuestCents === null ? money(terms.amountCents) : secure.perGuest(money(terms.perGuestCents))
  return `${secure[terms.kind]}: ${amount}`
}

/** What was chosen, with its words, beside the details; another is a press away where there are others. */
export const chosenPart = (visit: Visit, choice: Choice, again: string): Html | undefined => {
  if (choice.kind !== 'chosen') return undefined
  const { name, text } = shownWords(visit, choice.offer)
  return html`<div class="stack tight">
    <h2>${name}</h2>
    ${text !== null && html`<p>${text}</p>`}
    ${!choice.isOnly && html`<p><a class="tap" href="${again}">${visit.words.experience.other}</a></p>`}
    <input type="hidden" name="experience" value="${choice.offer.experience.key}" />
  </div>`
}
