import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'

/** Receivers refuse a signature whose `t` is more than this many seconds off their clock. */
export const SIGNATURE_TOLERANCE_SECONDS = limits.signatureSeconds

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

/**
 * A new endpoint secret: `whsec_` and 43 letters, digits, `-` and `_` that carry 256 random bits.
 * @param randomBytes gives that many random bytes; `node:crypto`'s own in the service
 */
export const makeSecret = (randomBytes: (size: number) => Uint8Array): string =>
  SECRET_PREFIX + Buffer.from(randomBytes(SECRET_BYTES)).toString('base64url')

/**
 * The value of `X-Service-Signature` for one attempt: `t=<seconds>,v1=<hex>`, with nothing after the comma. The key of the
 * HMAC is the whole text of the secret, `whsec_` included.
 * @param unixSeconds the second of the attempt, a whole number
 * @param rawBody the bytes that are sent, exactly
 */
export const sign = (secret: string, unixSeconds: number, rawBody: Uint8Array): string =>
  `t=${unixSeconds},v1=${mac(secret, String(unixSeconds), rawBody).toString('hex')}`

/** What a receiver finds: `ok`, or why the delivery must not be believed. */
export type Verdict = 'ok' | 'unreadable signature' | 'too old or too new' | 'wrong signature'

/**
 * Checks a delivery as the contract asks receivers to; the `listen` command uses it, and the recipes in
 * docs/webhooks.md are written after it. Parts of the header other than `t` and `v1` are passed over, and one
 * right `v1` among several is enough, so that a later version can add to the header.
 * @param header the value of `X-Service-Signature`, undefined when the request did not have it
 * @param nowSeconds the receiver's clock, unix seconds
 */
export const verify = (
  secret: string,
  header: string | undefined,
  rawBody: Uint8Array,
  nowSeconds: number,
): Verdict => {
  const parts = (header ?? '').split(',').map((part) => part.trim())
  const moment = parts.find((part) => part.startsWith('t='))?.slice(2) ?? ''
  const given = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3))
  if (
    !/^[0-9]{1,12}$/.test(moment) ||
    given.length === 0 ||
    !given.every((hex) => /^[0-9a-f]{64}$/.test(hex))
  ) {
    return 'unreadable signature'
  }
  if (Math.abs(nowSeconds - Number(moment)) > SIGNATURE_TOLERANCE_SECONDS) return 'too old or too new'
  const right = mac(secret, moment, rawBody)
  return given.some((hex) => timingSafeEqual(Buffer.from(hex, 'hex'), right)) ? 'ok' : 'wrong signature'
}

const mac = (secret: string, moment: string, rawBody: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${moment}.`).update(rawBody).digest()
