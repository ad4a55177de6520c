import { limits } from '@venue-data/contract/limits.ts'
import { alternativesTo } from '../../../book/reservations/availability/availability.ts'
import type { TableForm } from '../../../book/reservations/guarantee/ask-table.ts'
import { openAccount } from '../../../core/money/account-store.ts'
import { type CheckoutRow, checkoutById, checkoutMinutes } from '../../../core/money/checkout-store.ts'
import { giveUp, lookForGuest, press } from '../../../core/money/look.ts'
import type { Context, Work } from '../../../context.ts'
import { endedTitle } from '../../../messages/guest-mail/refused-facts.ts'
import { isListed } from '../../../core/venue/guest-settings-rules.ts'
import { moneyIn } from '../../../messages/guest-words/formats.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { lookingAtPaid } from '../../../marketing/subscribers/looking-at-paid.ts'
import { guestBookingOf } from '../../../book/reservations/guest/guest-booking.ts'
import { type OwnOrderRow, ownOrder } from '../../../tickets/admission/own-order.ts'
import type { TypedDetail } from './book-experience.ts'
import { dateById } from '../../../tickets/date-reads.ts'
import { promoCodeById } from '../../../tickets/event-reads.ts'
import type { TicketsForm } from '../../../tickets/online/ask-tickets.ts'
import { againForm } from './book-times.ts'
import { card, statePill } from '../frame/parts.ts'
import { type LinkPage, nothingHere } from '../frame/serve-visits.ts'
import {
  type GuestAnswer,
  type GuestAnswerLater,
  type ShownPage,
  type Visit,
  counted,
  doorPath,
  typed,
} from '../frame/visit.ts'
import { payFacts, refusedFacts } from './pay-facts.ts'
import { pausedPart } from './taking.ts'

/*
 * `/pay/{token}`: a payment under way, and `/pay/{token}/back`, where the processor's page leads. Nobody is ever shown that
 * a payment failed while that is not known: the page asks again by itself until it is.
 */

/** Seconds until a page that waits is loaded again. */
const againSeconds = 2
/** The same while the processor cannot be reached, and the time to pay is over. */
const unheardSeconds = 30

const languageOf: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const language = (await checkoutById(db, venue.id, record))?.language ?? ''
  return isGuestLanguage(language) ? language : null
}

export const payPages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/pay/:token',
    purpose: 'pay',
    languageOf,
    answer: async (work, visit, { record }) => {
      // Whoever paid and did not come back by its page, as without a network, is not asked to go on paying.
      const row = await checkoutById(work.db, visit.venue.id, record)
      const mayBePaid =
        row && (row.why === 'unheard' || (row.state === 'open' && wasPaidSince(row, visit.now)))
      return mayBePaid ? lookedAt(visit, record, false) : payPage(work, visit, record, false)
    },
  },
  {
    // A GET, since the processor leads here: what it changes is only what the processor says has happened.
    method: 'GET',
    path: '/pay/:token/back',
    purpose: 'pay',
    languageOf,
    answer: async (_work, visit, { record }) => lookedAt(visit, record, true),
  },
  {
    method: 'POST',
    path: '/pay/:token',
    purpose: 'pay',
    languageOf,
    answer: async (_work, visit, { record }) => ({
      after: async (context) => {
        const parts = lookingAtPaid(context)
        if (typed(visit, 'do') === 'give-up') {
          await giveUp(parts, visit.venue, record)
          return { to: visit.link(visit.path) }
        }
        return leadToPayment(context, visit, record)
      },
    }),
  },
]

/** Whether anybody can have paid since its page was opened: that takes a moment. */
const wasPaidSince = ({ ends_at }: CheckoutRow, now: Temporal.Instant): boolean =>
  ends_at !== null &&
  Temporal.Instant.compare(
    toInstant(ends_at).subtract({ minutes: checkoutMinutes.page }).add({ seconds: paidSeconds }),
    now,
  ) <= 0
const paidSeconds = 10

/** Shows it once the processor was asked. */
const lookedAt = (visit: Visit, record: number, isBack: boolean): GuestAnswerLater => ({
  after: async (context) => {
    await lookForGuest(lookingAtPaid(context), visit.venue, record)
    return payPage(workOf(context, visit), visit, record, isBack)
  },
})

/** To the processor's page, unless the venue takes no money by now. */
export const leadToPayment = async (context: Context, visit: Visit, record: number): Promise<GuestAnswer> => {
  const parts = lookingAtPaid(context)
  const closed = await whyClosed(context, visit, record)
  if (closed) return { ...closed, status: 409 }
  if (visit.framed) return stepInFrame(workOf(context, visit), visit, record)
  const pressed = await press(parts, visit.venue, record)
  if (pressed.kind === 'soon') return soonPage(visit, await checkoutById(context.db, visit.venue.id, record))
  return { to: pressed.kind === 'go' ? pressed.to : visit.link(visit.linkTo('pay', record, 0)) }
}

