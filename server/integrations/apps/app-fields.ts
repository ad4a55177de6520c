import { limits } from '@venue-data/contract/limits.ts'
import { type Scope, allScopes } from '@venue-data/contract/scopes.ts'
import { lineMistake } from '../../core/venue/venue-fields.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { inOrder, mistakeInScopes } from '../access/scopes.ts'

/** An app keeps a secret; an assistant, a program on people's machines, cannot; an MCP server serves assistants. */
export type AppKind = 'app' | 'assistant' | 'mcp-server'

/** What the operator says of an app. */
export type AppFields = {
  readonly kind: AppKind
  /** The address of an MCP server, to which assistants send what they get. */
  readonly resource: string | null
  readonly name: string
  readonly home: string
  readonly privacy: string
  readonly redirects: readonly string[]
  /** What it cannot work without, and what an owner may leave out. */
  readonly needed: readonly Scope[]
  readonly optional: readonly Scope[]
}

/** Fields as typed. */
export type AskedApp = Pick<AppFields, 'kind' | 'resource' | 'name' | 'home' | 'privacy' | 'redirects'> & {
  readonly needed: readonly string[]
  readonly optional: readonly string[]
}

const mostRedirects = 10
const mostAddressCharacters = 500

/**
 * Reads what was typed. Refuses anything but https addresses, and scopes that no key can have. `isPractice`: software
 * under development may be on the machine itself. So may an assistant's redirects, on any port (RFC 8252, section 7.3).
 */
export const readApp = (asked: AskedApp, isPractice: boolean): AppFields => {
  const { kind, resource, name, redirects } = asked
  const mistake = lineMistake('The name', name, limits.keyNameCharacters)
  if (mistake) throw badRequest(mistake)
  if (kind === 'mcp-server') return readServer(asked, isPractice)
  if (resource !== null) throw badRequest('Only an MCP server has an address of its own.')
  if (redirects.length === 0 || redirects.length > mostRedirects)
    throw badRequest(`An app has 1 to ${mostRedirects} redirects.`)
  const needed = scopesIn(asked.needed)
  const optional = scopesIn(asked.optional).filter((scope) => !needed.includes(scope))
  const wrong = mistakeInScopes('api', [...needed, ...optional])
  if (wrong) throw badRequest(wrong)
  const mayBeHere = isPractice || kind === 'assistant'
  return {
    ...pagesIn(asked, isPractice),
    redirects: [...new Set(redirects.map((one) => redirectIn(one, mayBeHere)))],
    needed,
    optional,
  }
}

/** It asks no owner for anything, so it has no redirects and no scopes. */
const readServer = (asked: AskedApp, isPractice: boolean): AppFields => {
  const { resource, redirects, needed, optional } = asked
  if (redirects.length + needed.length + optional.length > 0)
    throw badRequest('An MCP server has no redirects and no scopes: assistants ask for them.')
  const address = addressIn('The address of the MCP server', resource ?? '', isPractice)
  if (/[#?*]/.test(address)) throw badRequest('The address of the MCP server has no ? and no #.')
  return { ...pagesIn(asked, isPractice), resource: address, redirects, needed: [], optional: [] }
}

const pagesIn = ({ kind, resource, name, home, privacy }: AskedApp, isPractice: boolean) => ({
  kind,
  resource,
  name: name.trim(),
  home: addressIn('The home page', home, isPractice),
  privacy: addressIn('The privacy page', privacy, isPractice),
})

const scopesIn = (words: readonly string[]): readonly Scope[] => {
  const unknown = words.find((word) => !allScopes.includes(word as Scope))
  if (unknown !== undefined)
    throw badRequest(`There is no scope ${unknown}; there are ${allScopes.join(', ')}.`)
  return inOrder(words as readonly Scope[])
}

/** Compared letter by letter later, so it is kept as it was typed. */
const redirectIn = (text: string, mayBeHere: boolean): string => {
  const address = addressIn('A redirect', text, mayBeHere)
  if (/[#*]/.test(address)) throw badRequest('A redirect is one whole address: no # and no *.')
  return address
}

const isOwnMachine = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && /^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(hostname)

const addressIn = (what: string, text: string, mayBeHere: boolean): string => {
  const typed = text.trim()
  const url = URL.parse(typed)
  const isHere = mayBeHere && url !== null && isOwnMachine(url)
  const isPlain = url !== null && url.username === '' && url.password === '' && !/[\s\\]/.test(typed)
  if (!isPlain || !(url.protocol === 'https:' || isHere) || typed.length > mostAddressCharacters)
    throw badRequest(
      `${what} must be an https address without a password, such as https://app.example.com/callback.${
        url !== null && isOwnMachine(url) && !mayBeHere
          ? ' One on your own machine is for practice instances: run the command with PRACTICE=on, as their service.'
          : ''
      }`,
    )
  return typed
}
