import { limits } from '@venue-data/contract/limits.ts'
import { openAccount } from '../../../core/money/account-store.ts'
import { venueCurrency } from '../../../core/money/venue-currency.ts'
import type { Work } from '../../../context.ts'
import { priceLines } from '../../../messages/guest-mail/ticket-facts.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { signUpBeside } from '../../../marketing/subscribers/sign-up.ts'
import { makeOnce, madeByForm, type SentForm } from '../../../platform/http/form-token.ts'
import { isEmailAddress } from '../../../platform/kernel/email.ts'
import { phoneKey } from '../../../platform/kernel/phone/phone.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  type Asked,
  type Quote,
  type WhyNot,
  askTickets,
  quoteTickets,
} from '../../../tickets/online/ask-tickets.ts'
import { dateById, datesBetween } from '../../../tickets/date-reads.ts'
import { type SoldOccurrence, eventById } from '../../../tickets/event-reads.ts'
import { isOnSale } from '../../../tickets/on-sale.ts'
import { ownOrder } from '../../../tickets/admission/own-order.ts'
import { framedWord } from '../frame/framed.ts'
import { type Mistakes, card, choiceField, lineField, mistakeSummary, ofNoField } from '../frame/parts.ts'
import { originPart, originWord } from '../frame/origin.ts'
import { formToken, orAskedOften, trapMistake, trapPart } from '../frame/trap.ts'
import { type DoorPage, nothingHere } from '../frame/serve-visits.ts'
import {
  type GuestAnswer,
  type GuestAnswerLater,
  type ShownPage,
  type Counts,
  type Visit,
  counted,
  doorPath,
  typed,
} from '../frame/visit.ts'
import { payButton } from './pay-facts.ts'
import { boughtAnswer, leadToPayment } from './pay.ts'
import { newsChosen, newsTick } from './news.ts'
import { pausedPart } from './taking.ts'
import { eventPicture, eventPicturePath } from '../../../tickets/online/event-picture.ts'
import { eventFacts, ticketsInWords } from './tickets-facts.ts'

/* `/v/{slug}/tickets` and `/v/{slug}/tickets/{event}`: what is on sale, the total before the button, and the press. */

export const ticketPages: readonly DoorPage[] = [
  {
    method: 'GET',
    path: '/v/:slug/tickets',
    door: 'tickets',
    answer: async (work, visit) => listPage(visit, await datesOnSale(work, visit)),
  },
  {
    method: 'GET',
    path: '/v/:slug/tickets/:event',
    door: 'tickets',
    answer: async (work, visit) =>
      eventPage(
        work,
        visit,
        wantedIn(visit, (name) => visit.query.get(name) ?? ''),
        {},
      ),
  },
  {
    method: 'POST',
    path: '/v/:slug/tickets/:event',
    door: 'tickets',
    answer: async (work, visit) => {
      const wanted = wantedIn(visit, (name) => typed(visit, name))
      const sent = sentForm(visit)
      const mistakes = mistakesIn(visit)
      // Back from a payment that ended: what they typed then.
      if (typed(visit, 'do') === 'again') return eventPage(work, visit, wanted, {})
      // The page says so in place of the form.
      if (visit.venue.paused) return { ...(await eventPage(work, visit, wanted, {})), status: 409 }
      if (!sent || Object.keys(mistakes).length > 0)
        return { ...(await eventPage(work, visit, wanted, mistakes)), status: 400 }
      const made = await makeOnce(work, sent, async () => {
        const asked = await orAskedOften(work, visit, {})
        if (Object.keys(asked).length > 0)
          return { ...(await eventPage(work, visit, wanted, asked)), status: 400 }
        const outcome = await ask(work, visit, wanted)
        if (outcome.kind === 'refused') {
          const page = await eventPage(work, visit, wanted, mistakeOf(visit, outcome.not))
          return { ...page, status: 409 }
        }
        // One number names both: an order is sold at once, and below zero.
        return outcome.kind === 'sold' ? -outcome.order : outcome.checkout
      })
      if (typeof made !== 'number') return made
      return counted(await leadOn(work, visit, made), 'tickets', made < 0 ? 'booked' : 'paying')
    },
    sentBefore: async (work, visit) => {
      const sent = sentForm(visit)
      const made = sent && (await madeByForm(work.db, work.venue.id, sent))
      return made === undefined ? undefined : leadOn(work, visit, made)
    },
    again: async (work, visit, { status, message }) => {
      const wanted = wantedIn(visit, (name) => typed(visit, name))
      return { ...(await eventPage(work, visit, wanted, { [ofNoField]: message })), status }
    },
  },
]

