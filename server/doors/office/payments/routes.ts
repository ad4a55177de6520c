import { Readable } from 'node:stream'
import { type AccountRow, isLiveMoney, openAccount } from '../../../core/money/account-store.ts'
import { endMatter, matterById, openMatters, waitsInWords } from '../../../core/money/matter-store.ts'
import { type StuckCard, stuckCards } from '../../../book/reservations/guarantee/charging/charge-store.ts'
import { gaveBackOtherwise, refundAgain } from '../../../book/reservations/guarantee/give-back.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { momentInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import {
  type MovedForDate,
  type MovedForTables,
  type OpenRefund,
  movedByDate,
  movedByKind,
  refundsToLookAt,
  seatsBeingPaid,
} from '../../../tickets/online/reconciling/money-reads.ts'
import { movedBetween, movedByName } from '../../../tickets/online/reconciling/movement-reads.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { tag } from '../parts/tags.ts'
import { whenOf } from '../tickets/date-words.ts'
import { evidenceOf } from './evidence.ts'
import { amountOf, matterWords } from './matters.ts'
import {
  fileCard,
  fileDays,
  home,
  kindWords,
  movedCard,
  movementsFile,
  namesCard,
  namesIn,
  netPart,
  spanOf,
  type Week,
  weekOf,
  weekSteps,
  weekWords,
} from './week.ts'

