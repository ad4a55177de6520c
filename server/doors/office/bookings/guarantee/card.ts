import { type Html, html } from '../../../../platform/html/html.ts'
import {
  type GuaranteeRow,
  agreedSentences,
} from '../../../../book/reservations/guarantee/guarantee-store.ts'
import type { UnderWay } from '../../../../book/reservations/guarantee/money-left.ts'
import type { Asking } from '../../../../book/reservations/guarantee/asked/asking.ts'
import { mostTries } from '../../../../book/reservations/guarantee/charging/charge.ts'
import type { Moment } from '../../../../platform/kernel/time/moment.ts'
import { momentInWords } from '../../../../platform/kernel/time/in-words.ts'
import { whyRemoved } from '../../../../core/money/former-accounts.ts'
import { type MatterRow, whyDisputed } from '../../../../core/money/matter-store.ts'
import { lostWords } from '../../tickets/order-words.ts'
import { matterList } from '../../payments/matters.ts'
import { chargeAnswer } from '../../payments/bank-words.ts'
import { amountText, moneyOf } from '../../parts/money.ts'

export type GuaranteeSeen = {
  readonly row: GuaranteeRow
  /** Where its money is. */
  readonly money: UnderWay
  /** Of what was paid another way, what a cancellation gives back: somebody has to do it. */
  readonly owedCents: number
  /** What is asked of the guest at this moment. */
  readonly asking: Asking | undefined
  /** Whether canceling is free at this moment. */
  readonly isFree: boolean
  readonly hasEmail: boolean
  /** The card is being charged at this moment. */
  readonly isCharging: boolean
  /** What a manager has to look at, or had to. */
  readonly matters: readonly MatterRow[]
  /** It was refused so often that it is not tried again. */
  readonly isTriedOut: boolean
  /** Why the last charge failed. */
  readonly refusedWhy: string | null
  /** Who had the card charged, and when: the last press, for managers. */
  readonly charged: readonly { readonly at: Moment; readonly by: string }[]
  /** What the person who looks may press. */
  readonly may: {
    readonly charge: boolean
    readonly refund: boolean
    readonly handBack: boolean
    readonly takeOff: boolean
    readonly waive: boolean
    readonly letGo: boolean
    readonly payOtherwise: boolean
  }
}

const titles: Readonly<Record<string, string>> = {
  card: 'Card on file',
  deposit: 'Deposit',
  prepaid: 'Paid in advance',
}

const states: Readonly<Record<string, string>> = {
  asked: 'Not secured',
  waived: 'Waived',
  held: 'Card held',
  paid: 'Paid',
  partially_refunded: 'Partly refunded',
  refunded: 'Refunded',
  charged: 'Charged',
  charge_failed: 'The card was refused',
  released: 'Card deleted',
}

/** The card or the deposit behind a booking, with the sentence that its guest agreed to. */
export const guaranteeCard = (seen: GuaranteeSeen, zone: string): Html => {
  const { row, isCharging, may } = seen
  const { pending, waiting, not_sent: notSent, failed, otherwise, removed, held } = seen.money
  const { refunded, by_hand: byHand, lost, taken } = seen.money
  const left = row.paid_cents - row.refunded_cents - pending
  const byProcessor = Math.max(0, left - otherwise)
  const money = (cents: number): string => moneyOf(cents, row.currency)
  const facts: readonly (readonly [string, string | null])[] = [
    [
      'State',
      row.status === 'charge_failed' && seen.refusedWhy === 'guest-needed'
        ? 'The bank needs the guest’s approval'
        : seen.owedCents > 0
          ? 'To be refunded by you'
          : (lostWords(row.status, { back: row.refunded_cents, lost }) ?? states[row.status] ?? row.status),
    ],
    ['Agreed', row.sentence === '' ? null : momentInWords(row.agreed_at, zone)],
    ['At most', row.amount_cents === 0 ? null : money(row.amount_cents)],
    ['Asked for', seen.asking ? money(seen.asking.cents) : null],
    ['Due by', seen.asking && row.ask_until !== null ? momentInWords(row.ask_until, zone) : null],
    ...freeFact(seen, zone),
    ['Paid', row.paid_cents === 0 ? null : money(row.paid_cents)],
    ['Paid another way', otherwise === removed ? null : money(otherwise - removed)],
    ['Paid through an account that was removed', removed === 0 ? null : money(removed)],
    ['Refunded', refunded === 0 ? null : money(refunded)],
    ['Refunded another way', byHand === 0 ? null : money(byHand)],
    ['Lost to a dispute', taken === 0 ? null : money(taken)],
    ['On its way back', pending === waiting + notSent ? null : money(pending - waiting - notSent)],
    ['Goes back once the dispute is decided', waiting === 0 ? null : money(waiting)],
    ['Refund failed', failed === 0 ? null : money(failed)],
    [
      row.deleted_at === null ? 'Card will be deleted' : 'Card was deleted',
      row.delete_at === null ? null : momentInWords(row.deleted_at ?? row.delete_at, zone),
    ],
    ['Taken off the bill', row.taken_off_at && momentInWords(row.taken_off_at, zone)],
    ...seen.charged.map(({ at, by }) => ['Charge pressed', `${momentInWords(at, zone)}, by ${by}`] as const),
  ]
  const action = `/office/bookings/${row.reservation_id ?? 0}/guarantee`
  return html`${matterList(seen.matters, zone)}<section class="card" id="guarantee">
    <h2>${titles[row.kind] ?? 'Deposit'}</h2>
    ${agreedSentences(row).map((sentence) => html`<p class="small">${sentence}</p>`)}
    ${row.ask_note !== null && row.status === 'asked' && html`<p class="small">${row.ask_note}</p>`}
    <dl class="facts">
      ${facts.flatMap(([name, value]) => (value === null ? [] : [html`<dt>${name}</dt><dd>${value}</dd>`]))}
    </dl>
    ${isCharging && html`<p>The card is being charged.</p>`}
    ${row.status === 'charge_failed' && html`<p class="error">${refusedWords(seen)}</p>`}
    ${askPart(seen, action)}
    ${
      may.charge &&
      html`<form class="form" method="post" action="${action}" data-asks="Charge this card? ${agreedSentences(row).join(' ')}">
        <label class="field"
          ><span>Amount</span
          ><input name="amount" inputmode="decimal" autocomplete="off" value="${amountText(row.amount_cents)}" /></label
        >
        <div class="inline"><button class="danger" name="do" value="charge">Charge</button></div>
        <p class="small soft">The guest is emailed, with the sentence above. Nothing is charged unless you press.</p>
      </form>`
    }
    ${
      may.takeOff &&
      html`<form method="post" action="${action}">
        <p>${titles[row.kind] ?? 'Deposit'} ${money(left)}: take it off the bill.</p>
        <button name="do" value="take-off">Taken off the bill</button>
      </form>`
    }
    ${
      may.refund &&
      html`${
        byProcessor > held &&
        html`<form class="form" method="post" action="${action}" data-asks="Refund this amount to the guest?">
        <input type="hidden" name="left" value="${byProcessor - held}" />
        <label class="field"
          ><span>Amount to refund</span
          ><input name="amount" inputmode="decimal" autocomplete="off" value="${amountText(byProcessor - held)}" /></label
        >
        <div class="inline"><button name="do" value="refund">Refund</button></div>
        <p class="small soft">Up to ${money(byProcessor - held)}. Stripe keeps its fee.</p>
      </form>`
      }
      ${held > 0 && html`<p class="small soft">${byProcessor > held && `The other ${money(held)} waits. `}${whyDisputed}</p>`}`
    }
    ${may.handBack && handBackPart(seen, action)}
  </section>`
}

