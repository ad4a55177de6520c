import type { Scope } from '@venue-data/contract/scopes.ts'
import { inOrder } from '../access/scopes.ts'
import { type AppRow, fieldsOf, isAssistant } from './apps.ts'

/*
 * What an app asks of an owner, judged before anybody signs in (RFC 6749, 7636, 8707). What is wrong with the app or its
 * redirect is shown to the person, since sending them on would lead them where the link's author wants; everything else is
 * the app's own mistake and goes back to it.
 */

/** The parameters that say something; all others are ignored. */
export const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
  'request',
  'request_uri',
] as const
export type Parameter = (typeof parameters)[number]
export type Parameters = (name: Parameter) => readonly string[]

export type AskedInstall = {
  readonly app: AppRow
  readonly redirect: string
  readonly state: string | undefined
  readonly challenge: string
  /** The MCP server it wants to use; null: the API itself. */
  readonly server: AppRow | null
  /** What cannot be unticked, and what can. */
  readonly needed: readonly Scope[]
  readonly optional: readonly Scope[]
}

export type Judged =
  | { readonly kind: 'stranger'; readonly sentence: string }
  | { readonly kind: 'mistake'; readonly to: string }
  | { readonly kind: 'asked'; readonly asked: AskedInstall }

const mostStateCharacters = 1_000

/** `server`: the MCP server that is registered at the one `resource` that was sent. */
export const judgeAsked = (
  app: AppRow | undefined,
  given: Parameters,
  { issuer, server = null }: { readonly issuer: string; readonly server: AppRow | null | undefined },
): Judged => {
  const redirects = given('redirect_uri')
  const redirect = redirects.length === 1 ? redirects[0] : undefined
  if (!app || given('client_id').length !== 1)
    return stranger('The app that led you here is not registered with this service.')
  if (redirect === undefined || !isRedirectOf(app, redirect))
    return stranger(`${app.name} did not register the address that it wants to send you to.`)
  const states = given('state')
  const state = states.length === 1 ? states[0] : undefined
  const back = (error: string, sentence: string): Judged => ({
    kind: 'mistake',
    to: redirectTo(redirect, { error, error_description: sentence, state, iss: issuer }),
  })
  const repeated = parameters.find((name) => given(name).length > 1)
  if (repeated) return back('invalid_request', `Send ${repeated} once.`)
  const [one] = [(name: Parameter): string | undefined => given(name)[0]]
  if ((state?.length ?? 0) > mostStateCharacters)
    return back('invalid_request', `state may have at most ${mostStateCharacters} characters.`)
  if (one('request') !== undefined) return back('request_not_supported', 'Send plain parameters.')
  if (one('request_uri') !== undefined) return back('request_uri_not_supported', 'Send plain parameters.')
  if (one('response_type') !== 'code')
    return back('unsupported_response_type', 'The only response_type is code.')
  if ((one('response_mode') ?? 'query') !== 'query')
    return back('invalid_request', 'The only response_mode is query.')
  const challenge = one('code_challenge') ?? ''
  if (one('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge))
    return back('invalid_request', 'Send a code_challenge with the code_challenge_method S256.')
  const resource = one('resource')
  if (server === null && resource !== undefined && resource !== resourceOf(issuer))
    return back('invalid_target', `The resource is ${resourceOf(issuer)}, or an MCP server of this service.`)
  if (server === null && isAssistant(app))
    return back('invalid_target', 'An assistant uses an MCP server; send its address as resource.')
  const { needed, optional } = registered(app, server)
  const words = (
    one('scope')
      ?.split(' ')
      .filter((word) => word !== '') ?? [...needed, ...optional]
  )
    // An assistant asks for all that its server has tools for; the rest is left out (RFC 6749, section 3.3).
    .filter((word) => server === null || [...needed, ...optional].includes(word as Scope))
  const strange = words.find((word) => ![...needed, ...optional].includes(word as Scope))
  if (strange !== undefined || words.length === 0)
    return back('invalid_scope', 'The app asks for a scope that it did not register.')
  // It takes away instead of giving, so an app that always has it cannot leave it out.
  const always = needed.filter((scope) => scope === 'contacts:hidden')
  const asked = inOrder([...(words as Scope[]), ...always])
  return {
    kind: 'asked',
    asked: {
      ...{ app, redirect, state, challenge, server },
      needed: asked.filter((scope) => needed.includes(scope)),
      optional: asked.filter((scope) => optional.includes(scope)),
    },
  }
}

/** What it registered; no assistant tells others what happens. */
const registered = (app: AppRow, server: AppRow | null) => {
  const { needed, optional } = fieldsOf(app)
  const fits = (scope: Scope): boolean => server === null || scope !== 'webhooks:manage'
  return { needed: needed.filter(fits), optional: optional.filter(fits) }
}

/** Letter by letter; the port of an address of the assistant's own machine is free (RFC 8252, section 7.3). */
const isRedirectOf = (app: AppRow, redirect: string): boolean =>
  app.redirects.includes(redirect) ||
  (isAssistant(app) &&
    URL.canParse(redirect) &&
    app.redirects.some((one) => isLoopback(one) && one === withoutPort(redirect)))

const isLoopback = (address: string): boolean => loopback.test(address) && !hasPort.test(address)
const withoutPort = (address: string): string => address.replace(hasPort, '$1')
const loopback = /^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$)/
const hasPort = /^(http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])):\d{1,5}(?=\/|$)/

/** The one thing that a key is good for. */
export const resourceOf = (issuer: string): string => `${issuer}/api/v1`

/** An app's redirect with an answer in its query. */
export const redirectTo = (
  redirect: string,
  answer: Readonly<Record<string, string | undefined>>,
): string => {
  const url = new URL(redirect)
  for (const [name, value] of Object.entries(answer))
    if (value !== undefined) url.searchParams.append(name, value)
  return url.href
}

const stranger = (sentence: string): Judged => ({ kind: 'stranger', sentence })
