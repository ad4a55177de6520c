import { limits } from '@venue-data/contract/limits.ts'
import type { WrongPlace } from '../kernel/problem.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { QueryValue } from './query-words.ts'

/** As the router parsed it. */
type Words = Readonly<Record<string, QueryValue>>

/**
 * Applies `read` to a query. Readers throw at the first bad parameter; that one is then removed and the rest read
 * again, so the refusal names all of them. Errors caused only by the removal are not reported.
 */
export const readQuery = <Query extends Words, Input>(query: Query, read: (query: Query) => Input): Input => {
  try {
    return read(query)
  } catch (error) {
    throw error instanceof Refusal ? withOthers(error, query, read) : error
  }
}

const withOthers = <Query extends Words>(
  first: Refusal,
  query: Query,
  read: (query: Query) => unknown,
): Refusal => {
  const errors: WrongPlace[] = []
  let left = query
  for (let refusal: Refusal | undefined = first; refusal && errors.length < limits.wrongFieldsMost;) {
    const wrong = wrongIn(refusal, left)
    if (!wrong) break
    errors.push(wrong.error)
    left = Object.fromEntries(Object.entries(left).filter(([name]) => name !== wrong.parameter)) as Query
    refusal = refusalOf(read, left)
  }
  if (!first.problem || errors.length < 2) return first
  return new Refusal(first.status, first.message, { problem: { ...first.problem, errors } })
}

/** The parameter a refusal is about, if the query has it. */
const wrongIn = (
  { problem }: Refusal,
  query: Words,
): { parameter: string; error: WrongPlace } | undefined => {
  const [error] = problem?.errors ?? []
  if (!error || !('parameter' in error.place)) return undefined
  const { parameter } = error.place
  return query[parameter] === undefined ? undefined : { parameter, error }
}

const refusalOf = <Query>(read: (query: Query) => unknown, query: Query): Refusal | undefined => {
  try {
    read(query)
    return undefined
  } catch (error) {
    return error instanceof Refusal ? error : undefined
  }
}
