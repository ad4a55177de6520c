import { isWhole, leastCharge, leastCoin } from '../../../core/money/currency.ts'
import { moneyOf } from '../../../platform/kernel/money.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { termsOfExperience } from '../../rules/guarantee-asked.ts'

/** Whether the processor takes such an amount. */
export const isPayable = (cents: number, currency: string): boolean =>
  cents >= leastCharge(currency) && isWhole(cents, currency)

/** Whether it can be paid for a guest more or fewer, too: half a coin a guest could not. */
export const isPayablePerGuest = (
  { amountCents, guests }: { readonly amountCents: number; readonly guests: number },
  currency: string,
): boolean => isWhole(amountCents, currency) && isPayable(amountCents * guests, currency)

/** The sentence for an amount that cannot be paid. */
export const whyUnpayable = (cents: number, currency: string): string =>
  cents < leastCharge(currency)
    ? `The least that a card can pay is ${moneyOf(leastCharge(currency), currency)}.`
    : `Enter whole amounts: nobody can pay a part of one in ${currency}.`

/** Why the experiences of a venue with this currency cannot be saved: one asks its smallest party for less than can be paid. */
export const unpayableExperience = (
  { experiences }: Pick<BookingRules, 'experiences'>,
  currency: string | undefined,
): string | undefined => {
  if (currency === undefined) return undefined
  const coin = leastCoin(currency)
  const found = experiences.find((one) => {
    const party = { partySize: one.partyFrom, startsAt: Temporal.Instant.fromEpochMilliseconds(0) }
    const terms = termsOfExperience(one, party, coin)
    const hasCoins = [one.amountCents ?? 0, one.feeCents].every((cents) => isWhole(cents, currency))
    return terms !== undefined && !(hasCoins && isPayable(terms.amountCents, currency))
  })
  return (
    found &&
    `“${found.name}” must ask for at least ${moneyOf(leastCharge(currency), currency)}${coin > 1 ? ', in whole units' : ''}: less cannot be paid by card.`
  )
}
