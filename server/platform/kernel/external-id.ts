import { limits } from '@venue-data/contract/limits.ts'
import { isPaymentId } from './payment-id.ts'
import { badRequest } from './refusal.ts'

/*
 * The id that a record has in the software that made it. It is kept as given and means nothing here.
 */

/** Letters, digits, punctuation and symbols of any script: nothing that cannot be seen, such as a blank. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u

export const visibleIdRule = `1 to ${limits.externalIdCharacters} visible characters, without blanks`
export const externalIdRule = `${visibleIdRule}, and neither a card number nor an id of a payment`

export const isExternalId = (text: string): boolean =>
  visible.test(text) && Array.from(text).length <= limits.externalIdCharacters

/** Whether it may be kept: not what identifies a card or a payment, which no venue's data may hold. */
export const isUsableExternalId = (text: string): boolean => isExternalId(text) && !isPaymentId(text)

/** One in a file; blank or null = not given. Throws a 400 sentence that does not repeat it. */
export const typedExternalId = (text: string | null): string | null => {
  const id = text?.trim() ?? ''
  if (id === '') return null
  if (!isUsableExternalId(id)) throw badRequest(`The ID in other software must be ${externalIdRule}.`)
  return id
}
