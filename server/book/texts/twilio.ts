import { createHmac, timingSafeEqual } from 'node:crypto'
import { request } from 'undici'
import { codeOf } from '../../platform/kernel/code-of.ts'
import type { TextAccount, TextOutcome, TextProvider } from './provider.ts'

/*
 * Twilio: one call that sends a text, the check that a call is really theirs, and the answer to a text. Its own package
 * says the same in the tests, and stays out of the service (decisions/0033-texts.md).
 */

const answerMs = 10_000

/** @param base another address for the provider's, such as that of a stand-in */
export const twilioProvider = (
  { account, token, from }: TextAccount,
  base = 'https://api.twilio.com',
): TextProvider => ({
  send: async ({ to, body, statusUrl }) => {
    try {
      const answer = await request(new URL(`/2010-04-01/Accounts/${account}/Messages.json`, base), {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`,
        },
        body: new URLSearchParams({ To: to, From: from, Body: body, StatusCallback: statusUrl }).toString(),
        signal: AbortSignal.timeout(answerMs),
      })
      return outcomeOf(answer.statusCode, (await answer.body.json()) as Answer)
    } catch (error) {
      if (neverLeft.has(codeOf(error) ?? ''))
        return { kind: 'later', answer: 'the provider could not be reached' }
      return unanswered
    }
  },
})

type Answer = { readonly sid?: string; readonly num_segments?: string; readonly code?: number } | null

const outcomeOf = (status: number, answer: Answer): TextOutcome => {
  if (status === 429) return { kind: 'later', answer: 'the provider has too much to do' }
  if (status >= 400 && status < 500) {
    const code = answer?.code
    if (code === unsubscribed) return { kind: 'failed', answer: 'the number wants no texts', stopped: true }
    return { kind: 'failed', answer: `refused by the provider (${code ?? status})` }
  }
  if (status >= 300 || typeof answer?.sid !== 'string') return unanswered
  return { kind: 'sent', providerId: answer.sid, segments: Number(answer.num_segments) || 1 }
}

/** Their code for a number that answered STOP. */
const unsubscribed = 21_610

/** They may have taken it anyway. */
const unanswered: TextOutcome = { kind: 'unknown', answer: 'the provider did not answer' }

/** Before a connection there was nothing to arrive. */
const neverLeft: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

/**
 * Whether a call is really theirs: they sign the address they called and the fields they sent, sorted by name, with the
 * token of the account. They sign the address with its port or without, so either counts.
 * @see https://www.twilio.com/docs/usage/security#validating-requests
 */
export const isOfTwilio = (
  token: string,
  signature: string,
  url: string,
  fields: Readonly<Record<string, string>>,
): boolean => {
  const said = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}${fields[name]}`)
    .join('')
  const given = Buffer.from(signature)
  return withAndWithoutPort(url).some((address) => {
    const expected = Buffer.from(createHmac('sha1', token).update(`${address}${said}`).digest('base64'))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const withAndWithoutPort = (url: string): string[] => {
  const [, scheme = '', host = '', port, rest = ''] =
    /^(https?:\/\/)([^/?#]*?)(:\d+)?([/?#].*)?$/i.exec(url) ?? []
  const usual = scheme.toLowerCase() === 'https://' ? ':443' : ':80'
  return [`${scheme}${host}${rest}`, `${scheme}${host}${port ?? usual}${rest}`]
}

/** The answer to a text, in their form; without words, nothing is sent. */
export const twilioReply = (words: string | undefined): string => {
  const response =
    words === undefined ? '<Response/>' : `<Response><Message>${escaped(words)}</Message></Response>`
  return `<?xml version="1.0" encoding="UTF-8"?>${response}`
}

const escaped = (words: string): string =>
  words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
