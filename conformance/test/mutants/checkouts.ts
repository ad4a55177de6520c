import type { Broken } from '../broken-proxy.ts'
import { answering, asking, bodyOf, isAt, json, mutant, records, sending } from './mutant.ts'

export const checkoutMutants = [
  mutant(
    'begins a payment that has no page yet',
    ['Checkouts 1.1'],
    records('POST /checkouts', (checkout) => {
      checkout.url = null
    }),
  ),
  mutant(
    'begins no payment without the processor',
    ['Checkouts 1.1', 'Checkouts 5'],
    answering('POST /checkouts', (answer) => {
      if (answer.status === 201) Object.assign(answer, json(503, { error: 'Stripe does not answer.' }))
    }),
  ),
  mutant(
    'reads a payment with another sum',
    ['Checkouts 1.2'],
    records('GET /checkouts/*', (checkout) => {
      checkout.totalCents += 1
    }),
  ),
  mutant(
    'begins another payment at each retry',
    ['Checkouts 2'],
    asking('POST /checkouts', ({ headers }) => {
      delete headers['idempotency-key']
    }),
  ),
  mutant(
    'says that another key has begun a payment',
    ['Checkouts 3'],
    answering('GET /checkouts/*', (answer) => {
      if (answer.status === 404)
        Object.assign(answer, json(403, { error: 'Another key began it.', reason: 'scope-missing' }))
    }),
  ),
  mutant(
    'leads guests to any site',
    ['Checkouts 4'],
    sending('POST /checkouts', (body) => ({ ...body, returnUrl: 'https://www.example.com/thanks' })),
  ),
  mutant('refuses to end a payment that has expired', ['Checkouts 5'], (): Broken => {
    const ended = new Set<string>()
    return {
      request: async (asked, next) => {
        if (!isAt(asked, 'POST /checkouts/*/expire')) return next(asked)
        if (ended.has(asked.path)) return json(409, { error: 'It has expired.', reason: 'checkout-ended' })
        ended.add(asked.path)
        return next(asked)
      },
    }
  }),
  mutant('lists who is about to pay among the orders', ['Checkouts 6'], (): Broken => {
    let buyer = ''
    return {
      request: async (asked, next) => {
        if (isAt(asked, 'POST /checkouts')) buyer = bodyOf(asked)?.buyerEmail ?? buyer
        const answer = await next(asked)
        if (isAt(asked, 'GET /ticket-orders') && answer.body[0]) answer.body[0].buyerEmail = buyer
        return answer
      },
    }
  }),
  mutant(
    'takes a key that starts no payments for one of nobody',
    ['Checkouts 7'],
    answering('POST /checkouts', (answer) => {
      if (answer.status === 403) answer.status = 401
    }),
  ),
]
