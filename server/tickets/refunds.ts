import { randomUUID } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import { mayAskMore, whyRemoved } from '../core/money/former-accounts.ts'
import { endAbove, whyDisputed } from '../core/money/matter-store.ts'
import { countBack } from '../core/money/refund-count.ts'
import { paymentOfOrder, wasRefused } from '../core/money/payment-store.ts'
import { mostRefundable, refusePart } from '../core/money/venue-currency.ts'
import type { Work } from '../context.ts'
import { queueRefundMail } from '../mail/refund-mails.ts'
import { Refusal, badRequest, notFound } from '../platform/kernel/refusal.ts'
import { asSeen } from '../platform/kernel/running/seen-version.ts'
import { typedText, wholeNumber } from '../platform/kernel/typed-fields.ts'
import { type MovedOrder, type SeenOrder, refuseMove, writeMoved } from './order-moves.ts'
import {
  type RefundRow,
  type SoldOrderRow,
  pendingRefunds,
  refundById,
  soldOrderForUpdate,
} from './order-reads.ts'
import {
  countOrderChange,
  insertOnlineRefund,
  insertRefund,
  moveRefund,
  supersedeFailures,
} from './order-writes.ts'
import { presentTicketOrder } from './order.ts'
import { type RefundWay, refundMoves } from './states.ts'

/*
 * Refunds. Cast: each attempt is a row of `refund` with its own state; the order's refunded cents are the
 * sum of the attempts that succeeded, and its status says how the last one ended. A failure stays open, whatever else is
 * refunded meanwhile, until it is retried or dismissed or nothing is left to give back. All of it changes with the
 * order's row locked, so parallel refunds never give back more than was paid. A `pending` attempt counts as refunded until
 * its outcome is known.
 */

/** The outcome of an attempt: pending, refunded, or refused by the processor or bank. */
export type RefundOutcome = 'pending' | 'succeeded' | 'failed'

export type RefundAsked = SeenOrder & {
  readonly amountCents: number
  /** Seats that go back on sale; a full refund always frees all of them. */
  readonly seats?: number
  /** Which tickets become void with those seats; left out, the highest numbers. */
  readonly tickets?: readonly number[] | null
  readonly via: RefundWay
  readonly outcome: RefundOutcome
  /** What the processor or bank said. */
  readonly answer?: string | null
}

export type MadeRefund = MovedOrder & { readonly refund: RefundRow }

/** Records a refund attempt. Refuses more than is left of what was paid. */
export const recordRefund = async (work: Work, actor: Actor, asked: RefundAsked): Promise<MadeRefund> => {
  const row = asSeen(
    'order',
    await soldOrderForUpdate(work.db, work.venue.id, asked.order),
    asked.seenVersion,
  )
  return attempt(work, actor, row, { ...asked, retryOf: null })
}

/** Records the outcome of an attempt. Refuses one that already has an outcome. */
export const settleRefund = async (
  work: Work,
  actor: Actor,
  asked: SeenRefund & {
    readonly outcome: Exclude<RefundOutcome, 'pending'>
    readonly answer?: string | null
    /** Its buyer was mailed about it before. */
    readonly wasTold?: boolean
  },
): Promise<MadeRefund> => {
  const { row, refund } = await heldRefund(work, asked)
  if (refund.amount_cents === 0) return settleBeyond(work, row, refund, asked.outcome)
  refuseMove(actor, 'refund', row)
  if (refund.payment_id !== null && actor.kind !== 'service')
    throw new Refusal(409, 'The processor makes this refund, and says how it ends.')
  const move = asked.outcome === 'succeeded' ? refundMoves.succeed : refundMoves.fail
  const settled = await moveRefund(work.db, work.venue.id, refund.id, move, answerOf(asked), work.now())
  if (!settled) throw new Refusal(409, `This refund already has an outcome: it ${refund.state}.`)
  return { ...(await settle(work, actor, row, settled, asked.wasTold)), refund: settled }
}

/** One that takes nothing off its order: only what moved at the processor is written. It is not to be sent again. */
const settleBeyond = async (
  { db, venue, now }: Work,
  row: SoldOrderRow,
  refund: RefundRow,
  outcome: 'succeeded' | 'failed',
): Promise<MadeRefund> => {
  const fail = refund.state === 'succeeded' ? refundMoves.failLate : refundMoves.fail
  const settled = await moveRefund(
    db,
    venue.id,
    refund.id,
    outcome === 'failed' ? fail : refundMoves.succeed,
    null,
    now(),
  )
  if (settled?.state === 'failed') {
    await moveRefund(db, venue.id, refund.id, refundMoves.dismiss, null, now())
    await endAbove(db, venue.id, refund.id, now())
  }
  await countOrderChange(db, venue.id, row.id)
  return { order: presentTicketOrder(row), version: row.version + 1, refund: settled ?? refund }
}

/**
 * A refund that had arrived failed after all: its cents come off again. Its seats stay back, with no ticket for them: they
 * may be sold by now.
 */
