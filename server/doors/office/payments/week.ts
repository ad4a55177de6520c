import { limits } from '@venue-data/contract/limits.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { amountInFile } from '../../../core/money/currency.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type CsvValue, csvRow } from '../../../platform/kernel/csv/csv-text.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { addDays, dayNumber, firstOfWeek } from '../../../platform/kernel/time/calendar.ts'
import { dateInWords, staffFormats } from '../../../platform/kernel/time/in-words.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { momentWallReaches, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import {
  type Moved,
  type MovedForName,
  type Movement,
  type MovementKind,
  movementsAfter,
  netOf,
} from '../../../tickets/online/reconciling/movement-reads.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { addressOf, counted } from '../parts/pager.ts'
import { amountOf } from './matters.ts'

/* A week of payments by the day on which money moved, and the same as a file: both are sums and rows of one statement. */

export const home = '/office/payments'

export type Week = { readonly from: LocalDate; readonly to: LocalDate; readonly isNow: boolean }

/** The week of a day that the address names; without one, or with a day ahead, this week. */
export const weekOf = ({ me }: Pick<OfficeWork, 'me'>, asked: string, today: LocalDate): Week => {
  const { firstWeekday } = me.venue ? staffFormats(me.venue) : { firstWeekday: 1 }
  const day = asked === '' ? today : readDate(asked)
  if (day === undefined) throw badRequest('The week must be named by one of its dates, YYYY-MM-DD.')
  const now = firstOfWeek(today, firstWeekday)
  const first = firstOfWeek(day, firstWeekday)
  const from = first < now ? first : now
  return { from, to: addDays(from, 6), isNow: from === now }
}

/** What moved on some of the venue's days, the last one included. */
export const spanOf = (
  { venue }: Pick<OfficeWork, 'venue'>,
  { from, to }: Pick<Week, 'from' | 'to'>,
  live: boolean,
) => {
  const startOf = (date: LocalDate) => momentWallReaches({ date, time: '00:00' }, venue.timezone)
  return { from: startOf(from), to: startOf(addDays(to, 1)), live }
}

export const weekWords = ({ from, to }: Week): string => `${dateInWords(from)} – ${dateInWords(to)}`

/** Links to the weeks before and after, and a day of any. */
export const weekSteps = (week: Week): Html => {
  const to = (date: LocalDate): string => addressOf(home, { week: date })
  return html`<div class="inline">
      <a class="button" href="${to(addDays(week.from, -7))}" aria-label="Previous week">‹</a>
      <a class="button" href="${home}" ${week.isNow && html`aria-current="date"`}>This week</a>
      ${!week.isNow && html`<a class="button" href="${to(addDays(week.from, 7))}" aria-label="Next week">›</a>`}
      <form class="go-to" method="get" action="${home}">
        <input type="date" name="week" value="${week.from}" aria-label="A day of the week to show" required /><button>Go</button>
      </form>
    </div>`
}

export const movedCard = (title: string, moved: readonly Moved[], more?: Html): Html =>
  html`<section class="card">
    <h2>${title}</h2>
    ${moved.length === 0 && html`<p class="soft">No payments or refunds.</p>`}
    ${moved.map((sums) => {
      const amount = (cents: number): string => amountOf({ amount_cents: cents, currency: sums.currency })
      return html`<div class="figures">
          ${figure(amount(sums.cents_in), counted(sums.payments, 'payment'))}
          ${figure(amount(sums.cents_back), 'refunded')}
          ${sums.cents_lost > 0 && figure(amount(sums.cents_lost), 'lost to disputes')}
          ${sums.cents_returned > 0 && figure(amount(sums.cents_returned), 'came back again')}
          ${figure(amount(netOf(sums)), 'net')}
        </div>`
    })}
    ${more}
  </section>`

const figure = (amount: string, name: string): Html =>
  html`<div class="figure"><strong>${amount}</strong><span>${name}</span></div>`

/** What moved in a week that is past, for each event, experience and kind of guarantee. */
export const namesCard = (names: readonly MovedForName[], nameOf: NameOf): Html =>
  html`<section class="card list-card">
    <h2>By event and policy</h2>
    ${
      names.length === 0
        ? html`<p class="empty">No payments or refunds.</p>`
        : html`<ul class="rows dates">
            ${names.map((one) => html`<li><span class="grow breaks">${nameOf(one)}</span>${netPart(one)}</li>`)}
          </ul>`
    }
  </section>`

export const kindWords: Readonly<Record<string, string>> = {
  card: 'Charged to cards',
  deposit: 'Deposits',
  prepaid: 'Paid ahead',
}

type NameOf = (of: Omit<MovedForName, keyof Moved>) => string

