import { timingSafeEqual } from 'node:crypto'
import { type KeyRing, keyedHash } from '../../kernel/secrets.ts'

/*
 * When a form was shown, signed, so that it stands in the form and nowhere else: a program that fills it in at once, or
 * sends one that it kept for days, is asked again.
 */

/** A person takes longer than `leastSeconds` even with everything filled in by the browser, and comes back within a day. */
export const formAge = { leastSeconds: 2, mostHours: 24 } as const

export const writeIssue = (ring: KeyRing, at: Temporal.Instant): string => {
  const said = Math.floor(at.epochMilliseconds).toString(36)
  return `${said}.${macOf(ring[0], said).toString('base64url')}`
}

/** The moment; undefined for what was not written here. */
export const readIssue = (ring: KeyRing, text: string): Temporal.Instant | undefined => {
  const [, said = '', mac = ''] = /^([0-9a-z]{1,10})\.([\w-]{22})$/.exec(text) ?? []
  const given = Buffer.from(mac, 'base64url')
  // Decoding forgives stray bits; only what was written here is one.
  if (given.length !== macBytes || given.toString('base64url') !== mac) return undefined
  const isOurs = ring.some((entry) => timingSafeEqual(macOf(entry, said), given))
  return isOurs ? Temporal.Instant.fromEpochMilliseconds(parseInt(said, 36)) : undefined
}

const macBytes = 16

const macOf = ({ link }: KeyRing[number], said: string): Buffer =>
  keyedHash(said, keyedHash('guest form', link)).subarray(0, macBytes)

/** Whether a form shown at a moment was sent neither too fast nor too late. */
export const isTimely = (shown: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(shown.add({ seconds: formAge.leastSeconds }), now) <= 0 && !isTooOld(shown, now)

export const isTooOld = (shown: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(shown.add({ hours: formAge.mostHours }), now) < 0
