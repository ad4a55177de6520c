import { request } from 'undici'
import { codeOf } from '../kernel/code-of.ts'
import type { TextAccount, TextOutcome, TextProvider } from './provider.ts'

/*
 * Twilio, by its own package, which is loaded when the first text is sent or answered: half a second and 24 MB that
 * a service without texts does not pay. Its requests go out through undici, as all of ours do.
 */

const twilio = async () => (await import('twilio')).default

type Asked = {
  readonly method: string
  readonly uri: string
  readonly username?: string
  readonly password?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly data?: Readonly<Record<string, string | readonly string[]>>
}

const answerMs = 10_000

/** @param base another address for the provider's, such as that of a stand-in */
export const twilioProvider = async (
  { account, token, from }: TextAccount,
  base: string | undefined,
): Promise<TextProvider> => {
  const make = await twilio()
  const httpClient = {
    request: async ({ method, uri, username, password, headers, data = {} }: Asked) => {
      const url = new URL(uri)
      const body = new URLSearchParams()
      for (const [name, value] of Object.entries(data))
        for (const one of [value].flat()) if (one !== undefined) body.append(name, one)
      const answer = await request(base === undefined ? url : new URL(url.pathname, base), {
        method: method.toUpperCase() as 'POST',
        headers: {
          ...headers,
          authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        },
        body: body.toString(),
        signal: AbortSignal.timeout(answerMs),
      })
      const text = await answer.body.text()
      return {
        statusCode: answer.statusCode,
        body: text === '' ? {} : JSON.parse(text),
        headers: answer.headers,
      }
    },
  }
  const client = make(account, token, { httpClient: httpClient as never })
  return {
    send: async ({ to, body, statusUrl }) => {
      try {
        const made = await client.messages.create({ to, from, body, statusCallback: statusUrl })
        return { kind: 'sent', providerId: made.sid, segments: Number(made.numSegments) || 1 }
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

/** Before a connection there was nothing to arrive. */
const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

const outcomeOf = (error: unknown): TextOutcome => {
  const { status, code } = error as { readonly status?: number; readonly code?: number | string }
  if (typeof status === 'number' && status >= 400 && status < 500) {
    if (status === 429) return { kind: 'later', answer: 'the provider has too much to do' }
    if (code === 21_610) return { kind: 'failed', answer: 'the number wants no texts', stopped: true }
    return { kind: 'failed', answer: `refused by the provider (${code ?? status})` }
  }
  if (neverLeft.has(codeOf(error) ?? ''))
    return { kind: 'later', answer: 'the provider could not be reached' }
  return { kind: 'unknown', answer: 'the provider did not answer' }
}

/** Whether a call is really the provider's, by its own check. */
export const isOfTwilio = async (
  token: string,
  signature: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<boolean> => (await twilio()).validateRequest(token, signature, url, fields)

/** What is answered to a text, in the provider's form; undefined: nothing. */
export const twilioReply = async (words: string | undefined): Promise<string> => {
  const { twiml } = await twilio()
  const reply = new twiml.MessagingResponse()
  if (words !== undefined) reply.message(words)
  return reply.toString()
}