export const failRefundLate = async (
  work: Work,
  { refund: id, answer }: { readonly refund: number; readonly answer: string | null },
  saidAs?: 'winDispute',
): Promise<void> => {
  const { db, venue, now } = work
  const found = await refundById(db, venue.id, id)
  const row = found && (await soldOrderForUpdate(db, venue.id, found.order_id))
  if (row && found.amount_cents === 0) {
    await settleBeyond(work, row, found, 'failed')
    return
  }
  const failed = row && (await moveRefund(db, venue.id, id, refundMoves.failLate, answer, now()))
  if (!failed) return
  await endAbove(db, venue.id, id, now())
  const refundedCents = await countBack(db, venue.id, { order: row.id }, row.total_cents)
  // A bank had taken it by a dispute as well: nothing is left to give back.
  if (refundedCents === row.total_cents) {
    await moveRefund(db, venue.id, id, refundMoves.supersede, null, now())
    await countOrderChange(db, venue.id, row.id)
    return
  }
  const to = {
    refundedCents,
    seatsReturned: row.status === 'refunded' ? row.seats : row.seats_returned,
    saidAs,
  }
  const more = { refund: id, amount_cents: failed.amount_cents, via: failed.via, outcome: failed.state }
  await writeMoved(work, { kind: 'service' }, 'failRefund', row, to, more)
}

/** The bank gave back what it had taken by a dispute. Where nothing of it `isOwed`, no refund failed, and none is to be sent. */
export const winRefundBack = async (
  work: Work,
  { isOwed, ...won }: { readonly refund: number; readonly answer: string; readonly isOwed: boolean },
): Promise<void> => {
  const { db, venue, now } = work
  await failRefundLate(work, won, 'winDispute')
  if (isOwed || !(await moveRefund(db, venue.id, won.refund, refundMoves.supersede, null, now()))) return
  const found = await refundById(db, venue.id, won.refund)
  const row = found && (await soldOrderForUpdate(db, venue.id, found.order_id))
  if (row) await writeMoved(work, { kind: 'service' }, 'dismissFailure', row, {}, { refund: won.refund })
}

/**
 * A refund that waited to be sent is not made, as the answer says: the bank has taken the money, or it was sent already. What it
 * was is in the row of that.
 */
export const withdrawRefund = async ({ db, venue, now }: Work, id: number, answer: string): Promise<void> => {
  const found = await refundById(db, venue.id, id)
  const row = found && (await soldOrderForUpdate(db, venue.id, found.order_id))
  if (row && (await moveRefund(db, venue.id, id, refundMoves.withdraw, answer, now())))
    await countOrderChange(db, venue.id, row.id)
}

/** Retries a failed refund, by another way if one is named: a new attempt that takes the failed one's place. */
export const retryRefund = async (
  work: Work,
  actor: Actor,
  asked: SeenRefund & {
    readonly via?: RefundWay
    readonly outcome: RefundOutcome
    readonly answer?: string | null
  },
): Promise<MadeRefund> => {
  const { row, refund } = await heldRefund(work, asked)
  if (refund.state !== 'failed') throw new Refusal(409, 'Only a failed refund can be retried.')
  return attempt(work, actor, row, {
    amountCents: refund.amount_cents,
    seats: refund.seats,
    via: asked.via ?? (refund.via as RefundWay),
    outcome: asked.outcome,
    answer: asked.answer ?? null,
    tickets: refund.tickets,
    retryOf: refund.id,
    goneSeats: refund.gone_seats,
  })
}

/** Dismisses a failed refund: the order returns to the status that its refunded cents imply. */
export const dismissRefund = async (work: Work, actor: Actor, asked: SeenRefund): Promise<MadeRefund> => {
  const { row, refund } = await heldRefund(work, asked)
  refuseMove(actor, 'dismissFailure', row)
  const dismissed = await moveRefund(work.db, work.venue.id, refund.id, refundMoves.dismiss, null, work.now())
  if (!dismissed) throw new Refusal(409, 'Only a failed refund can be dismissed.')
  const moved = await writeMoved(work, actor, 'dismissFailure', row, {}, { refund: refund.id })
  return { ...moved, refund: dismissed }
}

type SeenRefund = { readonly refund: number; readonly seenVersion: number }

/** The attempt and its order, the order locked and as the page showed it. */
const heldRefund = async ({ db, venue }: Work, { refund: id, seenVersion }: SeenRefund) => {
  const found = await refundById(db, venue.id, id)
  if (!found) throw notFound('refund')
  const row = asSeen('order', await soldOrderForUpdate(db, venue.id, found.order_id), seenVersion)
  const refund = await refundById(db, venue.id, id)
  if (!refund) throw notFound('refund')
  return { row, refund }
}

type Attempt = Omit<RefundAsked, 'order' | 'seenVersion'> & {
  readonly retryOf: number | null
  readonly goneSeats?: number
}

