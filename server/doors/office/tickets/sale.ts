import { type Html, html } from '../../../platform/html/html.ts'
import { Refusal, notFound } from '../../../platform/kernel/refusal.ts'
import { typedWord, wholeNumber } from '../../../platform/kernel/typed-fields.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { dateById } from '../../../tickets/date-reads.ts'
import { type SoldOccurrence, occurrencesPage } from '../../../tickets/event-reads.ts'
import { ordersPage, soldOrder } from '../../../tickets/order-reads.ts'
import { seatsOfOrderMost } from '../../../core/money/price.ts'
import { seatsBeingPaid } from '../../../tickets/online/reconciling/money-reads.ts'
import { sellTickets } from '../../../tickets/sell-tickets.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page, part } from '../frame/page.ts'
import { type FormSeen, idOf, orNull, typedIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { money } from '../parts/money.ts'
import { counted, listFoot, pageRows } from '../parts/pager.ts'
import { once } from '../parts/once.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { whenOf } from './date-words.ts'
import { orderTable } from './order-table.ts'
import { payingWords } from '../payments/routes.ts'
import { quoteOf } from './quote.ts'
import { type ShownPrice, saleForm, saleMethods, totalPart } from './sale-form.ts'
import { seatsMeter } from './seats-meter.ts'
import { ticketsHead } from './head.ts'

const home = '/office/tickets'

/** What is on sale, and one date's box office. For every role. */
export const salePages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work, { query }) => page('Tickets', await onSale(work, query.get('after'))),
  },
  {
    method: 'GET',
    path: `${home}/dates/:id`,
    role: 'host',
    answer: async (work, { params, query }) =>
      salePage(work, await dateOf(work, params.id), { typed: {} }, undefined, query.get('after')),
  },
  {
    method: 'GET',
    path: `${home}/dates/:id/price`,
    role: 'host',
    answer: async (work, { params, query }) => {
      const date = await dateOf(work, params.id)
      return part(totalPart(await priceFor(work, date, Object.fromEntries(query)), query.get('seats') ?? ''))
    },
  },
  {
    method: 'POST',
    path: `${home}/dates/:id/sales`,
    role: 'host',
    answer: async (work, { params, form }) => {
      const typed = typedIn(form)
      const shown = wholeNumberIn(form.text('shownTotalCents'))
      const token = form.text('token')
      if (!isUuid(token)) throw new Refusal(400, 'This form is incomplete; open the page again.')
      // Without JavaScript nobody has seen the total yet: it is shown, and the second press sells.
      if (shown === undefined) {
        const date = await dateOf(work, params.id)
        const price = await priceFor(work, date, typed)
        return salePage(work, date, { typed }, price)
      }
      const asked = {
        occurrenceId: idOf(params.id, 'date'),
        ...askedOf(typed),
        promoCode: orNull(form, 'promoCode'),
        received: form.text('received') === 'yes',
        buyer: {
          firstName: orNull(form, 'firstName'),
          lastName: orNull(form, 'lastName'),
          email: orNull(form, 'email'),
          phone: orNull(form, 'phone'),
        },
        shownTotalCents: shown,
      }
      const id = await once(
        work,
        'sale',
        form,
        async () => (await sellTickets(work, actorOf(work.me), asked)).order.id,
      )
      const order = await soldOrder(work.db, work.venue.id, id)
      const next =
        order?.status === 'paid_unconfirmed'
          ? ' Awaiting payment: record it here when it arrives.'
          : order?.payment_method === 'cash'
            ? ` Take ${money(order.total_cents ?? 0)} in cash.`
            : ''
      return go(`${home}/orders/${id}`, `Sold.${next}`)
    },
    again: async (work, { params, form }, { message }) => {
      const date = await dateOf(work, params.id)
      const typed = typedIn(form)
      const price = await priceFor(work, date, typed)
      // One sentence is enough: if there is no price for the same reason, it is shown there.
      const mistake = price === message ? undefined : message
      return salePage(work, date, { typed, mistake }, price)
    },
  },
]

/** The date of a path; another venue's date is not found. */
const dateOf = async ({ db, venue, now }: OfficeWork, id: string | undefined): Promise<SoldOccurrence> => {
  const date = await dateById(db, venue.id, idOf(id, 'date'), now())
  if (!date) throw notFound('date')
  return date
}

