import type { Chapter } from '../walk.ts'
import { rows } from '../rows.ts'

/** What the API says at addresses, by methods and in forms that are no request of the contract. */

const paths = [...new Set(rows.map(({ path }) => path.replaceAll(/\{\w+\}/g, '1')))]
const everyPath = (method: string): string[] => paths.map((path) => `${method} ${path}`)
const document = '/api/v1/openapi.json'
const browser = { origin: 'https://example.com' }
const preflight = { ...browser, 'access-control-request-method': 'GET' }

export const addresses: Chapter = {
  name: 'addresses',
  take: async ({ ask, askEach, bytes, venue: makeVenue }) => {
    const venue = await makeVenue()
    for (const method of ['PUT', 'PATCH', 'HEAD', 'OPTIONS']) {
      await askEach(`${method} on every address of the contract`, everyPath(method), venue)
    }
    await ask('a method too many, without a key', 'DELETE /api/v1/guests')
    await ask('a method too many, with a body that cannot be read', 'PUT /api/v1/guests', { body: '{' })
    await ask('a preflight of a page', 'OPTIONS /api/v1/guests', { headers: preflight })
    await ask('a call of a page', 'GET /api/v1/guests', { ...venue, headers: browser })

    await askEach('addresses where nothing is', [
      'GET /api',
      'GET /api/v1/',
      'POST /api/v1/',
      'GET /api/v1/me/',
      'GET /api/v1/ME',
      'GET //api/v1/me',
      'GET /api/v2/me',
      'GET /api/v1/guests/1',
      'DELETE /api/v1/reservations/1',
      'GET /api/v1/reservations/find/x',
      'OPTIONS /api/v1/nothing',
      'HEAD /api/v1/nothing',
      'GET /favicon.ico',
    ])
    await askEach('the address of the API itself', ['GET /api/v1', 'HEAD /api/v1', 'POST /api/v1'])
    await ask('the address of the API itself, with a key', 'GET /api/v1', venue)
    await ask('an address where nothing is, with a key', 'GET /api/v1/bookings', venue)

    const bodyIn = 'docs/openapi.json'
    await ask('the OpenAPI document', `GET ${document}`, { bodyIn })
    await ask('the OpenAPI document, packed', `GET ${document}`, {
      bodyIn,
      headers: { 'accept-encoding': 'gzip' },
    })
    await ask('the OpenAPI document for a page', `GET ${document}`, { bodyIn, headers: browser })
    await ask('a preflight for the OpenAPI document', `OPTIONS ${document}`, { headers: preflight })
    await askEach('other methods on the OpenAPI document', [
      `HEAD ${document}`,
      `POST ${document}`,
      `OPTIONS ${document}`,
    ])
    await ask('the reference', 'GET /docs', { bodyIn: 'server/platform/http/reference' })
    await askEach('other methods on the reference', ['HEAD /docs', 'POST /docs'])
    await ask('llms.txt', 'GET /llms.txt', { bodyIn: 'server/platform/http/reference' })

    const head = (lines: string) => `GET /api/v1/me HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`
    await bytes('a start line that is no HTTP', 'NONSENSE\r\n\r\n')
    await bytes('no Host', head(''))
    await bytes('one Host', head('Host: a\r\n'))
    await bytes('two Hosts', head('Host: a\r\nHost: b\r\n'))
    await bytes('the same Host twice', head('Host: a\r\nHost: a\r\n'))
    await bytes('HTTP/1.0 without a Host', 'GET /api/v1/me HTTP/1.0\r\n\r\n')
    await bytes('an escape that is none', head('Host: a\r\n').replace('/me', '/%zz'))
    await bytes('an unknown method', 'BREW /api/v1/me HTTP/1.1\r\nHost: a\r\n\r\n')
    await bytes('CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n')
    await bytes('an address of an asterisk', 'OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
  },
}
