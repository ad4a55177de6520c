import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import twilio from 'twilio'

/*
 * Plays the provider of texts, on loopback: it takes messages in the documented form and answers as scripted. `judge`
 * decides on each: accept it, refuse it with a code, fail, or accept it and say nothing until released.
 */

export type TextTaken = {
  readonly to: string
  readonly body: string
  readonly from: string
  readonly sid: string
}

export type TextJudgement = 'take' | 'busy' | 'fail' | 'hang' | { readonly refuse: number }

export type TextStandIn = {
  readonly url: string
  readonly taken: TextTaken[]
  /** How often it was called, including calls that failed. */
  readonly calls: () => number
  judge: (to: string) => TextJudgement
  readonly stop: () => Promise<void>
}

export const startTextStandIn = async (account: string, token: string): Promise<TextStandIn> => {
  const taken: TextTaken[] = []
  let calls = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls++
      const fields = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
      const answer = (status: number, body: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      const expected = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
      if (request.headers.authorization !== expected)
        return answer(401, { code: 20_003, message: 'Authenticate', status: 401 })
      if (request.url !== `/2010-04-01/Accounts/${account}/Messages.json`)
        return answer(404, { code: 20_404, message: 'Not found', status: 404 })
      const [to, from, body] = ['To', 'From', 'Body'].map((name) => fields.get(name) ?? '') as [
        string,
        string,
        string,
      ]
      const said = standIn.judge(to)
      if (said === 'busy') return answer(429, { code: 20_429, message: 'Too many requests', status: 429 })
      if (said === 'fail') return answer(503, { message: 'Unavailable', status: 503 })
      if (typeof said === 'object') return answer(400, { code: said.refuse, message: 'No', status: 400 })
      const sid = `SM${String(taken.length + 1).padStart(32, '0')}`
      taken.push({ to, from, body, sid })
      if (said === 'hang') return
      answer(201, { sid, status: 'queued', num_segments: '1', to, from, body })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const standIn: TextStandIn = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken,
    calls: () => calls,
    judge: () => 'take',
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

/** An account at the provider. */
export const textAccount = {
  account: `AC${'0123456789abcdef'.repeat(2)}`,
  token: 'a-token-nobody-may-see',
  from: '+1 212 555 0100',
}

/** Where a service under test says it is. */
export const textPublicUrl = 'https://data.example.com'

/** A call of the provider to a service at `url`, signed with a token as its library does. */
export const providerCalls = (
  url: string,
  slug: string,
  path: 'status' | 'replies',
  fields: Record<string, string>,
  signedWith: string = textAccount.token,
): Promise<Response> => {
  const address = `/texts/${slug}/${path}`
  return fetch(url + address, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: {
      'x-twilio-signature': twilio.getExpectedTwilioSignature(signedWith, textPublicUrl + address, fields),
    },
  })
}