/** What was paid online, what went back, and what needs a look. For managers; owners connect the account in the settings. */
export const paymentPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work, { query }) => {
      const { date: today } = wallTimeOf(work.now(), work.venue.timezone)
      const week = weekOf(work, query.get('week') ?? '', today)
      return page('Payments', await (week.isNow ? paymentsPage(work, week, today) : pastWeek(work, week)))
    },
  },
  {
    method: 'GET',
    path: `${home}/payments.csv`,
    role: 'manager',
    answer: async (work, { query }) => {
      const days = fileDays(query)
      const { live } = await modeOf(work)
      return {
        kind: 'file',
        name: `${work.venue.slug}-payments-${days.from}-${days.to}.csv`,
        type: 'text/csv; charset=utf-8',
        body: Readable.from(movementsFile(work, days, live)),
      }
    },
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
    path: `${home}/refunds/:id`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const refund = idOf(params.id, 'refund')
      const guarantee = idOf(form.text('of'), 'card or deposit')
      const isByHand = form.text('do') === 'by-hand'
      const give = isByHand ? gaveBackOtherwise : refundAgain
      const cents = await give(work, { refund, guarantee }, work.now())
      if (cents === undefined) return go(home, noLongerOpen)
      // It is off the list, and nothing was sent.
      if (cents === 0) return go(home, nothingLeft)
      const record = { kind: 'venue', id: work.venue.id } as const
      const action = isByHand ? 'gaveBackOtherwise' : 'refundAgain'
      const change = { action, record, before: null, after: { refund } }
      await recordActivity(work, actorOf(work.me), change, work.now())
      return go(home, isByHand ? 'Noted as refunded another way.' : 'The refund is on its way again.')
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

/** Somebody else did something about it, or a dispute took what was left, since the page was shown. */
const noLongerOpen = 'Nothing was sent: this refund is no longer open.'
const nothingLeft =
  'Nothing was sent: nothing is left of this payment. It went back another way, such as by a dispute that was lost.'

/** A refund or a charge that is under way for longer needs a look. */
const longHours = 24
const paymentsPage = async (work: OfficeWork, week: Week, today: LocalDate): Promise<Html> => {
  const { db, venue, now } = work
  const { account, live } = await modeOf(work)
  const ofToday = await movedBetween(db, venue.id, spanOf(work, { from: today, to: today }, live))
  const ofWeek = await movedBetween(db, venue.id, spanOf(work, week, live))
  const dates = await movedByDate(db, venue.id, { from: week.from, live })
  const tables = await movedByKind(db, venue.id, { from: week.from, live })
  const paying = await seatsBeingPaid(db, venue.id, null, now())
  const matters = await openMatters(db, venue.id)
  const refunds = await refundsToLookAt(db, venue.id, now().subtract({ hours: longHours }))
  const cards = await stuckCards(db, venue.id, now().subtract({ hours: longHours }))
  return html`${pageHead(work, { account, live }, week)}
    <div class="stack">
      <section class="card">
        <h2>Needs a look</h2>
        ${lookList(work, { account, matters, refunds, cards })}
      </section>
      ${movedCard('Today', ofToday, paying.until === null ? undefined : html`<p class="soft">${payingWords(paying, venue.timezone)}</p>`)}
      ${movedCard('This week', ofWeek)}
      <section class="card list-card">
        <h2>By event</h2>
        ${dates.length === 0 ? html`<p class="empty">Nothing was paid online for the dates from this week on.</p>` : datesTable(dates)}
      </section>
      ${tables.length > 0 && tablesCard(tables)}
      ${fileCard({ from: week.from, to: today })}
      ${feesNote}
    </div>`
}

/** What moved in a week that is over. */
const pastWeek = async (work: OfficeWork, week: Week): Promise<Html> => {
  const { account, live } = await modeOf(work)
  const span = spanOf(work, week, live)
  return html`${pageHead(work, { account, live }, week)}
    <div class="stack">
      ${movedCard(weekWords(week), await movedBetween(work.db, work.venue.id, span))}
      ${namesCard(await movedByName(work.db, work.venue.id, span), await namesIn(work))}
      ${fileCard(week)}
      ${feesNote}
    </div>`
}

const pageHead = ({ me }: OfficeWork, mode: Mode, week: Week): Html =>
  html`<div class="page-head">
      <div>
        <h1>Payments</h1>
        <p class="soft">${accountWords(mode)}</p>
      </div>
      <div class="inline">
        ${weekSteps(week)}
        ${mayAct(me.staff.role, 'owner') && html`<a class="button" href="/office/settings/payments">Settings</a>`}
      </div>
    </div>`

const feesNote = html`<p class="small soft">
    These figures are every cent that moved through Stripe, without its fees; Stripe keeps its fee when you refund. What you refunded in cash or another way is not in them: it is in the orders, their export and the reports.
  </p>`

const modeOf = async ({ db, venue }: OfficeWork) => {
  const account = await openAccount(db, venue.id)
  return { account, live: await isLiveMoney(db, venue.id) }
}

type Mode = { readonly account: AccountRow | undefined; readonly live: boolean }

const accountWords = ({ account, live }: Mode): string => {
  if (!account)
    return `No account is connected, so nothing is paid online. The figures are of the account that was connected last${live ? '' : ': test payments, with which no money moved'}.`
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
  readonly cards: readonly StuckCard[]
}

const lookList = ({ venue }: OfficeWork, { account, matters, refunds, cards }: Found): Html => {
  const trouble = account?.trouble ?? null
  if (trouble === null && matters.length === 0 && refunds.length === 0 && cards.length === 0)
    return html`<p class="empty">Nothing.</p>`
  return html`<ul class="rows">
    ${trouble !== null && html`<li><div class="grow"><span class="strong">Your Stripe account</span><p class="small soft">${trouble}</p></div></li>`}
    ${matters.map(
      (matter) =>
        html`<li>
          <div class="grow">
            ${matterWords(matter, venue.timezone)}
            <div class="inline">
            ${matter.order_id !== null && html`<a class="button quiet" href="/office/tickets/orders/${matter.order_id}">Open the order</a>`}
            ${matter.reservation_id !== null && html`<a class="button quiet" href="/office/bookings/${matter.reservation_id}">Open the booking</a>`}
            ${matter.kind === 'dispute' && html`<a class="button quiet" href="${home}/matters/${matter.id}/evidence.pdf">Evidence (PDF)</a>`}
            </div>
          </div>
          <form method="post" action="${home}/matters/${matter.id}"><button>Done</button></form>
        </li>`,
    )}
    ${refunds.map(
      (refund) =>
        html`<li>
          <div class="grow">
            ${refundName(refund)}
            <span class="small soft">${momentInWords(refund.made_at, venue.timezone)}</span>
          </div>
          ${refund.state === 'failed' ? tag('Refund failed', 'bad') : tag(refund.waits ? waitsInWords : 'Refund still under way', 'warn')}
          ${refund.state === 'failed' && refund.guarantee_id !== null && !refund.is_held && html`<form method="post" action="${home}/refunds/${refund.id}"><input type="hidden" name="of" value="${refund.guarantee_id}" /><div class="inline">${!refund.is_removed && html`<button>Try again</button> `}<button name="do" value="by-hand" data-asks="Note that you refunded ${amountOf(refund)} another way?">Refunded another way</button></div></form>`}
        </li>`,
    )}
    ${cards.map(
      ({ what, reservation_id, since }) =>
        html`<li>
          <div class="grow">
            ${reservation_id === null ? html`<span class="strong">A card of a table that was gone</span>` : html`<a class="row-link" href="/office/bookings/${reservation_id}#guarantee">A card behind a booking</a>`}
            <span class="small soft">${momentInWords(since, venue.timezone)}. Check under Settings, Payments, that Stripe still accepts your key.</span>
          </div>
          ${tag(what === 'charge' ? 'Charge still under way' : 'Not deleted yet', 'warn')}
        </li>`,
    )}
  </ul>`
}

/** A table that could not be given has no booking to lead to. */
const refundName = (refund: OpenRefund): Html => {
  const amount = amountOf(refund)
  if (refund.order_id !== null)
    return html`<a class="row-link" href="/office/tickets/orders/${refund.order_id}#refunds">${amount}, order ${refund.order_number}</a>`
  return refund.reservation_id === null
    ? html`<span class="strong">${amount}, a table that was gone</span>`
    : html`<a class="row-link" href="/office/bookings/${refund.reservation_id}#guarantee">${amount}, a booking</a>`
}

const tablesCard = (tables: readonly MovedForTables[]): Html =>
  html`<section class="card list-card">
    <h2>Tables from this week on</h2>
    <ul class="rows dates">
      ${tables.map((one) => html`<li><span class="grow">${kindWords[one.kind] ?? one.kind}</span>${netPart({ ...one, cents_returned: 0 })}</li>`)}
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
          ${netPart({ ...date, cents_returned: 0 }, date.cents_otherwise)}
        </li>`,
    )}
  </ul>`
