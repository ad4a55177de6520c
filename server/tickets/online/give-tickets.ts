import { randomUUID } from 'node:crypto'
import {
  type CheckoutRow,
  type CheckoutWhy,
  checkoutById,
  checkoutForUpdate,
  checkoutMinutes,
  endAwaiting,
  endCheckout,
  isAwaited,
  lookLater,
  settleCheckout,
} from '../../core/money/checkout-store.ts'
import { type Paid, afterMinutes } from '../../core/money/look.ts'
import { insertPayment } from '../../core/money/payment-store.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { recordEvent } from '../../core/events/record.ts'
import type { Work } from '../../context.ts'
import type { SignUp } from '../../book/reservations/guarantee/give-table.ts'
import { queueGuestMail } from '../../mail/guest-mail-queue.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import {
  type OccurrenceRow,
  type PromoCodeRow,
  occurrenceForUpdate,
  promoCodeByIdForUpdate,
  seatsTaken,
  usesOfPromoCode,
} from '../event-reads.ts'
import { mailTickets } from '../admission/mail-tickets.ts'
import { writeMoved } from '../order-moves.ts'
import { type SoldOrderRow, soldOrderForUpdate } from '../order-reads.ts'
import { insertOnlineRefund } from '../order-writes.ts'
import { insertNumbered, soldAs } from '../sell-tickets.ts'
import { type TicketsForm, wantsNews } from './ask-tickets.ts'

/**
 * Gives the tickets that were paid for: order, payment, events and the end of the checkout in one transaction, once.
 * Who comes second finds it done. Where they cannot be given now, the order has given its seats back, and the money
 * is on its way back; nor is anybody signed up for news then. Money that is still to come makes an order that waits for it with
 * its seats; it is paid or cancelled once that is known. Locks the date, then the code, then the checkout.
 */
export const giveTickets = async (
  work: Work,
  id: number,
  { how, paymentRef }: Paid,
  signUp?: SignUp,
): Promise<void> => {
  const { db, venue } = work
  const isPaid = how === 'paid'
  const seen = await checkoutById(db, venue.id, id)
  if (!seen || seen.occurrence_id === null || seen.seats === null) return
  const occurrence = await occurrenceForUpdate(db, venue.id, seen.occurrence_id)
  const code =
    seen.promo_code_id === null ? undefined : await promoCodeByIdForUpdate(db, venue.id, seen.promo_code_id)
  const row = await checkoutForUpdate(db, venue.id, id)
  if (!occurrence || !row) return
  if (isAwaited(row)) return endWait(work, row, { how, paymentRef }, signUp)
  if (row.state === 'completed' || row.state === 'refused') return
  if (how === 'failed') return endUnpaid(work, row.id)
  const { seats } = seen
  const why = await whyNot(work, { ...row, seats }, occurrence, code)
  // Nothing came yet that could go back: it is refused if it comes.
  if (why !== null && !isPaid) return
  const now = work.now()
  const form = (row.form ?? {}) as Partial<TicketsForm>
  const { row: sold } = await insertNumbered(
    work,
    {
      occurrenceId: occurrence.id,
      status: isPaid ? 'paid' : 'paid_unconfirmed',
      channel: 'public',
      method: 'processor_link',
      buyer: {
        firstName: form.firstName ?? null,
        lastName: form.lastName ?? null,
        email: form.email ?? null,
        phone: form.phone ?? null,
      },
      seats,
      seatsReturned: why === null ? 0 : seats,
      price: {
        subtotalCents: row.subtotal_cents,
        discountCents: row.discount_cents,
        feeCents: row.fee_cents,
        taxCents: row.tax_cents,
        totalCents: row.total_cents,
      },
      promoCode: code ?? null,
      marketingOptIn: wantsNews(form.news),
      reference: null,
      currency: row.currency,
      language: row.language,
    },
    now,
  )
  const payment = isPaid && (await keepPayment(work, row, { order: sold.id, paymentRef }))
  if (why !== null && payment)
    await insertOnlineRefund(
      db,
      venue.id,
      { orderId: sold.id, amountCents: row.total_cents, seats: 0, payment: payment.id, ref: randomUUID() },
      now,
    )
  await settleCheckout(db, venue.id, row.id, {
    state: why === null ? 'completed' : 'refused',
    order: sold.id,
    why,
    awaitedAt: isPaid ? null : now.add({ minutes: afterMinutes }),
  })
  if (!isPaid) return noteSold(work, sold, ['ticket_order.created'])
  if (why === null) await mailTickets(work, sold, now)
  else await queueGuestMail(db, venue.id, { kind: 'ticketsRefused', record: row.id }, now)
  await noteSold(work, sold, ['ticket_order.paid', 'ticket_order.created'])
  if (why === null) await signUpBuyer(work, row, signUp)
}

