import assert from 'node:assert/strict'
import { type TestContext, after, before, describe, it } from 'node:test'
import { appOfClient } from '../../integrations/apps/apps.ts'
import { removeAppEverywhere } from '../../integrations/apps/uninstall.ts'
import { anyName } from '../../integrations/webhooks/test/any-name.ts'
import { makeAuthority } from '../../integrations/webhooks/test/certificate.ts'
import { startReceiver } from '../../integrations/webhooks/test/receivers.ts'
import { type OfficeVisitor, visitOffice } from '../../test/office.ts'
import { type TestService, startService } from '../../test/service.ts'
import { anApp, anOwner, challengeOf, fieldsIn, send, verifier } from './test/an-app.ts'

describe('an assistant that describes itself at its client id', () => {
  const host = 'assistant.example.net'
  const inside = 'inside.example.net'
  const address = 'https://mcp.example.com/mcp'
  const authority = makeAuthority()
  const certificate = authority.sign([host, inside, 'stranger.example.net'])
  let service: TestService
  let owner: OfficeVisitor
  before(async () => {
    service = await startService(
      { PUBLIC_URL: 'https://venues.example.com', OAUTH_CLIENT_HOSTS: `${host}, ${inside}` },
      {
        practice: true,
        judge: anyName,
        resolve: async (name) => [name === inside ? '10.0.0.7' : '127.0.0.1'],
        ca: authority.cert,
      },
    )
    owner = await anOwner(service, await service.venue())
    await anApp(service, {
      ...{ kind: 'mcp-server', resource: address, redirects: [], needed: [], optional: [] },
    })
  })
  after(() => service.stop())

  const described = (clientId: string, more: object = {}): string =>
    JSON.stringify({
      client_id: clientId,
      client_name: 'Maple Assistant',
      client_uri: `https://${host}/`,
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
      ...more,
    })
  const serve = async (
    t: TestContext,
    answer: (clientId: string) => { status?: number; headers?: Record<string, string>; text: string },
    name = host,
  ) => {
    const receiver = await startReceiver(
      t,
      (response) => {
        const { status = 200, headers = {}, text } = answer(clientId)
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text)
      },
      { certificate },
    )
    const clientId = `https://${name}:${receiver.port}/oauth/client.json`
    return { clientId, receiver }
  }
  const ask = (clientId: string, visitor = owner) =>
    visitor.get(
      `/oauth/authorize?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: 'http://127.0.0.1:49152/callback',
        scope: 'reservations:read webhooks:manage',
        resource: address,
        code_challenge: challengeOf(verifier),
        code_challenge_method: 'S256',
      }).toString()}`,
    )

  it('is shown to the owner as it is now, and signs in', async (t) => {
    let name = 'Maple Assistant'
    const { clientId, receiver } = await serve(t, (id) => ({ text: described(id, { client_name: name }) }))
    assert.match((await ask(clientId)).words, /Connect Maple Assistant to/)
    name = 'Oak Assistant'
    const page = await ask(clientId)
    assert.match(page.words, /Connect Oak Assistant to/)
    assert.match(page.words, /Sends you to 127\.0\.0\.1:49152/)
    const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow' })
    const { status, body } = await send(service, undefined, '/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: clientId, code_verifier: verifier },
      ...{ redirect_uri: 'http://127.0.0.1:49152/callback', resource: address },
      code: new URL(pressed.to ?? '').searchParams.get('code') ?? '',
    })
    assert.deepEqual([status, body.token_type, body.scope], [200, 'Bearer', 'reservations:read'])
    assert.equal(receiver.received[0]?.headers['x-service-key'], undefined)
    assert.equal(receiver.received.length, 2, 'it is read when somebody is asked, and not again')
  })

  it('is nobody if its document is elsewhere, inside a network, too long, or not its own', async (t) => {
    const wrong: Record<
      string,
      (id: string) => { status?: number; headers?: Record<string, string>; text: string }
    > = {
      'of another address': () => ({ text: described('https://assistant.example.net/other.json') }),
      'too long': (id) => ({ text: described(id, { more: 'x'.repeat(5_200) }) }),
      'somewhere else': () => ({ status: 302, headers: { location: '/there' }, text: '' }),
      'not there': (id) => ({ status: 404, text: described(id) }),
      'no JSON': () => ({ text: '<html>' }),
      'with a secret': (id) => ({
        text: described(id, { token_endpoint_auth_method: 'client_secret_basic' }),
      }),
      'without an address to come back to': (id) => ({ text: described(id, { redirect_uris: [] }) }),
      'with a name of two lines': (id) => ({ text: described(id, { client_name: 'Maple\nOak' }) }),
    }
    for (const [what, answer] of Object.entries(wrong)) {
      const { clientId, receiver } = await serve(t, answer)
      const page = await ask(clientId)
      assert.equal(page.status, 400, what)
      assert.match(page.words, /not registered with this service/, what)
      assert.equal(receiver.received.length, 1, what)
    }
    for (const name of [inside, 'stranger.example.net']) {
      const { clientId, receiver } = await serve(t, (id) => ({ text: described(id) }), name)
      assert.equal((await ask(clientId)).status, 400, name)
      assert.equal(receiver.connections(), 0, name)
    }
  })

  it('is read for nobody who is not signed in', async (t) => {
    const { clientId, receiver } = await serve(t, (id) => ({ text: described(id) }))
    const { status, to } = await ask(clientId, visitOffice(service))
    assert.equal(status, 303)
    assert.match(to ?? '', /^\/office\/sign-in\?next=%2Foauth%2Fauthorize/)
    assert.equal(receiver.connections(), 0)
  })

  it('is nobody any longer once its document or its host is gone', async (t) => {
    let isThere = true
    const { clientId } = await serve(t, (id) => ({ status: isThere ? 200 : 404, text: described(id) }))
    assert.equal((await ask(clientId)).status, 200)
    isThere = false
    assert.equal((await ask(clientId)).status, 400)
    isThere = true
    const hosts = service.context.config.oauthClientHosts as string[]
    const named = hosts.splice(0)
    assert.equal((await ask(clientId)).status, 400)
    hosts.push(...named)
    assert.equal((await ask(clientId)).status, 200)
  })

  it('is shown with its own host, whatever it says of itself', async (t) => {
    const { clientId } = await serve(t, (id) => ({
      text: described(id, { client_name: 'Claude', client_uri: 'https://claude.example/' }),
    }))
    const { words } = await ask(clientId)
    assert.match(words, /App Claude · assistant\.example\.net/)
    assert.doesNotMatch(words, /claude\.example/)
  })

  it('stays removed once the operator removed it', async (t) => {
    const { clientId } = await serve(t, (id) => ({ text: described(id) }))
    assert.equal((await ask(clientId)).status, 200)
    const { id } = (await appOfClient(service.context.db, clientId)) ?? { id: 0 }
    await removeAppEverywhere(service.context, id)
    assert.equal((await ask(clientId)).status, 400)
  })

  it('is announced where clients look, and only where a host is named', async () => {
    const metadata = async ({ url }: Pick<TestService, 'url'>) =>
      (await (await fetch(`${url}/.well-known/oauth-authorization-server`)).json()) as Record<string, unknown>
    assert.equal((await metadata(service))['client_id_metadata_document_supported'], true)
    const plain = await startService()
    assert.equal((await metadata(plain))['client_id_metadata_document_supported'], false)
    await plain.stop()
  })
})