/** What something was paid for: an event, an experience, or what the venue asks for. */
export const namesIn = async ({ db, venue }: Pick<OfficeWork, 'db' | 'venue'>): Promise<NameOf> => {
  const { experiences } = await allBookingRules(db, venue.id)
  const names = new Map(experiences.map(({ key, name }) => [key, name]))
  return ({ event_name, experience, guarantee_kind }) => {
    if (event_name !== null) return event_name
    const kind = kindWords[guarantee_kind ?? ''] ?? ''
    if (experience === null) return kind
    return `${names.get(experience) ?? experience}: ${kind.toLowerCase()}`
  }
}

/** What is left of what came in, and what went where; and what was given back another way, which is in none of it. */
export const netPart = (moved: Omit<Moved, 'payments'>, otherwiseCents = 0): Html => {
  const amount = (cents: number): string => amountOf({ amount_cents: cents, currency: moved.currency })
  const gone = [
    ...(moved.cents_back > 0 ? [`${amount(moved.cents_back)} refunded`] : []),
    ...(moved.cents_lost > 0 ? [`${amount(moved.cents_lost)} lost to disputes`] : []),
    ...(moved.cents_returned > 0 ? [`${amount(moved.cents_returned)} came back again`] : []),
  ]
  return html`<span
    ><span class="strong">${amount(netOf(moved))}</span>${
      gone.length > 0 &&
      html` <span class="small soft">after ${new Intl.ListFormat('en').format(gone)}</span>`
    }${
      otherwiseCents > 0 &&
      html` <span class="small soft">(${amount(otherwiseCents)} more was refunded another way than through Stripe)</span>`
    }</span
  >`
}

/** Asks for a file of these days, or of others. */
export const fileCard = ({ from, to }: Pick<Week, 'from' | 'to'>): Html =>
  html`<section class="card">
    <h2>As a file</h2>
    <p class="soft">Each payment, fee, refund and dispute that moved money on these days, by the venue’s clock, as CSV.</p>
    <form class="list-choices" method="get" action="${home}/payments.csv">
      <label class="field"><span>First day</span><input name="from" type="date" value="${from}" required /></label>
      <label class="field"><span>Last day</span><input name="to" type="date" value="${to}" required /></label>
      <button>Download</button>
    </form>
  </section>`

/** The days that an address asks a file of. */
export const fileDays = (query: URLSearchParams): Pick<Week, 'from' | 'to'> => {
  const [from, to] = [readDate(query.get('from') ?? ''), readDate(query.get('to') ?? '')]
  if (from === undefined || to === undefined)
    throw badRequest('The first and the last day must both be real dates, YYYY-MM-DD.')
  if (to < from) throw badRequest('The last day must not be before the first.')
  if (dayNumber(to) - dayNumber(from) >= limits.figuresDays)
    throw badRequest(`A file covers at most ${limits.figuresDays} days.`)
  return { from, to }
}

/** One row for each movement, as they are read: a slow reader fills no memory. */
export const movementsFile = async function* (
  work: OfficeWork,
  days: Pick<Week, 'from' | 'to'>,
  live: boolean,
): AsyncGenerator<string> {
  yield `\uFEFF${csvRow(['date', 'time', 'kind', 'event_or_policy', 'order_or_booking', 'amount', 'currency', 'origin'])}`
  const span = spanOf(work, days, live)
  const nameOf = await namesIn(work)
  let last: Movement | undefined
  do {
    const rows = await movementsAfter(work.db, work.venue.id, span, last)
    yield rows.map((row) => csvRow(cellsOf(row, nameOf(row), work.venue.timezone))).join('')
    last = rows.at(-1)
  } while (last !== undefined)
}

const cellsOf = (row: Movement, name: string, zone: string): readonly CsvValue[] => {
  const { date, time } = wallTimeOf(toInstant(row.at), zone)
  return [
    ...[date, time, kindsInFile[row.kind as MovementKind], name],
    row.order_number ?? row.reservation_id ?? '',
    { written: amountInFile(row.amount_cents, row.currency) },
    ...[row.currency, originsInFile[row.origin] ?? ''],
  ]
}

const kindsInFile: Readonly<Record<MovementKind, string>> = {
  payment: 'payment',
  fee: 'fee charged',
  refund: 'refund',
  'dispute-lost': 'dispute lost',
  'refund-returned': 'refund came back',
  'dispute-won': 'dispute won',
}

/** Who moved it. */
const originsInFile: Readonly<Record<string, string>> = {
  guest: 'guest page',
  key: 'software',
  charge: 'card on file',
  us: 'venue or its rules',
  dashboard: 'Stripe dashboard',
  dispute: 'bank',
}
