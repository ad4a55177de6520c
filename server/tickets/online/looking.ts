import type { Context } from '../../context.ts'
import {
  type SignUp,
  giveTable,
  keepOrEnd,
  keepPlaceOf,
} from '../../book/reservations/guarantee/give-table.ts'
import { giveAsked } from '../../book/reservations/guarantee/asked/secure-asked.ts'
import { giveOffer, isOfOffer, keepOfferOf } from '../../book/waitlist/secured-offer.ts'
import { checkoutById } from '../../core/money/checkout-store.ts'
import type { Looking } from '../../core/money/look.ts'
import { makePrivateToken } from '../../mail/link-token.ts'
import { giveTickets } from './give-tickets.ts'

const placeOf: Looking['placeOf'] = (db, venue, row) =>
  (isOfOffer(row) ? keepOfferOf : keepPlaceOf)(db, venue, row)

/** What looks at checkouts: their pages here, and how what was paid for is given. */
export const lookingAtTickets = (
  context: Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log' | 'config'>,
  signUp?: SignUp,
): Looking => ({
  ...context,
  give: async (work, checkout, paid) => {
    const row = await checkoutById(work.db, work.venue.id, checkout)
    if (row && row.kind !== 'tickets' && paid.how !== 'paid')
      await keepOrEnd(work, checkout, paid.how, placeOf)
    else if (row && isOfOffer(row)) await giveOffer(work, checkout, paid)
    else if (row?.kind === 'table') await giveTable(work, checkout, paid, signUp)
    else if (row?.kind === 'ask' || row?.kind === 'fee') await giveAsked(work, checkout, paid)
    else await giveTickets(work, checkout, paid, signUp)
  },
  placeOf,
  pagesOf: (venue, checkout) => {
    const token = makePrivateToken(context.secrets, 'pay', { venue: venue.id, record: checkout, issue: 0 })
    const page = `${context.config.publicUrl}/pay/${token}`
    return { back: `${page}/back`, cancel: page }
  },
})