/** To the processor's page, or to what there is to see here. */
const leadOn = async (
  { db, venue }: Work,
  visit: Visit,
  made: number,
): Promise<GuestAnswer | GuestAnswerLater> => {
  if (made < 0) {
    const order = await ownOrder(db, venue.id, -made)
    if (!order) throw nothingHere()
    return boughtAnswer(visit, order)
  }
  return { after: (context) => leadToPayment(context, visit, made) }
}

type Wanted = { readonly event: number; readonly date: number; readonly seats: number; readonly code: string }

const wantedIn = ({ path }: Visit, field: (name: string) => string): Wanted => {
  const [, event = ''] = /\/tickets\/(\d{1,15})$/.exec(path) ?? []
  const number = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0)
  return {
    event: number(event),
    date: number(field('date')),
    seats: number(field('seats').normalize('NFKC').trim()) || (field('seats').trim() === '' ? 2 : 0),
    code: field('code').slice(0, 40),
  }
}

const ask = async (work: Work, visit: Visit, { date, seats, code }: Wanted): Promise<Asked> => {
  const chosen = await dateById(work.db, work.venue.id, date, visit.now)
  if (!chosen) return { kind: 'refused', not: { why: 'gone' } }
  const news = newsChosen(visit)
  const asked = await askTickets(work, visit.venue.country, {
    news,
    occurrenceId: date,
    seats,
    promoCode: code,
    buyer: {
      firstName: typed(visit, 'first'),
      lastName: typed(visit, 'last'),
      email: typed(visit, 'email'),
      phone: typed(visit, 'tel') || null,
    },
    shownTotalCents: Number(typed(visit, 'total')),
    language: visit.language,
    title: ticketsInWords(visit, chosen, seats),
  })
  // With what is paid for, whatever sees the payment signs them up.
  if (asked.kind === 'sold' && news) {
    const { language } = visit
    const buyer = { email: typed(visit, 'email'), name: typed(visit, 'first'), language }
    await signUpBeside(work, { ...news, ...buyer }, 'ticket_order')
  }
  return asked
}

/** What is on sale from today on; a date without seats stays, sold out. */
const datesOnSale = async ({ db, venue }: Work, { now }: Visit): Promise<readonly SoldOccurrence[]> => {
  const wall = wallTimeOf(now, venue.timezone)
  return (await datesBetween(db, venue.id, wall.date, undefined, now)).filter((date) =>
    isOnSale(date, now, venue.timezone),
  )
}

const listPage = (visit: Visit, dates: readonly SoldOccurrence[]): ShownPage => {
  const { words, formats, venue, link } = visit
  const events = [...Map.groupBy(dates, ({ event_id }) => event_id)]
  return {
    title: `${words.sale.title} · ${venue.name}`,
    look: 'narrow',
    description: words.venue.door.tickets[1],
    body: card(html`<div class="stack"><h1>${words.sale.title}</h1></div>
      ${venue.paused && pausedPart(visit)}
      ${
        events.length === 0
          ? html`<p>${words.sale.none}</p>`
          : html`<ul class="doors">
              ${events.map(([event, [first, ...more]]) => {
                const days = [first, ...more].flatMap((date) => (date ? [formats.shortDay(date.date)] : []))
                return html`<li>
                  <a class="door" href="${link(`${doorPath(venue, 'tickets')}/${event}?${originWord}=${visit.came('tickets')}`)}"
                    ><span
                      ><b>${first?.event_name}</b
                      ><small>${formats.list([...new Set(days)].slice(0, shownDays))}</small></span
                    ></a
                  >
                </li>`
              })}
            </ul>`
      }`),
  }
}

const shownDays = 4

