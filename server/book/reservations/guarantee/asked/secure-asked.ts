import { randomUUID } from 'node:crypto'
import { openAccount } from '../../../../core/money/account-store.ts'
import {
  type CheckoutRow,
  checkoutById,
  checkoutForUpdate,
  insertCheckout,
  settleCheckout,
} from '../../../../core/money/checkout-store.ts'
import type { Paid } from '../../../../core/money/look.ts'
import type { Work } from '../../../../context.ts'
import { queueGuestMail } from '../../../../mail/guest-mail-queue.ts'
import { emailKey } from '../../../../platform/kernel/email.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { type BookRow, bookedReservationForUpdate } from '../../../day/book-row.ts'
import { bookingRulesAround } from '../../../rules/rules-store.ts'
import { keepUntil, liveCheckoutOf, writeAsked, writeSecured } from './asked-store.ts'
import { askingOf, takesMore } from './asking.ts'
import { isChargeable } from '../charging/charge.ts'
import { deletionOf } from '../deletion-of.ts'
import { sendBack } from '../give-back.ts'
import { writePriceParts } from '../payable.ts'
import { keepPayment, refuseTable } from '../give-table.ts'
import { type GuaranteeRow, countGuarantee, guaranteeOfForUpdate } from '../guarantee-store.ts'
import { noteMoney } from '../note-money.ts'
import { showGuarantee } from '../show-guarantee.ts'

/*
 * A guest does what they were asked for a booking that is there. Cast: their press makes the checkout, which goes the way
 * of every other; the look that finds it paid secures the booking here, in one transaction. The booking is locked first, then what
 * is behind it, so staff who waive, move or charge meanwhile come before or after.
 */

export type PressAsked = {
  readonly reservation: number
  readonly sentence: string
  readonly title: string
  readonly language: string
  /** What was shown at the button. */
  readonly cents: number
}

export type PressedAsked =
  | { readonly kind: 'pay'; readonly checkout: number }
  | { readonly kind: 'agreed' }
  /** Nothing is asked now, or something else: the page shows what. */
  | { readonly kind: 'changed' }
  /** No account takes money now. */
  | { readonly kind: 'closed' }

/** The press: leads to a checkout, the one that is open where there is one; a card that is kept needs none. */
export const pressAsked = async (work: Work, pressed: PressAsked): Promise<PressedAsked> => {
  const { db, venue } = work
  const { reservation, sentence, title, language } = pressed
  const booking = await bookedReservationForUpdate(db, venue.id, reservation)
  const row = await guaranteeOfForUpdate(db, venue.id, reservation)
  const now = work.now()
  const asking = booking && row && askingOf(row, booking, now)
  if (!asking || asking.cents !== pressed.cents) return { kind: 'changed' }
  const { kind, how, cents } = asking
  if (how === 'agree') {
    const agreed = { cents, account: row.account_id, sentence, language, agreedAt: now }
    await writeSecured(db, venue.id, row, { ...agreed, card: null, deleteAt: null })
    await showGuarantee(work, reservation)
    await noteMoney(work, { kind: 'guest' }, booking.id, 'secure', cents)
    return { kind: 'agreed' }
  }
  const mode = how === 'card' ? 'setup' : 'payment'
  const same = { mode, sentence, total_cents: cents, currency: row.currency }
  const live = await liveCheckoutOf(db, venue.id, { reservation, kind, same }, now)
  if (live !== undefined) return { kind: 'pay', checkout: live }
  const account = await openAccount(db, venue.id)
  if (!account) return { kind: 'closed' }
  const checkout = await insertCheckout(
    db,
    venue.id,
    {
      ref: randomUUID(),
      account: account.id,
      of: { kind, mode, reservationId: reservation },
      form: { email: booking.email },
      buyerEmailKey: booking.email === null ? null : emailKey(booking.email),
      ...{ sentence, language, title, currency: row.currency },
      price: { subtotalCents: cents, discountCents: 0, feeCents: 0, taxCents: 0, totalCents: cents },
    },
    now,
  )
  return { kind: 'pay', checkout }
}

