import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import { dateInWords } from '../platform/kernel/time/in-words.ts'
import type { Discount } from '../core/money/price.ts'
import type { PromoCodeRow } from './event-reads.ts'

/** A code as stored and compared: capitals, without spaces. */
export const promoCodeKey = (typed: string): string =>
  typed.normalize('NFKC').toUpperCase().replaceAll(/\s+/g, '')

/** Why a code does not apply to this order, in a sentence; undefined if it does. `uses` = active orders with it. */
export const promoMistake = (
  row: PromoCodeRow,
  { eventId, today, uses }: { readonly eventId: number; readonly today: LocalDate; readonly uses: number },
): string | undefined => {
  if (row.switched_off) return `The code ${row.code} is turned off.`
  if (row.event_id !== null && row.event_id !== eventId) return `The code ${row.code} is for another event.`
  if (row.valid_from !== null && today < row.valid_from) {
    return `The code ${row.code} is valid from ${dateInWords(row.valid_from)}.`
  }
  if (row.valid_to !== null && today > row.valid_to) {
    return `The code ${row.code} was valid until ${dateInWords(row.valid_to)}.`
  }
  if (row.uses_most !== null && uses >= row.uses_most) return `The code ${row.code} has been used up.`
  return undefined
}

export const discountOf = ({ percent, amount_cents }: PromoCodeRow): Discount =>
  percent === null ? { amountCents: amount_cents ?? 0 } : { percent }
