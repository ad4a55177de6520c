import { createHmac, timingSafeEqual } from 'node:crypto'

/*
 * Authenticator app codes: TOTP (RFC 6238) as the apps implement it, SHA-1, six digits, thirty-second steps. One step
 * before and after is accepted, for clocks that differ.
 */

const stepSeconds = 30
const stepsAround = 1
const secretBytes = 20

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** A new secret in base32, 160 bits, as a person types it into the app. */
export const makeTotpSecret = (random: (size: number) => Buffer): string => {
  let bits = 0
  let held = 0
  let text = ''
  for (const byte of random(secretBytes)) {
    held = (held << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((held >> bits) & 31)
    }
    held &= (1 << bits) - 1
  }
  return text
}

/** What an app reads from a QR code or a link. */
export const totpAddress = (secret: string, email: string, venue: string): string =>
  `otpauth://totp/${encodeURIComponent(`${venue}:${email}`)}?secret=${secret}&issuer=${encodeURIComponent(venue)}`

/** The time step a code belongs to, if it is right now and after `lastStep`: a code works once. */
export const stepOfCode = (
  secret: string,
  code: string,
  now: Temporal.Instant,
  lastStep: number | null,
): number | undefined => {
  const typed = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(typed)) return undefined
  const current = Math.floor(now.epochMilliseconds / 1000 / stepSeconds)
  for (let step = current - stepsAround; step <= current + stepsAround; step++) {
    if (lastStep !== null && step <= lastStep) continue
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(typed))) return step
  }
  return undefined
}

/** The six digits of a time step. */
export const codeAt = (secret: string, step: number): string => {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac[19] as number) & 15
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

const fromBase32 = (text: string): Buffer => {
  const bytes: number[] = []
  let bits = 0
  let held = 0
  for (const character of text) {
    held = (held << 5) | alphabet.indexOf(character)
    bits += 5
    if (bits >= 8) {
      bits -= 8
      bytes.push((held >> bits) & 255)
      held &= (1 << bits) - 1
    }
  }
  return Buffer.from(bytes)
}
