import type { Work } from '../../../../context.ts'
import { bookingNamed } from '../../../../core/money/booking-name.ts'
import { checkoutOfRef } from '../../../../core/money/checkout-store.ts'
import type { ProcessorWork } from '../../../../core/money/each-due.ts'
import { addMatter } from '../../../../core/money/matter-store.ts'
import { type CardThere, noAnswer } from '../../../../core/money/processor.ts'
import type { Venue, VenueId } from '../../../../core/venue/venue.ts'
import type { Queries } from '../../../../platform/db/pool.ts'
import { Refusal } from '../../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { isUuid } from '../../../../platform/kernel/uuid.ts'
import { type BookRow, bookedReservationForUpdate } from '../../../day/book-row.ts'
import { writeAsk, writeAsked, writeSecured } from '../asked/asked-store.ts'
import { deletionFor } from '../asked/secure-asked.ts'
import { giveAllBack } from '../give-back.ts'
import {
  type GuaranteeRow,
  cardDeleted,
  guaranteeOf,
  guaranteeOfCard,
  guaranteeOfForUpdate,
} from '../guarantee-store.ts'
import { noteMoney } from '../note-money.ts'
import { writePriceParts } from '../payable.ts'
import { showGuarantee } from '../show-guarantee.ts'
import { type SaidBy, isGivenUp, pageHere } from './take-payment.ts'

/*
 * Cards that the processor keeps for a booking and that nobody here knows of, as a page kept them after the backup that this
 * database is from: it would ask for one again, and this one would stay there for good. A card of which no booking here has need is
 * deleted there.
 */

type Parts = Pick<ProcessorWork, 'db' | 'clock'>

/**
 * Writes it at its booking, which is found by its name there; where there is none, it is deleted, and somebody is to look. Throws a
 * Refusal where the processor does not answer.
 */
export const takeCard = async (
  parts: Parts,
  venue: Venue,
  there: CardThere,
  said: SaidBy,
): Promise<'known' | 'kept' | 'deleted' | 'not here'> => {
  const { db } = parts
  const { ref, card } = there
  if (ref === null || !isUuid(ref) || there.venue === null || (await isKnown(db, venue.id, { ref, card })))
    return 'known'
  const booking = await bookingNamed(db, venue.id, there.booking)
  if (booking !== undefined) await endCardBefore(parts, venue, booking, said)
  const isKept =
    booking !== undefined &&
    (await db.transaction(async (queries) => {
      const work: Work = { db: queries.within(venue.id), venue, now: parts.clock }
      return keepAt(work, booking, { ...there, ref, account: said.account })
    }))
  if (isKept) return 'kept'
  await deleteThere(said, card.customerRef)
  if (booking !== undefined) return 'deleted'
  await noteDeleted(parts, venue, there)
  return 'not here'
}

const deleteThere = async ({ by }: SaidBy, customerRef: string): Promise<void> => {
  const deleted = await by.deleteCustomer(customerRef)
  if (deleted.kind !== 'done' && deleted.kind !== 'gone') throw new Refusal(409, noAnswer)
}

/** Another is asked for only once the card of before is deleted: what is held here is of before the backup. */
const endCardBefore = async (
  { db, clock }: Parts,
  venue: Venue,
  booking: number,
  said: SaidBy,
): Promise<void> => {
  const row = await guaranteeOf(db, venue.id, booking)
  if (row?.status !== 'held' || row.customer_ref === null) return
  await deleteThere(said, row.customer_ref)
  await cardDeleted(db, venue.id, row, clock())
}

/** By its page or by its own name: that goes its own way. */
const isKnown = async (
  db: Queries,
  venue: VenueId,
  { ref, card }: { readonly ref: string } & Pick<CardThere, 'card'>,
): Promise<boolean> =>
  (await checkoutOfRef(db, venue, ref)) !== undefined ||
  (await guaranteeOfCard(db, venue, card.customerRef)) !== undefined

type Kept = CardThere & { readonly ref: string; readonly account: string }

const keepAt = async (work: Work, id: number, kept: Kept): Promise<boolean> => {
  const { db, venue } = work
  const booking = await bookedReservationForUpdate(db, venue.id, id)
  if (!booking || (await isKnown(db, venue.id, kept))) return false
  const before = await guaranteeOfForUpdate(db, venue.id, id)
  const asked = await askedFor(work, booking, before, kept)
  if (!asked) return false
  const { card, account, page, currency } = kept
  const cents = kept.amountCents ?? asked.asked_cents
  if (asked.asked_cents < cents) await writeAsked(db, venue.id, asked.id, cents)
  await writeSecured(db, venue.id, asked, {
    ...{ cents, account, card, sentence: page.sentence, language: page.language, agreedAt: page.madeAt },
    deleteAt: await deletionFor(work, booking),
  })
  await writePriceParts(db, venue.id, asked, booking.party_size)
  const of = { kind: 'ask', mode: 'setup' } as const
  await pageHere(work, booking, of, { ref: kept.ref, account, amountCents: cents, currency }, page)
  if (before?.status !== 'asked') await noteSince(work, booking, kept, cents)
  if (isGivenUp(asked, booking, work.now())) await giveAllBack(work, asked, work.now())
  await showGuarantee(work, id)
  await noteMoney(work, { kind: 'guest' }, id, 'secure', cents)
  return true
}

/**
 * What asks for it: the booking as it was at the backup, or somebody after that, where nothing is behind it here. How long it was
 * free then is only in the sentence, so it is until the booking begins.
 */
const askedFor = async (
  { db, venue, now }: Work,
  booking: BookRow,
  before: GuaranteeRow | undefined,
  { account, amountCents, currency, page }: Kept,
): Promise<GuaranteeRow | undefined> => {
  if (before?.status === 'asked') return before.kind === 'card' ? before : undefined
  if (amountCents === null) return undefined
  const freeUntil = booking.starts_at === null ? now() : toInstant(booking.starts_at)
  const asked = {
    ...{ reservation: booking.id, account, currency, language: page.language, note: null, until: now() },
    terms: { kind: 'card', perGuestCents: null, amountCents, freeUntil },
  } as const
  return writeAsk(db, venue.id, asked, page.madeAt)
}

const noteSince = async (
  { db, venue, now }: Work,
  { id: reservation }: BookRow,
  { sessionRef: subject, currency }: Kept,
  amountCents: number,
): Promise<void> => {
  const matter = { kind: 'payment-differs', subject, state: 'card-since', order: null, reservation } as const
  await addMatter(db, venue.id, { ...matter, amountCents, currency }, now())
}

const noteDeleted = async (
  { db, clock }: Parts,
  { id }: Venue,
  { sessionRef: subject, amountCents, currency, page }: CardThere,
): Promise<void> => {
  const matter = { kind: 'not-here', subject, order: null, reason: 'card' } as const
  const movedAt = page.madeAt
  await addMatter(db, id, { ...matter, amountCents: amountCents ?? 0, currency, movedAt }, clock())
}
