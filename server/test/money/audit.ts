import assert from 'node:assert/strict'
import { stillHereOf } from '../../book/reservations/guarantee/money-left.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { reconcile } from '../../tickets/online/reconciling/reconcile.ts'
import { statusByCents } from '../../tickets/order-moves.ts'
import { seen } from './guest-steps.ts'
import { faultsOfWeeks } from './weeks.ts'
import { type MoneyWorld, room } from './world.ts'

/* What has to be true of a venue's money at any moment, and once nothing is left to happen. */

type Sums = Record<string, string | number | null>
type Fault = string

/** Cards that are kept here, and are gone there. */
export const cardsGone = async ({ rows, stripe }: MoneyWorld): Promise<string[]> => {
  const kept = await rows<{ id: string; customer_ref: string }>(
    `select id, customer_ref from guarantee where venue_id = $1 and status in ('held', 'charge_failed')`,
  )
  return kept.filter(({ customer_ref }) => !stripe.customers.has(customer_ref)).map(({ id }) => id)
}

export const cardGone = (guarantee: string): string =>
  `the card of guarantee ${guarantee} is gone before its day`

/** At any moment: no place sold twice, no more back than came in, and what is shown is what is written. */
export const faultsNow = async (world: MoneyWorld): Promise<Fault[]> => {
  const now = world.service.context.clock().toString()
  const faults: Fault[] = []
  const found = async (what: string, text: string): Promise<void> => {
    for (const row of await world.rows<Sums>(text)) faults.push(`${what}: ${JSON.stringify(row)}`)
  }
  await found(
    'more seats are sold or being paid than there are',
    `select t.occurrence_id, sum(t.seats)::int as seats from (
       select occurrence_id, seats - seats_returned as seats from ticket_order
        where venue_id = $1 and status in ('paid', 'paid_unconfirmed', 'partially_refunded', 'refund_failed')
       union all
       select occurrence_id, seats from checkout
        where venue_id = $1 and kind = 'tickets' and state in ('made', 'opening', 'open') and counts_until > '${now}') t
      group by 1 having sum(t.seats) > ${room.seats}`,
  )
  await found(
    'more guests are expected than there is room for',
    `select t.at, sum(t.guests)::int as guests from (
       select service_date || ' ' || service_minute as at, party_size as guests from reservation
        where venue_id = $1 and status in ('Requested', 'Confirmed', 'Seated', 'Completed')
       union all
       select service_date || ' ' || service_minute, party_size from booking_hold
        where venue_id = $1 and expires_at > '${now}') t
      group by 1 having sum(t.guests) > ${room.covers}`,
  )
  await found(
    'the sums behind a booking differ from its payments and refunds',
    `select g.id, g.status, g.paid_cents, g.refunded_cents, p.paid, r.* from guarantee g
       cross join lateral (select coalesce(sum(amount_cents), 0)::int as paid from payment
         where venue_id = $1 and guarantee_id = g.id and state = 'succeeded') p
       cross join lateral (
         select coalesce(sum(amount_cents) filter (where state = 'succeeded'), 0)::int as back,
             coalesce(sum(amount_cents + beyond_cents) filter (where state = 'succeeded'), 0)::int as moved,
             coalesce(sum(amount_cents) filter (where state = 'pending'), 0)::int as pending
           from refund where venue_id = $1 and guarantee_id = g.id) r
      where g.venue_id = $1 and (g.paid_cents <> p.paid or g.refunded_cents <> r.back
        or g.refunded_cents <> least(r.moved, p.paid - r.pending))`,
  )
  await found(
    'the processor is asked for more than is left of a payment',
    `select p.id, p.amount_cents, sum(r.amount_cents + r.beyond_cents)::int as back from payment p
       join refund r on r.venue_id = $1 and r.payment_id = p.id and r.origin <> 'dispute' and r.via = 'processor' and r.state in ('pending', 'succeeded')
      where p.venue_id = $1 group by 1, 2 having sum(r.amount_cents + r.beyond_cents) > p.amount_cents`,
  )
  for (const { id, paid, back } of await world.rows<{ id: string; paid: number; back: number }>(
    `select g.id, g.paid_cents as paid, (
         select coalesce(sum(amount_cents + beyond_cents), 0)::int from refund
          where venue_id = $1 and guarantee_id = g.id and state in ('pending', 'succeeded')) as back
       from guarantee g where g.venue_id = $1 and g.paid_cents > 0`,
  )) {
    const offered = await stillHereOf(world.service.db, world.venue.id, Number(id))
    if (offered !== Math.max(0, paid - back))
      faults.push(`${offered} of guarantee ${id} is offered: ${paid} was paid, and ${back} goes back`)
  }
  // What was paid in advance, before staff asked for a card instead, is no charge.
  await found(
    'a card was charged for more than was agreed to, or twice',
    `select g.id, g.amount_cents, sum(p.amount_cents)::int as charged, count(*)::int as times from guarantee g
       join payment p on p.venue_id = $1 and p.guarantee_id = g.id and p.state = 'succeeded'
      where g.venue_id = $1 and g.kind = 'card'
        and not exists (select from checkout c where c.venue_id = $1 and c.id = p.checkout_id and c.kind <> 'fee')
      group by 1, 2 having count(*) > 1 or sum(p.amount_cents) > g.amount_cents`,
  )
  await found(
    'a booking shows something else than what is behind it',
    `select r.id, r.guarantee::text as shown, g.status, g.amount_cents, g.asked_cents, g.paid_cents, g.refunded_cents from reservation r
       join guarantee g on g.venue_id = $1 and g.reservation_id = r.id
      where r.venue_id = $1 and (r.guarantee->>'status', (r.guarantee->>'paidCents')::int, (r.guarantee->>'refundedCents')::int,
          (r.guarantee->>'amountCents')::int, (r.guarantee->>'askedCents')::int)
        is distinct from (g.status, g.paid_cents, g.refunded_cents, g.amount_cents, g.asked_cents)`,
  )
  for (const id of await cardsGone(world)) faults.push(cardGone(id))
  return [...faults, ...(await faultsOfOrders(world)), ...world.mistakes]
}

