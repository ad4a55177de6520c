import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '@venue-data/contract/limits.ts'
import { randomText } from '../../../platform/kernel/random-text.ts'

/** Receivers refuse a signature whose `t` is more than this many seconds off their clock. */
export const SIGNATURE_TOLERANCE_SECONDS = limits.signatureSeconds

const SECRET_PREFIX = 'whsec_'
const SECRET_CHARACTERS = 44

/**
 * A new endpoint secret: `whsec_` and 44 letters and digits with 261 random bits. Every base64 decoder reads them, as
 * 33 bytes: the alphabets agree on letters and digits, and there is no padding.
 */
export const makeSecret = (randomBytes: (size: number) => Uint8Array): string =>
  SECRET_PREFIX + randomText(randomBytes, SECRET_CHARACTERS)

/**
 * Whether standard signatures can be made with a secret. Older secrets contain `-` and `_` and lack padding, so strict
 * decoders reject them.
 */
export const isStandardSecret = (secret: string): boolean => /^whsec_[0-9A-Za-z]{44}$/.test(secret)

/**
 * The value of `X-Service-Signature` for one attempt: `t=<seconds>,v1=<hex>`, with nothing after the comma, and one
 * more `v1` for a previous secret that is still valid. The HMAC key is the whole text of the secret, including
 * `whsec_`.
 * @param unixSeconds the second of the attempt, a whole number
 * @param rawBody the exact bytes that are sent
 */
export const sign = (
  secret: string,
  unixSeconds: number,
  rawBody: Uint8Array,
  secretsBefore: readonly string[] = [],
): string => {
  const macs = [secret, ...secretsBefore].map((one) => mac(one, String(unixSeconds), rawBody).toString('hex'))
  return [`t=${unixSeconds}`, ...macs.map((hex) => `v1=${hex}`)].join(',')
}

/**
 * The value of `webhook-signature` (Standard Webhooks): over the id, the second and the body, keyed with the bytes that
 * the secret encodes. A secret in the old format is skipped: no library could verify it.
 */
export const standardSignature = (
  secrets: readonly string[],
  id: string,
  unixSeconds: number,
  rawBody: Uint8Array,
): string =>
  secrets
    .filter(isStandardSecret)
    .map((secret) => {
      const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
      const hmac = createHmac('sha256', key).update(`${id}.${unixSeconds}.`).update(rawBody)
      return `v1,${hmac.digest('base64')}`
    })
    .join(' ')

/** A receiver's verdict: `ok`, or why the delivery must not be trusted. */
export type Verdict = 'ok' | 'unreadable signature' | 'too old or too new' | 'wrong signature'

/**
 * Verifies a delivery as the contract asks receivers to. The `listen` command uses it, and the recipes in
 * docs/webhooks.md follow it. Parts of the header other than `t` and `v1` are ignored, and one valid `v1` among several
 * is enough, so that a later version can add to the header.
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
