import { openAccount } from '../../../core/money/account-store.ts'
import { currencyOfVenue } from '../../../core/money/venue-currency.ts'
import type { Work } from '../../../context.ts'
import type { BookingRules } from '../../rules/booking-rules.ts'
import { termsFor } from '../../rules/guarantee-asked.ts'
import type { Place } from '../../rules/resolve-service.ts'
import type { AskedTerms } from './open-experiences.ts'
import { isPayable } from './payable.ts'

type Asked = {
  readonly place: Pick<Place, 'serviceDate' | 'period'>
  readonly startsAt: Temporal.Instant
  readonly partySize: number
}

/**
 * What the venue's rows ask at any time, by two statements; by none where it has no rows. Undefined at a time: nothing, as
 * where no account is connected or the sum is below what the processor takes.
 */
export const readTerms = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  rules: Pick<BookingRules, 'guarantees'>,
): Promise<(asked: Asked) => AskedTerms | undefined> => {
  if (rules.guarantees.length === 0) return () => undefined
  const account = await openAccount(db, venue.id)
  const currency = account && (await currencyOfVenue(db, venue.id))
  if (!account || currency === undefined) return () => undefined
  return ({ place: { serviceDate, period }, startsAt, partySize }) => {
    const terms = termsFor(rules, { serviceDate, service: period?.name ?? null, partySize, startsAt })
    return terms && isPayable(terms.amountCents, currency)
      ? { ...terms, currency, account: account.id }
      : undefined
  }
}