/** No frame shows the processor's page: this one says what is paid, and its button alone leaves the frame. */
const stepInFrame = async (work: Work, visit: Visit, record: number): Promise<GuestAnswer> => {
  const row = await checkoutById(work.db, work.venue.id, record)
  return row && isUnpaid(row.state) ? openPage(work, visit, row) : payPage(work, visit, record, false)
}

/** Why nothing is paid here now: the venue is paused, or its account with the processor has ended since. */
const whyClosed = async (context: Context, visit: Visit, record: number): Promise<ShownPage | undefined> => {
  const { venue, words } = visit
  const account = await openAccount(context.db, venue.id)
  const isClosed = ({ state, account_id: id }: CheckoutRow) =>
    isUnpaid(state) && (venue.paused || account?.id !== id)
  const row = await checkoutById(context.db, venue.id, record)
  if (!row || !isClosed(row)) return undefined
  // Perhaps they have paid on the page that is open.
  await lookForGuest(lookingAtPaid(context), venue, record)
  const now = await checkoutById(context.db, venue.id, record)
  if (!now || !isClosed(now)) return undefined
  const ended = row.kind !== 'tickets' ? words.secure.notOnline : words.sale.atVenue
  const why = venue.paused ? pausedPart(visit) : html`<p>${ended}</p>`
  return page(visit, openTitle(visit, row), ['wait', 'clock'], why, row)
}

const isUnpaid = (state: string): boolean => ['made', 'opening', 'open'].includes(state)

const workOf = ({ db, clock }: Context, { venue }: Visit): Work => ({
  db: db.within(venue.id),
  venue,
  now: clock,
})

const payPage = async (work: Work, visit: Visit, record: number, isBack: boolean): Promise<GuestAnswer> => {
  const { db, venue } = work
  const row = await checkoutById(db, venue.id, record)
  if (!row) throw nothingHere()
  const { sale: tickets } = visit.words
  switch (row.state) {
    case 'completed': {
      if (row.key_id !== null) return backToSite(visit, row)
      const given = await givenAnswer({ db, venue }, visit, row)
      const door = ({ table: 'book', tickets: 'tickets' } as const)[row.kind]
      return isBack && door ? counted(given, door, 'booked') : given
    }
    case 'refused': {
      const { title, sentences } = await refusedFacts(work, visit, row)
      const why = sentences.map((sentence) => html`<p>${sentence}</p>`)
      const near = await nearestTimes(work, visit, row)
      return page(visit, title, ['wait', 'clock'], [...why, ...near], row, true)
    }
    case 'ended':
      // Money arrived that the venue has to look at: nobody is shown that nothing was bought.
      if (row.why === 'amount') return confirmingPage(visit, row)
      if (row.why === 'unheard') return { ...confirmingPage(visit, row), refresh: unheardSeconds }
      return page(
        visit,
        endedTitle(visit.words, row),
        ['off', 'cross'],
        [html`<p>${endedWhy(visit, row)}</p>`, ...(await keptForm(work, visit, row))],
        row,
        true,
      )
    case 'opening':
      return {
        ...page(
          visit,
          tickets.momentTitle,
          ['wait', 'waiting'],
          html`<p>${isCard(row) ? visit.words.secure.cardHint : tickets.moment}</p>`,
          row,
        ),
        refresh: againSeconds,
      }
    default:
      // Whose page there is finished has nothing left to press.
      return isBack || row.why === 'unpaid'
        ? { ...confirmingPage(visit, row), refresh: againSeconds }
        : openPage(work, visit, row)
  }
}

const givenAnswer = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  visit: Visit,
  row: CheckoutRow,
): Promise<GuestAnswer> => {
  if (row.kind !== 'tickets') return secured(visit, row, await ownLinkOf({ db, venue }, row))
  const order = row.order_id === null ? undefined : await ownOrder(db, venue.id, row.order_id)
  if (!order) throw nothingHere()
  return boughtAnswer(visit, order)
}

