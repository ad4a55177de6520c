import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as oauth from 'oauth4webapi'
import { type TestService, startService } from '../../test/service.ts'
import { anApp, anOwner, fieldsIn } from './test/an-app.ts'

/* A client library that nobody here wrote goes through all of it, with the one switch that the guide names. */
describe('oauth4webapi', () => {
  const issuer = new URL('https://venues.example.com')
  let service: TestService
  before(async () => {
    service = await startService({ PUBLIC_URL: issuer.origin })
  })
  after(() => service.stop())

  /** As if the service were at its public address. */
  const throughProxy = {
    [oauth.customFetch]: (url: string, init: object) => fetch(url.replace(issuer.origin, service.url), init),
  } as const

  it('finds the service, sends the owner, checks the answer, exchanges the code and gives the key back', async () => {
    const app = await anApp(service)
    const owner = await anOwner(service, await service.venue())

    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...throughProxy })
    const as = await oauth.processDiscoveryResponse(issuer, found)
    const client: oauth.Client = { client_id: app.clientId }
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const asking = new URL(as.authorization_endpoint as string)
    for (const [name, value] of Object.entries({
      client_id: app.clientId,
      redirect_uri: app.redirect,
      response_type: 'code',
      scope: 'guests:read reservations:read',
      state,
      resource: `${issuer.origin}/api/v1`,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }))
      asking.searchParams.set(name, value)

    const page = await owner.get(asking.pathname + asking.search)
    const pressed = await owner.post('/oauth/authorize', { ...fieldsIn(page), press: 'allow' })
    const answer = oauth.validateAuthResponse(as, client, new URL(pressed.to ?? ''), state)

    const signIn = oauth.ClientSecretBasic(app.secret)
    const exchanged = await oauth.authorizationCodeGrantRequest(
      ...([as, client, signIn, answer, app.redirect, verifier] as const),
      { additionalParameters: { resource: `${issuer.origin}/api/v1` }, ...throughProxy },
    )
    const strict = await oauth
      .processAuthorizationCodeResponse(as, client, exchanged.clone())
      .catch((error: unknown) => error)
    assert.ok(strict instanceof oauth.UnsupportedOperationError, 'without its switch it takes no such token')
    const token = await oauth.processAuthorizationCodeResponse(as, client, exchanged, {
      recognizedTokenTypes: { [`${issuer.origin}/oauth/service-key`]: () => {} },
    })
    assert.equal(token.scope, 'reservations:read guests:read')
    const key = token.access_token
    assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 200)
    const back = await oauth.revocationRequest(as, client, signIn, key, throughProxy)
    await oauth.processRevocationResponse(back)
    assert.equal((await service.call('GET', '/api/v1/me', { key })).status, 401)
  })

  it('reads the refusals, signing in by the body', async () => {
    const app = await anApp(service)
    const client: oauth.Client = { client_id: app.clientId }
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...throughProxy })
    const as = await oauth.processDiscoveryResponse(issuer, found)
    const answer = oauth.validateAuthResponse(
      as,
      client,
      new URLSearchParams({ code: 'made-up', iss: issuer.origin }),
      oauth.expectNoState,
    )
    const refusal = async (secret: string): Promise<unknown> => {
      const exchanged = await oauth.authorizationCodeGrantRequest(
        ...([as, client, oauth.ClientSecretPost(secret), answer, app.redirect] as const),
        oauth.generateRandomCodeVerifier(),
        throughProxy,
      )
      return oauth.processAuthorizationCodeResponse(as, client, exchanged).catch((error: unknown) => error)
    }
    const wrongCode = await refusal(app.secret)
    assert.ok(wrongCode instanceof oauth.ResponseBodyError)
    assert.equal(wrongCode.error, 'invalid_grant')
    const wrongSecret = await refusal('another')
    assert.ok(
      wrongSecret instanceof oauth.WWWAuthenticateChallengeError ||
        wrongSecret instanceof oauth.ResponseBodyError,
    )
    assert.equal(wrongSecret.status, 401)
  })
})
