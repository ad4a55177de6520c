import { timingSafeEqual } from 'node:crypto'
import { type KeyRing, keyedHash } from '../../../platform/kernel/secrets.ts'
import type { VenueId } from '../../../core/venue/venue.ts'

/*
 * What every form that writes carries, signed for its venue: when the form was shown, and a token that makes at most one
 * record. A program that fills a form in at once, or sends one that it kept for days, is asked again; and it needs a page
 * for each record, as one value is good for one. It is bound to no network: a phone changes its own on the way home.
 */

/** A person takes longer than `leastSeconds` even with everything filled in by the browser, and comes back within a day. */
export const formAge = { leastSeconds: 2, mostHours: 24 } as const

export type FormValue = {
  readonly shown: Temporal.Instant
  /** A UUID. */
  readonly token: string
}

export const writeFormValue = (ring: KeyRing, venue: VenueId, { shown, token }: FormValue): string => {
  const said = `${Math.floor(shown.epochMilliseconds).toString(36)}.${token}`
  return `${said}.${macOf(ring[0], venue, said).toString('base64url')}`
}

/** What a value says; undefined for what was not written here, or for another venue. */
export const readFormValue = (ring: KeyRing, venue: VenueId, text: string): FormValue | undefined => {
  const [, said = '', shown = '', token = '', mac = ''] =
    /^(([0-9a-z]{1,10})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))\.([\w-]{22})$/.exec(text) ?? []
  const given = Buffer.from(mac, 'base64url')
  // Decoding forgives stray bits; only what was written here is one.
  if (given.length !== macBytes || given.toString('base64url') !== mac) return undefined
  const isOurs = ring.some((entry) => timingSafeEqual(macOf(entry, venue, said), given))
  return isOurs ? { shown: Temporal.Instant.fromEpochMilliseconds(parseInt(shown, 36)), token } : undefined
}

const macBytes = 16

const macOf = ({ link }: KeyRing[number], venue: VenueId, said: string): Buffer =>
  keyedHash(`${venue} ${said}`, keyedHash('guest form', link)).subarray(0, macBytes)

/** Whether a form shown at a moment was sent neither too fast nor too late. */
export const isTimely = (shown: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(shown.add({ seconds: formAge.leastSeconds }), now) <= 0 && !isTooOld(shown, now)

export const isTooOld = (shown: Temporal.Instant, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(shown.add({ hours: formAge.mostHours }), now) < 0
