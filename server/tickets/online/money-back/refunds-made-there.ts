import { randomUUID } from 'node:crypto'
import { bookedReservation } from '../../../book/day/book-row.ts'
import {
  countGuarantee,
  holdGuarantee,
  supersedeRefunds,
} from '../../../book/reservations/guarantee/guarantee-store.ts'
import { stillHereOf, supersedeSpent } from '../../../book/reservations/guarantee/money-left.ts'
import { tellRefunded } from '../../../book/reservations/guarantee/give-back.ts'
import { showGuarantee } from '../../../book/reservations/guarantee/show-guarantee.ts'
import type { Work } from '../../../context.ts'
import { addMatter, endMissing } from '../../../core/money/matter-store.ts'
import type { PaymentRow } from '../../../core/money/payment-store.ts'
import { sql } from '../../../platform/db/sql.ts'
import { isUuid } from '../../../platform/kernel/uuid.ts'
import { pendingRefunds, refundById, soldOrderForUpdate } from '../../order-reads.ts'
import { countOrderChange } from '../../order-writes.ts'
import { settle } from '../../refunds.ts'

/**
 * Money that went back, or is on its way, without this database knowing: from the processor’s dashboard, by a dispute that is lost, or
 * sent by the service itself after the backup that this database is from.
 */
export type MadeThere = {
  readonly refundRef: string
  readonly origin: 'dashboard' | 'dispute'
  /** Our name of one that the service sent. */
  readonly ref?: string | null
  readonly state: 'pending' | 'succeeded' | 'failed'
  readonly amountCents: number
  readonly currency: string
}

/**
 * Records it as a refund of what was paid for, once: all of an order frees its seats, a part frees none. What is more than was
 * left moved all the same, and is for somebody to look at. False while a refund of ours is still to be sent that may be refused for it: it is
 * recorded after that.
 */
export const recordRefundMadeThere = async (
  work: Work,
  payment: PaymentRow,
  made: MadeThere,
): Promise<boolean> =>
  made.state === 'failed'
    ? true
    : payment.guarantee_id === null
      ? ofOrder(work, payment, made)
      : ofGuarantee(work, payment.guarantee_id, payment, made)

const ofOrder = async (work: Work, payment: PaymentRow, made: MadeThere): Promise<boolean> => {
  const { db, venue } = work
  const order =
    payment.order_id === null ? undefined : await soldOrderForUpdate(db, venue.id, payment.order_id)
  if (!order || (await isRecorded(work, made))) return true
  const retryOf = await failedBefore(work, made)
  const pending = await pendingRefunds(db, venue.id, order.id)
  const left = order.total_cents - order.refunded_cents - pending.cents
  const place = { order: order.id, reservation: null }
  const refund = await insertCapped(work, payment, made, { left, place, retryOf })
  const row = refund && (await refundById(db, venue.id, refund))
  if (row && row.amount_cents > 0)
    await settle(work, { kind: 'service' }, order, row, oursOf(made) !== undefined)
  // It takes nothing off the order, which is as it was.
  else if (row) await countOrderChange(db, venue.id, order.id)
  // All of it frees the seats; how many a part was for is not known.
  if (row && row.amount_cents < left) await noteSince(work, made, place)
  return refund !== undefined
}

const ofGuarantee = async (
  work: Work,
  id: number,
  payment: PaymentRow,
  made: MadeThere,
): Promise<boolean> => {
  const { db, venue } = work
  const row = await holdGuarantee(db, venue.id, id)
  if (!row || (await isRecorded(work, made))) return true
  const retryOf = await failedBefore(work, made)
  const left = await stillHereOf(db, venue.id, id)
  const place = { order: null, reservation: row.reservation_id }
  const refund = await insertCapped(work, payment, made, { left, place, retryOf })
  if (refund === undefined) return false
  if (retryOf !== null) await supersedeRefunds(db, venue.id, id, retryOf)
  await countGuarantee(db, venue.id, id)
  await supersedeSpent(db, venue.id, id)
  // Of a dispute the guest hears from their bank, and of what the service sent they were mailed then.
  if (made.origin === 'dashboard' && oursOf(made) === undefined && made.state === 'succeeded' && left > 0)
    await tellRefunded(work, row, refund)
  const isShort = row.kind !== 'card' && (await stillHereOf(db, venue.id, id)) < row.amount_cents
  if (isShort && (await isExpected(work, row.reservation_id))) await noteSince(work, made, place)
  await showGuarantee(work, row.reservation_id)
  return true
}

/**
 * The service sent it after the backup, for what this database does not know: a booking that was cancelled or made smaller since, or
 * seats that were returned. Somebody looks what has changed.
 */
