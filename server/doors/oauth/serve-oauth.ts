import { allScopes } from '@venue-data/contract/scopes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import {
  type AppRow,
  appOfClient,
  appOfResource,
  appSignedIn,
  isAssistant,
} from '../../integrations/apps/apps.ts'
import { type Exchanged, exchangeCode } from '../../integrations/apps/exchange.ts'
import {
  type InstallRow,
  endOf,
  installsAtOnce,
  installsOfApp,
  scopesOfInstall,
  whyEnded,
} from '../../integrations/apps/installs.ts'
import { resourceOf } from '../../integrations/apps/judge-asked.ts'
import { type Tokens, refreshTokens, tokenSeconds, tradeToken } from '../../integrations/apps/tokens.ts'
import { giveBack } from '../../integrations/apps/uninstall.ts'
import { refusalOf } from '../../platform/http/answer-error.ts'
import { type FormFields, readForm } from '../../platform/http/read-form.ts'
import { type Served, pageMethods } from '../../platform/http/server.ts'
import { type ClientSignIn, clientIn } from './client-in.ts'

/*
 * What an app's server calls: a code for a key (RFC 6749), a key back (RFC 7009), its installs, and where all that is
 * (RFC 8414). An assistant gets tokens instead, which its MCP server trades for a key (RFC 8693). Answers and refusals have those standards' shapes, so that a library reads them; the page that asks the
 * owner is the office's.
 */

export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  installs: '/oauth/installs',
  metadata: '/.well-known/oauth-authorization-server',
} as const

type Parts = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'secrets' | 'log'>

/** A refusal in OAuth's shape. */
class OAuthError extends Error {
  readonly status: number
  readonly code: string
  constructor(status: number, code: string, sentence: string) {
    super(sentence)
    this.name = 'OAuthError'
    this.status = status
    this.code = code
  }
}

export const serveOAuth = (app: FastifyInstance, context: Parts): Served[] => {
  const issuer = context.config.publicUrl
  void app.register(async (oauth) => {
    oauth.removeAllContentTypeParsers()
    oauth.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytes },
      async (_request: FastifyRequest, text: string) => readForm(text),
    )
    oauth.setErrorHandler((error, request, reply) => answerMistake(context, error, request, reply))
    oauth.post(oauthPaths.token, async (request, reply) => {
      const form = formIn(request)
      const client = await signedIn(context, request, form)
      const grant = grants[one(form, 'grant_type') ?? '']
      if (!grant)
        throw new OAuthError(
          400,
          'unsupported_grant_type',
          `grant_type is one of ${Object.keys(grants).join(', ')}.`,
        )
      return reply.send(await grant(context, client, form))
    })
    oauth.post(oauthPaths.revoke, async (request, reply) => {
      const form = formIn(request)
      const client = await signedIn(context, request, form)
      const key = needed(form, 'token')
      await context.db.transaction((db) => giveBack(context, db, client, key))
      return reply.send({})
    })
    oauth.get(oauthPaths.installs, async (request, reply) => {
      const client = await signedIn(context, request, new Map())
      const after = afterIn(request)
      const rows = await installsOfApp(context.db, client.id, after)
      const last = rows.at(-1)
      if (last && rows.length === installsAtOnce)
        reply.header('link', `<${issuer}${oauthPaths.installs}?after=${last.id}>; rel="next"`)
      return reply.send(rows.map((row) => presentInstall(row, context.clock())))
    })
    oauth.route({
      method: pageMethods('GET'),
      url: oauthPaths.metadata,
      handler: async (_request, reply) => reply.send(metadataOf(context.config)),
    })
  })
  return [
    { method: 'POST', path: oauthPaths.token },
    { method: 'POST', path: oauthPaths.revoke },
    { method: 'GET', path: oauthPaths.installs },
    ...pageMethods('GET').map((method) => ({ method, path: oauthPaths.metadata })),
  ]
}

const formBytes = 16 * 1024

