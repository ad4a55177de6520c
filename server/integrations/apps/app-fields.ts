import { limits } from '@venue-data/contract/limits.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'
import { lineMistake } from '../../core/venue/venue-fields.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { inOrder, mistakeInScopes } from '../access/scopes.ts'

/** What the operator says of an app. */
export type AppFields = {
  readonly name: string
  readonly home: string
  readonly privacy: string
  readonly redirects: readonly string[]
  /** What it cannot work without, and what an owner may leave out. */
  readonly needed: readonly Scope[]
  readonly optional: readonly Scope[]
}

/** Fields as typed. */
export type AskedApp = {
  readonly [Field in keyof AppFields]: AppFields[Field] extends string ? string : readonly string[]
}

const mostRedirects = 10
const mostAddressCharacters = 500

/**
 * Reads what was typed. Refuses anything but https addresses, and scopes that no key can have. `isPractice`: software
 * under development may be on the machine itself.
 */
export const readApp = (asked: AskedApp, isPractice: boolean): AppFields => {
  const { name, home, privacy, redirects } = asked
  const mistake = lineMistake('The name', name, limits.keyNameCharacters)
  if (mistake) throw badRequest(mistake)
  if (redirects.length === 0 || redirects.length > mostRedirects)
    throw badRequest(`An app has 1 to ${mostRedirects} redirects.`)
  const needed = scopesIn(asked.needed)
  const optional = scopesIn(asked.optional).filter((scope) => !needed.includes(scope))
  const wrong = mistakeInScopes('api', [...needed, ...optional])
  if (wrong) throw badRequest(wrong)
  return {
    name: name.trim(),
    home: addressIn('The home page', home, isPractice),
    privacy: addressIn('The privacy page', privacy, isPractice),
    redirects: [...new Set(redirects.map((one) => redirectIn(one, isPractice)))],
    needed,
    optional,
  }
}

const scopesIn = (words: readonly string[]): readonly Scope[] => {
  const unknown = words.find((word) => !allScopes.includes(word as Scope))
  if (unknown !== undefined)
    throw badRequest(`There is no scope ${unknown}; there are ${allScopes.join(', ')}.`)
  return inOrder(words as readonly Scope[])
}

/** Compared letter by letter later, so it is kept as it was typed. */
const redirectIn = (text: string, isPractice: boolean): string => {
  const address = addressIn('A redirect', text, isPractice)
  if (/[#*]/.test(address)) throw badRequest('A redirect is one whole address: no # and no *.')
  return address
}

const addressIn = (what: string, text: string, isPractice: boolean): string => {
  const typed = text.trim()
  const url = URL.parse(typed)
  const isHere =
    isPractice && url?.protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname)
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[\s\\]/.test(typed)
  if (!isPlain || !(url.protocol === 'https:' || isHere) || typed.length > mostAddressCharacters)
    throw badRequest(
      `${what} must be an https address without a password, such as https://app.example.com/callback.`,
    )
  return typed
}
