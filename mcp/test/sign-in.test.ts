import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import {
  type App,
  allow,
  anApp,
  anOwner,
  exchange,
  fieldsIn,
  send,
} from '../../server/doors/oauth/test/an-app.ts'
import { removeAppEverywhere } from '../../server/integrations/apps/uninstall.ts'
import type { OfficeVisitor } from '../../server/test/office.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { type HttpServer, startHttp } from '../src/http.ts'
import { type TestClient, connect } from './client.ts'

/* The official client signs in by OAuth, as an assistant on somebody's machine does. */
describe('an assistant that signs in', () => {
  const issuer = 'https://venues.example.com'
  const address = 'https://mcp.example.com/mcp'
  const firstMoment = Temporal.Instant.from('2026-10-06T18:00:00Z')
  let now = firstMoment
  let service: TestService
  let server: App
  let assistant: App
  let http: HttpServer
  before(async () => {
    service = await startService({ PUBLIC_URL: issuer })
    service.setClock(now.toString())
    server = await anApp(service, {
      ...{ kind: 'mcp-server', resource: address, name: 'Maple MCP' },
      ...{ redirects: [], needed: [], optional: [] },
    })
    assistant = await anApp(service, {
      ...{ kind: 'assistant', name: 'Maple Assistant', redirects: ['http://127.0.0.1/callback'] },
      needed: ['reservations:read'],
      optional: ['tasks:read', 'tasks:create', 'guests:read', 'webhooks:manage'],
    })
    http = await startHttp({
      ...{ baseUrl: service.url, host: '127.0.0.1', port: 0, allow: ['tasks:create'] },
      resource: { url: address, clientId: server.clientId, clientSecret: server.secret },
      now: () => now.epochMilliseconds,
    })
  })
  after(async () => {
    await http.stop()
    await service.stop()
  })

  const pass = (minutes: number): void => {
    now = now.add({ minutes })
    service.setClock(now.toString())
  }

  /** As if both were at their public addresses. */
  const throughProxies = (url: string | URL, init?: RequestInit): Promise<Response> =>
    fetch(
      String(url).replace(issuer, service.url).replace(new URL(address).origin, new URL(http.url).origin),
      init,
    )

  /** What the assistant keeps on its machine, and the browser it opens. */
  const aMachine = (owner: OfficeVisitor) => {
    const kept: { tokens?: Tokens; verifier?: string; asked?: URL } = {}
    const provider: OAuthClientProvider = {
      redirectUrl: 'http://127.0.0.1:49152/callback',
      clientMetadata: { client_name: 'Maple Assistant', redirect_uris: ['http://127.0.0.1:49152/callback'] },
      clientInformation: () => ({ client_id: assistant.clientId, issuer }),
      state: () => 'a state of the assistant',
      tokens: () => kept.tokens,
      saveTokens: (tokens) => void (kept.tokens = tokens),
      saveCodeVerifier: (verifier) => void (kept.verifier = verifier),
      invalidateCredentials: () => void delete kept.tokens,
      codeVerifier: () => kept.verifier ?? '',
      redirectToAuthorization: (url) => void (kept.asked = url),
    }
    const transport = (): StreamableHTTPClientTransport =>
      new StreamableHTTPClientTransport(new URL(address), { authProvider: provider, fetch: throughProxies })
    return {
      kept,
      open: (): Promise<TestClient> => connect(transport()),
      /** From the first refusal to the tokens; returns what the owner was shown. */
      signIn: async (form: Record<string, string> = {}): Promise<string> => {
        await assert.rejects(connect(transport()), (error) => error instanceof UnauthorizedError)
        const asked = kept.asked as URL
        assert.equal(asked.origin + asked.pathname, `${issuer}/oauth/authorize`)
        const page = await owner.get(asked.pathname + asked.search)
        const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow', ...form })
        const back = new URL(pressed.to ?? 'about:blank')
        assert.equal(back.origin + back.pathname, 'http://127.0.0.1:49152/callback', pressed.words)
        await transport().finishAuth(back.searchParams)
        return page.words
      },
    }
  }
  type Tokens = NonNullable<Awaited<ReturnType<OAuthClientProvider['tokens']>>>

  const scene = async () => {
    const venue = await service.venue()
    const owner = await anOwner(service, venue)
    return { venue, owner, machine: aMachine(owner) }
  }
  const keysOf = ({ id }: TestVenue) =>
    rowsOf(service, 'select id, install_id from api_key where venue_id = $1 and install_id is not null', [id])

  it('finds the way by itself, reads and writes as the owner allowed, and goes on when its hour is over', async () => {
    const { venue, owner, machine } = await scene()
    const shown = await machine.signIn()
    assert.match(shown, /Works through Maple MCP · mcp\.example\.com/)
    assert.match(shown, /Sends you to 127\.0\.0\.1:49152/)
    assert.doesNotMatch(shown, /webhook/i)
    const first = machine.kept.tokens as Tokens
    assert.match(first.access_token, /^service_mcp_/)
    assert.equal(first.token_type, 'Bearer')
    const client = await machine.open()
    assert.equal((await client.call('tasks')).isError, false)
    assert.equal((await client.write('create_task', { title: 'Polish the glasses' })).data.status, 'done')

    const told = async () =>
      rowsOf(
        service,
        `select (select count(*) from activity where venue_id = $1) as trail,
                (select count(*) from event where venue_id = $1) as events`,
        [venue.id],
      )
    const before = await told()
    for (const _hour of [1, 2, 3]) {
      pass(61)
      assert.equal((await client.call('tasks')).isError, false)
    }
    assert.notEqual(machine.kept.tokens?.access_token, first.access_token, 'it was refreshed')
    assert.deepEqual(await told(), before)
    assert.equal((await keysOf(venue)).length, 1)
    await client.close()

    await service.context.usage.flush()
    const page = await owner.get('/office/integrations')
    assert.match(page.words, /Maple Assistant .* [1-9]\d* calls in 30 days, 0 failed/)
    assert.equal(page.words.match(/Maple Assistant/g)?.length, 1, 'once, as an app, not as a key as well')
    const [key] = await keysOf(venue)
    assert.equal((await owner.get(`/office/integrations/keys/${String(key?.['id'])}`)).status, 404)
  })

  it('a confirmation outlasts the key behind it', async () => {
    const { machine } = await scene()
    await machine.signIn()
    const client = await machine.open()
    pass(56)
    const args = { title: 'Count the spoons' }
    const first = await client.call('create_task', args)
    pass(5)
    const second = await client.call('create_task', { ...args, confirm: first.data.confirm })
    assert.equal(second.data?.status, 'done', second.text)
    await client.close()
  })

  it('its token is good for nothing at the API, and a key for nothing at the server', async () => {
    const { venue, machine } = await scene()
    await machine.signIn()
    const token = machine.kept.tokens?.access_token ?? ''
    const call = (headers: Record<string, string>) => service.call('GET', '/api/v1/me', { headers })
    assert.equal((await call({ 'x-service-key': token })).status, 401)
    assert.equal((await call({ authorization: `Bearer ${token}` })).status, 401)
    const post = (headers: Record<string, string>) =>
      fetch(http.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: '{}',
      })
    for (const headers of [
      {},
      { 'x-service-key': venue.key },
      { authorization: `Bearer ${venue.key}` },
      { authorization: `Bearer service_mcp_${'x'.repeat(43)}` },
    ] as Record<string, string>[]) {
      const answer = await post(headers)
      assert.equal(answer.status, 401)
      assert.match(
        answer.headers.get('www-authenticate') ?? '',
        /^Bearer resource_metadata="https:\/\/mcp\.example\.com\/\.well-known\/oauth-protected-resource\/mcp"/,
      )
    }
  })

  it('a refresh token works once, and for a lost answer a minute longer; later use ends the install', async () => {
    const { venue, machine } = await scene()
    await machine.signIn()
    const { refresh_token = '' } = machine.kept.tokens ?? {}
    const refresh = (token: string) =>
      send(service, undefined, '/oauth/token', {
        ...{ grant_type: 'refresh_token', client_id: assistant.clientId, refresh_token: token },
      })
    assert.equal((await refresh(refresh_token)).status, 200)
    pass(1)
    const again = await refresh(refresh_token)
    assert.equal(again.status, 200)
    pass(1)
    const stolen = await refresh(refresh_token)
    assert.deepEqual([stolen.status, stolen.body.error], [400, 'invalid_grant'])
    assert.equal((await refresh(again.body.refresh_token)).body.error, 'invalid_grant')
    const [key] = await rowsOf(
      service,
      'select revoked_why from api_key where venue_id = $1 and install_id > 0',
      [venue.id],
    )
    assert.equal(key?.['revoked_why'], 'token-used-twice')
  })

  it('unused for ninety days it is over, and used it lasts to the day the owner set', async () => {
    const { machine } = await scene()
    await machine.signIn()
    const day = 24 * 60
    const refresh = async () => {
      const answer = await send(service, undefined, '/oauth/token', {
        ...{ grant_type: 'refresh_token', client_id: assistant.clientId },
        refresh_token: machine.kept.tokens?.refresh_token ?? '',
      })
      if (answer.status === 200) machine.kept.tokens = answer.body
      return answer.status
    }
    pass(89 * day)
    assert.equal(await refresh(), 200)
    pass(89 * day)
    assert.equal(await refresh(), 200)
    pass(91 * day)
    assert.equal(await refresh(), 400)

    const { machine: other } = await scene()
    await other.signIn({
      expires: now
        .add({ hours: 24 * 10 })
        .toString()
        .slice(0, 10),
    })
    pass(12 * day)
    const late = await send(service, undefined, '/oauth/token', {
      ...{ grant_type: 'refresh_token', client_id: assistant.clientId },
      refresh_token: other.kept.tokens?.refresh_token ?? '',
    })
    assert.equal(late.status, 400)
  })

  it('only the server that a token is for can trade it', async () => {
    const { machine } = await scene()
    await machine.signIn()
    const trade = (client: Pick<App, 'clientId' | 'secret'> | undefined, more: Record<string, string> = {}) =>
      send(service, client, '/oauth/token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: machine.kept.tokens?.access_token ?? '',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        ...more,
      })
    const another = await anApp(service, {
      ...{ kind: 'mcp-server', resource: 'https://other.example.com/mcp' },
      ...{ redirects: [], needed: [], optional: [] },
    })
    const app = await anApp(service)
    assert.equal((await trade(another)).body.error, 'invalid_grant')
    assert.equal((await trade(app)).body.error, 'unauthorized_client')
    assert.equal(
      (await trade(undefined, { client_id: assistant.clientId })).body.error,
      'unauthorized_client',
    )
    const right = await trade(server)
    assert.equal(right.status, 200)
    assert.equal(
      (await trade(server)).body.access_token,
      right.body.access_token,
      'the same for each process',
    )
    const key = right.body.access_token
    const { status, body } = await service.call('GET', '/api/v1/me', { key })
    assert.equal(status, 200)
    assert.deepEqual(
      body.key.scopes.filter((scope: string) => /webhooks/.test(scope)),
      [],
    )
    pass(61)
    assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 401, 'it is good for an hour')
    assert.equal((await trade(server)).body.error, 'invalid_grant', 'and so is the token')
  })

  it('it cannot ask for the API itself, come back elsewhere, or use a code for another server', async () => {
    const { owner, machine } = await scene()
    await machine.signIn()
    const asked = machine.kept.asked as URL
    const ask = async (more: Record<string, string | undefined>) => {
      const url = new URL(asked)
      for (const [name, value] of Object.entries(more)) {
        if (value === undefined) url.searchParams.delete(name)
        else url.searchParams.set(name, value)
      }
      return owner.get(url.pathname + url.search)
    }
    for (const resource of [
      undefined,
      `${issuer}/api/v1`,
      'https://mcp.example.com/mcp/',
      'https://evil.example/mcp',
    ]) {
      const { to } = await ask({ resource })
      assert.equal(new URL(to ?? 'about:blank').searchParams.get('error'), 'invalid_target')
    }
    for (const redirect_uri of [
      'http://127.0.0.1:49152/other',
      'http://127.0.0.1:49152/callback/more',
      'http://localhost:49152/callback',
      'https://127.0.0.1:49152/callback',
      'http://127.0.0.1:49152@evil.example/callback',
      'http://127.0.0.1.evil.example/callback',
      'http://127.0.0.1:99999/callback',
    ])
      assert.equal((await ask({ redirect_uri })).status, 400, redirect_uri)
    // A code for this server, named with the API or with no secret where one is needed.
    const page = await ask({})
    const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow' })
    const code = new URL(pressed.to ?? '').searchParams.get('code') ?? ''
    const app = await anApp(service)
    assert.equal((await exchange(service, app, code)).body.error, 'invalid_grant')
    const secretless = await send(service, undefined, '/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: app.clientId, code, redirect_uri: app.redirect },
      code_verifier: 'v'.repeat(43),
    })
    assert.equal(secretless.body.error, 'invalid_client')
  })

  it('an app with a secret that uses the server and the API has two installs, and one ends without the other', async () => {
    const { venue, owner } = await scene()
    const app = await anApp(service, { optional: ['reservations:read', 'tasks:read'] })
    const connect = async (resource: string) =>
      exchange(service, app, (await allow(owner, app, { ask: { resource } })).code)
    const { code } = await allow(owner, app, { ask: { resource: address } })
    const asOfApi = await exchange(service, app, code, { resource: `${issuer}/api/v1` })
    assert.equal(asOfApi.body.error, 'invalid_grant', 'a code for the server is none for the API')
    const through = (await connect(address)).body
    const direct = (await connect(`${issuer}/api/v1`)).body
    assert.match(direct.access_token, /^service_sk_/)
    assert.equal(new Set((await keysOf(venue)).map(({ install_id }) => install_id)).size, 2)
    await send(service, app, '/oauth/revoke', { token: through.refresh_token })
    assert.equal((await service.call('GET', '/api/v1/me', { key: direct.access_token })).status, 200)
  })

  it('the key behind its token cannot replace itself, and ends with the server', async () => {
    const { venue, machine } = await scene()
    const other = await anApp(service, {
      ...{ kind: 'mcp-server', resource: 'https://another.example.com/mcp' },
      ...{ redirects: [], needed: [], optional: [] },
    })
    await machine.signIn()
    await rowsOf(service, 'update app_token set resource_app = $1 returning 1', [other.id])
    await rowsOf(service, 'update api_key set may_rotate = true where venue_id = $1 returning 1', [venue.id])
    const traded = await send(service, other, '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: machine.kept.tokens?.access_token ?? '',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    })
    const key = traded.body.access_token
    const rotated = await service.call('POST', '/api/v1/key/rotate', { key, body: { overlapHours: 0 } })
    assert.equal(rotated.status, 401)
    assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 200)
    await removeAppEverywhere(service.context, other.id)
    assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 401)
  })

  it('removed by the owner it is over at once, everywhere', async () => {
    const { owner, machine } = await scene()
    await machine.signIn()
    const client = await machine.open()
    await client.call('about_venue')
    const page = await owner.get('/office/integrations')
    const [, path = ''] = /action="(\/office\/integrations\/apps\/\d+\/remove)"/.exec(page.html) ?? []
    await owner.post(path, {})
    const refused = await client.call('tasks')
    assert.match(refused.sentence, /status 401/)
    pass(2)
    await assert.rejects(client.call('about_venue'), UnauthorizedError)
    await client.close()
  })
})