type Grant = (context: Parts, client: AppRow, form: FormFields) => Promise<object>

const tradeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange'
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token'

const grants: Readonly<Record<string, Grant>> = {
  authorization_code: async (context, client, form) => {
    const asked = {
      code: needed(form, 'code'),
      server: await serverIn(context, form),
      redirect: needed(form, 'redirect_uri'),
      verifier: verifierIn(needed(form, 'code_verifier')),
    }
    const exchanged = await context.db.transaction((db) => exchangeCode(context, db, client, asked))
    return exchanged.kind === 'tokens'
      ? tokensAnswer(exchanged)
      : keyAnswer(exchanged, context.config.publicUrl)
  },
  refresh_token: async (context, client, form) => {
    const token = needed(form, 'refresh_token')
    const refreshed = await context.db.transaction((db) => refreshTokens(context, db, client, token))
    if (refreshed.kind === 'refused')
      throw new OAuthError(400, 'invalid_grant', 'The token is unknown, used, too old or no longer allowed.')
    return tokensAnswer(refreshed)
  },
  [tradeGrant]: async (context, client, form) => {
    if (client.resource === null)
      throw new OAuthError(400, 'unauthorized_client', 'Only an MCP server trades tokens.')
    if (needed(form, 'subject_token_type') !== accessTokenType)
      throw new OAuthError(400, 'invalid_request', `The only subject_token_type is ${accessTokenType}.`)
    const resource = one(form, 'resource')
    if (resource !== undefined && resource !== resourceOf(context.config.publicUrl))
      throw new OAuthError(400, 'invalid_target', 'A token is traded for a key of the API alone.')
    const token = needed(form, 'subject_token')
    const traded = await context.db.transaction((db) => tradeToken(context, db, client, token))
    if (traded.kind === 'refused')
      throw new OAuthError(400, 'invalid_grant', 'The token is unknown, too old or no longer allowed.')
    return {
      ...keyFields(context.config.publicUrl, traded),
      issued_token_type: `${context.config.publicUrl}/oauth/service-key`,
      expires_in: traded.seconds,
    }
  },
}

/** The id of the MCP server that is named, null for the API; undefined where neither is. */
const serverIn = async ({ db, config }: Parts, form: FormFields): Promise<number | null | undefined> => {
  const resource = one(form, 'resource')
  if (resource === undefined) return undefined
  if (resource === resourceOf(config.publicUrl)) return null
  const server = await appOfResource(db, resource)
  if (!server)
    throw new OAuthError(
      400,
      'invalid_target',
      `The resource is ${resourceOf(config.publicUrl)}, or an MCP server of this service.`,
    )
  return server.id
}

const tokensAnswer = ({ access, refresh, scopes }: Tokens) => ({
  access_token: access,
  token_type: 'Bearer',
  expires_in: tokenSeconds,
  refresh_token: refresh,
  scope: scopes.join(' '),
})

const metadataOf = ({ publicUrl: issuer, oauthClientHosts }: Parts['config']) => {
  const signIns: readonly ClientSignIn[] = ['client_secret_basic', 'client_secret_post']
  return {
    issuer,
    authorization_endpoint: issuer + oauthPaths.authorize,
    token_endpoint: issuer + oauthPaths.token,
    token_endpoint_auth_methods_supported: [...signIns, 'none'],
    revocation_endpoint: issuer + oauthPaths.revoke,
    revocation_endpoint_auth_methods_supported: [...signIns, 'none'],
    installs_endpoint: issuer + oauthPaths.installs,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: Object.keys(grants),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: oauthClientHosts.length > 0,
    scopes_supported: allScopes,
    service_documentation: `${issuer}/docs/guides/apps`,
  }
}

const keyAnswer = (exchanged: Exclude<Exchanged, { kind: 'tokens' }>, issuer: string) => {
  if (exchanged.kind === 'refused') throw new OAuthError(400, 'invalid_grant', exchanged.sentence)
  return { ...keyFields(issuer, exchanged), venue: exchanged.venue }
}