/** Of each order: what went back is the sum of its refunds, is never more than was paid, and its status and events say so. */
export const faultsOfOrders = async ({ rows }: Pick<MoneyWorld, 'rows'>): Promise<Fault[]> => {
  const orders = await rows<{
    id: string
    status: string
    total: number
    refunded: number
    back: number
    pending: number
    moved: number
    open: number
    told: number
    arrived: number
  }>(
    `select o.id, o.status, o.total_cents as total, o.refunded_cents as refunded, r.*, e.told from ticket_order o
       cross join lateral (
         select coalesce(sum(amount_cents) filter (where state = 'succeeded'), 0)::int as back,
             coalesce(sum(amount_cents) filter (where state = 'pending'), 0)::int as pending,
             coalesce(sum(amount_cents + beyond_cents) filter (where state = 'succeeded'), 0)::int as moved,
             count(*) filter (where state = 'failed')::int as open,
             count(*) filter (where state = 'succeeded' or origin <> 'us' or answer is not null)::int as arrived
           from refund where venue_id = $1 and order_id = o.id) r
       cross join lateral (select count(*)::int as told from event
         where venue_id = $1 and name = 'ticket_order.refunded' and (data::jsonb->>'id')::bigint = o.id) e
      where o.venue_id = $1`,
  )
  return orders
    .filter(
      ({ status, total, refunded, back, pending, moved, open, told, arrived }) =>
        refunded !== back ||
        refunded !== Math.min(moved, total - pending) ||
        refunded + pending > total ||
        (refunded === total && total > 0 && (open > 0 || status !== 'refunded')) ||
        (status !== 'refund_failed' && status !== 'cancelled' && status !== statusByCents(total, refunded)) ||
        (status === 'refund_failed' && open === 0) ||
        told > arrived ||
        (back > 0 && told === 0),
    )
    .map((row) => `an order does not add up: ${JSON.stringify(row)}`)
}

