import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, startService } from '../service.ts'
import { send, sendBytes } from '../wire.ts'

describe('the Date of an answer', () => {
  let practice: TestService
  let normal: TestService
  before(async () => {
    ;[practice, normal] = await Promise.all([startService({ PRACTICE: 'on' }), startService()])
  })
  after(() => Promise.all([practice.stop(), normal.stop()]))

  const tuesday = 'Tue, 06 Oct 2026 19:00:00 GMT'

  /** Every kind of answer there is: data, refusals, pages, what never became a request. */
  const answersOf = async (service: TestService): Promise<Record<string, { date?: string | undefined }>> => {
    const { key } = await service.venue()
    const call = async (method: string, path: string, headers: Record<string, string> = {}) =>
      (await send(service.url, { method, path, headers })).headers
    const bytes = async (text: string) => (await sendBytes(service.url, text)).headers
    return {
      'a record': await call('GET', '/api/v1/me', { 'x-service-key': key }),
      'a list': await call('GET', '/api/v1/guests', { 'x-service-key': key }),
      'no key': await call('GET', '/api/v1/me'),
      'an unknown address': await call('GET', '/api/v1/nothing'),
      'a wrong method': await call('DELETE', '/api/v1/me'),
      'an address that cannot be read': await call('GET', '/api/v1/%ff'),
      'the OpenAPI document': await call('GET', '/api/v1/openapi.json'),
      'the reference': await call('GET', '/docs'),
      'a page of the office': await call('GET', '/office'),
      'an unknown page': await call('GET', '/office/nothing'),
      CONNECT: await bytes('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'),
      'no Host': await bytes('GET /api/v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'),
      'no HTTP': await bytes('HELLO\r\n\r\n'),
      'a header too large': await bytes(`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    }
  }

  it('is the practice clock on every answer of a practice instance, errors, pages and 404s too', async () => {
    for (const [what, { date }] of Object.entries(await answersOf(practice)))
      assert.equal(date, tuesday, what)
  })

  it('is left to Node elsewhere', async () => {
    const { 'no HTTP': unread, CONNECT: connect, ...others } = await answersOf(normal)
    for (const [what, { date }] of Object.entries(others)) {
      if (what === 'a header too large') continue
      assert.match(date ?? '', / GMT$/, what)
      assert.notEqual(date, tuesday, what)
    }
    assert.deepEqual([unread?.date, connect?.date], [undefined, undefined])
  })
})
