import type { ServerResponse } from 'node:http'
import type { Stripe } from 'stripe'
import { type Html, html, textOf } from '../../platform/html/html.ts'
import { amountThere } from './amount-there.ts'
import type { StripeStandIn } from './stand-in.ts'

/*
 * What an owner does in Stripe's dashboard, and what banks do: refunds made there, disputes, refunds that fail, cards that
 * are refused, and calls that wait or come twice. One page without a script.
 */
export const dashboard = async (
  standIn: StripeStandIn,
  method: string,
  body: string,
  response: ServerResponse,
): Promise<void> => {
  if (method === 'POST') {
    const refused = await act(standIn, new URLSearchParams(body)).then(
      () => undefined,
      () => 'That is not possible now.',
    )
    if (refused === undefined) return void response.writeHead(303, { location: '/' }).end()
    return void response.writeHead(409, { 'content-type': 'text/plain' }).end(refused)
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(textOf(page(standIn)))
}

const act = async (standIn: StripeStandIn, form: URLSearchParams): Promise<void> => {
  const of = form.get('of') ?? ''
  switch (form.get('do')) {
    case 'refund': {
      const cents = Math.round(Number(form.get('amount')) * 100)
      if (!(cents > 0)) throw new RangeError('no amount')
      return void (await standIn.refundThere(of, cents))
    }
    case 'dispute':
      return void (await standIn.dispute(of, form.get('status') as Stripe.Dispute.Status))
    case 'end-refund':
      return standIn.endRefund(of, form.get('status') === 'failed' ? 'failed' : 'succeeded')
    case 'end-payment':
      return standIn.endPayment(of, form.get('status') === 'failed' ? 'failed' : 'succeeded')
    case 'cards':
      standIn.declines = ([undefined, 'card_declined', 'authentication_required'] as const)[Number(of)]
      return
    case 'refunds':
      standIn.refundsPend = of === 'wait'
      return
    case 'calls':
      standIn.callsOut = of === 'go'
      return
    default:
      // Twice, and the newest first.
      for (const event of [...standIn.held, ...standIn.held].toReversed()) await standIn.call(event)
      standIn.held.length = 0
  }
}

const page = (standIn: StripeStandIn): Html => html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Stand-in for Stripe</title>
      <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 1rem auto; max-width: 60rem; padding: 0 1rem; color-scheme: light dark }
        form { display: inline-flex; flex-wrap: wrap; gap: 0.5rem; margin: 0.25rem 1rem 0.25rem 0 }
        button, input { font: inherit; min-height: 2.75rem }
        li { border-top: 1px solid #8886; padding: 0.5rem 0 }
      </style>
    </head>
    <body>
      <main>
        <h1>Stand-in for Stripe</h1>
        <p>No money moves. This page does what an owner does in Stripe’s dashboard, and what banks do.</p>
        <h2>From now on</h2>
        ${switches(standIn)}
        <h2>Payments</h2>
        ${waitingList(standIn)} ${paymentList(standIn)}
        <h2>Refunds</h2>
        ${refundList(standIn)}
      </main>
    </body>
  </html>`

const press = (name: string, of: string, label: string, more: Html | string = ''): Html =>
  html`<form method="post" action="/">
    <input type="hidden" name="do" value="${name}" /><input type="hidden" name="of" value="${of}" />${more}<button>${label}</button>
  </form>`

const switches = ({ declines, refundsPend, callsOut, held }: StripeStandIn): Html => {
  const at = ['card_declined', 'authentication_required'].indexOf(declines ?? '') + 1
  const cards = ['pay', 'are declined', 'need their guest’s approval'] as const
  return html`<div>Kept cards ${cards[at]}. ${cards.map((words, i) => i !== at && press('cards', String(i), `Cards ${words}`))}</div>
    <div>Refunds ${refundsPend ? 'wait for the bank' : 'arrive at once'}. ${press('refunds', refundsPend ? 'go' : 'wait', refundsPend ? 'Refunds arrive at once' : 'Refunds wait')}</div>
    <div>
      Calls to the service ${callsOut ? 'go out at once' : `wait: ${held.length}`}.
      ${press('calls', callsOut ? 'wait' : 'go', callsOut ? 'Hold the calls' : 'Send new calls at once')}
      ${held.length > 0 && press('held', '', 'Send what waits, twice and newest first')}
    </div>`
}

const statuses = { needs_response: 'Dispute', warning_needs_response: 'Warn', won: 'Won', lost: 'Lost' }

/** Paid in a way that takes days. */
const waitingList = ({ intents, sessions }: StripeStandIn): Html | undefined => {
  const waiting = [...sessions.values()].filter(
    ({ payment_intent: id }) => id !== null && intents.get(id)?.status === 'processing',
  )
  if (waiting.length === 0) return undefined
  const end = (id: string, status: string, label: string): Html =>
    press('end-payment', id, label, html`<input type="hidden" name="status" value="${status}" />`)
  return html`<ul>
    ${waiting.map(
      ({ id, amount_total: amount, currency, customer_email: email }) =>
        html`<li>
          <strong>${amountThere(amount ?? 0, currency ?? 'usd')}</strong> ${email} · on its way<br />
          ${end(id, 'succeeded', 'It arrives')} ${end(id, 'failed', 'It fails')}
        </li>`,
    )}
  </ul>`
}

const paymentList = ({ intents, disputes, sessions }: StripeStandIn): Html => {
  const paid = [...intents.values()].filter(({ status }) => status === 'succeeded').toReversed()
  if (paid.length === 0) return html`<p>None yet.</p>`
  return html`<ul>
    ${paid.map(({ id, amount, currency }) => {
      const dispute = [...disputes.values()].find((row) => row.payment_intent === id)
      const session = [...sessions.values()].find((row) => row.payment_intent === id)
      return html`<li>
        <strong>${amountThere(amount, currency)}</strong> ${session?.customer_email ?? 'a card that was kept'}
        ${dispute && html`· dispute: ${dispute.status.replaceAll('_', ' ')}`}<br />
        ${press('refund', id, 'Refund', html`<input name="amount" size="8" inputmode="decimal" aria-label="Amount to refund" value="${(amount / 100).toFixed(2)}" />`)}
        ${Object.entries(statuses).map(([status, label]) => press('dispute', id, label, html`<input type="hidden" name="status" value="${status}" />`))}
      </li>`
    })}
  </ul>`
}

const refundList = ({ refunds }: StripeStandIn): Html =>
  refunds.size === 0
    ? html`<p>None yet.</p>`
    : html`<ul>
        ${[...refunds.values()].toReversed().map(
          ({ id, amount, currency, status }) =>
            html`<li>
              <strong>${amountThere(amount, currency)}</strong> ${status}
              ${status === 'pending' && press('end-refund', id, 'It arrives', html`<input type="hidden" name="status" value="succeeded" />`)}
              ${status !== 'failed' && press('end-refund', id, 'The bank sends it back', html`<input type="hidden" name="status" value="failed" />`)}
            </li>`,
        )}
      </ul>`
