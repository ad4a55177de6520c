import { allScopes } from '@venue-data/contract/scopes.ts'
import type { Context } from '../../context.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { mistakeInScopes } from '../access/scopes.ts'
import { type AppFields, readApp } from './app-fields.ts'
import { type AppRow, appOfClient, keepClient } from './apps.ts'

/*
 * An assistant may describe itself at an address that is its client id (draft-ietf-oauth-client-id-metadata-document).
 * Only those of hosts that the operator named are read, again each time an owner is asked, through the walls that webhooks
 * go through: public addresses alone, no redirect, little, and soon.
 */

const mostBytes = 5 * 1024
const mostSeconds = 5

type Document = {
  readonly client_id: string
  readonly client_name: string
  readonly policy_uri?: string
  readonly redirect_uris: readonly string[]
}

/**
 * The app that calls itself this. An address is the client id of an assistant that describes itself there: nobody, unless
 * its host is named and, where `isNew`, its document was read just now.
 */
export const appAsking = async (
  context: Pick<Context, 'db' | 'config' | 'clock' | 'sender'>,
  clientId: string,
  isNew: boolean,
): Promise<AppRow | undefined> => {
  const { db, config } = context
  if (!/^https:/i.test(clientId)) return appOfClient(db, clientId)
  if (!isDocument(clientId, config.oauthClientHosts)) return undefined
  if (isNew) {
    const text = await documentAt(context, clientId)
    const fields = text === undefined ? undefined : fieldsIn(text, clientId)
    if (!fields) return undefined
    await keepClient(context, db, clientId, fields)
  }
  return appOfClient(db, clientId)
}

/** Whether a client id is where an assistant describes itself, of a host that the operator named. */
export const isDocument = (clientId: string, hosts: readonly string[]): boolean => {
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
        // Not what it says of itself: the host that the operator named is all that is known of it.
        home: origin,
        privacy: document.policy_uri ?? origin,
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

const parsed = (text: string): Document | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return isDescription(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** It has no secret of this service's, so it cannot sign in in another way than by saying who it is. */
const isDescription = (value: unknown): value is Document => {
  const { client_id, client_name, policy_uri, redirect_uris, token_endpoint_auth_method } = Object(
    value,
  ) as Readonly<Record<string, unknown>>
  return (
    typeof client_id === 'string' &&
    typeof client_name === 'string' &&
    (policy_uri === undefined || typeof policy_uri === 'string') &&
    Array.isArray(redirect_uris) &&
    redirect_uris.every((one) => typeof one === 'string') &&
    (token_endpoint_auth_method === undefined || token_endpoint_auth_method === 'none')
  )
}