const attempt = async (work: Work, actor: Actor, row: SoldOrderRow, asked: Attempt): Promise<MadeRefund> => {
  const { db, venue } = work
  refuseMove(actor, 'refund', row)
  const pending = await pendingRefunds(db, venue.id, row.id)
  const left = row.total_cents - row.refunded_cents - pending.cents
  const amountCents = wholeNumber('The amount in cents', asked.amountCents, 1, limits.integerMost)
  // An order of before may have such a total: all of it can go back.
  if (amountCents !== left) refusePart('The amount', amountCents, row.currency)
  if (amountCents > left) throw new Refusal(409, mostRefundable(left, row.currency))
  const seatsLeft = row.seats - row.seats_returned - pending.seats
  const seats = wholeNumber('The number of seats', asked.seats ?? 0, 0, seatsLeft)
  // What was paid online the processor gives back, and says how that ended.
  const payment =
    asked.via === 'processor' && row.payment_method === 'processor_link'
      ? await paymentOfOrder(db, venue.id, row.id)
      : undefined
  if (payment && !(await mayAskMore(db, venue.id, payment.account_id))) throw new Refusal(409, whyRemoved)
  if (payment?.is_held) throw new Refusal(409, whyDisputed)
  const tickets = chosenOf(asked, row, seats)
  const { retryOf, goneSeats = 0 } = asked
  const made = { orderId: row.id, amountCents, seats, goneSeats, tickets, retryOf }
  const refund = payment
    ? await insertOnlineRefund(db, venue.id, { ...made, payment: payment.id, ref: randomUUID() }, work.now())
    : await insertRefund(
        db,
        venue.id,
        { ...made, via: asked.via, state: asked.outcome, answer: answerOf(asked) },
        work.now(),
      )
  return { ...(await settle(work, actor, row, refund)), refund }
}

/** What an attempt does to its order, by state. `wasTold`: its buyer was mailed of it when it was made. */
export const settle = async (
  work: Work,
  actor: Actor,
  row: SoldOrderRow,
  refund: RefundRow,
  wasTold = false,
): Promise<MovedOrder> => {
  const { db, venue } = work
  const more = {
    refund: refund.id,
    amount_cents: refund.amount_cents,
    via: refund.via,
    outcome: refund.state,
  }
  if (refund.state === 'pending') return begun(work, actor, row, refund, more)
  const refundedCents = await countBack(db, venue.id, { order: row.id }, row.total_cents)
  const isAll = refundedCents === row.total_cents
  await supersedeFailures(db, venue.id, refund, refundMoves.supersede, isAll)
  if (refund.state === 'failed' && !isAll)
    return writeMoved(work, actor, 'failRefund', row, { refundedCents }, more)
  if (refund.state === 'failed') {
    // A dispute took it meanwhile: nothing is left to give back.
    await moveRefund(db, venue.id, refund.id, refundMoves.supersede, null, work.now())
    return writeMoved(work, actor, 'refund', row, { refundedCents, saidAs: 'loseToDispute' }, more)
  }
  // What the processor confirmed. Of a dispute the buyer hears from their bank, and whose payment was refused was told so then.
  const isTold =
    wasTold ||
    refund.payment_id === null ||
    refund.origin === 'dispute' ||
    (await wasRefused(db, venue.id, refund.payment_id))
  if (!isTold) await queueRefundMail(db, venue.id, { kind: 'ticketsRefunded', refund: refund.id }, work.now())
  const to = {
    refundedCents,
    seatsReturned: row.seats_returned + refund.seats,
    tickets: refund.tickets,
    saidAs: refund.origin === 'dispute' ? ('loseToDispute' as const) : undefined,
  }
  return writeMoved(work, actor, 'refund', row, to, more)
}

/** Pending: a retry closes its failure; otherwise the order stays as it is. */
const begun = async (
  work: Work,
  actor: Actor,
  row: SoldOrderRow,
  refund: RefundRow,
  more: Readonly<Record<string, unknown>>,
): Promise<MovedOrder> => {
  const { db, venue } = work
  if (refund.retry_of !== null) {
    await supersedeFailures(db, venue.id, refund, refundMoves.supersede)
    return writeMoved(work, actor, 'dismissFailure', row, {}, more)
  }
  await countOrderChange(db, venue.id, row.id)
  await recordActivity(
    work,
    actor,
    { action: 'beginRefund', record: { kind: 'ticket_order', id: row.id }, before: row, after: row, more },
    work.now(),
  )
  return { order: presentTicketOrder(row), version: row.version + 1 }
}

/** The tickets that staff chose, one for each seat that goes back. */
const chosenOf = (
  { tickets }: Pick<RefundAsked, 'tickets'>,
  row: SoldOrderRow,
  seats: number,
): readonly number[] | null => {
  if (!tickets || tickets.length === 0) return null
  const chosen = new Set(tickets.map((one) => wholeNumber('The ticket', one, 1, row.seats)))
  if (chosen.size !== seats) throw badRequest('Choose as many tickets as seats go back on sale, or none.')
  return [...chosen]
}

const answerOf = ({ answer }: { readonly answer?: string | null }): string | null =>
  typedText('The answer', answer ?? null, limits.statementCharacters)
