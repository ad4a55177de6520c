import { randomUUID } from 'node:crypto'
import { bookingRulesAround } from '../../book/rules/rules-store.ts'
import { askTable, termsNow } from '../../book/reservations/guarantee/ask-table.ts'
import { askingOf } from '../../book/reservations/guarantee/asked/asking.ts'
import { guaranteeOf } from '../../book/reservations/guarantee/guarantee-store.ts'
import { pressAsked } from '../../book/reservations/guarantee/asked/secure-asked.ts'
import {
  cancelByGuest,
  changeByGuest,
  withdrawByGuest,
} from '../../book/reservations/change/change-by-guest.ts'
import { nothingSaid } from '../../book/reservations/guest/guest-booking.ts'
import { requestReservation } from '../../book/reservations/request-reservation.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import type { When } from '../../book/day/when.ts'
import { guestSettingsOf } from '../../core/venue/guest-settings.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { momentWallReaches } from '../../platform/kernel/time/venue-clock.ts'
import { giveUp, lookForGuest, press } from '../../core/money/look.ts'
import { askTickets } from '../../tickets/online/ask-tickets.ts'
import { lookingAtTickets } from '../../tickets/online/looking.ts'
import { returnSeats, returnableOf } from '../../tickets/online/money-back/return-seats.ts'
import { soldOrder } from '../../tickets/order-reads.ts'
import { type MoneyWorld, evenings, uniqueEmail } from './world.ts'

/* What guests do. Each step draws what it does from the numbers of the world, and says it in a word or two. */

export type Step = (world: MoneyWorld) => Promise<unknown>

const sentence = 'Free until then.'
const times = ['18:00', '20:00']

export const whenAt = ({ random, venue }: MoneyWorld): When => {
  const wall = { date: random.pick(evenings), time: random.pick(times) }
  return { ...wall, startsAt: momentWallReaches(wall, venue.timezone) }
}

/** One of the bookings there are, mostly one that `fits`; undefined: none. */
export const aBooking = async (world: MoneyWorld, fits = 'g.id is not null'): Promise<number | undefined> => {
  const { random, rows } = world
  const fitting = random.chance(0.85) ? fits : 'true'
  const found = await rows<{ id: string }>(
    `select r.id from reservation r left join guarantee g on g.venue_id = $1 and g.reservation_id = r.id
      where r.venue_id = $1 and (${fitting}) order by r.id`,
  )
  return found.length === 0 ? undefined : Number(random.pick(found).id)
}

const aCheckout = async (world: MoneyWorld, states: readonly string[]): Promise<number | undefined> => {
  const found = await world.rows<{ id: string }>(
    `select id from checkout where venue_id = $1 and state in (${states.map((one) => `'${one}'`).join(',')}) order by id`,
  )
  return found.length === 0 ? undefined : Number(world.random.pick(found).id)
}

const wantTickets: Step = async ({ act, random, dates }) => {
  const seats = random.integer(1, 4)
  const asked = await act((work) =>
    askTickets(work, 'US', {
      ...{ occurrenceId: random.pick(dates), seats, promoCode: random.chance(0.3) ? 'HALF' : '' },
      ...{ language: 'en', title: 'Tickets' },
      buyer: { firstName: 'Maya', lastName: 'Okafor', email: uniqueEmail(), phone: null },
    }),
  )
  return asked.kind
}

const wantTable: Step = async (world) => {
  const { random, act } = world
  const when = whenAt(world)
  const partySize = random.integer(1, 6)
  return act(async (work) => {
    const experience = when.date === evenings[1] ? { key: 'tasting', name: 'Tasting menu' } : null
    const rules = await bookingRulesAround(work.db, work.venue, when.date)
    const terms = await termsNow(work, 'US', rules, { ...when, partySize, experience: experience?.key })
    if (!terms) return 'nothing asked'
    const said = { ...nothingSaid, formToken: randomUUID(), language: 'en' }
    const email = uniqueEmail()
    const request = {
      ...when,
      partySize,
      guestName: 'Maya',
      email,
      phone: null,
      notes: null,
      said,
      experience,
    }
    await askTable(work, {
      ...{ request, terms, sentence, title: 'A table', language: 'en' },
      by: { holder: randomUUID(), formerly: [] },
    })
    return `${terms.kind} for ${partySize}`
  })
}

/** As by phone or a key: nothing is asked of it until staff do. */
const bookPlain: Step = async (world) => {
  const when = whenAt(world)
  await world.act((work) =>
    requestReservation(work, {
      ...{ ...when, guestName: 'Ines', partySize: world.random.integer(1, 5), email: uniqueEmail() },
      ...{ phone: null, notes: null, externalId: null },
    }),
  )
}

