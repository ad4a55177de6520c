import type { PaymentMethod, TicketChannel } from '@venue-data/contract/records/ticket-order.ts'
import { minuteOfDay } from '../platform/kernel/time/written-time.ts'
import type { DemoEvent, DemoOccurrence } from './events.ts'
import type { DemoGuest } from './guest-book.ts'
import type { People, Person } from './people.ts'
import type { Random } from './random.ts'
import { type Settlement, settlementOf } from './ticket-settlement.ts'
import { type Price, priceOf } from './ticket-price.ts'
import { dayMs, hourMs, minuteMs, momentAt, wallAt } from './venue-time.ts'

export type DemoOrder = Price &
  Settlement & {
    readonly event: DemoEvent
    readonly occurrence: DemoOccurrence
    readonly orderNumber: string
    readonly channel: TicketChannel
    readonly paymentMethod: PaymentMethod
    readonly buyer: Person
    readonly buyerPhone: string | null
    readonly seats: number
    readonly marketingOptIn: boolean | null
    readonly createdAt: number
  }

type Sales = {
  readonly events: readonly DemoEvent[]
  readonly guests: readonly DemoGuest[]
  readonly count: number
  readonly now: number
}

/** So many orders over all dates, none beyond a date's places, none made after now. */
export const ticketOrders = (
  random: Random,
  people: People,
  { events, guests, count, now }: Sales,
): DemoOrder[] => {
  const numbers = new Set<string>()
  const sold = events.flatMap((event) =>
    event.dates.flatMap((occurrence) => salesOf(random, event, occurrence, now)),
  )
  const orders = random
    .shuffled(sold)
    .slice(0, count)
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((sale) => {
      const regular = random.chance(0.6) && guests.length > 0 ? random.pick(guests) : undefined
      const buyer =
        regular?.createdAt !== undefined && regular.createdAt <= sale.createdAt && regular.email !== null
          ? regular.person
          : people.meet()
      return orderOf(random, { ...sale, buyer, orderNumber: orderNumber(random, numbers) }, now)
    })
  return withUnconfirmed(orders, now)
}

/** The newest orders by bank transfer or card wait for the bank's word: at least so many. */
const leastUnconfirmed = 3

const withUnconfirmed = (orders: readonly DemoOrder[], now: number): DemoOrder[] => {
  const waiting = orders.filter(({ status }) => status === 'paid_unconfirmed').length
  const today = wallAt(now).date
  const newest = new Set(
    orders
      .filter(
        ({ status, channel, totalCents }) => status === 'paid' && channel === 'public' && totalCents > 0,
      )
      .toSorted(
        (a, b) =>
          Number(b.occurrence.date > today) - Number(a.occurrence.date > today) || b.createdAt - a.createdAt,
      )
      .slice(0, Math.max(0, leastUnconfirmed - waiting)),
  )
  return orders.map((order) =>
    newest.has(order)
      ? { ...order, status: 'paid_unconfirmed', paidAt: null, updatedAt: order.createdAt }
      : order,
  )
}

type Sale = {
  readonly event: DemoEvent
  readonly occurrence: DemoOccurrence
  readonly startsAt: number
  readonly seats: number
  readonly channel: TicketChannel
  readonly createdAt: number
}

/** Orders of one date until it is about as full as its kind gets. */
const salesOf = (random: Random, event: DemoEvent, occurrence: DemoOccurrence, now: number): Sale[] => {
  const startsAt = momentAt(occurrence.date, minuteOfDay(occurrence.startTime))
  const places = Math.floor(event.capacity * random.normal(0.9, 0.12, 0.45, 1))
  const sales: Sale[] = []
  for (let taken = 0; ;) {
    const seats = random.weighted([
      [1, 14],
      [2, 60],
      [3, 9],
      [4, 14],
      [6, 3],
    ])
    if (taken + seats > places) return sales
    taken += seats
    const channel = random.chance(0.17) ? 'box_office' : 'public'
    const ahead =
      channel === 'box_office' && random.chance(0.6) ? random.draw() * 0.3 : random.exponential(11)
    // Tickets go on sale eight weeks before.
    const createdAt = Math.floor(startsAt - 20 * minuteMs - Math.min(ahead, 56) * dayMs)
    if (createdAt <= now)
      sales.push({ event, occurrence, startsAt, seats, channel, createdAt: awake(createdAt) })
  }
}

/** Nobody buys at four in the morning: the night's orders were made before it. */
const awake = (moment: number): number => {
  const hour = Math.floor(moment / hourMs) % 24
  return hour >= 5 && hour < 12 ? moment - 8 * hourMs : moment
}

const orderOf = (
  random: Random,
  sale: Sale & { readonly buyer: Person; readonly orderNumber: string },
  now: number,
): DemoOrder => {
  const { event, occurrence, startsAt, buyer, orderNumber, seats, channel, createdAt } = sale
  const paymentMethod = methodOf(random, channel, event.priceCents)
  const price = priceOf(random, { seats, priceCents: event.priceCents, paymentMethod })
  const settled = settlementOf(
    random,
    { createdAt, startsAt, seats, paymentMethod, total: price.totalCents },
    now,
  )
  return {
    event,
    occurrence,
    orderNumber,
    channel,
    paymentMethod,
    buyer,
    buyerPhone: random.chance(channel === 'public' ? 0.8 : 0.4) ? buyer.phone : null,
    seats,
    ...price,
    ...settled,
    marketingOptIn: channel === 'public' ? random.chance(0.34) : null,
    createdAt,
  }
}

const methodOf = (random: Random, channel: TicketChannel, priceCents: number): PaymentMethod => {
  if (priceCents === 0) return 'free'
  if (channel === 'public') return random.chance(0.03) ? 'external' : 'processor_link'
  return random.weighted([
    ['cash', 34],
    ['processor_link', 34],
    ['comp', 22],
    ['external', 10],
  ])
}

/** Letters and digits that cannot be taken for one another. */
const orderLetters = Array.from('23456789ABCDEFGHJKMNPQRSTUVWXYZ')

const orderNumber = (random: Random, taken: Set<string>): string => {
  for (;;) {
    const number = `BD-${Array.from({ length: 5 }, () => random.pick(orderLetters)).join('')}`
    if (taken.has(number)) continue
    taken.add(number)
    return number
  }
}
