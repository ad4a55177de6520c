import { endpoints } from '@venue-data/contract/endpoints.ts'
import type { CheckoutRow } from '../../../core/money/checkout-store.ts'
import { checkoutOfKey } from '../../../core/money/checkouts-of-keys.ts'
import { giveUp } from '../../../core/money/look.ts'
import type { Context, Work } from '../../../context.ts'
import { created, ok, route } from '../../../platform/http/serve.ts'
import { notFound, refuse } from '../../../platform/kernel/refusal.ts'
import { lookingAtTickets } from '../looking.ts'
import { type CheckoutWords, beginCheckout } from './begin-checkout.ts'
import { presentCheckout } from './checkout-present.ts'
import { readCheckout } from './read-checkout.ts'

type Named = { readonly id: number; readonly key: number }

/** Payments that software begins: a key sees its own and no other's. */
export const checkoutRoutes = (context: Context, words: CheckoutWords) => {
  const looking = lookingAtTickets(context)
  const shown = ({ venue, now }: Work, row: CheckoutRow) => ({
    checkout: presentCheckout(row, looking.pagesOf(venue, row.id).cancel, now()),
  })
  const own = async ({ db, venue }: Work, { id, key }: Named): Promise<CheckoutRow> => {
    const row = await checkoutOfKey(db, venue.id, key, id)
    if (!row) throw notFound('checkout')
    return row
  }
  return [
    route(endpoints.createCheckout, {
      read: ({ body, venue, caller, now }) => ({
        asked: readCheckout(body, venue.timezone, now),
        key: caller.key.id,
      }),
      answer: async (work, { asked, key }) =>
        created(shown(work, await beginCheckout(work, words, key, asked))),
    }),

    route(endpoints.getCheckout, {
      read: ({ params, caller }) => ({ id: Number(params['id']), key: caller.key.id }),
      answer: async (work, named) => ok(shown(work, await own(work, named))),
    }),

    route(endpoints.expireCheckout, {
      read: ({ params, caller }) => ({ id: Number(params['id']), key: caller.key.id }),
      answer: async (work, named) => {
        await own(work, named)
        await giveUp(looking, work.venue, named.id)
        const row = await own(work, named)
        if (row.state === 'completed' || row.state === 'refused')
          throw refuse('checkout-ended', `This checkout is ${row.state}.`)
        if (row.state !== 'ended')
          throw refuse('not-in-state', endpoints.expireCheckout.sentences['not-in-state'])
        return ok(shown(work, row))
      },
    }),
  ]
}
