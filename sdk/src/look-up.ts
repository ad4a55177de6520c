import type { Answer } from './call-types.ts'
import { PermissionError } from './errors.ts'
import type { Operation } from './generated/operations.ts'
import type { Query } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

/** Some fields are sent under one name and read under another. */
const nameOf = ({ guestName, name, contactName, title }: Fields): unknown =>
  guestName ?? contactName ?? name ?? title ?? null

/** How long the service remembers an Idempotency-Key. */
const dayMs = 86_400_000

/** The fewest digits that the service searches by. */
const digitsLeast = 7
const isSearchable = (phone: unknown): boolean =>
  typeof phone === 'string' && phone.replaceAll(/\D/g, '').length >= digitsLeast

/**
 * Finds the records that a call with an unknown outcome may have created: those in the list since the day before the
 * answer, by the service's own clock. Undefined if this key cannot tell.
 */
export const lookUp = async (
  { lookUp: list }: Operation,
  body: unknown,
  headers: Headers,
  ask: (list: string, query: Query) => Promise<Answer<unknown>>,
): Promise<readonly unknown[] | undefined> => {
  if (list === undefined) return undefined
  const sent = body as Query
  const { externalId, email, phone, partySize } = sent
  const words: Query = externalId
    ? { externalId }
    : { ...(email ? { email } : {}), ...(isSearchable(phone) && { phone }) }
  const answeredAt = Date.parse(headers.get('date') ?? '') || Date.now()
  const since = new Date(answeredAt - dayMs)
  const found: Fields[] = []
  try {
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const query = { ...words, since, limit: 100, after }
      const answer = await ask(list, query)
      found.push(...(answer.body as Fields[]))
      after = answer.headers.get('x-next-cursor') ?? undefined
    }
  } catch (error) {
    // The key may not read these records, or not search by contact details.
    if (error instanceof PermissionError) return undefined
    throw error
  }
  // Your own id alone decides: staff may have changed the rest since.
  if (externalId) return found.filter((record) => record['externalId'] === externalId)
  const alike = found.filter((record) => partySize === undefined || record['partySize'] === partySize)
  const made = alike.filter((record) => nameOf(record) === nameOf(sent))
  // A name that is hidden from the key may match.
  return made.length === 0 && alike.some((record) => nameOf(record) === null) ? undefined : made
}