/** Leads back with what they typed: to the same tickets, or to the same time and those nearest to it. Software shows its own. */
const keptForm = async (work: Work, visit: Visit, row: CheckoutRow): Promise<readonly Html[]> => {
  if (row.kind !== 'tickets') return nearestTimes(work, visit, row, true)
  const { venue, words, link } = visit
  const form = row.form as Partial<TicketsForm> | null
  if (!form || row.key_id !== null || row.occurrence_id === null) return []
  if (venue.paused || !visit.settings.doors.includes('tickets')) return []
  const date = await dateById(work.db, venue.id, row.occurrence_id, visit.now)
  if (!date) return []
  const kept = {
    ...{ do: 'again', date: date.id, seats: row.seats ?? 0, code: await codeOf(work, row) },
    ...{ first: form.firstName, last: form.lastName, email: form.email, tel: form.phone },
    ...(form.news && { news: 'yes' }),
  }
  return [
    html`<form class="stack" method="post" action="${link(`${doorPath(venue, 'tickets')}/${date.event_id}`)}">
      ${Object.entries(kept).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value ?? ''}" />`)}
      <button class="btn">${words.sale.again}</button>
    </form>`,
  ]
}

const codeOf = async ({ db, venue }: Work, { promo_code_id: id }: CheckoutRow): Promise<string> =>
  id === null ? '' : ((await promoCodeById(db, venue.id, id))?.code ?? '')

/** What is open nearest to the table that was gone, with what they typed; software shows its own. */
const nearestTimes = async (
  work: Work,
  visit: Visit,
  { kind, key_id, form }: CheckoutRow,
  isStillFree = false,
): Promise<readonly Html[]> => {
  const typedThen = form as Partial<TableForm> | null
  if (kind !== 'table' || key_id !== null || !typedThen?.asked) return []
  if (visit.venue.paused || !visit.settings.doors.includes('book')) return []
  const { date, time, startsAt, partySize, notes, experience, said } = typedThen.asked
  const then = { date, time, startsAt: Temporal.Instant.from(startsAt), partySize }
  const others = await alternativesTo(
    work,
    then,
    { reason: 'pacing-covers-full' },
    limits.alternativesDefault,
    undefined,
    visit.venue.country,
  )
  // A place that nobody took is pressed again; who took it meanwhile is seen then.
  const isAhead = isStillFree && Temporal.Instant.compare(then.startsAt, visit.now) > 0
  const near = isAhead ? [then, ...others.filter(({ startsAt: at }) => !at.equals(then.startsAt))] : others
  if (near.length === 0) return []
  const details: Readonly<Record<TypedDetail, string>> = {
    ...{ name: typedThen.firstName ?? '', email: typedThen.email ?? '', tel: typedThen.phone ?? '' },
    ...{ note: notes ?? '', occasion: said?.occasion ?? '', seat: said?.seating ?? '' },
  }
  const kept = { ...details, experience: experience?.key ?? '' }
  return [html`<p>${visit.words.book.nearest}</p>`, againForm(visit, near, { size: partySize, kept })]
}

/** Leads to what was bought. Once staff ended the order's link, this leads to no newer one. */
export const boughtAnswer = (visit: Visit, order: OwnOrderRow): GuestAnswer => {
  const { tickets, sale, mail } = visit.words
  const to = order.link_issue === 0 ? visit.linkTo('order', order.id, 0) : undefined
  if (to !== undefined && !visit.framed) return { to }
  const see =
    to === undefined
      ? sale.mailed
      : html`<a class="btn" href="${to}" target="_top">${mail.tickets.button}</a>`
  return page(visit, tickets.title, ['good', 'check'], html`<p>${see}</p>`)
}

/** Back to the site that the guest came from: what they bought is shown there, and mailed to them. */
const backToSite = (visit: Visit, row: CheckoutRow): GuestAnswer => {
  const { words } = visit
  const site = siteOf(visit, row)
  if (site !== undefined) return { to: site }
  const title = row.kind === 'table' ? words.book.title : words.tickets.title
  return page(visit, title, ['good', 'check'], html`<p>${words.sale.mailed}</p>`, row)
}

/** The address that software gave, unless the venue has taken its site off the list since. */
const siteOf = ({ settings }: Visit, { id, return_url }: CheckoutRow): string | undefined => {
  const url = return_url === null ? null : URL.parse(return_url)
  if (!url || !isListed(settings, url.origin)) return undefined
  url.searchParams.set('checkout', String(id))
  return url.href
}

const ownLinkOf = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  { reservation_id: id }: CheckoutRow,
): Promise<number | undefined> =>
  id === null ? undefined : (await guestBookingOf(db, venue.id, id))?.link_issue

/** Leads to the booking that was made or secured; once staff ended its first link, to no newer one. */
const secured = (visit: Visit, row: CheckoutRow, issue: number | undefined): GuestAnswer => {
  if (row.reservation_id === null || issue === undefined) throw nothingHere()
  const done = row.kind === 'table' ? 'new=1' : 'done=secured'
  return issue === 0 && !visit.framed
    ? { to: visit.link(`${visit.linkTo('booking', row.reservation_id, 0)}?${done}`) }
    : page(visit, titleOfSecured(visit, row), ['good', 'check'], html`<p>${visit.words.sale.mailed}</p>`, row)
}

const titleOfSecured = ({ words }: Visit, { kind }: CheckoutRow): string =>
  kind === 'table' ? words.book.title : words.asked.doneTitle

/** Nothing is asked of the processor now, as on a restored copy. */
const soonPage = (visit: Visit, row: CheckoutRow | undefined): ShownPage => ({
  ...page(
    visit,
    row ? openTitle(visit, row) : visit.words.sale.openTitle,
    ['wait', 'clock'],
    html`<p>${visit.words.sale.soon}</p>`,
    row,
  ),
  status: 503,
})

/** The guest is back, and the processor has not said whether they paid. */
const confirmingPage = (visit: Visit, row: CheckoutRow): ShownPage =>
  page(
    visit,
    visit.words.sale.confirmTitle,
    ['wait', 'waiting'],
    html`<p>${isCard(row) ? visit.words.secure.confirmCard : visit.words.sale.confirm}</p>`,
    row,
  )

/** A card that is only kept: nothing is paid. */
const isCard = ({ mode }: CheckoutRow): boolean => mode === 'setup'

const openTitle = ({ words }: Visit, row: CheckoutRow): string =>
  isCard(row) ? words.secure.openCard : words.sale.openTitle

/** To be paid: for the first time, or still. */
const openPage = async (work: Work, visit: Visit, row: CheckoutRow): Promise<ShownPage> => {
  const { sale: tickets } = visit.words
  const until = visit.formats.timeAt(toInstant(row.ends_at ?? row.counts_until))
  const { secure } = visit.words
  const kept = { table: secure.kept, tickets: tickets.open }[row.kind] ?? visit.words.asked.openUntil
  const first = (): string =>
    isCard(row) ? secure.withCard : tickets.pay(moneyIn(visit.formats, row.total_cents, row.currency))
  const goOn = isCard(row) ? secure.goOnCard : tickets.goOn
  const button = row.state === 'made' ? first() : goOn
  return {
    ...page(
      visit,
      openTitle(visit, row),
      ['wait', 'clock'],
      html`<p>${row.title}</p>
        ${await payFacts(work, visit, row)}
        ${row.sentence !== null && html`<p>${row.sentence}</p>`}
        <p>${kept(until)}</p>
        <form method="post" action="${visit.link(visit.linkTo('pay', row.id, 0))}" class="stack">
          <button class="btn" name="do" value="pay" ${visit.framed && html`formtarget="_top"`}>${button}</button>
          ${!visit.framed && html`<button class="btn line" name="do" value="give-up">${tickets.giveUp}</button>`}
        </form>`,
      row,
    ),
    leadsOut: true,
  }
}

const page = (
  visit: Visit,
  title: string,
  [tone, sign]: readonly [Parameters<typeof statePill>[0], Parameters<typeof statePill>[1]],
  body: Html | readonly Html[],
  row?: CheckoutRow,
  leadsBack = false,
): ShownPage => {
  const { words, venue, link } = visit
  const site = row && siteOf(visit, row)
  const isTable = row !== undefined && row.kind !== 'tickets'
  // Of a booking that is there its own page shows what is asked; only the mail has its link.
  const mayBook = leadsBack && (row?.kind === 'table' || row?.kind === 'tickets')
  return {
    title: `${title} · ${venue.name}`,
    look: 'narrow',
    body: card(html`<div class="stack">
        ${statePill(tone, sign, isTable ? words.book.title : words.sale.title)}
        <h1>${title}</h1>
        ${body}
      </div>
      <div class="acts">
        ${
          mayBook
            ? html`<a class="btn" href="${site ?? link(doorPath(venue, isTable ? 'book' : 'tickets'))}">${isTable ? words.secure.again : words.sale.again}</a>`
            : html`<a class="btn line" href="${site ?? link(doorPath(venue))}">${words.page.home(venue.name)}</a>`
        }
      </div>`),
  }
}

const endedWhy = ({ words: { sale: tickets, asked } }: Visit, { kind, why }: CheckoutRow): string => {
  if (why === 'not-asked' && (kind === 'ask' || kind === 'fee')) return asked.doneText
  if (why === 'given-up') return tickets.givenUp
  if (why === 'unpaid') return tickets.unpaid
  return why === 'away' || why === 'not-opened' ? tickets.away : tickets.late
}
