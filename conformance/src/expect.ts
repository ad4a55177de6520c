import type { Reply } from './caller.ts'

/** The service did not do what the contract says. */
export class Unmet extends Error {
  override readonly name = 'Unmet'
  readonly expected: string
  readonly seen: string

  constructor(expected: string, seen: string) {
    super(`expected ${expected}; saw ${seen}`)
    this.expected = expected
    this.seen = seen
  }
}

/** A statement that cannot be tested here, for example because the venue is open every day. */
export class CannotTry extends Error {
  override readonly name = 'CannotTry'
}

/** Passes when `ok`; otherwise the statement fails with what was expected and what was seen. */
export function expectThat(ok: unknown, expected: string, seen: unknown): asserts ok {
  if (!ok) throw new Unmet(expected, shown(seen))
}

/** Passes when both are the same JSON value, in any order of fields. */
export const expectEqual = (seen: unknown, wanted: unknown, what: string): void =>
  expectThat(canonical(seen) === canonical(wanted), `${what} to be ${shown(wanted)}`, seen)

/** Passes when both have the same numbers, in any order. */
export const expectNumbers = (seen: readonly number[], wanted: readonly number[], what: string): void =>
  expectEqual(risen(seen), risen(wanted), what)

const risen = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)

/** Passes when the answer has this status, or one of these. */
export const expectStatus = (reply: Reply, ...statuses: readonly number[]): void =>
  expectThat(statuses.includes(reply.status), `status ${statuses.join(' or ')}`, answerOf(reply))

/** Passes when the answer is this refusal: its status, and its reason if one is given. */
export const expectRefusal = (reply: Reply, status: number, reason?: string): void => {
  const wanted = reason === undefined ? `status ${status}` : `status ${status} with the reason ${reason}`
  const fits = reply.status === status && (reason === undefined || reply.body?.reason === reason)
  expectThat(fits, wanted, answerOf(reply))
}

/** Passes when a header of the answer matches this. */
export const expectHeader = (reply: Reply, name: string, like: RegExp): void => {
  const value = reply.headers.get(name)
  expectThat(value !== null && like.test(value), `a header ${name} like ${like.source}`, value ?? 'none')
}

/** Passes when the object has all these fields with these values; more fields are fine. */
export const expectFields = (seen: object, wanted: object, what: string): void => {
  for (const [field, value] of Object.entries(wanted)) {
    expectEqual((seen as Record<string, unknown>)[field], value, `${field} of ${what}`)
  }
}

/** An answer in one line, for failures. */
export const answerOf = ({ status, text }: Reply): string => `${status} ${clipped(text)}`

const mostCharacters = 400

const clipped = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text

const shown = (value: unknown): string =>
  clipped(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing'))

/** The same text for the same JSON value. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  ) ?? 'undefined'
