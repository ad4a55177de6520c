import {
  askGuest,
  letChargeGo,
  paidOtherwise,
  waiveGuarantee,
} from '../../book/reservations/guarantee/asked/ask-booking.ts'
import {
  chargeCard,
  refundGuarantee,
  takeOffBill,
} from '../../book/reservations/guarantee/charging/charge.ts'
import { refundAgain } from '../../book/reservations/guarantee/give-back.ts'
import { guaranteeOf } from '../../book/reservations/guarantee/guarantee-store.ts'
import { answerChange } from '../../book/reservations/change/answer-change.ts'
import { pendingChange } from '../../book/reservations/change/pending-change.ts'
import { deleteReservation } from '../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { bookedReservation } from '../../book/day/book-row.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { soldOrder } from '../../tickets/order-reads.ts'
import { dismissRefund, recordRefund, retryRefund } from '../../tickets/refunds.ts'
import type { Work } from '../../context.ts'
import { type Step, aBooking, whenAt } from './guest-steps.ts'
import { type MoneyWorld, manager } from './world.ts'

/* What hosts and managers press. */

const atBooking =
  (does: (work: Work, id: number, world: MoneyWorld) => Promise<unknown>, fits?: string): Step =>
  async (world) => {
    const id = await aBooking(world, fits)
    return id === undefined ? 'nothing' : world.act((work) => does(work, id, world))
  }

const moves = ['confirm', 'seat', 'complete', 'markNoShow', 'undoNoShow', 'undoCancel'] as const

const move = atBooking(async (work, id, { random }) => {
  const name = random.pick(moves)
  return `${name} ${(await moveReservation(work, manager, { id, move: name })).kind}`
})

const cancel = atBooking(async (work, id, { random }) => {
  const decidedBy = random.pick(['guest', 'staff'] as const)
  const isFinal = random.chance(0.3)
  return `${decidedBy} ${(await moveReservation(work, manager, { id, move: 'cancel', decidedBy, isFinal })).kind}`
})

const edit = atBooking(async (work, id, world) => {
  const { random } = world
  const row = await bookedReservation(work.db, work.venue.id, id)
  const when = random.chance(0.5) ? { when: whenAt(world) } : {}
  const confirmed = [
    random.pick(['guest-asked', 'venue-asked'] as const),
    random.pick(['give-back', 'keep-agreed'] as const),
  ]
  const changes = { ...when, partySize: random.integer(1, 6) }
  const edited = { id, seenVersion: row?.version ?? 0, changes, confirmed }
  return `${(await editReservation(work, manager, edited)).kind} ${changes.partySize}`
})

const answer = atBooking(async (work, id, { random }) => {
  const change = await pendingChange(work.db, work.venue.id, id, work.now())
  if (!change) return 'nothing'
  const said = random.pick(['accept', 'decline'] as const)
  return (await answerChange(work, manager, { id, change: change.id, answer: said })).kind
})

const ask = atBooking(async (work, id, { random }) => {
  const asked = {
    ...{
      booking: id,
      kind: random.pick(['card', 'deposit'] as const),
      amountCents: random.pick([1_000, 3_300]),
    },
    ...{ per: random.pick(['guest', 'party'] as const), freeUntilHours: random.pick([1, 24]), note: null },
    until: work.now().add({ hours: random.integer(1, 30) }),
  }
  await askGuest(work, manager, asked)
  return `${asked.kind} of ${asked.amountCents}`
}, `r.status in ('Requested', 'Confirmed') and (g.id is null or g.status in ('waived', 'released'))`)

const charge = atBooking(async (work, id, { random }) => {
  const row = await guaranteeOf(work.db, work.venue.id, id)
  await chargeCard(work, manager, {
    booking: id,
    amountCents: random.chance(0.7) ? (row?.amount_cents ?? 0) : 1_500,
  })
}, `g.status in ('held', 'charge_failed') and r.status in ('No-show', 'Cancelled')`)

/** Their time comes, and nobody does. */
const nobodyComes: Step = async (world) => {
  const id = await aBooking(world, `g.status = 'held' and r.status = 'Confirmed'`)
  if (id === undefined) return 'nothing'
  const [row] = await world.rows<{ minutes: number }>(
    `select extract(epoch from starts_at - '${world.service.context.clock().toString()}')::int / 60 + 30 as minutes
       from reservation where venue_id = $1 and id = ${id}`,
  )
  if ((row?.minutes ?? 0) > 0) world.later({ minutes: row?.minutes ?? 0 })
  const moved = await world.act((work) => moveReservation(work, manager, { id, move: 'markNoShow' }))
  const guarantee = await guaranteeOf(world.service.db, world.venue.id, id)
  if (moved.kind === 'done' && guarantee)
    await world.act((work) => chargeCard(work, manager, { booking: id, amountCents: guarantee.amount_cents }))
  return moved.kind
}

