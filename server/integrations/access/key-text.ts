import { crc32 } from 'node:zlib'
import { lettersAndDigits, randomText } from '../../platform/kernel/random-text.ts'
import { keyedHash } from '../../platform/kernel/secrets.ts'

/**
 * The text of an API key: `service_sk_`, 34 random letters and digits (202 bits), and 6 that are a checksum of
 * everything before them.
 *
 * The checksum gives a quick "no" to cut, mistyped and made-up keys without a look-up; it is public arithmetic
 * and proves nothing, so a text that passes is still looked up, and the answer is the same 401 either way.
 * It is CRC-32, written with six base62 digits, which have room for all of its values (62^6 > 2^32):
 * - one changed character always fails. Among the first 45 it changes at most 8 neighboring bits, and CRC-32
 *   detects every change confined to 32; among the last 6 the sum itself is no longer the written one.
 *   Two swapped neighbors fail for the same reason.
 * - a wider change passes once in 2^32 (4.3e9), and random letters and digits pass once in 62^6 (5.7e10).
 */
const prefix = 'service_sk_'
const randomCharacters = 34
const checksumCharacters = 6

/**
 * A new key's text.
 *
 * @param randomBytes gives that many bytes of a cryptographic random source.
 * @throws Error when the source is so far from random that 16 draws do not fill a key.
 */
export const makeKeyText = (randomBytes: (size: number) => Uint8Array): string => {
  const body = prefix + randomText(randomBytes, randomCharacters)
  return body + checksumOf(body)
}

const form = /^service_sk_[0-9A-Za-z]{40}$/

/** Whether a text has a key's form and its own checksum. Says nothing about whether the key exists. */
export const hasKeyForm = (text: string): boolean => checksumFor(text) === text.slice(-checksumCharacters)

/** The last characters that a text in a key's form must have; undefined if it does not even have the form. */
export const checksumFor = (text: string): string | undefined =>
  form.test(text) ? checksumOf(text.slice(0, -checksumCharacters)) : undefined

/**
 * What is stored of a key: HMAC-SHA-256 with a pepper of the key ring, 32 bytes. No slow hash is needed, since
 * 202 random bits cannot be guessed; the pepper makes a copied table useless for checking found keys.
 */
export const fingerprintKey = (text: string, pepper: Buffer): Buffer => keyedHash(text, pepper)

/** What the owner's list shows of a key. Four characters of the checksum leave at least 178 of the 202 bits unknown. */
export const lastFour = (text: string): string => text.slice(-4)

const checksumOf = (body: string): string => {
  let rest = crc32(body)
  let written = ''
  for (let place = 0; place < checksumCharacters; place++) {
    written = lettersAndDigits.charAt(rest % lettersAndDigits.length) + written
    rest = Math.floor(rest / lettersAndDigits.length)
  }
  return written
}
