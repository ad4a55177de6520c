import { randomUUID } from 'node:crypto'
import type { Work } from '../../../context.ts'
import { withdrawCheckouts } from '../../../core/money/checkout-store.ts'
import { mayAskMore, whyRemoved } from '../../../core/money/former-accounts.ts'
import { endAbove, whyDisputed } from '../../../core/money/matter-store.ts'
import { paymentById } from '../../../core/money/payment-store.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { queueRefundMail } from '../../../mail/refund-mails.ts'
import { refuse } from '../../../platform/kernel/refusal.ts'
import { type Moment, toInstant } from '../../../platform/kernel/time/moment.ts'
import type { BookRow } from '../../day/book-row.ts'
import { undoUntil } from '../../day/freed-by-press.ts'
import { comesBack } from './deletion-of.ts'
import { askNoMore, releaseAsk, restoreAsk, writeAsked } from './asked/asked-store.ts'
import {
  type GuaranteeRow,
  countGuarantee,
  dropRefunds,
  holdGuarantee,
  guaranteeOf,
  guaranteeOfForUpdate,
  insertGuaranteeRefund,
  insertRefundByHand,
  keepCard,
  releaseCard,
  supersedeRefunds,
} from './guarantee-store.ts'
import { otherwiseOf, refundableOf, refundsUnderWay, supersedeSpent } from './money-left.ts'
import { askToHandBack, beyondAmount } from './paid-otherwise.ts'
import { showGuarantee } from './show-guarantee.ts'

/*
 * What comes back by itself: everything, where the venue cancels or the guest does so in time. Later the money stays and
 * the card is kept until its day; managers may give it back all the same.
 */

/** What was asked when a booking was cancelled; kept with the press, for its undo. */
type AskedThen = { readonly status: string; readonly cents: number; readonly until: Moment | null }

/**
 * A booking was cancelled: in the transaction of that. `lookAt`: when machines go by it, where it can be undone. Returns what
 * was asked of its guest.
 */
export const followCancellation = async (
  work: Work,
  booking: Pick<BookRow, 'id' | 'cancelled_by' | 'cancelled_from' | 'guest_name' | 'date'>,
  now: Temporal.Instant,
  lookAt?: Temporal.Instant,
): Promise<AskedThen | undefined> => {
  const row = await guaranteeOfForUpdate(work.db, work.venue.id, booking.id)
  if (!row) return undefined
  // A page on which they may be paying for it closes.
  if (row.asked_cents > 0) await withdrawCheckouts(work.db, work.venue.id, { reservations: [booking.id] })
  const isLeft = await askNoMore(work.db, work.venue.id, row.id)
  if (row.status === 'asked' || comesBack(row, booking, now)) {
    await giveAllBack(work, row, now, lookAt)
    const { otherwise } = await refundsUnderWay(work.db, work.venue.id, row.id)
    await askToHandBack(work, booking, row, otherwise)
  } else if (isLeft > 0) await showGuarantee(work, booking.id)
  const { status, asked_cents: cents, ask_until: until } = row
  return cents > 0 ? { status, cents, until } : undefined
}

/** The cancellation was undone: nothing is sent back or deleted that is still here, and what was asked is asked again. */
export const undoCancellation = async (
  work: Work,
  booking: Pick<BookRow, 'id' | 'cancelled_at' | 'guest_name' | 'date'>,
): Promise<void> => {
  const { db, venue } = work
  const { id, cancelled_at } = booking
  const row = await guaranteeOfForUpdate(db, venue.id, id)
  if (!row || cancelled_at === null) return
  const { otherwise } = await refundsUnderWay(db, venue.id, row.id)
  await askToHandBack(work, booking, row, beyondAmount(row, otherwise))
  await dropRefunds(db, venue.id, row.id, toInstant(cancelled_at))
  await keepCard(db, venue.id, row.id, toInstant(cancelled_at))
  await askAgain(work, id, toInstant(cancelled_at))
  await showGuarantee(work, id)
}

/** What a worker has sent back, deleted or let go meanwhile stays so. */
const askAgain = async (work: Work, id: number, cancelledAt: Temporal.Instant): Promise<void> => {
  const { db, venue } = work
  const then = await askedThen(work, id)
  const row = await guaranteeOf(db, venue.id, id)
  if (!then || !row) return
  if (then.status === 'asked') {
    const isLate = Temporal.Instant.compare(work.now(), undoUntil(cancelledAt)) > 0
    if (!isLate && then.until !== null)
      await restoreAsk(db, venue.id, row.id, { cents: then.cents, until: toInstant(then.until) })
  } else if (row.status === then.status && (await refundsUnderWay(db, venue.id, row.id)).pending === 0)
    await writeAsked(db, venue.id, row.id, then.cents)
}

