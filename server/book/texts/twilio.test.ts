import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import twilio from 'twilio'
import { textAccount } from './test/stand-in.ts'
import { isOfTwilio, twilioProvider, twilioReply } from './twilio.ts'

/* Their own package has the last word on what they send and expect. */

const { account, token, from } = textAccount

describe('a call of Twilio', () => {
  const address = fc
    .tuple(
      fc.constantFrom('https://', 'http://', 'HTTPS://'),
      fc.constantFrom('data.example.com', 'Data.Example.com', '127.0.0.1', '[::1]'),
      fc.constantFrom('', ':443', ':80', ':8443'),
      fc.constantFrom('/texts/blue-door/status', '/', '', '/a?b=c'),
    )
    .map((parts) => parts.join(''))
  const fields = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'binary' }), { maxKeys: 8 })

  it('is known by the signature that their package makes', () => {
    fc.assert(
      fc.property(address, fields, (url, said) => {
        const signature = twilio.getExpectedTwilioSignature(token, url, said)
        assert.equal(
          isOfTwilio(token, signature, url, said),
          twilio.validateRequest(token, signature, url, said),
        )
      }),
    )
    const url = 'https://data.example.com/texts/blue-door/status'
    const said = { MessageSid: 'SM1', MessageStatus: 'delivered' }
    const sign = (signedUrl: string) => twilio.getExpectedTwilioSignature(token, signedUrl, said)
    assert.ok(isOfTwilio(token, sign(url), url, said))
    assert.ok(isOfTwilio(token, sign(url.replace('.com', '.com:443')), url, said))
  })

  it('is nobody’s with another token, address or field, or without a signature', () => {
    const url = 'https://data.example.com/texts/blue-door/status'
    const said = { MessageSid: 'SM1', MessageStatus: 'delivered' }
    const signature = twilio.getExpectedTwilioSignature(token, url, said)
    assert.ok(!isOfTwilio(`${token}x`, signature, url, said))
    assert.ok(!isOfTwilio(token, signature, url.replace('blue', 'red'), said))
    assert.ok(!isOfTwilio(token, signature, url, { ...said, MessageStatus: 'failed' }))
    for (const none of ['', 'x', `${signature}=`]) assert.ok(!isOfTwilio(token, none, url, said))
  })
})

describe('the answer to a text', () => {
  it('is the one that their package writes', () => {
    for (const words of ['See you soon', 'Tom & Jerry’s <table> > 2', 'Añadido ✓', '']) {
      const reply = new twilio.twiml.MessagingResponse()
      reply.message(words)
      assert.equal(twilioReply(words).replace('<Message></Message>', '<Message/>'), reply.toString())
    }
    assert.equal(twilioReply(undefined), new twilio.twiml.MessagingResponse().toString())
  })
})

describe('a text that is handed over', () => {
  type Call = {
    readonly method?: string
    readonly path?: string
    readonly form: object
    readonly sign?: string
  }
  const calls: Call[] = []
  let answer: readonly [status: number, body: string] = [201, '{}']
  const server = createServer((asked, response) => {
    const parts: Buffer[] = []
    asked.on('data', (part: Buffer) => parts.push(part))
    asked.on('end', () => {
      const { method, url, headers } = asked
      calls.push({
        ...(method && { method }),
        ...(url && { path: url }),
        ...(headers.authorization && { sign: headers.authorization }),
        form: Object.fromEntries(new URLSearchParams(Buffer.concat(parts).toString())),
      })
      response.writeHead(answer[0], { 'content-type': 'application/json' }).end(answer[1])
    })
  })
  let base: string
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  const text = { to: '+12125550199', body: 'Your table & chair: ready ✓', statusUrl: 'https://x.example/s' }
  const send = () => twilioProvider({ account, token, from }, base).send(text)

  it('goes out as their package sends it', async () => {
    answer = [201, '{"sid":"SM1","num_segments":"2"}']
    calls.length = 0
    assert.deepEqual(await send(), { kind: 'sent', providerId: 'SM1', segments: 2 })
    const client = twilio(account, token, {
      httpClient: {
        request: async ({
          method,
          uri,
          data,
        }: {
          method: string
          uri: string
          data: Record<string, string>
        }) => {
          const sent = await fetch(base + new URL(uri).pathname, {
            method,
            body: new URLSearchParams(data),
            headers: { authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` },
          })
          return { statusCode: sent.status, body: await sent.json() }
        },
      } as never,
    })
    await client.messages.create({ ...text, from, statusCallback: text.statusUrl })
    const [ours, theirs] = calls
    assert.deepEqual(ours, { ...theirs, method: 'POST' })
  })

  for (const [status, body, outcome] of [
    [429, '{"code":20429}', { kind: 'later', answer: 'the provider has too much to do' }],
    [400, '{"code":21610}', { kind: 'failed', answer: 'the number wants no texts', stopped: true }],
    [400, '{"code":21211}', { kind: 'failed', answer: 'refused by the provider (21211)' }],
    [401, '{}', { kind: 'failed', answer: 'refused by the provider (401)' }],
    [503, '{}', { kind: 'unknown', answer: 'the provider did not answer' }],
    [307, '{}', { kind: 'unknown', answer: 'the provider did not answer' }],
    [201, 'not JSON', { kind: 'unknown', answer: 'the provider did not answer' }],
    [201, 'null', { kind: 'unknown', answer: 'the provider did not answer' }],
  ] as const) {
    it(`that is answered ${status} ${body} is ${outcome.kind}`, async () => {
      answer = [status, body]
      assert.deepEqual(await send(), outcome)
    })
  }

  it('waits where nobody can be reached', async () => {
    const nobody = twilioProvider({ account, token, from }, 'http://127.0.0.1:1')
    assert.equal((await nobody.send(text)).kind, 'later')
  })
})
