import { type Price, priceOf } from '../../core/money/price.ts'
import type { BookingRules, GuaranteeRule } from './booking-rules.ts'
import type { Experience } from './experiences/written-experience.ts'
import { type Fitting, isFor } from './experiences/experiences.ts'

export type Secured = Fitting & { readonly startsAt: Temporal.Instant }

/** What a booking's guest has to agree to. */
export type Terms = {
  readonly kind: GuaranteeRule['asks'] | 'prepaid'
  /** For each guest; null: for the party. */
  readonly perGuestCents: number | null
  readonly amountCents: number
  readonly freeUntil: Temporal.Instant
  /** What of the amount is a fee, and what is tax. */
  readonly feeCents?: number | undefined
  readonly taxCents?: number | undefined
  /** What a guest costs of a table that is paid in advance. */
  readonly each?: PriceEach | undefined
}

export type PriceEach = {
  readonly priceCents: number
  readonly feeCents: number
  /** Thousandths of a percent. */
  readonly taxRate: number
}

/** What so many guests cost who pay in advance: every sum of another size is a difference of two of these. */
export const priceOfParty = (
  { priceCents, feeCents, taxRate }: PriceEach,
  guests: number,
  coin: number,
): Price =>
  priceOf({
    ...{ seats: guests, priceCents, method: 'processor_link', channel: 'public', discount: null },
    ...{ charges: { feePerSeatCents: feeCents, feeAtBoxOffice: false, taxRate }, coin },
  })

/** What the first row that fits asks of a booking; undefined: nothing. */
export const termsFor = (
  { guarantees }: Pick<BookingRules, 'guarantees'>,
  { partySize, startsAt, ...place }: Secured,
): Terms | undefined => {
  const row = guarantees.find((one) => isFor(one, { partySize, ...place }))
  return (
    row && {
      kind: row.asks,
      perGuestCents: row.per === 'guest' ? row.amountCents : null,
      amountCents: row.per === 'guest' ? row.amountCents * partySize : row.amountCents,
      freeUntil: startsAt.subtract({ hours: row.freeUntilHours }),
    }
  )
}

/** What one asks of a party; undefined: nothing. `coin`: the least amount of the currency. */
export const termsOfExperience = (
  { asks, amountCents, per, freeUntilHours, feeCents, taxRate }: Experience,
  { partySize, startsAt }: { readonly partySize: number; readonly startsAt: Temporal.Instant },
  coin: number,
): Terms | undefined => {
  if (asks === 'nothing' || amountCents === null) return undefined
  const freeUntil = startsAt.subtract({ hours: freeUntilHours })
  if (asks !== 'prepaid')
    return {
      kind: asks,
      perGuestCents: per === 'guest' ? amountCents : null,
      amountCents: per === 'guest' ? amountCents * partySize : amountCents,
      freeUntil,
    }
  const each = { priceCents: amountCents, feeCents, taxRate }
  const price = priceOfParty(each, partySize, coin)
  return {
    kind: asks,
    // About what a guest costs: the tax is rounded once for all of them.
    perGuestCents: Math.floor(price.totalCents / partySize / coin) * coin,
    amountCents: price.totalCents,
    freeUntil,
    feeCents: price.feeCents,
    taxCents: price.taxCents,
    each,
  }
}
