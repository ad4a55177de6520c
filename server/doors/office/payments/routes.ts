import { Readable } from 'node:stream'
import { type AccountRow, openAccount } from '../../../core/money/account-store.ts'
import { endMatter, matterById, openMatters } from '../../../core/money/matter-store.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { addDays, weekdayOf } from '../../../platform/kernel/time/calendar.ts'
import { momentInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { momentWallReaches, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import {
  type Moved,
  type MovedForDate,
  type MovedForTables,
  type OpenRefund,
  movedBetween,
  movedByDate,
  movedByKind,
  refundsToLookAt,
  seatsBeingPaid,
} from '../../../tickets/online/money-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import { whenOf } from '../tickets/date-words.ts'
import { evidenceOf } from './evidence.ts'
import { amountOf, matterWords } from './matters.ts'

const home = '/office/payments'

/** What was paid online, what went back, and what needs a look. For managers; owners connect the account in the settings. */
export const paymentPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => page('Payments', await paymentsPage(work)),
  },
  {
    method: 'GET',
    path: `${home}/matters/:id/evidence.pdf`,
    role: 'manager',
    answer: async (work, { params }) => {
      const matter = await matterById(work.db, work.venue.id, idOf(params.id, 'matter'))
      if (matter?.kind !== 'dispute') throw notFound('dispute')
      const body = Readable.from([await evidenceOf(work, matter)])
      return { kind: 'file', name: 'evidence.pdf', type: 'application/pdf', body }
    },
  },
  {
    method: 'POST',
    path: `${home}/matters/:id`,
    role: 'manager',
    answer: async (work, { params }) => {
      const { db, venue, now } = work
      const done = await endMatter(db, venue.id, idOf(params.id, 'matter'), now())
      if (!done) return go(home)
      const record =
        done.order_id === null
          ? ({ kind: 'venue', id: venue.id } as const)
          : ({ kind: 'ticket_order', id: done.order_id } as const)
      const change = { action: 'lookedAtPayment', record, before: null, after: { payment: done.kind } }
      await recordActivity(work, actorOf(work.me), change, now())
      return go(home, 'Marked as done.')
    },
  },
]

/** A refund that is under way for longer needs a look. */
const longHours = 24
const paymentsPage = async (work: OfficeWork): Promise<Html> => {
  const { db, venue, now, me } = work
  const { date: today } = wallTimeOf(now(), venue.timezone)
  const account = await openAccount(db, venue.id)
  const live = account?.live ?? true
  const startOf = (date: LocalDate) => momentWallReaches({ date, time: '00:00' }, venue.timezone)
  const to = startOf(addDays(today, 1))
  const monday = addDays(today, 1 - weekdayOf(today))
  const ofToday = await movedBetween(db, venue.id, { from: startOf(today), to, live })
  const ofWeek = await movedBetween(db, venue.id, { from: startOf(monday), to, live })
  const dates = await movedByDate(db, venue.id, { from: monday, live })
  const tables = await movedByKind(db, venue.id, { from: monday, live })
  const paying = await seatsBeingPaid(db, venue.id, null, now())
  const matters = await openMatters(db, venue.id)
  const refunds = await refundsToLookAt(db, venue.id, now().subtract({ hours: longHours }))
  return html`<div class="page-head">
      <div>
        <h1>Payments</h1>
        <p class="soft">${accountWords(account)}</p>
      </div>
      ${mayAct(me.staff.role, 'owner') && html`<a class="button" href="/office/settings/payments">Settings</a>`}
    </div>
    <div class="stack">
      <section class="card">
        <h2>Needs a look</h2>
        ${lookList(work, { account, matters, refunds })}
      </section>
      ${movedCard('Today', ofToday, paying.until === null ? undefined : html`<p class="soft">${payingWords(paying, venue.timezone)}</p>`)}
      ${movedCard('This week', ofWeek)}
      <section class="card list-card">
        <h2>By event</h2>
        ${dates.length === 0 ? html`<p class="empty">Nothing was paid online for the dates from this week on.</p>` : datesTable(dates)}
      </section>
      ${tables.length > 0 && tablesCard(tables)}
      <p class="small soft">Stripe’s fees are not in these figures; Stripe keeps its fee when you refund.</p>
    </div>`
}

const accountWords = (account: AccountRow | undefined): string => {
  if (!account) return 'No account is connected, so nothing is paid online.'
  return account.live
    ? 'What guests pay online goes straight to your Stripe account.'
    : 'Test payments: no money moves.'
}