const askedThen = async ({ db, venue }: Work, reservation: number): Promise<AskedThen | undefined> => {
  const row = await db.maybe(sql({ asked: 'text?' })`
    select before->>'asked' as asked from activity
     where venue_id = ${venue.id} and record_kind = 'reservation' and record_id = ${reservation} and action = 'cancel'
     order by id desc limit 1`)
  return row?.asked == null ? undefined : (JSON.parse(row.asked) as AskedThen)
}

/** Deletes the card, and sends back what of the money is left. */
export const giveAllBack = async (
  work: Work,
  { id, reservation_id }: GuaranteeRow,
  now: Temporal.Instant,
  lookAt?: Temporal.Instant,
): Promise<void> => {
  const { db, venue } = work
  await releaseAsk(db, venue.id, id)
  await releaseCard(db, venue.id, id, now, lookAt)
  // All that is left goes now, so no earlier try is missing any more.
  await supersedeRefunds(db, venue.id, id)
  await sendBack(work, id, { cents: Infinity, now, lookAt: lookAt ?? now })
  await showGuarantee(work, reservation_id)
}

/**
 * Sends back so much of what is left, or all of it; the processor is asked at `lookAt`. What came in through an account that was
 * removed stays: staff hand it back.
 */
export const sendBack = async (
  { db, venue }: Work,
  guarantee: number,
  {
    cents,
    now,
    lookAt,
    skipsHeld = false,
  }: {
    readonly cents: number
    readonly now: Temporal.Instant
    readonly lookAt: Temporal.Instant
    /** Leaves alone what a bank holds back; else that waits until it is decided. */
    readonly skipsHeld?: boolean
  },
): Promise<void> => {
  let rest = cents
  for (const { id: payment, account_id, left, is_held: isHeld } of await refundableOf(
    db,
    venue.id,
    guarantee,
  )) {
    const amountCents = Math.min(left, rest)
    if (amountCents <= 0 || (isHeld && skipsHeld)) continue
    // Its removal has begun meanwhile.
    if (!(await mayAskMore(db, venue.id, account_id))) continue
    rest -= amountCents
    await insertGuaranteeRefund(
      db,
      venue.id,
      { guarantee, payment, amountCents, ref: randomUUID(), lookAt },
      now,
    )
  }
}

/**
 * Sends a refund that failed once more, as far as something is left, such as after a dispute that was lost: returns the cents
 * that go. Undefined: somebody else did, or it did not fail. Refused while a bank holds it back, and where the account that took it
 * is removed.
 */
export const refundAgain = async (
  work: Work,
  settled: Settled,
  now: Temporal.Instant,
): Promise<number | undefined> => {
  const taken = await takeFailed(work, settled)
  if (!taken) return undefined
  if (taken.isRemoved) throw refuse('not-in-state', whyRemoved)
  if (taken.isHeld) throw refuse('not-in-state', whyDisputed)
  for (const again of taken.again)
    await insertGuaranteeRefund(work.db, work.venue.id, { ...again, ref: randomUUID() }, now)
  return sumOf(taken.again)
}

/**
 * A refund that failed was given back another way, as somebody of the venue says: returns its cents. Undefined: somebody else did
 * something about it, or it did not fail.
 */
export const gaveBackOtherwise = async (
  work: Work,
  settled: Settled,
  now: Temporal.Instant,
): Promise<number | undefined> => {
  const { db, venue } = work
  const taken = await takeFailed(work, settled)
  if (!taken) return undefined
  const { row } = taken
  for (const again of taken.again) await insertRefundByHand(db, venue.id, again, now)
  await countGuarantee(db, venue.id, row.id)
  await showGuarantee(work, row.reservation_id)
  return sumOf(taken.again)
}

const sumOf = (again: readonly { readonly amountCents: number }[]): number =>
  again.reduce((sum, { amountCents }) => sum + amountCents, 0)

/**
 * Takes up a refund that failed, once: what of it can go another time, if anything is left, and whether a bank holds that back.
 * What a bank took by a dispute, and gave back, was of the whole booking: it may have been there in place of another payment's refund.
 */
const takeFailed = async ({ db, venue }: Work, { refund, guarantee }: Settled) => {
  const row = await holdGuarantee(db, venue.id, guarantee)
  const [failed] = row ? await supersedeRefunds(db, venue.id, guarantee, refund) : []
  if (!row || !failed) return undefined
  // First, so that nothing is removed between the two reads.
  const isRemoved = await isOfRemoved(db, venue.id, failed.payment_id)
  const removed = (await otherwiseOf(db, venue.id, guarantee)).filter((one) => one.is_removed)
  const payments = [...(await refundableOf(db, venue.id, guarantee)), ...removed]
  const own = payments.filter(({ id }) => id === failed.payment_id)
  const others = failed.origin === 'dispute' ? payments.filter((one) => !own.includes(one)) : []
  const again: { guarantee: number; payment: number; amountCents: number }[] = []
  let rest = failed.amount_cents
  for (const { id: payment, left } of [...own, ...others]) {
    const amountCents = Math.min(left, rest)
    if (amountCents > 0) again.push({ guarantee, payment, amountCents })
    rest -= amountCents
  }
  return { row, again, isRemoved, isHeld: own.some(({ is_held: isHeld }) => isHeld) }
}

