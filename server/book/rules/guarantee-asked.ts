import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { BookingRules, GuaranteeRule } from './booking-rules.ts'

export type Secured = {
  readonly serviceDate: LocalDate
  /** The service's name, of a booking that is in one. */
  readonly service: string | null
  readonly partySize: number
  readonly startsAt: Temporal.Instant
}

/** What a booking's guest has to agree to. */
export type Terms = {
  readonly kind: GuaranteeRule['asks']
  /** For each guest; null: for the party. */
  readonly perGuestCents: number | null
  readonly amountCents: number
  readonly freeUntil: Temporal.Instant
}

/** What the first row that fits asks of a booking; undefined: nothing. */
export const termsFor = (
  { guarantees }: Pick<BookingRules, 'guarantees'>,
  { serviceDate, service, partySize, startsAt }: Secured,
): Terms | undefined => {
  const row = guarantees.find(
    ({ services, from, to, partyFrom }) =>
      partySize >= partyFrom &&
      (services.length === 0 || (service !== null && services.includes(service))) &&
      (from === null || from <= serviceDate) &&
      (to === null || serviceDate <= to),
  )
  return (
    row && {
      kind: row.asks,
      perGuestCents: row.per === 'guest' ? row.amountCents : null,
      amountCents: row.per === 'guest' ? row.amountCents * partySize : row.amountCents,
      freeUntil: startsAt.subtract({ hours: row.freeUntilHours }),
    }
  )
}