/** One event: its dates, the total, and the form that buys. */
const eventPage = async (
  work: Work,
  visit: Visit,
  wanted: Wanted,
  mistakes: Mistakes,
): Promise<ShownPage & { readonly counts: Counts }> => {
  const { words, venue } = visit
  const dates = (await datesOnSale(work, visit)).filter(({ event_id }) => event_id === wanted.event)
  const [first] = dates
  if (!first) throw nothingHere()
  const event = await eventById(work.db, work.venue.id, first.event_id)
  const picture = await eventPicture(work.db, work.venue.id, first.event_id)
  const pictureUrl = picture && `${visit.publicUrl}${eventPicturePath(venue.slug, picture)}`
  const chosen = dates.find(({ id }) => id === wanted.date)
  const quote =
    chosen &&
    (await quoteTickets(work, venue.country, chosen, {
      occurrenceId: chosen.id,
      seats: wanted.seats,
      promoCode: wanted.code,
    }))
  const isRefused = quote !== undefined && 'why' in quote
  const found = { ...(isRefused && mistakeOf(visit, quote)), ...mistakes }
  const isOff = await isSoldHere(work, visit, dates)
  // What is free needs no account: it is had beside what is sold at the restaurant only.
  const offered = isOff === undefined ? dates : dates.filter(({ price_cents }) => price_cents === 0)
  const elsewhere = dates.filter((date) => !offered.includes(date))
  const shown =
    quote !== undefined && !('why' in quote) && (isOff === undefined || quote.price.totalCents === 0)
      ? quote
      : undefined
  const isOffered = !venue.paused && shown !== undefined
  return {
    title: `${first.event_name} · ${venue.name}`,
    look: 'narrow',
    description: event?.text?.slice(0, describedCharacters) ?? first.event_name,
    ...(!visit.framed && { leadsOut: true }),
    facts: eventFacts(visit, dates, { text: event?.text ?? null, pictureUrl }),
    picture: pictureUrl === undefined ? undefined : { url: pictureUrl, alt: first.event_name },
    counts: {
      door: 'tickets',
      steps: [...(chosen ? (['date'] as const) : []), ...(isOffered ? (['details'] as const) : [])],
    },
    body: card(html`${mistakeSummary(words, found)}
      <div class="stack">
        ${picture && html`<img class="event-picture" src="${eventPicturePath(venue.slug, picture)}" width="${picture.width}" height="${picture.height}" alt="${first.event_name}" />`}
        <h1>${first.event_name}</h1>
        ${(event?.text ?? '').split(/\n+/).map((line) => line.trim() !== '' && html`<p>${line}</p>`)}
      </div>
      ${
        venue.paused
          ? pausedPart(visit)
          : html`${isOff !== undefined && html`${datesList(visit, elsewhere)}<p class="note wait">${isOff}</p>`}
              ${offered.length > 0 && chooseForm(visit, offered, wanted, found)}
              ${shown && buyForm(visit, shown, wanted, found)}`
      }`),
  }
}

/** As much as a search engine shows of a page. */
const describedCharacters = 160

/** Why nothing can be bought here, in a sentence. What is free needs no account. */
const isSoldHere = async (
  { db, venue }: Work,
  visit: Visit,
  dates: readonly SoldOccurrence[],
): Promise<string | undefined> => {
  if (dates.every(({ price_cents }) => price_cents === 0)) return undefined
  const isOn = venueCurrency(visit.venue) !== undefined && (await openAccount(db, venue.id)) !== undefined
  return isOn ? undefined : visit.words.sale.atVenue
}

const datesList = (visit: Visit, dates: readonly SoldOccurrence[]): Html =>
  html`<ul>${dates.map((date) => html`<li>${dateInWords(visit, date)}</li>`)}</ul>`

const dateInWords = (visit: Visit, date: SoldOccurrence): string => {
  const { formats, words } = visit
  const left = date.capacity - date.taken
  const price = date.price_cents === 0 ? words.sale.free : words.sale.each(amount(visit, date.price_cents))
  return [
    formats.shortDay(date.date),
    date.start_time === null ? null : formats.time(date.start_time),
    date.title,
    price,
    left <= 0 ? words.sale.soldOut : left * 10 < date.capacity ? words.sale.few(formats.number(left)) : null,
  ]
    .filter((one) => one !== null)
    .join(' · ')
}

const amount = ({ formats, venue }: Visit, cents: number): string =>
  moneyIn(formats, cents, venueCurrency(venue) ?? 'USD')

/** Asks for the total: a page of its own, so that it works without script. */
const chooseForm = (
  visit: Visit,
  dates: readonly SoldOccurrence[],
  wanted: Wanted,
  mistakes: Mistakes,
): Html => {
  const { words, path, query } = visit
  return html`<form class="fields" method="get" action="${path}" novalidate>
    ${['lang', framedWord].map((name) => {
      const value = query.get(name)
      return value !== null && html`<input type="hidden" name="${name}" value="${value}" />`
    })}
    ${originPart(visit, 'tickets')}
    ${choiceField({
      name: 'date',
      label: words.sale.date,
      value: String(wanted.date),
      mistake: mistakes['date'],
      choices: dates.map((date) => [String(date.id), dateInWords(visit, date)] as const),
    })}
    <div class="two">
      ${lineField({
        name: 'seats',
        label: words.sale.count,
        value: String(wanted.seats),
        inputmode: 'numeric',
        most: 3,
        required: true,
        mistake: mistakes['seats'],
      })}
      ${lineField({ name: 'code', label: words.sale.code, value: wanted.code, optional: words.page.optional, most: 40, mistake: mistakes['code'] })}
    </div>
    <div class="acts"><button class="btn line">${words.sale.show}</button></div>
  </form>`
}

