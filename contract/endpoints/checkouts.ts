import { Type } from 'typebox'
import { Checkout, NewCheckout } from '../records/checkout.ts'
import { limits } from '../limits.ts'
import { bookingReasons } from '../reasons.ts'
import { ref } from '../shapes.ts'
import { body64, type Endpoint, keyClash } from '../webhooks/endpoint.ts'

const refusedByRules = Object.keys(bookingReasons) as (keyof typeof bookingReasons)[]

const reply = (title: string, description: string) =>
  Type.Object({ checkout: ref(Checkout) }, { title, description })

export const checkoutEndpoints = {
  createCheckout: {
    id: 'createCheckout',
    method: 'POST',
    path: '/api/v1/checkouts',
    group: 'Checkouts',
    since: '2026-11-29',
    summary: 'Start a payment',
    description: `Holds seats of an event, or a table for which the venue asks for a card or a deposit, and answers with the page on which your guest pays. Lead them there; they come back to \`returnUrl\`. Send \`occurrenceId\`, or \`hold\`, or \`date\` and \`time\`. The order or the reservation is made when it is paid; the buyer is emailed tickets, the guest of a table a receipt. A key may have ${limits.checkoutsOfKey} open at a time.`,
    access: 'write',
    scope: 'checkouts:create',
    namesRecord: true,
    body: NewCheckout,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: { 201: reply('CheckoutReply', 'The seats or the table are kept.') },
    badRequest:
      'A field is missing or cannot be read, or `returnUrl` is not on a site that the venue has listed.',
    reasons: [
      'payments-off',
      'amount-too-small',
      'nothing-to-secure',
      'seats-full',
      'sale-closed',
      'promo-code-invalid',
      ...refusedByRules,
      'too-many-holds',
      ...keyClash,
      'outcome-unknown',
    ],
    sentences: { 'too-many-holds': `This key has ${limits.checkoutsOfKey} open checkouts already.` },
  },

  getCheckout: {
    id: 'getCheckout',
    method: 'GET',
    path: '/api/v1/checkouts/{id}',
    params: { id: 'record' },
    group: 'Checkouts',
    since: '2026-11-29',
    summary: 'Read a checkout',
    description: 'How a checkout of this key is. Ask when your guest is back: being back says nothing.',
    access: 'write',
    scope: 'checkouts:create',
    replies: { 200: reply('CheckoutRead', 'The checkout as it is now.') },
  },

  expireCheckout: {
    id: 'expireCheckout',
    method: 'POST',
    path: '/api/v1/checkouts/{id}/expire',
    params: { id: 'record' },
    group: 'Checkouts',
    since: '2026-11-29',
    summary: 'End a checkout',
    description:
      'Takes no body. Frees the seats or the table at once; one that has expired already stays as it is. Who has paid meanwhile has paid.',
    access: 'write',
    scope: 'checkouts:create',
    callsOutForSeconds: limits.expireSeconds,
    replies: { 200: reply('CheckoutExpired', 'It has expired.') },
    reasons: ['checkout-ended', 'not-in-state'],
    sentences: {
      'not-in-state': 'Your guest is being led to the payment page at this moment; try again in a minute.',
    },
  },
} as const satisfies Record<string, Endpoint>
