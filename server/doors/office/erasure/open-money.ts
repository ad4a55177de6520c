import type { OpenMoney, Sum } from '../../../data/erasure/money-of-person.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { moneyOf } from '../parts/money.ts'

/** What an owner reads of money and tickets before somebody is erased: what happens to it, and what to do first. */
export const openMoneyHints = ({ deposits, tickets, back, paying, coming }: OpenMoney): readonly Html[] =>
  [
    deposits.length > 0 &&
      `${sumsOf(deposits)} that they paid is behind bookings still to come. It stays there; refund it first if they are not coming.`,
    tickets > 0 &&
      `${tickets === 1 ? 'A ticket' : `${tickets} tickets`} for events still to come will stay valid without a name, and if the event is called off, nobody can be written to. Refund the order first if they are not coming.`,
    back.length > 0 &&
      `${sumsOf(back)} has not reached them yet. It still goes back to their card, but no email says so; if their bank returns it, nobody can be asked where to send it.`,
    paying > 0 &&
      `They may be paying at this moment. Their payment page will be closed, and what they pay before that goes back.`,
    coming > 0 &&
      `A payment of theirs has not arrived yet. It still counts when it does, for an order or a booking without a name.`,
  ].flatMap((hint) => (hint === false ? [] : [html`<p class="hint">${hint}</p>`]))

const sumsOf = (sums: readonly Sum[]): string =>
  sums.map(({ cents, currency }) => moneyOf(cents, currency)).join(' and ')
