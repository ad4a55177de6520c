import type { Work } from '../../../../context.ts'
import { bookingNamed } from '../../../../core/money/booking-name.ts'
import { insertCheckout, settleCheckout } from '../../../../core/money/checkout-store.ts'
import type { ProcessorWork } from '../../../../core/money/each-due.ts'
import { addMatter, endMissing } from '../../../../core/money/matter-store.ts'
import { insertPayment, isPaymentKnown } from '../../../../core/money/payment-store.ts'
import {
  type MovedThere,
  type PagePaid,
  type Processor,
  answerOf,
  noAnswer,
} from '../../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../../core/venue/venue.ts'
import type { Queries } from '../../../../platform/db/pool.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { Refusal } from '../../../../platform/kernel/refusal.ts'
import { isUuid } from '../../../../platform/kernel/uuid.ts'
import { type BookRow, bookedReservation, bookedReservationForUpdate } from '../../../day/book-row.ts'
import { writeAsked, writeSecured } from '../asked/asked-store.ts'
import { comesBack } from '../deletion-of.ts'
import { giveAllBack } from '../give-back.ts'
import {
  type GuaranteeRow,
  countGuarantee,
  guaranteeById,
  guaranteeOfCard,
  guaranteeOfForUpdate,
  holdGuarantee,
  insertGuarantee,
} from '../guarantee-store.ts'
import { noteMoney } from '../note-money.ts'
import { writePriceParts } from '../payable.ts'
import { showGuarantee } from '../show-guarantee.ts'
import { pendingCharge, settleCharge } from './charge-store.ts'
import { countCharge } from './count-charge.ts'

/*
 * Money that the processor has for a booking and that is not written here, as it came in after the backup that this database is
 * from: a card that the service charged, or what a guest paid on a page, such as a deposit or what their bank wanted them for.
 * Nobody here knows of it, and would charge or ask for it again. Their guests were mailed about it when it came in.
 */

/** Who says so: the account that took it. */
export type SaidBy = { readonly by: Processor; readonly account: string }

/**
 * Writes it down at its booking, which is found by its card or by its name there. What waits to be sent of the same card is
 * withdrawn then, as it is charged. False: it is of no booking of ours. Throws a Refusal where the processor does not answer.
 */
export const takePayment = async (
  { db, clock }: Pick<ProcessorWork, 'db' | 'clock'>,
  venue: Venue,
  one: MovedThere,
  { by, account }: SaidBy,
): Promise<boolean> => {
  const { ref, objectRef, customerRef } = one
  if (ref === null || !isUuid(ref)) return false
  if (await isPaymentKnown(db, venue.id, ref, objectRef)) return true
  const card = customerRef === null ? undefined : await guaranteeOfCard(db, venue.id, customerRef)
  const booking = card === undefined ? await bookingNamed(db, venue.id, one.booking) : undefined
  if (card === undefined && booking === undefined) return false
  const page =
    customerRef === null ? answerOf(await by.pageOf(objectRef), () => new Refusal(409, noAnswer)) : undefined
  await db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const behind = await heldBehind(work.db, venue.id, { card, booking })
    if (!behind || (await isPaymentKnown(work.db, venue.id, ref, objectRef))) return
    await endMissing(work.db, venue.id, objectRef, work.now())
    await take(work, behind, { ...one, ref, account, page: page ?? null })
  })
  return true
}

/** Which booking it is of, by its card or by its name there. */
export const bookingOf = async (
  db: Queries,
  venue: Pick<Venue, 'id'>,
  { customerRef, booking }: Pick<MovedThere, 'customerRef' | 'booking'>,
): Promise<number | undefined> => {
  const card = customerRef === null ? undefined : await guaranteeOfCard(db, venue.id, customerRef)
  const behind = card === undefined ? undefined : await guaranteeById(db, venue.id, card)
  return behind?.reservation_id ?? bookingNamed(db, venue.id, booking)
}

/** A charge that is under way here, as it was when the backup was made, and that the service has made since. */
export const settleMade = async (
  { db, clock }: Pick<ProcessorWork, 'db' | 'clock'>,
  venue: Venue,
  ref: string,
  paymentRef: string,
): Promise<void> => {
  const due = await pendingCharge(db, venue.id, ref)
  if (!due) return
  await db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const guarantee = await holdGuarantee(work.db, venue.id, due.guarantee_id ?? 0)
    const made = { state: 'succeeded', why: null, processorRef: paymentRef } as const
    if (guarantee && (await settleCharge(work.db, venue.id, due.id, made, work.now())))
      await countCharge(work, guarantee, { ...due, paymentRef }, work.now())
  })
}

type Behind = { readonly booking: BookRow | undefined; readonly guarantee: GuaranteeRow | undefined }
type Taken = MovedThere & {
  readonly ref: string
  readonly account: string
  readonly page: PagePaid | null
}

/** The booking, and what is behind it, locked in that order. */
const heldBehind = async (
  db: Queries,
  venue: VenueId,
  { card, booking: id }: { readonly card: number | undefined; readonly booking: number | undefined },
): Promise<Behind | undefined> => {
  if (card === undefined) {
    const booking = id === undefined ? undefined : await bookedReservationForUpdate(db, venue, id)
    return booking && { booking, guarantee: await guaranteeOfForUpdate(db, venue, booking.id) }
  }
  const guarantee = await holdGuarantee(db, venue, card)
  if (!guarantee) return undefined
  const { reservation_id: of } = guarantee
  return { guarantee, booking: of === null ? undefined : await bookedReservation(db, venue, of) }
}