/** Once nothing is left to happen: both books agree to the cent, and who keeps what is right. */
export const faultsAtTheEnd = async (world: MoneyWorld): Promise<Fault[]> => {
  const faults: Fault[] = []
  const { clock } = world.service.context
  const to = clock().toString().slice(0, 10)
  // Twice: the first comparison writes down what was given back in the dashboard and nobody called about.
  for (const isLast of [false, true]) {
    const found = await reconcile(world.service.context, seen(world), { from: addDays(to, -60), to })
    const isWhole = found.differences.length === 0 && found.denied.length === 0
    if (!isWhole || (isLast && found.recorded > 0)) faults.push(`the books differ: ${JSON.stringify(found)}`)
  }
  faults.push(...(await faultsNow(world)), ...(await betweenBooks(world)), ...(await unfinished(world)))
  faults.push(...(await wrongfullyKept(world)), ...(await faultsOfWeeks(world)))
  for (const customer of world.stripe.customers.keys()) faults.push(`customer ${customer} was never deleted`)
  return faults
}

/** Money of ours at the processor, in the order in which it came in. */
export const paidThere = ({ stripe, venue }: Pick<MoneyWorld, 'stripe' | 'venue'>) =>
  [...stripe.intents.values()].filter(
    ({ status, metadata }) => status === 'succeeded' && metadata['venue'] === String(venue.id),
  )

/** By the name that both have, what came in and what went back. */
const betweenBooks = async ({ stripe, rows, venue }: MoneyWorld): Promise<Fault[]> => {
  const faults: Fault[] = []
  const here = await rows<{ ref: string; processor_ref: string | null; amount: number; back: number }>(
    `select p.ref, p.processor_ref, p.amount_cents as amount, (
         select coalesce(sum(r.amount_cents + r.beyond_cents), 0)::int from refund r
          where r.venue_id = $1 and r.payment_id = p.id and r.state = 'succeeded' and r.via = 'processor' and r.origin <> 'dispute') as back
       from payment p where p.venue_id = $1 and p.state = 'succeeded' and p.via = 'processor'`,
  )
  const ours = paidThere({ stripe, venue })
  for (const intent of ours) {
    const [row, ...more] = here.filter(({ ref }) => ref === intent.metadata['ref'])
    const back = [...stripe.refunds.values()]
      .filter(({ payment_intent: of, status }) => of === intent.id && status === 'succeeded')
      .reduce((sum, { amount }) => sum + amount, 0)
    if (!row || more.length > 0)
      faults.push(`${more.length + (row ? 1 : 0)} payments are written for ${intent.id}`)
    else if (row.amount !== intent.amount || row.back !== back || row.processor_ref !== intent.id)
      faults.push(`there ${intent.amount} and back ${back}, here ${JSON.stringify(row)}`)
    if (ours.filter(({ metadata }) => metadata['ref'] === intent.metadata['ref']).length > 1)
      faults.push(`${intent.metadata['ref']} was paid more than once`)
  }
  for (const { ref } of here)
    if (!ours.some(({ metadata }) => metadata['ref'] === ref)) faults.push(`${ref} is paid here alone`)
  return faults
}

const unfinished = async ({ rows }: MoneyWorld): Promise<Fault[]> => {
  const left = await rows<Sums>(
    `select 'checkout' as what, id, state, look_at::text from checkout
      where venue_id = $1 and (state in ('made', 'opening', 'open') or look_at is not null)
     union all select 'payment', id, state, look_at::text from payment where venue_id = $1 and state = 'pending'
     union all select 'refund', id, state, look_at::text from refund where venue_id = $1 and state = 'pending'
     union all select 'guarantee', id, status, look_at::text from guarantee
      where venue_id = $1 and (look_at is not null or customer_ref is not null)
     union all select 'hold', 0, id, expires_at::text from booking_hold where venue_id = $1
     union all select 'call', 0, kind, at::text from processor_event where venue_id = $1 and looked_at is null
     union all select 'matter', id, kind, subject from money_matter
      where venue_id = $1 and kind in ('payment-differs', 'not-here')`,
  )
  return left.map((row) => `unfinished: ${JSON.stringify(row)}`)
}

