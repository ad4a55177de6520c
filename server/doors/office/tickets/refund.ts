import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { typedWord } from '../../../platform/kernel/typed-fields.ts'
import { refundById, soldOrder } from '../../../tickets/order-reads.ts'
import { dismissRefund, recordRefund, retryRefund, settleRefund } from '../../../tickets/refunds.ts'
import { refundWays } from '../../../tickets/states.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { idOf, orNull, typedIn, versionIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { centsField, money } from '../parts/money.ts'
import { warning } from '../parts/press-message.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { orderPage } from './order.ts'
import { outcomes } from './refund-form.ts'

const home = '/office/tickets/orders'

/** Refunds, partial or full, and their results. For managers. */
export const refundPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: `${home}/:id/refunds`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const order = idOf(params.id, 'order')
      const outcome = typedWord(
        'The result',
        form.text('outcome'),
        outcomes.map(([word]) => word),
      )
      const amountCents = centsField(form, 'amount', 'The amount')
      const { refund } = await recordRefund(work, actorOf(work.me), {
        order,
        seenVersion: versionIn(form),
        amountCents,
        seats: form.text('seats').trim() === '' ? 0 : (wholeNumberIn(form.text('seats')) ?? Number.NaN),
        tickets: form.all('ticket').map((one) => wholeNumberIn(one) ?? Number.NaN),
        via: typedWord('How', form.text('via'), refundWays),
        outcome,
        answer: orNull(form, 'answer'),
      })
      return go(
        `${home}/${order}#refunds`,
        refund.payment_id === null ? said(outcome, amountCents) : underWay(amountCents),
      )
    },
    again: async (work, { params, form }, { message }) => {
      const order = await soldOrder(work.db, work.venue.id, idOf(params.id, 'order'))
      if (!order) throw notFound('order')
      return page(
        order.order_number,
        await orderPage(work, order, { typed: typedIn(form), mistake: message }),
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/:id/refunds/:refund`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const order = idOf(params.id, 'order')
      const refund = idOf(params.refund, 'refund')
      const found = await refundById(work.db, work.venue.id, refund)
      if (found?.order_id !== order) throw notFound('refund')
      const seen = { refund, seenVersion: versionIn(form) }
      const actor = actorOf(work.me)
      switch (form.text('do')) {
        case 'succeeded':
        case 'failed': {
          const outcome = form.text('do') === 'failed' ? 'failed' : 'succeeded'
          await settleRefund(work, actor, { ...seen, outcome })
          return go(`${home}/${order}#refunds`, said(outcome, found.amount_cents))
        }
        case 'retry':
          await retryRefund(work, actor, { ...seen, outcome: 'succeeded' })
          return go(
            `${home}/${order}#refunds`,
            found.payment_id === null ? said('succeeded', found.amount_cents) : underWay(found.amount_cents),
          )
        case 'by-hand':
          await retryRefund(work, actor, { ...seen, via: 'external', outcome: 'succeeded' })
          return go(`${home}/${order}#refunds`, `${money(found.amount_cents)} noted as refunded another way.`)
        case 'dismiss':
          await dismissRefund(work, actor, seen)
          return go(`${home}/${order}#refunds`, 'Failed refund dismissed.')
        default:
          throw badRequest('This form is incomplete; open the page again.')
      }
    },
    again: async (_work, { params }, { message }) =>
      go(`${home}/${idOf(params.id, 'order')}#refunds`, warning(message)),
  },
]

/** The processor makes it, and says how it ends. */
const underWay = (cents: number): string => `${money(cents)} is on its way back; the result will be here.`

const said = (outcome: (typeof outcomes)[number][0], cents: number): string =>
  outcome === 'succeeded'
    ? `${money(cents)} refunded.`
    : outcome === 'pending'
      ? `${money(cents)} refund pending. Record the result here.`
      : warning(`${money(cents)} could not be refunded. Try again, or dismiss it.`)