const take = async (work: Work, { booking, guarantee }: Behind, taken: Taken): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const before = guarantee ?? (booking && (await beginBehind(work, booking, taken)))
  if (!before) return
  const { amountCents, currency, objectRef } = taken
  const of = { kind: before.kind === 'card' ? 'fee' : 'ask', mode: 'payment' } as const
  const checkout = booking && taken.page && (await pageHere(work, booking, of, taken, taken.page))
  const { ref, account } = taken
  const paid = { ref, account, checkout: checkout ?? null, guarantee: before.id, processorRef: objectRef }
  await insertPayment(db, venue.id, { ...paid, amountCents, currency }, now)
  const asked = guarantee?.asked_cents ?? 0
  if (before.kind === 'card') {
    if (before.status === 'asked') await agree(work, before, taken)
    await writeAsked(db, venue.id, before.id, 0)
    const charged = { paymentRef: objectRef, amount_cents: amountCents, currency }
    const isOwed = await countCharge(work, before, charged, now)
    if (isOwed && booking && !isMissed(booking)) await noteSince(work, booking, taken, amountCents)
  } else if (booking) {
    if (guarantee) await agree(work, before, taken)
    await writePriceParts(db, venue.id, before, booking.party_size)
    await countGuarantee(db, venue.id, before.id)
    if (isGivenUp(before, booking, now)) await giveAllBack(work, before, now)
    else if (asked < amountCents) await noteSince(work, booking, taken, amountCents - asked)
  }
  if (!booking) return
  await showGuarantee(work, booking.id)
  if (taken.page) await noteMoney(work, { kind: 'guest' }, booking.id, 'secure', amountCents)
}

/** What its guest agreed to on the page, of which the database may not know that it was asked. */
const agree = async (
  { db, venue }: Work,
  row: GuaranteeRow,
  { amountCents: cents, account, page }: Taken,
): Promise<void> => {
  if (row.asked_cents < cents) await writeAsked(db, venue.id, row.id, cents)
  await writeSecured(db, venue.id, row, {
    ...{ cents, account, card: null, deleteAt: null },
    sentence: page?.sentence ?? '',
    language: page?.language ?? row.language,
    agreedAt: page?.madeAt ?? toInstant(row.agreed_at),
  })
}

/**
 * What was asked after the backup, too, has nothing here: how long it was free is only in the sentence, so it is until the booking
 * begins. The card that was charged, if it was one, is not kept any longer.
 */
const beginBehind = (
  { db, venue, now }: Work,
  booking: BookRow,
  { account, amountCents, currency, customerRef, page }: Taken,
): Promise<GuaranteeRow> => {
  const freeUntil = booking.starts_at === null ? now() : toInstant(booking.starts_at)
  return insertGuarantee(db, venue.id, {
    ...{ reservation: booking.id, account, currency },
    terms: { kind: customerRef === null ? 'deposit' : 'card', perGuestCents: null, amountCents, freeUntil },
    ...{ sentence: page?.sentence ?? '', language: page?.language ?? 'en' },
    agreedAt: (page?.madeAt ?? now()).toString(),
    card: customerRef === null ? null : { customerRef, methodRef: '' },
    deleteAt: customerRef === null ? null : now(),
  })
}

/** The page of a booking, as if it had been known all along: with it goes what was agreed to, and when. */
export const pageHere = async (
  { db, venue }: Work,
  booking: Pick<BookRow, 'id'>,
  of: { readonly kind: 'ask' | 'fee'; readonly mode: 'payment' | 'setup' },
  { ref, account, amountCents: cents, currency }: Pick<Taken, 'ref' | 'account' | 'amountCents' | 'currency'>,
  { sentence, language, madeAt }: PagePaid,
): Promise<number> => {
  const id = await insertCheckout(
    db,
    venue.id,
    {
      ...{ ref, account, form: {}, buyerEmailKey: null, sentence, language, title: '', currency },
      of: { ...of, reservationId: booking.id },
      price: { subtotalCents: cents, discountCents: 0, feeCents: 0, taxCents: 0, totalCents: cents },
    },
    madeAt,
  )
  await settleCheckout(db, venue.id, id, { state: 'completed', reservation: booking.id, why: null })
  return id
}

const isMissed = ({ status }: BookRow): boolean => status === 'No-show' || status === 'Cancelled'

/** Whether it goes back by itself, as the venue does without it, or the booking was cancelled in time. */
export const isGivenUp = (
  { status, free_until }: GuaranteeRow,
  booking: BookRow,
  now: Temporal.Instant,
): boolean =>
  status === 'released' ||
  status === 'waived' ||
  (booking.status === 'Cancelled' && comesBack({ free_until }, booking, cancelledAt(booking, now)))

const cancelledAt = ({ cancelled_at }: BookRow, now: Temporal.Instant): Temporal.Instant =>
  cancelled_at === null ? now : toInstant(cancelled_at)

/** It was paid for what the booking was after the backup: somebody looks what has changed since. */
const noteSince = async (
  { db, venue, now }: Work,
  { id: reservation }: BookRow,
  { objectRef: subject, currency }: Taken,
  amountCents: number,
): Promise<void> => {
  const matter = { kind: 'payment-differs', subject, state: 'since', order: null, reservation } as const
  await addMatter(db, venue.id, { ...matter, amountCents, currency }, now())
}