/**
 * Who keeps the money, where nobody but the rules decided it: no refund that failed, was made in the dashboard or pressed by
 * a manager, no dispute, and no cancellation that was undone.
 */
const wrongfullyKept = async ({ rows }: MoneyWorld): Promise<Fault[]> => {
  const behind = await rows<Sums>(
    `select g.id, g.kind, g.status, g.amount_cents, r.id as booking_id, r.status as booking, r.cancelled_by, r.cancelled_from, g.free_until::text,
         r.cancelled_at::text, g.paid_cents - g.refunded_cents as kept, o.otherwise,
         r.id is null or r.status = 'Requested' or (r.status = 'Cancelled'
           and not (r.cancelled_by = 'guest' and r.cancelled_from <> 'Requested' and r.cancelled_at >= g.free_until)) as comes_back
       from guarantee g left join reservation r on r.venue_id = $1 and r.id = g.reservation_id
       cross join lateral (select coalesce(sum(amount_cents), 0)::int - (select coalesce(sum(h.amount_cents), 0)::int from refund h
           where h.venue_id = $1 and h.guarantee_id = g.id and h.state = 'succeeded' and h.via = 'external' and exists (select from payment q where q.venue_id = $1 and q.id = h.payment_id and q.via = 'otherwise')) as otherwise
         from payment where venue_id = $1 and guarantee_id = g.id and via = 'otherwise') o
      where g.venue_id = $1
        and not exists (select from refund b where b.venue_id = $1 and b.guarantee_id = g.id
          and (b.origin <> 'us' or b.state <> 'succeeded'))
        and not exists (select from activity a where a.venue_id = $1 and a.record_kind = 'reservation'
          and a.record_id = g.reservation_id and a.action in ('give back what was paid', 'undoCancel'))`,
  )
  const orders = await rows<Sums>(
    `select o.id, o.status, o.seats, o.seats_returned, o.total_cents - o.refunded_cents as kept, c.state from ticket_order o
       join checkout c on c.venue_id = $1 and c.order_id = o.id
      where o.venue_id = $1 and (c.state = 'refused' or o.seats_returned = o.seats) and o.total_cents > o.refunded_cents
        and not exists (select from refund b where b.venue_id = $1 and b.order_id = o.id and (b.origin <> 'us' or b.state <> 'succeeded'))
        and (c.state = 'refused' or not exists (select from refund b where b.venue_id = $1 and b.order_id = o.id))`,
  )
  const tasks = await rows<{ title: string }>('select title from task where venue_id = $1 and not done')
  /** What was paid otherwise people give back, who are asked to. */
  const isAsked = ({ kind, amount_cents, otherwise, booking_id }: Sums): boolean =>
    kind === 'card' ||
    booking_id === null ||
    Number(otherwise) <= Number(amount_cents) ||
    tasks.some(({ title }) => title.startsWith('Give back') && title.includes(`booking ${booking_id} on`))
  return [
    ...behind
      .filter(({ kind, comes_back, kept, otherwise, amount_cents }) =>
        comes_back
          ? kept !== otherwise
          : kind !== 'card' && kept !== Math.max(Number(amount_cents), Number(otherwise)),
      )
      .map((row) => `kept behind a booking: ${JSON.stringify(row)}`),
    ...behind
      .filter((row) => !isAsked(row))
      .map((row) => `nobody is asked to give back: ${JSON.stringify(row)}`),
    ...orders.map((row) => `kept for an order: ${JSON.stringify(row)}`),
  ]
}

export const assertNone = (faults: readonly Fault[], { story }: MoneyWorld): void =>
  assert.deepEqual(faults, [], `\n${story.map((line, at) => `${at + 1}. ${line}`).join('\n')}`)
