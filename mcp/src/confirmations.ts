import { createHash, randomBytes } from 'node:crypto'
import { Refusal } from './refusals.ts'

/*
 * Every write is two calls: the first says what it would do and returns a confirmation, the second passes it back. A
 * confirmation is for one call of one tool with exactly the same arguments and the same key, once, within ten minutes.
 */

/** How long a confirmation can be used, in milliseconds. */
export const confirmationMs = 10 * 60 * 1000

/** How many can be open at once; beyond that the oldest expires. */
const mostOpen = 50

type Open = {
  readonly call: string
  readonly untilMs: number
  readonly idempotencyKey: string
  /** The tag of the version that was shown. */
  readonly ifMatch: string | undefined
  /** `unknown`: it was used, and nobody knows whether it was done. */
  state: 'open' | 'under way' | 'unknown' | 'used'
}

export type Confirmations = {
  /** @returns the token that the second call passes back */
  open(tool: string, args: object, ifMatch?: string): string
  /**
   * Does what was confirmed. A confirmation whose outcome is unknown can be used again: the Idempotency-Key stays the
   * same, so that nothing is done twice.
   *
   * @throws Refusal when the confirmation is not for this call, or no longer valid
   */
  use<Done>(
    token: string,
    tool: string,
    args: object,
    act: (confirmed: Confirmed) => Promise<Done>,
  ): Promise<Done>
}

export type Confirmed = Pick<Open, 'idempotencyKey' | 'ifMatch'>

/**
 * The confirmations of one key. They hang on no session: protocol revisions to come have none.
 *
 * @param key the key the calls are made with
 * @param isUncertain whether an error leaves it unknown if the write was done
 */
export const openConfirmations = (
  key: string,
  now: () => number,
  isUncertain: (error: unknown) => boolean,
): Confirmations => {
  const known = new Map<string, Open>()
  const digestOf = (tool: string, args: object): string => sha256(canonical([tool, args, key]))

  const find = (token: string, call: string): Open => {
    const found = known.get(token)
    if (!found) throw new Refusal('No such confirmation was given. Call the tool without `confirm` first.')
    if (found.call !== call) {
      throw new Refusal(
        'This confirmation is for another call: the tool and every argument must be the same as in the first call. To do something else, call without `confirm` first.',
      )
    }
    if (found.state === 'used')
      throw new Refusal('This confirmation was used already, and works once. Nothing was done again.')
    if (found.state === 'under way')
      throw new Refusal('This is being done at this moment. Wait for its answer.')
    if (now() >= found.untilMs) {
      throw new Refusal(
        found.state === 'unknown'
          ? 'This confirmation is more than ten minutes old, and nobody knows whether it was done. Look for the record before trying again.'
          : 'This confirmation is more than ten minutes old. Call the tool without `confirm` again.',
      )
    }
    return found
  }

  return {
    open: (tool, args, ifMatch) => {
      const token = randomBytes(24).toString('base64url')
      const call = digestOf(tool, args)
      const idempotencyKey = `mcp-${sha256(`${token} ${call}`)}`
      known.set(token, { call, untilMs: now() + confirmationMs, idempotencyKey, ifMatch, state: 'open' })
      if (known.size > mostOpen) known.delete(known.keys().next().value as string)
      return token
    },
    use: async (token, tool, args, act) => {
      const found = find(token, digestOf(tool, args))
      found.state = 'under way'
      try {
        const done = await act(found)
        found.state = 'used'
        return done
      } catch (error) {
        found.state = isUncertain(error) ? 'unknown' : 'used'
        throw error
      }
    },
  }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** JSON in which the order of fields makes no difference. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