/** Somebody who pays without a stop, and whose browser may or may not come back. */
const through =
  (want: Step): Step =>
  async (world) => {
    const { stripe, random, rows, service } = world
    const wanted = String(await want(world))
    const now = service.context.clock().toString()
    const [made] = await rows<{ id: string }>(
      `select id from checkout where venue_id = $1 and state = 'made' and counts_until > '${now}' order by id desc limit 1`,
    )
    if (!made) return wanted
    const id = Number(made.id)
    const { kind } = await press(looking(world), seen(world), id)
    const [row] = await rows<{ session_ref: string | null }>(
      `select session_ref from checkout where venue_id = $1 and id = ${id}`,
    )
    const session = row?.session_ref == null ? undefined : await stripe.pay(row.session_ref)
    if (session && random.chance(0.5)) await lookForGuest(looking(world), seen(world), id)
    return `${wanted}, ${kind}${session ? ', paid' : ''}`
  }

const pressPay: Step = async (world) => {
  const id = await aCheckout(world, ['made', 'opening', 'open'])
  if (id === undefined) return 'nothing'
  return (await press(looking(world), seen(world), id)).kind
}

/** At the processor, in a tab that knows nothing of what happened since. */
const pay: Step = async ({ stripe, random }) => {
  const open = [...stripe.sessions.values()].filter(({ status }) => status === 'open')
  if (open.length === 0) return 'nothing'
  return (await stripe.pay(random.pick(open).id)) ? 'paid' : 'too late'
}

const comeBack: Step = async (world) => {
  const id = await aCheckout(world, ['open', 'ended'])
  if (id !== undefined) await lookForGuest(looking(world), seen(world), id)
}

const giveItUp: Step = async (world) => {
  const id = await aCheckout(world, ['made', 'open'])
  if (id !== undefined) await giveUp(looking(world), seen(world), id)
}

const isAhead = `r.status in ('Requested', 'Confirmed')`

const cancelOwn: Step = async (world) => {
  const id = await aBooking(world, `g.id is not null and ${isAhead}`)
  if (id !== undefined) await world.act((work) => cancelByGuest(work, id))
}

const changeOwn: Step = async (world) => {
  const id = await aBooking(world, `g.id is not null and ${isAhead}`)
  if (id === undefined) return undefined
  const { random, act } = world
  const isMoved = random.chance(0.4)
  return act(async (work) => {
    const row = await bookedReservation(work.db, work.venue.id, id)
    const { settings } = await guestSettingsOf(work.db, work.venue.id)
    if (row?.starts_at == null) return 'nothing'
    const own = { date: row.date ?? '', time: row.time ?? '', startsAt: toInstant(row.starts_at) }
    const when = isMoved ? whenAt(world) : own
    const partySize = random.integer(1, 6)
    await changeByGuest(work, settings, { id, when, partySize, country: 'US', networks: [] })
    return `to ${partySize}`
  })
}

const withdrawOwn: Step = async (world) => {
  const id = await aBooking(world)
  if (id !== undefined) await world.act((work) => withdrawByGuest(work, id))
}

/** The button of their own page: a card, a deposit, what is added to one, or a fee. */
const secureOwn: Step = async (world) => {
  const id = await aBooking(world, 'g.asked_cents > 0')
  if (id === undefined) return undefined
  return world.act(async (work) => {
    const row = await guaranteeOf(work.db, work.venue.id, id)
    const booking = await bookedReservation(work.db, work.venue.id, id)
    const asking = row && booking && askingOf(row, booking, work.now())
    if (!asking) return 'nothing asked'
    const shown = { reservation: id, cents: asking.cents, sentence, title: 'A table', language: 'en' }
    return `${asking.kind} ${(await pressAsked(work, shown)).kind}`
  })
}

const returnSome: Step = async (world) => {
  const { random, rows, act } = world
  const found = await rows<{ id: string }>('select id from ticket_order where venue_id = $1 order by id')
  if (found.length === 0) return 'nothing'
  const id = Number(random.pick(found).id)
  return act(async (work) => {
    const order = await soldOrder(work.db, work.venue.id, id)
    const returnable = order && (await returnableOf(work, order))
    if (!order || !returnable) return 'nothing to return'
    const seats = random.integer(1, returnable.seats)
    const shownCents = returnable.centsFor(seats)
    await returnSeats(work, { order: id, seats, shownCents, seenVersion: order.version })
    return `${seats} for ${shownCents}`
  })
}

export const looking = ({ context }: MoneyWorld) => lookingAtTickets(context)
export const seen = ({ venue }: MoneyWorld) => ({ ...venue, plan: 'pro' as const })

export const buyAtOnce: readonly Step[] = [through(wantTickets), through(wantTable), through(wantTable)]

export const guestSteps: readonly (readonly [name: string, step: Step, weight: number])[] = [
  ['guest wants tickets', wantTickets, 3],
  ['guest wants a table', wantTable, 3],
  ['guest buys tickets', through(wantTickets), 4],
  ['guest secures a table', through(wantTable), 6],
  ['guest books without', bookPlain, 2],
  ['guest goes to pay', pressPay, 6],
  ['guest pays', pay, 6],
  ['guest comes back', comeBack, 3],
  ['guest gives up', giveItUp, 2],
  ['guest cancels', cancelOwn, 3],
  ['guest changes', changeOwn, 6],
  ['guest withdraws a change', withdrawOwn, 1],
  ['guest returns seats', returnSome, 2],
  ['guest presses on their page', secureOwn, 3],
  ['guest does what is asked', through(secureOwn), 8],
]
