import { openAccount } from '../../../../core/money/account-store.ts'
import { mattersOfBooking } from '../../../../core/money/matter-store.ts'
import { activityOfRecord } from '../../../../core/activity/reads.ts'
import { mayAct } from '../../../../core/staff/roles.ts'
import { namesOfStaff } from '../../../../core/staff/staff-names.ts'
import type { VenueId } from '../../../../core/venue/venue.ts'
import type { BookRow } from '../../../../book/day/book-row.ts'
import {
  askGuest,
  letChargeGo,
  paidOtherwise,
  waiveGuarantee,
} from '../../../../book/reservations/guarantee/asked/ask-booking.ts'
import { askingOf, mayBeAsked } from '../../../../book/reservations/guarantee/asked/asking.ts'
import {
  chargeCard,
  isChargeable,
  isTriedOut,
  refundGuarantee,
  takeOffBill,
  hasBill,
} from '../../../../book/reservations/guarantee/charging/charge.ts'
import { chargesOf } from '../../../../book/reservations/guarantee/charging/charge-store.ts'
import { guaranteeOf } from '../../../../book/reservations/guarantee/guarantee-store.ts'
import { refundsUnderWay } from '../../../../book/reservations/guarantee/money-left.ts'
import { noteHandedBack, owedByHand } from '../../../../book/reservations/guarantee/paid-otherwise.ts'
import { Refusal } from '../../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { actorOf } from '../../frame/actor.ts'
import { type Form, go } from '../../frame/page.ts'
import type { OfficeWork, VenuePage } from '../../frame/serve-page.ts'
import { centsField } from '../../parts/money.ts'
import { warning } from '../../parts/press-message.ts'
import { idIn } from '../../parts/time-words.ts'
import { whoDid } from '../../activity/who.ts'
import { bookingOf } from '../booking-press.ts'
import { type AskSeen, askIn } from './ask-form.ts'
import type { GuaranteeSeen } from './card.ts'

/** What is done with the card or the deposit behind a booking. */
export const guaranteePages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: '/office/bookings/:id/guarantee',
    role: 'host',
    answer: async (work, { params, form }) => {
      const { id } = await bookingOf(work, idIn(params.id))
      const done = await doneWith(work, form, id)
      return go(`/office/bookings/${id}#guarantee`, done)
    },
    again: async (_work, { params }, { message }) => go(`/office/bookings/${params.id}`, warning(message)),
  },
]

/** Does what was pressed; returns what to say of it. */
const doneWith = async (work: OfficeWork, form: Form, id: number): Promise<string> => {
  const actor = actorOf(work.me)
  const pressed = form.text('do')
  switch (pressed) {
    case 'take-off':
      await takeOffBill(work, actor, id)
      return 'Noted: the deposit is off the bill.'
    case 'ask': {
      await askGuest(work, actor, askIn(form, id, work.venue.timezone))
      return 'Asked: the email to the guest is on its way.'
    }
    default:
      return doneByManager(work, form, pressed, id)
  }
}

/** A host marks who did not come; whether that costs something is decided by a manager. */
const doneByManager = async (work: OfficeWork, form: Form, pressed: string, id: number): Promise<string> => {
  const actor = actorOf(work.me)
  if (!mayAct(work.me.staff.role, 'manager'))
    throw new Refusal(403, 'Only managers and owners charge cards, refund, and waive a card or a deposit.')
  switch (pressed) {
    case 'refund':
      await refundGuarantee(work, actor, { booking: id, amountCents: amountIn(form), seenLeft: leftIn(form) })
      return 'The refund is on its way to the guest.'
    case 'waive':
      return `The guest is asked for nothing now.${pageCloses(await waiveGuarantee(work, actor, id))}`
    case 'paid-otherwise':
      await paidOtherwise(work, actor, id)
      return 'Noted as paid another way.'
    case 'given-back':
      await noteHandedBack(work, actor, id)
      return 'Noted: you gave it back yourself.'
    case 'let-go':
      return `Let go: the card is deleted, and nothing is charged.${pageCloses(await letChargeGo(work, actor, id))}`
    default:
      await chargeCard(work, actor, { booking: id, amountCents: centsField(form, 'amount', 'The amount') })
      return 'The card is being charged. Look again in a moment.'
  }
}

