import type { Actor } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Work } from '../context.ts'
import { Refusal, badRequest, notFound } from '../platform/kernel/refusal.ts'
import { asSeen, changedMeanwhile } from '../platform/kernel/running/seen-version.ts'
import { needed, typedDate, typedLine, wholeNumber } from '../platform/kernel/typed-fields.ts'
import {
  type PromoCodeRow,
  type TicketSettingsRow,
  eventById,
  promoCodeByIdForUpdate,
  ticketSettings,
} from './event-reads.ts'
import {
  type PromoCodeColumns,
  insertPromoCode,
  updatePromoCode,
  writeTicketSettings,
} from './event-writes.ts'
import {
  type Discount,
  type TicketCharges,
  feeMostCents,
  priceMostCents,
  seatsOfOrderMost,
  taxRateMost,
} from '../core/money/price.ts'
import { refusePartAt } from '../core/money/venue-currency.ts'
import { promoCodeKey } from './promo-rules.ts'

const codeCharacters = 40
const usesMost = 1_000_000

/** A promo code, as typed. */
export type TypedPromoCode = {
  readonly code: string
  readonly discount: Discount
  /** Only for this event; null = for all. */
  readonly eventId: number | null
  /** Most orders that may use it; null = any number. */
  readonly usesMost: number | null
  /** First and last day, both included, at the venue; null = open. */
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly switchedOff?: boolean
}

/** Makes a code. Refuses one the venue already has, in any letter case. */
export const makePromoCode = async (
  work: Work,
  actor: Actor,
  typed: TypedPromoCode,
): Promise<PromoCodeRow> => {
  const now = work.now()
  const columns = await columnsFrom(work, typed)
  const after = await insertPromoCode(work.db, work.venue.id, columns, now)
  if (!after) throw new Refusal(409, `There is already a code ${columns.code}.`)
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'promo_code', id: after.id }, before: null, after },
    now,
  )
  return after
}

/** Edits what a code gives, or turns it off. The code itself stays, and so do the orders sold with it. */
export const editPromoCode = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, ...typed }: TypedPromoCode & { id: number; seenVersion: number },
): Promise<PromoCodeRow> => {
  const { db, venue } = work
  const before = asSeen('code', await promoCodeByIdForUpdate(db, venue.id, id), seenVersion)
  const after = await updatePromoCode(db, venue.id, id, await columnsFrom(work, typed))
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'promo_code', id }, before, after },
    work.now(),
  )
  return after
}

/** Sets the fee per seat and the tax rate, for new orders. */
export const saveTicketSettings = async (
  work: Work,
  actor: Actor,
  { seenVersion, ...charges }: TicketCharges & { seenVersion: number },
): Promise<TicketSettingsRow> => {
  const { db, venue } = work
  wholeNumber('The fee in cents', charges.feePerSeatCents, 0, feeMostCents)
  await refusePartAt(work, 'The fee', charges.feePerSeatCents)
  wholeNumber('The tax rate in thousandths of a percent', charges.taxRate, 0, taxRateMost)
  const before = await ticketSettings(db, venue.id)
  const after = await writeTicketSettings(db, venue.id, charges, seenVersion)
  if (!after) throw changedMeanwhile('setting')
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'ticket_settings', id: venue.id }, before, after },
    work.now(),
  )
  return after
}

const columnsFrom = async ({ db, venue }: Work, typed: TypedPromoCode): Promise<PromoCodeColumns> => {
  const code = promoCodeKey(needed('The code', typedLine('The code', typed.code, codeCharacters)))
  if (!/^[A-Z0-9_-]+$/.test(code)) throw badRequest('The code can only contain letters, digits, - and _.')
  const validFrom = typedDate('The first day', typed.validFrom)
  const validTo = typedDate('The last day', typed.validTo)
  if (validFrom !== null && validTo !== null && validTo < validFrom) {
    throw badRequest('The last day must not be before the first.')
  }
  if (typed.eventId !== null && !(await eventById(db, venue.id, typed.eventId))) throw notFound('event')
  const { discount } = typed
  const most = priceMostCents * seatsOfOrderMost
  const amountCents =
    'percent' in discount ? null : wholeNumber('The amount in cents', discount.amountCents, 1, most)
  if (amountCents !== null) await refusePartAt({ db, venue }, 'The amount', amountCents)
  return {
    code,
    percent: 'percent' in discount ? wholeNumber('The percentage', discount.percent, 1, 100) : null,
    amountCents,
    eventId: typed.eventId,
    usesMost: typed.usesMost === null ? null : wholeNumber('The maximum orders', typed.usesMost, 1, usesMost),
    validFrom,
    validTo,
    switchedOff: typed.switchedOff ?? false,
  }
}
