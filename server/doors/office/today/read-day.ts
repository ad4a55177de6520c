import { type MoneyAside, moneyAsideOf } from '../../../book/reservations/guarantee/paid-otherwise.ts'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Html } from '../../../platform/html/html.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, clockTimeAt, readDate } from '../../../platform/kernel/time/written-time.ts'
import {
  type BookSum,
  type ChangeToAnswer,
  type DayRow,
  bookPageSize,
  bookingsOfDay,
  changesToAnswer,
  requestsShown,
  requestsToAnswer,
  sumsOfDay,
} from '../../../book/reservations/day-book.ts'
import { limitsAt, limitsOf } from '../../../book/rules/placement.ts'
import { closedDay, plannedPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { momentOfServiceMinute, serviceDateAt } from '../../../book/rules/service-now.ts'
import { closedInStaffWords } from '../../../book/reservations/staff-sentences.ts'
import { placedStatuses } from '../../../book/day/arrivals-reads.ts'
import type { BookingRules, ServicePeriod } from '../../../book/rules/booking-rules.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { labelsPaged } from '../../../book/day/tables-of-booking-reads.ts'
import { type AtDoor, atDoorNow } from '../../../book/tables/offered/at-door.ts'
import { type EveningFloor, eveningFloor } from '../../../book/tables/reads.ts'
import { type ServersSeen, serversSeen } from '../../../book/servers/seen.ts'
import { type RefundToAnswer, refundsToAnswer } from '../../../tickets/refund-request-store.ts'
import { lapsedParties, lineOf } from '../../../book/waitlist/evening.ts'
import { type UnreachedParty, unreachedParties } from '../../../book/waitlist/messages/failed-party-mails.ts'
import type { LikelyTable } from '../../../book/tables/likely-table.ts'
import { quoteFor } from '../../../book/waitlist/quote.ts'
import { textSenderOf } from '../../../book/texts/sender-store.ts'
import { type LastText, lastTexts } from '../../../book/texts/texts-store.ts'
import { partiesAhead } from '../../../book/waitlist/reads.ts'
import type { EntryRow, LineRow } from '../../../book/day/entry-row.ts'
import { idIn } from '../parts/time-words.ts'
import { minuteMark } from '../parts/each-minute.ts'
import type { SlotFigure } from '../parts/slot-chart.ts'
import { type Asks, insteadWords, turnsOf } from '../service/instead.ts'
import { promisesInLine } from '../service/likely-next.ts'
import { type LineOffers, lineInTurn, lineOffers, lineTonight } from '../service/line-offers.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type DayFigure, readWeeks } from './read-weeks.ts'

/*
 * Everything the book of a service date shows, in a handful of statements that run concurrently.
 */

/** `answer` is the request queue on its own, for screens without room above the list. */
export const bookViews = ['list', 'answer', 'timeline', 'floor', 'weeks'] as const
/** The current evening as a host works in it, in lists or with the rooms: pages of their own, never of another day. */
const eveningPaths = { service: '/office/service', rooms: '/office/floor' } as const
type EveningView = keyof typeof eveningPaths
export type BookView = (typeof bookViews)[number] | EveningView

export const isEvening = (view: BookView): view is EveningView => view in eveningPaths

/** Parties the pages of the evening show of it, standing or finished. */
const mostInService = 400

/** Which part of the book is requested; it is in the URL, so that a page can be reloaded and shared. */
export type BookQuery = {
  /** A service date; undefined for the current one. */
  readonly date: LocalDate | undefined
  readonly view: BookView
  /** Counted from 0. */
  readonly page: number
  /** Of an evening: whether every row is shown, of long lists, too. */
  readonly isWhole?: boolean
  /** Of the floor: whose tables alone are shown, by the id of the server. */
  readonly server?: number | undefined
}

export const bookQueryOf = (query: URLSearchParams): BookQuery => {
  const view = query.get('view')
  const page = query.get('page') ?? ''
  return {
    date: readDate(query.get('date') ?? ''),
    view: bookViews.find((known) => known === view) ?? 'list',
    page: /^\d{1,3}$/.test(page) ? Number(page) : 0,
  }
}

/** The address of a book; on each of its forms, to return to. */
export const bookAddress = ({ date, view, page, isWhole, server }: BookQuery): string => {
  if (isEvening(view)) {
    const of = [...(isWhole ? ['all=1'] : []), ...(server === undefined ? [] : [`server=${server}`])]
    return `${eveningPaths[view]}${of.length === 0 ? '' : `?${of.join('&')}`}`
  }
  const parts = [
    ...(date === undefined ? [] : [`date=${date}`]),
    ...(view === 'list' ? [] : [`view=${view}`]),
    ...(page === 0 ? [] : [`page=${page}`]),
  ]
  return `/office/today${parts.length === 0 ? '' : `?${parts.join('&')}`}`
}

/** What the book is read from. */
export const bookQueryIn = (address: string): BookQuery => {
  const view = eveningIn(address)
  const query = new URLSearchParams(address.split(/[?#]/)[1] ?? '')
  if (!view) return bookQueryOf(query)
  return {
    date: undefined,
    view,
    page: 0,
    isWhole: query.has('all'),
    server: idIn(query.get('server') ?? undefined),
  }
}

/** Which page of the evening an address is, if it is one. */
export const eveningIn = (address: string): EveningView | undefined => {
  const path = address.split(/[?#]/, 1)[0]
  return eveningViews.find((view) => eveningPaths[view] === path)
}
const eveningViews = ['service', 'rooms'] as const satisfies readonly EveningView[]

/** The page of the evening that a form was on, to come back to: the lists, unless it says the floor. */
export const eveningBack = (address: string): string =>
  eveningIn(address) ? bookAddress(bookQueryIn(address)) : eveningPaths.service

/** A page that shows bookings as rows, to come back to at one of them. */
export const isBook = (address: string): boolean =>
  eveningIn(address) !== undefined || /^\/office\/today(?:$|[?#])/.test(address)

export type Slot = SlotFigure & {
  readonly fromMinute: number
  readonly toMinute: number
}

export type DayBook = {
  readonly query: BookQuery
  /** The service date shown, and the current one. */
  readonly date: LocalDate
  readonly today: LocalDate
  readonly now: Temporal.Instant
  readonly rules: BookingRules
  readonly periods: readonly ServicePeriod[]
  /** Why there is no service, if there is not. */
  readonly closed: string | null
  readonly slots: readonly Slot[]
  readonly totals: Totals
  /** One page of the active bookings, by time. */
  readonly bookings: readonly DayRow[]
  readonly pages: number
  /** Those finished for the evening: completed, cancelled, no-show. */
  readonly finished: readonly DayRow[]
  readonly requests: readonly DayRow[]
  readonly moreRequests: boolean
  /** Changes of confirmed bookings that wait for an answer. */
  readonly changes: readonly ChangeToAnswer[]
  /** Refunds that wait for an answer; managers answer them. */
  readonly refunds: readonly RefundToAnswer[]
  /** Parties on the waitlist for this evening. */
  readonly waiting: number
  /** The wait quoted to a party of two that comes now, in minutes, for the view that shows it. */
  readonly quote: number
  /** What each party in line is likely to get, by its id. */
  readonly likely: ReadonlyMap<number, LikelyTable> | undefined
  /** Where tables decide and nobody is in line: a walk-in of two could sit down now. */
  readonly isTableFree: boolean
  /** The same, but parties without a table need those that are open. */
  readonly isTableNeeded: boolean
  /** They themselves, for the view that shows them. */
  readonly line: readonly LineRow[]
  /** The results of the last texts to them, and their replies. */
  readonly texts: ReadonlyMap<number, LastText>
  /** The same for bookings. */
  readonly bookingTexts: ReadonlyMap<number, LastText>
  /** What of the money behind bookings a refund would not send back. */
  readonly moneyAside: ReadonlyMap<number, MoneyAside>
  /** Whether staff can text anybody. */
  readonly mayText: boolean
  /** The parties of the waitlist whom the last mail did not reach. */
  readonly unreached: readonly UnreachedParty[]
  /** The tables that paged parties at the door hold, where tables decide. */
  readonly paged?: ReadonlyMap<number, string> | undefined
  /** Where those in line could sit down now, where tables decide. */
  readonly offers: LineOffers | undefined
  /** For how long a party could sit down at a table that nobody has, where tables decide. */
  readonly reachOf?: AtDoor['reachOf'] | undefined
  /** Who would get such a table. */
  readonly neededAt?: AtDoor['neededAt'] | undefined
  readonly stayTo?: AtDoor['stayTo'] | undefined
  /** Where else those could sit whose table is not free though they are here or due, in words by the ids of bookings. */
  readonly instead?: ReadonlyMap<number, Asks> | undefined
  /** Those whose offer or wait ended tonight without them. */
  readonly lapsed: readonly EntryRow[]
  /** The tables with who is at them, where tables decide and the page shows them. */
  readonly evening?: EveningFloor | undefined
  /** Who serves whom and where, where the page shows tables and the service has a line-up. */
  readonly servers?: ServersSeen | undefined
  /** The days from the date on, if the view shows them. */
  readonly days: readonly DayFigure[]
  /** What the walk-in pad answers, on a page that was asked for with a size. */
  readonly pad?: Html | undefined
  /** Changes whenever anything here may have changed. */
  readonly mark: string
}

export type Totals = {
  readonly covers: number
  readonly parties: number
  readonly here: number
  readonly toCome: number
  readonly finished: number
}

const standing = ['Requested', 'Confirmed', 'Seated'] as const satisfies readonly ReservationStatus[]
const over = ['Completed', 'Cancelled', 'No-show'] as const satisfies readonly ReservationStatus[]

export const readDay = async (work: OfficeWork, query: BookQuery): Promise<DayBook> => {
  const { db, venue, me } = work
  const now = work.now()
  const wall = wallTimeOf(now, venue.timezone)
  // Read before the lists: a change in between shows at the next refresh, instead of never.
  const [mark, rulesNow] = await Promise.all([minuteMark(work), bookingRulesAround(db, venue, wall.date)])
  const today = serviceDateAt(rulesNow, now)
  const date = query.date ?? today
  const isTonight = isEvening(query.view)
  const size = isTonight ? mostInService : bookPageSize
  const rules = date === wall.date ? rulesNow : await bookingRulesAround(db, venue, date)
  const [
    sums,
    bookings,
    finished,
    requests,
    changes,
    refunds,
    waiting,
    quote,
    days,
    lines,
    paged,
    lapsed,
    unreached,
    evening,
    sender,
    servers,
  ] = await Promise.all([
    sumsOfDay(db, venue.id, date),
    bookingsOfDay(db, venue.id, date, { statuses: standing, page: query.page, size }),
    bookingsOfDay(db, venue.id, date, { statuses: over, page: query.page, size }),
    requestsToAnswer(db, venue.id),
    changesToAnswer(db, venue.id, now),
    mayAct(me.staff.role, 'manager') ? refundsToAnswer(db, venue.id, requestsShown) : [],
    partiesAhead(db, venue.id, today, null),
    isTonight ? quoteFor(work, { serviceDate: today, partySize: 2, rules: rulesNow }) : undefined,
    query.view === 'weeks' ? readWeeks(work, date) : [],
    isTonight ? lineOf(db, venue.id, 0) : [],
    isTonight && rules.floor ? labelsPaged(db, venue.id, now) : undefined,
    isTonight ? lapsedParties(db, venue.id, today) : [],
    isTonight ? unreachedParties(db, venue.id, today) : [],
    isTonight && rules.floor ? eveningFloor(work, date, rules) : undefined,
    textSenderOf(db, venue.id),
    isTonight ? serversSeen(work, rules, date) : undefined,
  ])
  const line = lineTonight(lines, today)
  const atDoor = evening && (await atDoorNow(work))
  const openNow = (line.length === 0 && atDoor?.openFor(2)) || []
  const seen = atDoor && { atDoor, evening, now, timezone: venue.timezone, likely: quote?.before.here }
  const instead = seen && insteadWords(seen, bookings)
  const inTurn = lineInTurn(line, paged)
  const offered = seen && instead && lineOffers(seen, inTurn, turnsOf(instead))
  const offers =
    offered &&
    quote &&
    (await promisesInLine(work, offered, inTurn, {
      ...{ serviceDate: today, rules: rulesNow, before: quote.before.line },
    }))
  const isTableFree = openNow.some(({ neededBy }) => neededBy === undefined)
  const idsOf = (some: readonly { readonly id: number }[]): number[] => some.map(({ id }) => id)
  const [texts, bookingTexts, moneyAside] = await Promise.all([
    lastTexts(db, venue.id, 'waitlist_entry', idsOf([...line, ...lapsed])),
    sender ? lastTexts(db, venue.id, 'reservation', idsOf([...bookings, ...finished])) : new Map(),
    moneyAsideOf(db, venue.id, [...bookings, ...requests]),
  ])
  const periods = plannedPeriodsOn(rules, date).toSorted((a, b) => a.startMinute - b.startMinute)
  const closed = closedDay(rules, date)
  const rows = (statuses: readonly string[]) =>
    sum(
      sums.filter(({ status }) => statuses.includes(status)),
      'parties',
    )
  return {
    query,
    date,
    today,
    now,
    rules,
    evening,
    servers,
    periods,
    closed: closed && closedInStaffWords(closed, wall.date),
    slots: slotsOf(rules, date, periods, sums),
    totals: totalsOf(sums),
    bookings,
    pages: Math.max(1, Math.ceil(Math.max(rows(standing), rows(over)) / bookPageSize)),
    finished,
    requests: requests.slice(0, requestsShown),
    moreRequests: requests.length > requestsShown || changes.length > requestsShown,
    changes: changes.slice(0, requestsShown),
    refunds,
    waiting,
    quote: quote?.minutes ?? 0,
    likely: quote?.before.line,
    isTableFree,
    isTableNeeded: openNow.length > 0 && !isTableFree,
    texts,
    bookingTexts,
    moneyAside,
    mayText: sender !== undefined,
    unreached,
    paged,
    offers,
    reachOf: atDoor?.reachOf,
    neededAt: atDoor?.neededAt,
    stayTo: atDoor?.stayTo,
    instead,
    lapsed,
    line,
    days,
    mark,
  }
}

/** The current minute of a service date, in elapsed minutes, so an hour skipped by the clocks counts. */
export const minuteOfDate = (rules: BookingRules, date: LocalDate, now: Temporal.Instant): number =>
  (now.epochMilliseconds - momentOfServiceMinute(rules, date, 0).epochMilliseconds) / 60_000

const totalsOf = (sums: readonly BookSum[]): Totals => {
  const of = (...statuses: ReservationStatus[]) =>
    sums.filter(({ status }) => statuses.some((one) => one === status))
  const held = of(...placedStatuses)
  const expected = of('Requested', 'Confirmed')
  return {
    covers: sum(held, 'covers'),
    parties: sum(held, 'parties'),
    here: sum(of('Seated'), 'parties') + sum(expected, 'arrived'),
    toCome: sum(expected, 'parties') - sum(expected, 'arrived'),
    finished: sum(of('Completed'), 'parties'),
  }
}

/** A day's pacing buckets with what arrives in them. A bucket after the last arrival shows only if used. */
export const slotsOf = (
  rules: BookingRules,
  date: LocalDate,
  periods: readonly ServicePeriod[],
  sums: readonly BookSum[],
): Slot[] => {
  const counted = sums.filter(({ status }) => placedStatuses.some((one) => one === status))
  return periods.flatMap((period) => {
    const { intervalMinutes } = limitsOf(rules, period).pacing
    const count = Math.ceil((period.endMinute - period.startMinute) / intervalMinutes)
    const last = period.lastArrivalMinute ?? period.endMinute - 1
    return Array.from({ length: count }, (_, i) => period.startMinute + i * intervalMinutes).flatMap(
      (from) => {
        const to = Math.min(from + intervalMinutes, period.endMinute)
        const { maxCovers, maxParties } = limitsAt(rules, period, {
          serviceDate: date,
          fromMinute: from,
        }).pacing
        const within = counted.filter(({ service_minute: at }) => from <= at && at < to)
        const taken =
          period.seatingMinutes.length === 0
            ? from <= last
            : period.seatingMinutes.some((at) => from <= at && at < to)
        if (!taken && within.length === 0) return []
        return [
          {
            fromMinute: from,
            toMinute: to,
            time: clockTimeAt(from),
            covers: sum(within, 'covers'),
            parties: sum(within, 'parties'),
            mostCovers: maxCovers,
            mostParties: maxParties,
          },
        ]
      },
    )
  })
}

const sum = (rows: readonly BookSum[], of: 'covers' | 'parties' | 'arrived'): number =>
  rows.reduce((total, row) => total + row[of], 0)
