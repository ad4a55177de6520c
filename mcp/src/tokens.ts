import { ApiError } from '@venue-data/sdk'
import { z } from 'zod'
import { Refusal, Unauthorized } from './refusals.ts'
import { type Session, fingerprint } from './session.ts'
import { everyTool } from './tools/all.ts'

/*
 * This server as a resource of its own (RFC 9728). Its clients come with tokens of the service's OAuth, which are good here
 * and nowhere else; it trades each for a key of the same venue (RFC 8693), holds that in memory, and never passes a token
 * on.
 */

export type ResourceOptions = {
  /** The address by which clients know this server, such as https://mcp.example.com/mcp. */
  readonly url: string
  /** What the operator of the service registered for that address. */
  readonly clientId: string
  readonly clientSecret: string
}

type Options = {
  readonly baseUrl: string
  readonly allow?: readonly string[]
  readonly now?: () => number
  readonly fetch?: typeof fetch
}

/** What clients read before they sign in. The service says itself where owners reach it, which may be another address. */
export const resourceMetadata = async (
  { url }: ResourceOptions,
  { baseUrl, allow = [], fetch: send = fetch }: Options,
) => {
  const answer = await send(`${trimmed(baseUrl)}/.well-known/oauth-authorization-server`, {
    signal: AbortSignal.timeout(answerLimitMs),
  })
  const { issuer } = z.object({ issuer: z.string() }).parse(await answer.json())
  return {
    resource: url,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: scopesWith(allow),
    resource_name: 'Venue Data',
  }
}

/** The scopes that a tool here needs; of the writing ones, those that are allowed. */
const scopesWith = (allow: readonly string[]): string[] => [
  ...new Set(
    everyTool
      .filter(({ writes }) => writes === undefined || allow.includes(writes))
      .flatMap(({ needs, writes }) => [...needs, ...(writes === undefined ? [] : [writes])]),
  ),
]

const wellKnown = '/.well-known/oauth-protected-resource'

/** Whether an address is that of the metadata: below the well-known one comes the path of the server's own. */
export const isMetadata = ({ url }: ResourceOptions, asked = ''): boolean =>
  [wellKnown, wellKnown + new URL(url).pathname].includes(asked.split('?')[0] ?? '')

export type Tokens = {
  /**
   * Uses the key that a token in `Authorization` stands for, and returns it. A key that the service no longer accepts is
   * asked for once more: another process of this server may have replaced it.
   *
   * @throws Unauthorized without a token, or with one that is good for nothing
   */
  readonly withKey: (
    authorization: string | undefined,
    use: (key: string, owner: string) => Promise<Session>,
  ) => Promise<string>
  /** Whose confirmations go with a key: its install's, since keys come and go. */
  readonly ownerOf: (key: string) => string
}

type Kept = { readonly key: string; readonly owner: string; readonly untilMs: number }

/** The tokens kept at once; the one least recently used makes room. */
const mostTokens = 1_000
/** The tokens that the service is being asked about at once. */
const mostAsked = 100
const answerLimitMs = 10_000

export const openTokens = (
  { url, clientId, clientSecret }: ResourceOptions,
  { baseUrl, now = Date.now, fetch: send = fetch }: Options,
): Tokens => {
  /** By the token's hash. */
  const known = new Map<string, Kept>()
  const owners = new Map<string, string>()
  /** By the token's hash: what the service is being asked about. */
  const asked = new Map<string, Promise<Kept>>()
  const { origin, pathname } = new URL(url)
  const challenge = (error: string): string =>
    `Bearer resource_metadata="${origin}${wellKnown}${pathname}"${error && `, error="${error}"`}`

  const trade = async (token: string): Promise<Kept> => {
    const answer = await send(`${trimmed(baseUrl)}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${basicOf(clientId, clientSecret)}` },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
      signal: AbortSignal.timeout(answerLimitMs),
    })
    const said: unknown = await answer.json()
    if (answer.status === 400 && refusalShape.safeParse(said).data?.error === 'invalid_grant')
      throw new Unauthorized(
        'The token is unknown, too old or no longer allowed.',
        challenge('invalid_token'),
      )
    const traded = tradedShape.safeParse(said).data
    if (!answer.ok || !traded)
      throw new Refusal('The service does not trade tokens for this server now. Tell the person who runs it.')
    return {
      key: traded.access_token,
      owner: `install ${traded.install_id}`,
      untilMs: now() + 1_000 * traded.expires_in,
    }
  }

  const keep = (hash: string, kept: Kept): Kept => {
    known.delete(hash)
    known.set(hash, kept)
    owners.delete(kept.key)
    owners.set(kept.key, kept.owner)
    for (const map of [known, owners])
      if (map.size > mostTokens) map.delete(map.keys().next().value as string)
    return kept
  }

  const keptFor = async (token: string, hash: string): Promise<Kept> => {
    const found = known.get(hash)
    if (found && now() < found.untilMs) return keep(hash, found)
    const under = asked.get(hash)
    if (under) return under
    if (asked.size >= mostAsked) throw new Refusal('Too many tokens are new at once; try again in a moment.')
    const asking = trade(token)
      .then((kept) => keep(hash, kept))
      .finally(() => asked.delete(hash))
    asked.set(hash, asking)
    return asking
  }

  return {
    withKey: async (authorization, use) => {
      const [, token] = /^bearer +(service_mcp_\w{43})$/i.exec(authorization ?? '') ?? []
      if (token === undefined) {
        const [sentence, error] =
          authorization === undefined ? ['', ''] : ['That is no token of this server. ', 'invalid_token']
        throw new Unauthorized(
          `${sentence}Sign in: this server takes a token in Authorization.`,
          challenge(error),
        )
      }
      const hash = fingerprint(token)
      const first = await keptFor(token, hash)
      try {
        await use(first.key, first.owner)
        return first.key
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 401)) throw error
        known.delete(hash)
      }
      const { key, owner } = await keptFor(token, hash)
      await use(key, owner)
      return key
    },
    ownerOf: (key) => owners.get(key) ?? fingerprint(key),
  }
}

const trimmed = (baseUrl: string): string => baseUrl.replace(/\/$/, '')

/** Encoded as in a form before they are joined (RFC 6749 2.3.1). */
const basicOf = (id: string, secret: string): string =>
  Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')

const refusalShape = z.object({ error: z.string() })
const tradedShape = z.object({
  access_token: z.string(),
  expires_in: z.number(),
  install_id: z.number(),
})