const noteSold = async (
  work: Work,
  sold: SoldOrderRow,
  names: readonly ('ticket_order.paid' | 'ticket_order.created')[],
): Promise<void> => {
  const now = work.now()
  await recordEvent(work, names, soldAs(sold, false).order, now)
  await recordActivity(
    work,
    { kind: 'guest' },
    { action: 'sell', record: { kind: 'ticket_order', id: sold.id }, before: null, after: sold },
    now,
  )
}

const signUpBuyer = async (work: Work, row: CheckoutRow, signUp: SignUp | undefined): Promise<void> => {
  const { news, email, firstName: name } = (row.form ?? {}) as Partial<TicketsForm>
  if (news && email)
    await signUp?.(work, { ...news, email, name: name ?? '', language: row.language }, 'ticket_order')
}

const keepPayment = (
  { db, venue, now }: Work,
  row: CheckoutRow,
  { order, paymentRef }: { readonly order: number; readonly paymentRef: string | null },
) =>
  insertPayment(
    db,
    venue.id,
    {
      ...{ ref: row.ref, account: row.account_id, checkout: row.id, order },
      ...{ amountCents: row.total_cents, currency: row.currency, processorRef: paymentRef },
    },
    now(),
  )

/** It is known whether the money of an order came: its buyer is mailed the tickets, or that there are none. */
const endWait = async (
  work: Work,
  row: CheckoutRow,
  { how, paymentRef }: Pick<Paid, 'how' | 'paymentRef'>,
  signUp: SignUp | undefined,
): Promise<void> => {
  const { db, venue } = work
  const order = await soldOrderForUpdate(db, venue.id, row.order_id ?? 0)
  if (!order || how === 'pending') return
  await endAwaiting(db, venue.id, row.id, how === 'paid' ? null : 'unpaid')
  if (how === 'paid') {
    await keepPayment(work, row, { order: order.id, paymentRef })
    await writeMoved(work, { kind: 'service' }, 'confirmPayment', order, {}, {})
    return signUpBuyer(work, row, signUp)
  }
  await writeMoved(work, { kind: 'service' }, 'cancel', order, {}, {})
  await queueGuestMail(db, venue.id, { kind: 'ticketsRefused', record: row.id }, work.now())
}

/** No order was made, and no money comes. */
const endUnpaid = async ({ db, venue }: Work, id: number): Promise<void> => {
  await endCheckout(db, venue.id, id, 'unpaid', null)
  await lookLater(db, venue.id, id, null)
}

/**
 * From the press to the last payment: what was made at the last minute of a day's sale is paid and seen by then. What is
 * seen much later is of no use to the guest, who had no ticket when the doors opened.
 */
const longestMinutes = checkoutMinutes.made + checkoutMinutes.page + checkoutMinutes.grace

/** Sale window, dates of the code and price are those of the press; what is left is judged now, without its own seats. */
const whyNot = async (
  { db, venue, now }: Work,
  row: CheckoutRow & { readonly seats: number },
  occurrence: OccurrenceRow,
  code: PromoCodeRow | undefined,
): Promise<CheckoutWhy | null> => {
  // Its buyer was erased while they paid: the tickets would be nobody's.
  if (row.why === 'not-asked') return 'not-asked'
  const atPress = now().subtract({ minutes: longestMinutes })
  if (occurrence.date < wallTimeOf(atPress, venue.timezone).date) return 'over'
  const taken = await seatsTaken(db, venue.id, occurrence.id, now(), row.id)
  if (taken + row.seats > occurrence.capacity) return 'seats-full'
  if (!code || code.uses_most === null) return null
  return (await usesOfPromoCode(db, venue.id, code.id, now(), row.id)) >= code.uses_most
    ? 'promo-code-invalid'
    : null
}
