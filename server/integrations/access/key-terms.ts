import type { KeyKind } from '@venue-data/contract/records/account.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'
import type { Config } from '../../config.ts'
import { readBlock } from '../../platform/http/addresses.ts'
import { wholeMilliseconds } from '../../platform/kernel/time/moment.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { typedEmail } from '../../platform/kernel/typed-fields.ts'
import type { KeyTerms } from './keys.ts'
import { inOrder, mistakeInScopes } from './scopes.ts'

/** A key's terms as typed; omitted ones stay as they are. */
export type AskedTerms = Partial<Omit<KeyTerms, 'scopes'>> & { readonly scopes?: readonly string[] }

type Bounds = {
  readonly kind: KeyKind
  readonly now: Temporal.Instant
  readonly config: Pick<Config, 'rateLimitMostPerMinute'>
}

/** Reads the typed terms of a key of this kind. Refuses invalid ones with 400. */
export const readTerms = (asked: AskedTerms, { kind, now, config }: Bounds): Partial<KeyTerms> => {
  const { scopes, expiresAt, addresses, ratePerMinute, mayRotate, contact } = asked
  const most = config.rateLimitMostPerMinute
  if (expiresAt && Temporal.Instant.compare(expiresAt, now) <= 0)
    throw badRequest('A key must end in the future.')
  if (typeof ratePerMinute === 'number' && !(ratePerMinute >= 1 && ratePerMinute <= most))
    throw badRequest(`The requests of a key in a minute must be a whole number from 1 to ${most}.`)
  return {
    ...(scopes !== undefined && { scopes: readScopes(kind, scopes) }),
    ...(expiresAt !== undefined && { expiresAt: expiresAt && wholeMilliseconds(expiresAt) }),
    ...(addresses !== undefined && { addresses: readBlocks(addresses) }),
    ...(ratePerMinute !== undefined && { ratePerMinute }),
    ...(mayRotate !== undefined && { mayRotate }),
    ...(contact !== undefined && { contact: typedEmail('The contact of a key', contact) }),
  }
}

const readScopes = (kind: KeyKind, words: readonly string[]): readonly Scope[] => {
  const unknown = words.find((word) => !allScopes.includes(word as Scope))
  if (unknown !== undefined)
    throw badRequest(`There is no scope ${unknown}; there are ${allScopes.join(', ')}.`)
  const chosen = inOrder(words as readonly Scope[])
  const mistake = mistakeInScopes(kind, chosen)
  if (mistake) throw badRequest(mistake)
  return chosen
}

const readBlocks = (typed: readonly string[]): readonly string[] => {
  const blocks = typed.map((text) => {
    const block = readBlock(text)
    if (block === undefined)
      throw badRequest(`${text.trim()} is no address or block of addresses, such as 192.0.2.7 or 10.0.0.0/8.`)
    return block
  })
  if (blocks.length > limits.keyAddresses)
    throw badRequest(`A key may be bound to at most ${limits.keyAddresses} blocks of addresses.`)
  return [...new Set(blocks)]
}