/** Whether a payment came in through an account that is removed; its key stays until the transaction ends otherwise. */
const isOfRemoved = async (db: Queries, venue: VenueId, payment: number): Promise<boolean> => {
  const row = await paymentById(db, venue, payment)
  return row !== undefined && !(await mayAskMore(db, venue, row.account_id))
}

type Settled = { readonly refund: number; readonly guarantee: number }

/** The processor said how a refund ended. One that is settled stays so. */
export const settleGuaranteeRefund = (
  work: Work,
  settled: Settled,
  {
    state,
    answer,
    wasTold = false,
  }: {
    readonly state: 'succeeded' | 'failed'
    readonly answer: string | null
    /** Its guest was mailed about it before. */
    readonly wasTold?: boolean
  },
): Promise<void> => moveRefund(work, settled, { from: 'pending', to: state, answer, wasTold })

/** A refund that had arrived came back from the bank. */
export const failGuaranteeRefund = (work: Work, settled: Settled, answer: string | null): Promise<void> =>
  moveRefund(work, settled, { from: 'succeeded', to: 'failed', answer })

/** The bank gave back what it had taken by a dispute. Where nothing of it `isOwed`, no refund failed, and none is to be sent. */
export const winGuaranteeRefundBack = async (
  work: Work,
  { answer, isOwed, ...settled }: Settled & { readonly answer: string; readonly isOwed: boolean },
): Promise<void> => {
  await moveRefund(work, settled, { from: 'succeeded', to: isOwed ? 'failed' : 'superseded', answer })
  await endAbove(work.db, work.venue.id, settled.refund, work.now())
}

/** Whether its booking was cancelled so that everything comes back. */
export const isCancelledInTime = async (db: Queries, venue: VenueId, guarantee: number): Promise<boolean> => {
  const row = await db.maybe(
    sql({
      free_until: 'timestamptz',
      cancelled_by: 'text?',
      cancelled_from: 'text?',
      cancelled_at: 'timestamptz',
    })`
    select g.free_until, r.cancelled_by, r.cancelled_from, r.cancelled_at
      from guarantee g join reservation r on r.venue_id = g.venue_id and r.id = g.reservation_id
     where g.venue_id = ${venue} and g.id = ${guarantee} and r.status = 'Cancelled' and r.cancelled_at is not null`,
  )
  return row !== undefined && comesBack(row, row, toInstant(row.cancelled_at))
}

/** One that waited to be sent is not made, as the answer says: the bank has taken the money, or it was sent already. */
export const withdrawGuaranteeRefund = (work: Work, settled: Settled, answer: string): Promise<void> =>
  moveRefund(work, settled, { from: 'pending', to: 'superseded', answer })

const moveRefund = async (
  work: Work,
  { refund, guarantee }: Settled,
  {
    from,
    to,
    answer,
    wasTold = false,
  }: {
    readonly from: string
    readonly to: string
    readonly answer: string | null
    readonly wasTold?: boolean
  },
): Promise<void> => {
  const { db, venue } = work
  const row = await holdGuarantee(db, venue.id, guarantee)
  if (!row) return
  // What was beyond what was left is not to be sent again.
  const moved = await db.maybe(sql({ amount_cents: 'int4' })`
    update refund set
      state = case when amount_cents = 0 and ${to}::text = 'failed' then 'superseded' else ${to}::text end, answer = ${answer}, settled_at = ${work.now()},
      arrived_at = case when state = 'succeeded' then settled_at else arrived_at end,
      came_back_at = case when state = 'succeeded' then ${work.now()} else came_back_at end
     where venue_id = ${venue.id} and id = ${refund} and state = ${from}
    returning amount_cents`)
  if (!moved) return
  await countGuarantee(db, venue.id, guarantee)
  await supersedeSpent(db, venue.id, guarantee)
  if (to === 'failed') await endAbove(db, venue.id, refund, work.now())
  if (to === 'succeeded' && moved.amount_cents > 0 && !wasTold) await tellRefunded(work, row, refund)
  await showGuarantee(work, row.reservation_id)
}

/** Money of a booking went back: its guest is mailed. Whose table could not be given was told so when it was refused. */
export const tellRefunded = async (
  { db, venue, now }: Work,
  { reservation_id: booking }: Pick<GuaranteeRow, 'reservation_id'>,
  refund: number,
): Promise<void> => {
  if (booking !== null) await queueRefundMail(db, venue.id, { kind: 'tableRefunded', refund }, now())
}