const buyForm = (
  visit: Visit,
  { occurrence, price, currency }: Quote,
  wanted: Wanted,
  mistakes: Mistakes,
): Html => {
  const { words, formats, link, path } = visit
  const { sale: tickets, form } = words
  const money = (cents: number): string => moneyIn(formats, cents, currency)
  const lines = priceLines(visit, { ...price, seats: wanted.seats, currency })
  const line = (field: string, label: string, more: object = {}): Html =>
    lineField({ name: field, label, value: typed(visit, field), mistake: mistakes[field], ...more })
  return html`<hr />
    <dl class="facts">
      ${lines.map(([label, amount]) => html`<dt>${label}</dt><dd>${amount}</dd>`)}
      <dt>${tickets.total}</dt>
      <dd><b>${money(price.totalCents)}</b></dd>
    </dl>
    <form class="fields" method="post" action="${link(path)}" novalidate>
      ${trapPart(visit, mistakes)} ${originPart(visit, 'tickets')}
      ${Object.entries({
        date: String(occurrence.id),
        seats: String(wanted.seats),
        code: wanted.code,
        total: String(price.totalCents),
      }).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}" />`)}
      <h2>${tickets.you}</h2>
      <div class="two">
        ${line('first', tickets.first, { autocomplete: 'given-name', required: true })}
        ${line('last', tickets.last, { autocomplete: 'family-name', required: true })}
      </div>
      <div class="two">
        ${line('email', form.email, { type: 'email', inputmode: 'email', autocomplete: 'email', required: true, most: 254 })}
        ${line('tel', form.phone, { type: 'tel', autocomplete: 'tel', optional: words.page.optional })}
      </div>
      ${newsTick(visit, visit.form.has('news'))}
      <div class="stack">
        <button class="btn">${price.totalCents === 0 ? tickets.get : payButton(visit, money(price.totalCents))}</button>
        ${price.totalCents > 0 && html`<p class="hint">${tickets.payHint}</p>`}
      </div>
    </form>`
}

const sentForm = (visit: Visit): SentForm | undefined => {
  const token = formToken(visit)
  return token === undefined ? undefined : { form: 'tickets', token, body: '' }
}

const mistakesIn = (visit: Visit): Mistakes => {
  const { form } = visit.words
  const phone = typed(visit, 'tel')
  const notOfName = (name: string): Mistakes => {
    const text = typed(visit, name)
    if (Array.from(text).length > limits.nameCharacters)
      return { [name]: form.tooLong(visit.formats.number(limits.nameCharacters)) }
    return text === '' || isControlled.test(text) ? { [name]: form.enterName } : {}
  }
  const isPhone = phoneKey(phone) && phone.length <= limits.phoneCharacters && !isControlled.test(phone)
  return {
    ...trapMistake(visit),
    ...notOfName('first'),
    ...notOfName('last'),
    ...(!isEmailAddress(typed(visit, 'email')) && { email: form.enterEmail }),
    ...(phone !== '' && !isPhone && { tel: form.enterPhone }),
  }
}

/** A line break too: what is stored is one line. */
const isControlled = /\p{Cc}/u
const mistakeOf = (visit: Visit, not: WhyNot): Mistakes => {
  const { sale: tickets } = visit.words
  const { number } = visit.formats
  switch (not.why) {
    case 'gone':
    case 'closed':
      return { date: tickets.closed }
    case 'full':
      return { seats: not.left === 0 ? tickets.soldOut : tickets.left(number(not.left)) }
    case 'seats':
      return { seats: tickets.badCount(number(not.most)) }
    case 'code':
      return { code: tickets.badCode }
    case 'small':
      return { [ofNoField]: tickets.small(moneyIn(visit.formats, not.leastCents, not.currency)) }
    case 'price':
      return { [ofNoField]: tickets.changed(moneyIn(visit.formats, not.totalCents, not.currency)) }
    case 'many':
      return { [ofNoField]: tickets.many }
    case 'soon':
      return { [ofNoField]: tickets.soon }
    default:
      return { [ofNoField]: tickets.atVenue }
  }
}