const sendAgain: Step = async (world) => {
  const failed = await world.rows<{ id: string; guarantee_id: string | null; order_id: string }>(
    `select id, guarantee_id, order_id from refund where venue_id = $1 and state = 'failed' and origin = 'us' order by id`,
  )
  if (failed.length === 0) return 'nothing'
  const { id, guarantee_id: guarantee, order_id } = world.random.pick(failed)
  if (guarantee !== null) {
    const asked = { refund: Number(id), guarantee: Number(guarantee) }
    return world.act((work) => refundAgain(work, asked, work.now()))
  }
  await world.act(async (work) => {
    const order = await soldOrder(work.db, work.venue.id, Number(order_id))
    const asked = { refund: Number(id), seenVersion: order?.version ?? 0 }
    await (world.random.chance(0.7)
      ? retryRefund(work, manager, { ...asked, outcome: 'pending' })
      : dismissRefund(work, manager, asked))
  })
  return undefined
}

const refundOrder: Step = async (world) => {
  const { random } = world
  const orders = await world.rows<{ id: string; version: number; total_cents: number; seats: number }>(
    'select id, version, total_cents, seats from ticket_order where venue_id = $1 order by id',
  )
  if (orders.length === 0) return 'nothing'
  const { id, version, total_cents: total, seats } = random.pick(orders)
  const isAll = random.chance(0.4)
  await world.act((work) =>
    recordRefund(work, manager, {
      ...{ order: Number(id), seenVersion: version, via: 'processor', outcome: 'pending' },
      ...{
        amountCents: isAll ? total : random.integer(1, total),
        seats: isAll ? 0 : random.integer(0, seats),
      },
    }),
  )
  return isAll ? 'all' : 'a part'
}

/** In cash, which the processor knows nothing of: somebody may send it there once more. */
const handBack: Step = async (world) => {
  const { random } = world
  const orders = await world.rows<{ id: string; version: number; left: number }>(
    `select id, version, total_cents - refunded_cents as left from ticket_order
      where venue_id = $1 and status in ('paid', 'partially_refunded', 'refund_failed') and total_cents > refunded_cents order by id`,
  )
  if (orders.length === 0) return 'nothing'
  const { id, version, left } = random.pick(orders)
  await world.act((work) =>
    recordRefund(work, manager, {
      ...{ order: Number(id), seenVersion: version, via: 'cash', outcome: 'succeeded' },
      ...{ amountCents: random.chance(0.5) ? left : random.integer(1, left), seats: 0 },
    }),
  )
  return id
}

const erase: Step = async (world) => {
  const found = await world.rows<{ email: string | null; guest_id: string | null }>(
    'select email, guest_id from reservation where venue_id = $1 and email is not null order by id',
  )
  if (found.length === 0) return undefined
  const { email, guest_id } = world.random.pick(found)
  const guestId = guest_id === null ? null : Number(guest_id)
  return world.act((work) => erasePerson(work, manager, { guestId, email, phone: null, name: null }))
}

export const staffSteps: readonly (readonly [name: string, step: Step, weight: number])[] = [
  ['staff move', move, 8],
  ['staff cancel', cancel, 4],
  ['staff edit', edit, 5],
  ['staff answer a change', answer, 3],
  ['staff ask', ask, 4],
  ['manager charges', charge, 4],
  ['nobody comes', nobodyComes, 5],
  ['manager waives', atBooking((work, id) => waiveGuarantee(work, manager, id)), 1],
  [
    'manager lets a charge go',
    atBooking((work, id) => letChargeGo(work, manager, id), `g.status = 'charge_failed'`),
    1,
  ],
  [
    'manager notes it paid otherwise',
    atBooking((work, id) => paidOtherwise(work, manager, id), 'g.asked_cents > 0'),
    2,
  ],
  ['manager gives back', atBooking((work, id) => refundGuarantee(work, manager, { booking: id })), 2],
  [
    'manager gives a part back',
    atBooking((work, id) => refundGuarantee(work, manager, { booking: id, amountCents: 700 })),
    2,
  ],
  ['staff take it off the bill', atBooking((work, id) => takeOffBill(work, manager, id)), 1],
  ['manager sends a refund again', sendAgain, 2],
  ['manager refunds an order', refundOrder, 3],
  ['manager hands cash back', handBack, 2],
  ['staff delete', atBooking((work, id) => deleteReservation(work, manager, id)), 1],
  ['owner erases', erase, 1],
]