const askedOf = (typed: Readonly<Record<string, string>>) => ({
  seats: wholeNumber('The number of seats', wholeNumberIn(typed.seats ?? ''), 1, seatsOfOrderMost),
  method: typedWord('The payment method', typed.method ?? '', saleMethods),
})

/** What it would cost, or the sentence why it cannot be sold. */
const priceFor = async (
  work: OfficeWork,
  date: SoldOccurrence,
  typed: Readonly<Record<string, string>>,
): Promise<ShownPrice> => {
  try {
    return await quoteOf(work, date, { ...askedOf(typed), promoCode: typed.promoCode ?? '' })
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

const salePage = async (
  work: OfficeWork,
  date: SoldOccurrence,
  seen: FormSeen,
  price?: ShownPrice,
  after: string | null = null,
): Promise<PageAnswer> => {
  const { db, venue, me } = work
  const orders = await ordersPage(db, venue.id, { occurrence: date.id }, { limit: pageRows, after })
  const path = `${home}/dates/${date.id}`
  const paying = payingWords(await seatsBeingPaid(db, venue.id, date.id, work.now()), venue.timezone)
  return page(
    date.event_name,
    html`<div class="page-head">
        <div>
          <p class="small"><a class="crumb" href="${home}">‹ Tickets</a></p>
          <h1 class="breaks">${date.event_name}</h1>
          <p class="soft breaks">${whenOf(date)}</p>
        </div>
        ${mayAct(me.staff.role, 'manager') && html`<a class="button" href="${path}/edit">Edit date</a>`}
      </div>
      <div class="stack">
        <div class="sale-columns">
          <section class="card">
            <header>
              <h2>Box office</h2>
              <span class="soft">${date.price_cents === 0 ? 'Free' : `${money(date.price_cents)} a seat`}</span>
            </header>
            ${
              date.date < wallTimeOf(work.now(), venue.timezone).date &&
              html`<p class="hint">This date has passed.</p>`
            }
            ${
              date.taken >= date.capacity && seen.mistake === undefined
                ? html`<p class="empty">Sold out. If seats go back on sale, you can sell them here.</p>`
                : saleForm(date, seen, price)
            }
          </section>
          <section class="card">
            <h2>Seats</h2>
            ${seatsMeter(date)}
            ${paying !== undefined && html`<p class="small soft">${paying}</p>`}
          </section>
        </div>
        <section class="card list-card">
          <h2>Orders</h2>
          ${orders.rows.length === 0 ? html`<p class="empty">No orders yet.</p>` : orderTable(orders.rows, venue.timezone, 'date')}
          ${listFoot({ path, after, next: orders.next })}
        </section>
      </div>`,
  )
}

/** Every date from today on, with its seats. */
const onSale = async (work: OfficeWork, after: string | null): Promise<Html> => {
  const { db, venue, now, me } = work
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const list = await occurrencesPage(db, venue.id, { from: today, now: now() }, { limit: pageRows, after })
  const isManager = mayAct(me.staff.role, 'manager')
  return html`${ticketsHead(work, home)}
    <section class="card list-card">
      ${
        list.rows.length === 0
          ? html`<div class="empty">
              <p>${after === null ? 'Nothing is on sale.' : 'Nothing more.'}</p>
              ${isManager && after === null && html`<p><a class="button" href="${home}/events">Plan an event</a></p>`}
            </div>`
          : html`<ul class="rows dates">
              ${list.rows.map(
                (date) =>
                  html`<li>
                    <div class="grow">
                      <a class="row-link breaks" href="${home}/dates/${date.id}">${date.event_name}</a>
                      <span class="small soft breaks"
                        >${whenOf(date)} · ${date.price_cents === 0 ? 'free' : money(date.price_cents)}</span
                      >
                    </div>
                    ${seatsMeter(date)}
                    <a class="button ${date.taken < date.capacity && 'primary'}" href="${home}/dates/${date.id}">${date.taken < date.capacity ? 'Sell' : 'Open'}</a>
                  </li>`,
              )}
            </ul>`
      }
      ${listFoot({ path: home, after, next: list.next })}
    </section>
    ${list.rows.length > 0 && html`<p class="small soft list-words">${counted(list.rows.length, 'date')} shown, from today on.${isManager && ' Earlier ones are under Events.'}</p>`}`
}