export const payingWords = (
  { seats, until }: { readonly seats: number; readonly until: Moment | null },
  zone: string,
): string | undefined =>
  seats === 0 || until === null
    ? undefined
    : `${counted(seats, 'seat')} being paid until ${timeOf(until, zone)}`

type Found = {
  readonly account: AccountRow | undefined
  readonly matters: Awaited<ReturnType<typeof openMatters>>
  readonly refunds: readonly OpenRefund[]
}

const lookList = ({ venue }: OfficeWork, { account, matters, refunds }: Found): Html => {
  const trouble = account?.trouble ?? null
  if (trouble === null && matters.length === 0 && refunds.length === 0)
    return html`<p class="empty">Nothing.</p>`
  return html`<ul class="rows">
    ${trouble !== null && html`<li><div class="grow"><span class="strong">Your Stripe account</span><p class="small soft">${trouble}</p></div></li>`}
    ${matters.map(
      (matter) =>
        html`<li>
          <div class="grow">
            ${matterWords(matter, venue.timezone)}
            <div class="inline">
            ${matter.order_id !== null && html`<a class="small" href="/office/tickets/orders/${matter.order_id}">Open the order</a>`}
            ${matter.reservation_id !== null && html`<a class="small" href="/office/bookings/${matter.reservation_id}">Open the booking</a>`}
            ${matter.kind === 'dispute' && html`<a class="small" href="${home}/matters/${matter.id}/evidence.pdf">Evidence (PDF)</a>`}
            </div>
          </div>
          <form method="post" action="${home}/matters/${matter.id}"><button>Done</button></form>
        </li>`,
    )}
    ${refunds.map(
      (refund) =>
        html`<li>
          <div class="grow">
            <a class="row-link" href="${refund.order_id === null ? `/office/bookings/${refund.reservation_id}` : `/office/tickets/orders/${refund.order_id}#refunds`}">${amountOf(refund)}, ${refund.order_number === null ? 'a booking' : `order ${refund.order_number}`}</a>
            <span class="small soft">${momentInWords(refund.made_at, venue.timezone)}</span>
          </div>
          ${refund.state === 'failed' ? tag('Refund failed', 'bad') : tag('Refund still under way', 'warn')}
        </li>`,
    )}
  </ul>`
}

const movedCard = (title: string, moved: readonly Moved[], more?: Html): Html =>
  html`<section class="card">
    <h2>${title}</h2>
    ${moved.length === 0 && html`<p class="soft">Nothing was paid or given back.</p>`}
    ${moved.map(
      ({ currency, payments, cents_in, cents_back }) =>
        html`<div class="figures">
          ${figure(amountOf({ amount_cents: cents_in, currency }), counted(payments, 'payment'))}
          ${figure(amountOf({ amount_cents: cents_back, currency }), 'given back')}
          ${figure(amountOf({ amount_cents: cents_in - cents_back, currency }), 'left')}
        </div>`,
    )}
    ${more}
  </section>`

const figure = (amount: string, name: string): Html =>
  html`<div class="figure"><strong>${amount}</strong><span>${name}</span></div>`

const kindWords: Readonly<Record<string, string>> = {
  card: 'Charged to cards',
  deposit: 'Deposits',
  prepaid: 'Paid ahead',
}

const tablesCard = (tables: readonly MovedForTables[]): Html =>
  html`<section class="card list-card">
    <h2>Tables from this week on</h2>
    <ul class="rows dates">
      ${tables.map((one) => html`<li><span class="grow">${kindWords[one.kind] ?? one.kind}</span>${leftPart(one)}</li>`)}
    </ul>
  </section>`

const datesTable = (dates: readonly MovedForDate[]): Html =>
  html`<ul class="rows dates">
    ${dates.map(
      (date) =>
        html`<li>
          <div class="grow">
            <a class="row-link breaks" href="/office/tickets/dates/${date.id}">${date.event_name}</a>
            <span class="small soft breaks">${whenOf(date)}</span>
          </div>
          ${leftPart(date)}
        </li>`,
    )}
  </ul>`

const leftPart = ({ cents_in, cents_back, currency }: Omit<MovedForTables, 'kind'>): Html =>
  html`<span
    ><span class="strong">${amountOf({ amount_cents: cents_in - cents_back, currency })}</span>${
      cents_back > 0 &&
      html` <span class="small soft">${amountOf({ amount_cents: cents_back, currency })} given back</span>`
    }</span
  >`
