import { createHmac } from 'node:crypto'
import type { World } from '../world.ts'

/*
 * Signs deliveries like the service, in both forms; docs/webhooks.md says how they are verified.
 */

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretLetters = 44

/** A secret as endpoints have them: `whsec_` and 44 letters and digits, which are base64 of 33 bytes as well. */
export const makeSecret = (randomBytes: World['randomBytes']): string => {
  let text = ''
  while (text.length < secretLetters) {
    // Uses only as many of a byte's values as make whole rounds of the letters, so that all letters are equally likely.
    for (const byte of randomBytes(secretLetters)) if (byte < 248) text += letters[byte % letters.length]
  }
  return `whsec_${text.slice(0, secretLetters)}`
}

export const isSecret = (text: string): boolean => /^whsec_[0-9A-Za-z]{44}$/.test(text)

/** The headers of one attempt at a given second. */
export const signedHeaders = (
  { id, event }: { readonly id: string; readonly event: string },
  body: Buffer,
  secret: string,
  seconds: number,
): Record<string, string> => {
  const own = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')
  const standardKey = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const standard = createHmac('sha256', standardKey).update(`${id}.${seconds}.`).update(body).digest('base64')
  return {
    'content-type': 'application/json',
    'user-agent': 'Service-Webhooks/1',
    'x-service-event': event,
    'x-service-signature': `t=${seconds},v1=${own}`,
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${standard}`,
  }
}