/** Until when canceling is free; nothing where nothing is behind the booking any more. */
const freeFact = ({ row, isFree }: GuaranteeSeen, zone: string): readonly (readonly [string, string])[] => {
  if (secures.has(row.status))
    return [isFree ? ['Free until', momentInWords(row.free_until, zone)] : ['Canceling', 'No longer free']]
  return []
}

const secures: ReadonlySet<string> = new Set(['asked', 'held', 'paid', 'partially_refunded'])

/** What nobody but the venue itself can give back. */
const handBackPart = (
  { row, owedCents, money: { otherwise, removed } }: GuaranteeSeen,
  action: string,
): Html => {
  const sum = moneyOf(owedCents || otherwise, row.currency)
  return html`<form method="post" action="${action}" data-asks="Note that you gave ${sum} back?">
    <p class="${owedCents > 0 ? 'error' : 'small soft'}">
      ${
        removed > 0
          ? `${owedCents > 0 ? `The guest is to get ${sum} back. ` : ''}${removed < otherwise ? `${moneyOf(otherwise - removed, row.currency)} was paid another way: hand that over yourself. ` : ''}${whyRemoved}`
          : owedCents > 0
            ? `Refund ${sum} to the guest yourself: it was paid another way, so nothing is refunded automatically.`
            : `${sum} was paid another way. If you refund it yourself, note it here.`
      }
    </p>
    <button name="do" value="given-back">${sum} given back</button>
  </form>`
}

/** Where to charge the card, beside the moves: the card itself is far below them. */
export const chargeLink = (seen: GuaranteeSeen | undefined): Html | undefined =>
  seen?.may.charge === true
    ? html`<p><a href="#guarantee">Charge the card, up to ${moneyOf(seen.row.amount_cents, seen.row.currency)}</a></p>`
    : undefined

const refusedWords = ({ refusedWhy, asking, hasEmail, isTriedOut }: GuaranteeSeen): string => {
  if (isTriedOut && !asking)
    return `The card was refused ${mostTries} times, so it is not tried again. Agree with the guest on another way to pay, and let it go: the card is deleted then.`
  const why = chargeAnswer(refusedWhy)
  if (refusedWhy !== 'guest-needed')
    return `The card was refused${why === undefined ? '' : `: ${why}`}. You can try again, or let it go.`
  if (asking)
    return hasEmail
      ? 'The guest’s bank needs their approval for this payment. They were emailed a link to pay it themselves; until then the card is kept.'
      : 'The guest’s bank needs their approval for this payment, and there is no email address to write to. Call them: their page has the button.'
  return 'The guest’s bank needs their approval for this payment. You can try again, or let it go.'
}

/** What a manager does where the guest has not done it. */
const askPart = ({ row, may }: GuaranteeSeen, action: string): Html | undefined =>
  may.waive || may.letGo || may.payOtherwise
    ? html`<form class="inline" method="post" action="${action}">
        ${may.payOtherwise && html`<button name="do" value="paid-otherwise" data-asks="Note that it was paid another way?">Paid another way</button>`}
        ${may.waive && html`<button name="do" value="waive" data-asks="${row.status === 'held' ? 'Waive it? The card is deleted.' : 'Waive it? The guest is then asked for nothing.'}">Waive it</button>`}
        ${may.letGo && html`<button name="do" value="let-go" data-asks="Let it go? The card is deleted, and nothing is charged.">Let it go</button>`}
      </form>`
    : undefined