/** Secures the booking with what was paid or kept, once. What is no longer asked goes back, or is deleted. */
export const giveAsked = async (work: Work, id: number, paid: Paid): Promise<void> => {
  const { db, venue } = work
  const seen = await checkoutById(db, venue.id, id)
  if (!seen || seen.reservation_id === null) return
  const booking = await bookedReservationForUpdate(db, venue.id, seen.reservation_id)
  // Read again behind the booking's lock: somebody else may have given it meanwhile. It is locked before what is behind the booking.
  const row = await checkoutForUpdate(db, venue.id, id)
  const guarantee = await guaranteeOfForUpdate(db, venue.id, seen.reservation_id)
  if (!booking || !guarantee || !row || row.state === 'completed' || row.state === 'refused') return
  const taken = takenOf(guarantee, booking, row)
  if (taken === 0) return refuseAsked(work, row, guarantee, paid)
  const now = work.now()
  await keepPayment(work, row, guarantee, paid)
  if (row.kind === 'fee') {
    await writeAsked(db, venue.id, guarantee.id, 0)
    // It stayed longer for the fee; the day that their booking named is right again.
    await keepUntil(db, venue.id, guarantee.id, await deletionFor(work, booking))
  } else
    await writeSecured(db, venue.id, guarantee, {
      ...{ cents: taken, account: row.account_id, language: row.language, sentence: row.sentence ?? '' },
      ...{ agreedAt: toInstant(row.made_at), card: paid.card },
      deleteAt: paid.card && (await deletionFor(work, booking)),
    })
  if (row.kind === 'ask') await writePriceParts(db, venue.id, guarantee, booking.party_size)
  if (row.mode === 'payment') {
    await countGuarantee(db, venue.id, guarantee.id)
    // The party is smaller than it was at the press.
    await sendBack(work, guarantee.id, { cents: row.total_cents - taken, now, lookAt: now })
  }
  await settle(work, row, booking.id)
  await showGuarantee(work, booking.id)
  const mail = row.kind === 'fee' ? 'tableCharged' : 'tableSecured'
  await queueGuestMail(db, venue.id, { kind: mail, record: booking.id }, now)
  await noteMoney(work, { kind: 'guest' }, booking.id, 'secure', taken)
}

/**
 * How much of it is still asked: none of it where the venue waived it, it came in another way, or the booking was
 * cancelled or missed meanwhile.
 */
const takenOf = (guarantee: GuaranteeRow, booking: BookRow, row: CheckoutRow): number => {
  const { status, kind, asked_cents: asked, currency } = guarantee
  const isSetup = row.mode === 'setup'
  const isOff = booking.status === 'Cancelled' || booking.status === 'No-show'
  if (isOff && row.kind !== 'fee') return 0
  // A fee is judged at its press: the page may be paid some minutes after its last day.
  const isAsked =
    row.kind === 'fee'
      ? status === 'charge_failed' && isChargeable(booking, guarantee, toInstant(row.made_at))
      : status === 'asked'
        ? isSetup === (kind === 'card') && isOfThisAsk(guarantee, row)
        : kind !== 'card' && !isSetup && takesMore.has(status)
  return isAsked && currency === row.currency ? Math.min(asked, row.total_cents) : 0
}

/** Nothing is behind the booking yet, so what stands there was asked at that moment: a page of before has other terms. */
const isOfThisAsk = ({ agreed_at }: GuaranteeRow, { made_at }: CheckoutRow): boolean =>
  Temporal.Instant.compare(toInstant(made_at), toInstant(agreed_at)) >= 0

const refuseAsked = (work: Work, row: CheckoutRow, guarantee: GuaranteeRow, paid: Paid): Promise<void> =>
  refuseTable(work, row, {
    terms: {
      kind: row.mode === 'setup' ? 'card' : 'deposit',
      ...{ perGuestCents: null, amountCents: row.total_cents, freeUntil: toInstant(guarantee.free_until) },
    },
    paid,
    why: 'not-asked',
  })

/** What was typed is in the booking. */
const settle = async ({ db, venue }: Work, { id }: CheckoutRow, booking: number): Promise<void> => {
  const settled = await settleCheckout(db, venue.id, id, {
    state: 'completed',
    reservation: booking,
    why: null,
  })
  if (!settled) throw new Error('a checkout was settled twice')
}

/** Until when a card behind a booking is kept at the most. */
export const deletionFor = async ({ db, venue }: Work, { service_date: date }: BookRow) => {
  if (date === null) return null
  const { keepCardDays } = await bookingRulesAround(db, venue, date)
  return deletionOf(date, keepCardDays, venue.timezone)
}
