import { type Html, html } from '../../../platform/html/html.ts'
import type { GuaranteeRow } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { momentInWords } from '../../../platform/kernel/time/in-words.ts'
import { moneyOf } from '../parts/money.ts'

export type GuaranteeSeen = {
  readonly row: GuaranteeRow
  /** On its way back to the guest. */
  readonly pendingCents: number
  /** Did not arrive, and is not on its way. */
  readonly failedCents: number
}

const states: Readonly<Record<string, string>> = {
  held: 'Card held',
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  charged: 'Charged',
  charge_failed: 'The card was refused',
  released: 'Card deleted',
}

/** The card or the deposit behind a booking, with the sentence that its guest agreed to. */
export const guaranteeCard = ({ row, pendingCents, failedCents }: GuaranteeSeen, zone: string): Html => {
  const money = (cents: number): string => moneyOf(cents, row.currency)
  const facts: readonly (readonly [string, string | null])[] = [
    ['State', states[row.status] ?? row.status],
    ['Agreed', momentInWords(row.agreed_at, zone)],
    ['At most', money(row.amount_cents)],
    ['Free until', momentInWords(row.free_until, zone)],
    ['Paid', row.paid_cents === 0 ? null : money(row.paid_cents)],
    ['Refunded', row.refunded_cents === 0 ? null : money(row.refunded_cents)],
    ['On its way back', pendingCents === 0 ? null : money(pendingCents)],
    ['Refund failed', failedCents === 0 ? null : money(failedCents)],
    [
      row.deleted_at === null ? 'Card is deleted' : 'Card was deleted',
      row.delete_at === null ? null : momentInWords(row.deleted_at ?? row.delete_at, zone),
    ],
  ]
  return html`<section class="card" id="guarantee">
    <h2>${row.kind === 'card' ? 'Card on file' : 'Deposit'}</h2>
    <p class="small">${row.sentence}</p>
    <dl class="facts">
      ${facts.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
    </dl>
  </section>`
}