const noteSince = async ({ db, venue, now }: Work, made: MadeThere, place: Room['place']): Promise<void> => {
  if (oursOf(made) === undefined) return
  const { refundRef: subject, amountCents, currency } = made
  const matter = { kind: 'payment-differs', state: 'refund-since', subject, amountCents, currency } as const
  await addMatter(db, venue.id, { ...matter, ...place }, now())
}

/** A booking for which somebody is still to come. */
const isExpected = async ({ db, venue }: Work, reservation: number | null): Promise<boolean> => {
  const booking = reservation === null ? undefined : await bookedReservation(db, venue.id, reservation)
  return booking?.status === 'Requested' || booking?.status === 'Confirmed'
}

/** Our name of one that the service sent. */
const oursOf = ({ ref }: { readonly ref?: string | null | undefined }): string | undefined =>
  ref != null && isUuid(ref) ? ref : undefined

type Room = {
  readonly left: number
  /** The one that failed of the same dispute. */
  readonly retryOf: number | null
  readonly place: { readonly order: number | null; readonly reservation: number | null }
}

/** Its row: what is left comes off what was paid, and the rest is written as moved beyond that. Undefined when it has to wait. */
const insertCapped = async (
  work: Work,
  payment: PaymentRow,
  { refundRef, origin, ref, state, amountCents, currency }: MadeThere,
  { left, place, retryOf }: Room,
): Promise<number | undefined> => {
  const { db, venue, now } = work
  if (await isInTheWay(work, payment, amountCents)) return undefined
  const taken = Math.max(0, Math.min(left, amountCents))
  const beyond = amountCents - taken
  const above = { kind: 'refund-above', subject: refundRef, currency, ...place } as const
  if (beyond > 0) await addMatter(db, venue.id, { ...above, amountCents: beyond }, now())
  await endMissing(db, venue.id, refundRef, now())
  const isPending = state === 'pending'
  const ours = oursOf({ ref })
  await freeName(work, retryOf)
  const { id } = await db.one(sql({ id: 'int8' })`
    insert into refund (
      venue_id, order_id, guarantee_id, amount_cents, beyond_cents, seats, via, state, made_at, settled_at, payment_id, ref,
      processor_ref, origin, retry_of, look_at)
    values (
      ${venue.id}, ${payment.order_id}, ${payment.guarantee_id}, ${taken}, ${beyond}, 0, 'processor', ${state}, ${now()},
      ${isPending ? null : now()}, ${payment.id}, ${ours ?? randomUUID()}, ${refundRef}, ${ours === undefined ? origin : 'us'}, ${retryOf}, ${isPending ? now() : null})
    returning id`)
  return id
}

/**
 * Whether a refund of the same payment is still to be sent that the processor may refuse for it, as both are more than was paid. One
 * that the processor has is counted again once it has ended.
 */
const isInTheWay = async ({ db, venue }: Work, { id }: PaymentRow, cents: number): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select p.id from payment p
     where p.venue_id = ${venue.id} and p.id = ${id}
       and exists (select from refund r where r.venue_id = ${venue.id} and r.payment_id = p.id and r.state = 'pending' and r.processor_ref is null)
       and p.amount_cents < ${cents} + (
         select sum(r.amount_cents + r.beyond_cents) from refund r
          where r.venue_id = ${venue.id} and r.payment_id = p.id and r.state in ('pending', 'succeeded'))`)) !==
  undefined

/** Undefined when it was not recorded, or has failed since. */
export const arrivedBy = (
  { db, venue }: Work,
  { refundRef }: Pick<MadeThere, 'refundRef'>,
): Promise<{ id: number } | undefined> =>
  db.maybe(sql({ id: 'int8' })`
    select id from refund
     where venue_id = ${venue.id} and processor_ref = ${refundRef} and state = 'succeeded'`)

/** A dispute that was won after it was lost may be lost again: what failed then is not it. */
const isRecorded = async ({ db, venue }: Work, { refundRef, origin }: MadeThere): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from refund
     where venue_id = ${venue.id} and processor_ref = ${refundRef}
       and (${origin}::text <> 'dispute' or state in ('pending', 'succeeded'))`)) !== undefined

/** What failed of the same dispute before: it has the name until the next row takes it. */
const failedBefore = async (
  { db, venue }: Work,
  { refundRef, origin }: MadeThere,
): Promise<number | null> => {
  if (origin !== 'dispute') return null
  const failed = await db.maybe(sql({ id: 'int8' })`
    select id from refund
     where venue_id = ${venue.id} and processor_ref = ${refundRef} and state not in ('pending', 'succeeded')`)
  return failed?.id ?? null
}

const freeName = async ({ db, venue }: Work, refund: number | null): Promise<void> => {
  await db.run(sql()`
    update refund set processor_ref = null where venue_id = ${venue.id} and id = ${refund}`)
}
