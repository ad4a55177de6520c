import { isCancelledInTime, winGuaranteeRefundBack } from '../../../book/reservations/guarantee/give-back.ts'
import { holdGuarantee } from '../../../book/reservations/guarantee/guarantee-store.ts'
import type { Work } from '../../../context.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import {
  type Matter,
  addMatter,
  endMatterOf,
  matterForUpdate,
  moveMatter,
} from '../../../core/money/matter-store.ts'
import type { PaymentRow } from '../../../core/money/payment-store.ts'
import type { DisputeSeen } from '../../../core/money/processor.ts'
import { addTask, tickTask } from '../../../crm/tasks/actions.ts'
import { taskFields } from '../../../crm/tasks/fields.ts'
import { openTaskOf } from '../../../crm/tasks/reads.ts'
import { sql } from '../../../platform/db/sql.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { soldOrderForUpdate } from '../../order-reads.ts'
import { winRefundBack } from '../../refunds.ts'
import { arrivedBy, recordRefundMadeThere } from './refunds-made-there.ts'

/**
 * Notes how a dispute of a payment stands, at its order or booking. A new one is a task for managers, with the last day for an
 * answer; it moves no money here. One that is lost is money that went back; one that is won is nothing; a warning is a note.
 * `lookedAt`: when the look began that saw it so. A slow look may end after a later one, and writes nothing then.
 */
export const recordDispute = async (
  work: Work,
  payment: PaymentRow,
  seen: DisputeSeen,
  lookedAt: Temporal.Instant,
): Promise<boolean> => {
  const { db, venue } = work
  const now = work.now()
  const place = await placeOf(work, payment)
  const matter: Matter = {
    kind: 'dispute',
    subject: seen.disputeRef,
    order: place.order,
    reservation: place.reservation,
    payment: payment.id,
    amountCents: seen.amountCents,
    currency: seen.currency,
    state: seen.state,
    reason: seen.reason,
    dueAt: seen.dueAt,
  }
  const before = await matterForUpdate(db, venue.id, matter)
  if (before?.seen_at != null && Temporal.Instant.compare(toInstant(before.seen_at), lookedAt) > 0)
    return true
  if (!before) await addMatter(db, venue.id, matter, now)
  await moveMatter(db, venue.id, matter, lookedAt)
  const moved = before?.state !== seen.state
  if (moved) await noteDispute(work, place, seen)
  if (moved && seen.state === 'open') await addTask(work, taskFor(work, place, seen))
  if (seen.isOver) await endMatterOf(db, venue.id, matter, now)
  if (moved && seen.isOver) await endTask(work, place, seen)
  if (seen.state !== 'lost') return takeBack(work, payment, seen)
  return recordLost(work, payment, seen)
}

/** What the bank took is a refund, as soon as nothing of ours is in its way. */
export const recordLost = (
  work: Work,
  payment: PaymentRow,
  { disputeRef, amountCents, currency }: Pick<DisputeSeen, 'disputeRef' | 'amountCents' | 'currency'>,
): Promise<boolean> =>
  recordRefundMadeThere(work, payment, {
    ...{ refundRef: disputeRef, origin: 'dispute', state: 'succeeded' },
    ...{ amountCents, currency },
  })

/**
 * Won after it was lost: the money that had gone back has come again, and is the venue's to keep. Only where a refund was asked
 * for that the loss took the place of is it a refund that failed, for somebody to look at and send again.
 */
const takeBack = async (work: Work, payment: PaymentRow, { disputeRef }: DisputeSeen): Promise<boolean> => {
  const lost = await arrivedBy(work, { refundRef: disputeRef })
  if (!lost) return true
  const isOwed = await isStillOwed(work, payment)
  const won = { refund: lost.id, answer: 'the dispute was not lost after all', isOwed }
  if (payment.guarantee_id === null) await winRefundBack(work, won)
  else await winGuaranteeRefundBack(work, { ...won, guarantee: payment.guarantee_id })
  return true
}

/** Whether somebody, or a cancellation in time, asked for money of the payment to go back that never arrived. */
const isStillOwed = async (
  { db, venue }: Work,
  { id, guarantee_id: guarantee }: PaymentRow,
): Promise<boolean> => {
  const { unsent } = await db.one(sql({ unsent: 'bool' })`
    select exists (
      select from refund
       where venue_id = ${venue.id} and payment_id = ${id} and origin = 'us' and state = 'superseded') as unsent`)
  return unsent || (guarantee !== null && (await isCancelledInTime(db, venue.id, guarantee)))
}

type Place = { readonly order: number | null; readonly reservation: number | null; readonly name: string }

/** What was paid for, locked. */
const placeOf = async ({ db, venue }: Work, payment: PaymentRow): Promise<Place> => {
  if (payment.guarantee_id !== null) {
    const row = await holdGuarantee(db, venue.id, payment.guarantee_id)
    const reservation = row?.reservation_id ?? null
    return { order: null, reservation, name: `booking ${reservation ?? ''}` }
  }
  const order =
    payment.order_id === null ? undefined : await soldOrderForUpdate(db, venue.id, payment.order_id)
  return { order: order?.id ?? null, reservation: null, name: `order ${order?.order_number ?? ''}` }
}

const noteDispute = (work: Work, { order, reservation }: Place, seen: DisputeSeen): Promise<void> => {
  const record =
    order !== null
      ? ({ kind: 'ticket_order', id: order } as const)
      : reservation !== null
        ? ({ kind: 'reservation', id: reservation } as const)
        : ({ kind: 'venue', id: work.venue.id } as const)
  // The history shows it as it is written: Stripe's codes are words with underscores.
  const reason = seen.reason?.replaceAll('_', ' ') ?? null
  const after = { dispute: seen.state, amount_cents: seen.amountCents, reason }
  return recordActivity(
    work,
    { kind: 'service' },
    { action: 'dispute', record, before: null, after },
    work.now(),
  )
}

const taskFor = ({ venue }: Work, place: Place, seen: DisputeSeen) => {
  const { dueAt } = seen
  return taskFields.read({
    title: titleOf(place, seen),
    due: dueAt === null ? '' : wallTimeOf(dueAt, venue.timezone).date,
    priority: 'High',
    category: 'Finance',
    client: '',
    assignedRole: 'manager',
  })
}

/** It was decided: there is nothing to answer any more. */
const endTask = async (work: Work, place: Place, seen: DisputeSeen): Promise<void> => {
  const id = await openTaskOf(work.db, work.venue.id, titleOf(place, seen))
  if (id !== undefined) await tickTask(work, { kind: 'service' }, { id, done: true })
}

const titleOf = ({ name }: Place, { amountCents, currency }: DisputeSeen): string =>
  `Answer the dispute of ${moneyOf(amountCents, currency)} in Stripe: ${name}`
