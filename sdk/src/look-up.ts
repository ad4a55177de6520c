import type { Answer } from './call-types.ts'
import type { Operation } from './generated/operations.ts'
import type { Query } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

/** What is sent under one name is read under another. */
const nameOf = ({ guestName, name, contactName, title }: Fields): unknown =>
  guestName ?? contactName ?? name ?? title

/** How far back the service remembers an Idempotency-Key. */
const dayMs = 86_400_000

/**
 * Finds what a call may have made whose outcome nobody knows: what is in its list since the day before the answer, by the
 * service's own clock. A list ignores words that are not for it.
 */
export const lookUp = async (
  { lookUp: list }: Operation,
  body: unknown,
  headers: Headers,
  ask: (list: string, query: Query) => Promise<Answer<unknown>>,
): Promise<readonly unknown[] | undefined> => {
  if (list === undefined) return undefined
  const sent = body as Fields
  const { externalId, email, phone, partySize } = sent
  const words = Object.entries({ externalId, email, phone }).filter(([, value]) => value)
  const answeredAt = Date.parse(headers.get('date') ?? '') || Date.now()
  const since = new Date(answeredAt - dayMs)
  const found: Fields[] = []
  for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
    const query = { ...Object.fromEntries(words), since, limit: 100, after } as Query
    const answer = await ask(list, query)
    found.push(...(answer.body as Fields[]))
    after = answer.headers.get('x-next-cursor') ?? undefined
  }
  return found.filter(
    (record) =>
      nameOf(record) === nameOf(sent) && (partySize === undefined || record['partySize'] === partySize),
  )
}