const keyFields = (
  issuer: string,
  { key, scopes, install }: Pick<Extract<Exchanged, { kind: 'key' }>, 'key' | 'scopes' | 'install'>,
) => ({
  access_token: key,
  // Not "Bearer": libraries would send the key in Authorization, where it is refused.
  token_type: `${issuer}/oauth/service-key`,
  header: 'X-Service-Key',
  scope: scopes.join(' '),
  install_id: install,
})

const presentInstall = (row: InstallRow, now: Temporal.Instant) => {
  const endedAt = endOf(row, now)
  return {
    installId: row.id,
    venue: row.slug === null ? null : { slug: row.slug, name: row.venue_name, timezone: row.timezone },
    scope: scopesOfInstall(row).join(' '),
    since: row.created_at,
    endedAt: endedAt ?? null,
    why: endedAt === undefined ? null : whyEnded(row),
  }
}

const signedIn = async (context: Parts, request: FastifyRequest, form: FormFields): Promise<AppRow> => {
  const client = clientIn(request.headers.authorization, form)
  if (client === 'twice')
    throw new OAuthError(
      400,
      'invalid_request',
      'Send the client and its secret once: by Basic or in the body.',
    )
  const app = client
    ? await appSignedIn(context, client.id, client.secret)
    : await assistantIn(context, request, form)
  if (!app) throw new OAuthError(401, 'invalid_client', 'The client or its secret is missing or wrong.')
  return app
}

/** A program that can keep no secret says only who it is. */
const assistantIn = async (
  { db }: Parts,
  { headers }: FastifyRequest,
  form: FormFields,
): Promise<AppRow | undefined> => {
  const id = one(form, 'client_id')
  const isAlone = headers.authorization === undefined && one(form, 'client_secret') === undefined
  const app = isAlone && id !== undefined ? await appOfClient(db, id) : undefined
  return app && isAssistant(app) ? app : undefined
}

const formIn = ({ body }: FastifyRequest): FormFields => {
  if (!(body instanceof Map))
    throw new OAuthError(400, 'invalid_request', 'Send a form: application/x-www-form-urlencoded.')
  const form = body as FormFields
  const repeated = [...form].find(([, values]) => values.length > 1)
  if (repeated) throw new OAuthError(400, 'invalid_request', 'Send each parameter once.')
  return form
}

/** RFC 6749 3.2: a parameter without a value counts as left out. */
const one = (form: FormFields, name: string): string | undefined => form.get(name)?.[0] || undefined

const needed = (form: FormFields, name: string): string => {
  const value = one(form, name)
  if (value === undefined) throw new OAuthError(400, 'invalid_request', `Send ${name}.`)
  return value
}

const verifierIn = (text: string): string => {
  if (!/^[\w.~-]{43,128}$/.test(text))
    throw new OAuthError(
      400,
      'invalid_request',
      'code_verifier must have 43 to 128 characters of its alphabet.',
    )
  return text
}

const afterIn = ({ query }: FastifyRequest): number => {
  const { after = '0' } = query as { after?: unknown }
  if (typeof after !== 'string' || !/^\d{1,15}$/.test(after))
    throw new OAuthError(400, 'invalid_request', 'after must be the installId of the answer before.')
  return Number(after)
}

const answerMistake = (
  { log }: Parts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  if (error instanceof OAuthError) {
    if (error.status === 401) reply.header('www-authenticate', 'Basic realm="apps", charset="UTF-8"')
    return reply.code(error.status).send({ error: error.code, error_description: error.message })
  }
  const { status, message, headers } = refusalOf(error, request, log)
  const code = status === 503 ? 'temporarily_unavailable' : status >= 500 ? 'server_error' : 'invalid_request'
  return reply
    .code(status)
    .headers({ ...headers })
    .send({ error: code, error_description: message })
}
