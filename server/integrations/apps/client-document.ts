import { allScopes } from '@venue-data/contract/scopes.ts'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { mistakeInScopes } from '../access/scopes.ts'
import { type AppFields, readApp } from './app-fields.ts'
import { keepClient } from './apps.ts'

/*
 * An assistant may describe itself at an address that is its client id (draft-ietf-oauth-client-id-metadata-document).
 * Only those of hosts that the operator named are read, anew each time an owner is asked, through the walls that webhooks
 * go through: public addresses alone, no redirect, little, and soon.
 */

const mostBytes = 5 * 1024
const mostSeconds = 5

const Document = Type.Object({
  client_id: Type.String(),
  client_name: Type.String(),
  client_uri: Type.Optional(Type.String()),
  policy_uri: Type.Optional(Type.String()),
  redirect_uris: Type.Array(Type.String()),
  /** It has no secret of this service's; other ways to sign in are not taken. */
  token_endpoint_auth_method: Type.Optional(Type.Literal('none')),
})
const shape = Compile(Document)

/** Registers the assistant whose document is at this client id, as it is now. Any other client id changes nothing. */
export const readClientDocument = async (
  context: Pick<Context, 'db' | 'config' | 'clock' | 'sender'>,
  clientId: string,
): Promise<void> => {
  const { db, config } = context
  if (!isDocument(clientId, config.oauthClientHosts)) return
  const text = await documentAt(context, clientId)
  const fields = text === undefined ? undefined : fieldsIn(text, clientId)
  if (fields) await keepClient(context, db, clientId, fields)
}

const isDocument = (clientId: string, hosts: readonly string[]): boolean => {
  const url = URL.parse(clientId)
  return (
    url?.protocol === 'https:' &&
    hosts.includes(url.hostname) &&
    url.href === clientId &&
    url.pathname !== '/'
  )
}

const documentAt = async ({ sender }: Pick<Context, 'sender'>, url: string): Promise<string | undefined> => {
  const vetted = await sender.vet(url)
  if (vetted.kind !== 'vetted') return undefined
  const outcome = await sender.post(
    vetted,
    {
      ...{ method: 'GET', limitMs: 1_000 * mostSeconds, keptBytes: mostBytes + 1, body: Buffer.alloc(0) },
      headers: { accept: 'application/json', 'user-agent': 'venue-data-oauth' },
    },
    { holds: () => true, ask: async () => true },
  )
  return outcome?.kind === 'answered' && outcome.statusCode === 200 && outcome.body.length <= mostBytes
    ? outcome.body.toString('utf8')
    : undefined
}

const fieldsIn = (text: string, clientId: string): AppFields | undefined => {
  const document = parsed(text)
  if (document?.client_id !== clientId) return undefined
  const { origin } = new URL(clientId)
  try {
    return readApp(
      {
        ...{ kind: 'assistant', resource: null, name: document.client_name },
        home: document.client_uri ?? origin,
        privacy: document.policy_uri ?? document.client_uri ?? origin,
        ...{ redirects: document.redirect_uris, needed: [], optional: offered },
      },
      false,
    )
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

/** Nobody registered what it may ask for, so the owner is asked about all that it does ask for. */
const offered = allScopes.filter(
  (scope) => scope !== 'webhooks:manage' && mistakeInScopes('api', [scope]) === undefined,
)

const parsed = (text: string): Static<typeof Document> | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return shape.Check(value) ? value : undefined
  } catch {
    return undefined
  }
}
