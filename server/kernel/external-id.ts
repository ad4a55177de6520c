import { limits } from '@venue-data/contract/limits.ts'
import { badRequest } from './refusal.ts'

/*
 * The id that a record has in the software of whoever made it. It is kept as given and means nothing here.
 */

/** Letters, digits, punctuation and symbols of any script: nothing that cannot be seen, such as a blank. */
const visible = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u

export const externalIdRule = `1 to ${limits.externalIdCharacters} visible characters, without blanks`

export const isExternalId = (text: string): boolean =>
  visible.test(text) && Array.from(text).length <= limits.externalIdCharacters

/** One in a file; blank or null = not given. Throws a 400 sentence that does not repeat it. */
export const typedExternalId = (text: string | null): string | null => {
  const id = text?.trim() ?? ''
  if (id === '') return null
  if (!isExternalId(id)) throw badRequest(`The ID in other software must be ${externalIdRule}.`)
  return id
}