const pageCloses = ({ wasPaying }: { readonly wasPaying: boolean }): string =>
  wasPaying
    ? ' They had a payment page open: it is being closed, and what they have paid there goes back.'
    : ''

/** Left out: all of it. */
const amountIn = (form: Form): number | undefined =>
  form.text('amount').trim() === '' ? undefined : centsField(form, 'amount', 'The amount')

const leftIn = (form: Form): number | undefined =>
  form.text('left') === '' ? undefined : Number(form.text('left'))

/** The form to ask for one; undefined: something is behind the booking, or it is no longer ahead. */
export const askSeen = async (
  { db, venue, now }: OfficeWork,
  booking: BookRow,
): Promise<AskSeen | undefined> => {
  const row = await guaranteeOf(db, venue.id, booking.id)
  if (!mayBeAsked(booking, row, now())) return undefined
  const isConnected = (await openAccount(db, venue.id)) !== undefined
  return { booking, timezone: venue.timezone, now: now(), isConnected }
}

/** Where a charge was pressed: it came in, or did not. */
const chargedOnce: ReadonlySet<string> = new Set([
  'charged',
  'charge_failed',
  'partially_refunded',
  'refunded',
])

const chargedBy = async (
  db: OfficeWork['db'],
  venue: VenueId,
  booking: number,
): Promise<GuaranteeSeen['charged']> => {
  const rows = await activityOfRecord(db, venue, 'reservation', booking)
  const pressed = rows.find(({ action }) => action === 'charge the card')
  return pressed ? [{ at: pressed.at, by: whoDid(pressed, await namesOfStaff(db, venue)) }] : []
}

export const guaranteeSeen = async (
  { db, venue, me, now }: OfficeWork,
  booking: BookRow,
): Promise<GuaranteeSeen | undefined> => {
  const row = await guaranteeOf(db, venue.id, booking.id)
  // What was only asked for, and no longer is, says nothing.
  const isOver = row?.status === 'released' || row?.status === 'waived'
  if (!row || (row.sentence === '' && isOver && row.paid_cents === 0)) return undefined
  const charges = await chargesOf(db, venue.id, row.id)
  const isCharging = charges.some(({ state }) => state === 'pending')
  const isManager = mayAct(me.staff.role, 'manager')
  const money = await refundsUnderWay(db, venue.id, row.id)
  const matters = isManager ? await mattersOfBooking(db, venue.id, booking.id) : []
  const left = row.paid_cents - row.refunded_cents - money.pending
  return {
    ...{ row, money, isCharging },
    owedCents: owedByHand(booking, row, money, now()),
    asking: askingOf(row, booking, now()),
    isTriedOut: isTriedOut(charges),
    isFree: Temporal.Instant.compare(now(), toInstant(row.free_until)) < 0,
    refusedWhy: charges.findLast(({ state }) => state === 'failed')?.why ?? null,
    hasEmail: booking.email !== null,
    charged: isManager && chargedOnce.has(row.status) ? await chargedBy(db, venue.id, booking.id) : [],
    matters,
    may: {
      charge: isManager && !isCharging && !isTriedOut(charges) && isChargeable(booking, row, now()),
      refund: isManager && left > money.otherwise,
      handBack: isManager && money.otherwise > 0,
      takeOff: row.kind !== 'card' && hasBill(booking) && left > 0 && row.taken_off_at === null,
      waive: isManager && (row.status === 'asked' || row.status === 'held'),
      letGo: isManager && !isCharging && row.status === 'charge_failed',
      payOtherwise: isManager && askingOf(row, booking, now())?.how === 'pay',
    },
  }
}
