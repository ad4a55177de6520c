import { createHash, timingSafeEqual } from 'node:crypto'
import { type KeyRing, keyedHash } from '../platform/kernel/secrets.ts'
import type { VenueId } from '../core/venue/venue.ts'

/*
 * What a link in a mail carries, so that a guest does not have to sign in: who, at which venue, from which campaign, and
 * for what. There is no address in it. An unsubscribe link never expires, so tokens made with an older entry of SECRETS
 * are valid as long as the entry stays in the ring.
 *
 * Bytes: version, key, purpose, the three numbers (LEB128 each), 16 bytes of HMAC-SHA-256; base64url. It fits into
 * the local part of an address.
 */

/** New ones are appended: the place of each is in the bytes of links that were sent. */
export const linkPurposes = [
  'unsubscribe',
  'preferences',
  'bounce',
  'confirm',
  'booking',
  'place',
  'proof',
  'order',
  'pay',
  'letter',
] as const
export type LinkPurpose = (typeof linkPurposes)[number]

export type LinkFacts = {
  readonly venue: VenueId
  /** Of a link that ends the weekly letter: the account. */
  readonly subscriber: number
  /** 0: none, such as for a test copy. */
  readonly campaign: number
}

const version = 1
const macBytes = 16

export const makeLinkToken = (ring: KeyRing, purpose: LinkPurpose, facts: LinkFacts): string => {
  const [current] = ring
  const said = Buffer.from([
    version,
    keyByte(current.id),
    linkPurposes.indexOf(purpose),
    ...[facts.venue, facts.subscriber, facts.campaign].flatMap(written),
  ])
  return Buffer.concat([said, macOf(current, purpose, said)]).toString('base64url')
}

/** What a token says, or undefined for one that is damaged, forged, or made for another purpose. */
export const readLinkToken = (ring: KeyRing, purpose: LinkPurpose, token: string): LinkFacts | undefined => {
  const bytes = Buffer.from(token, 'base64url')
  // Decoding forgives stray characters; only what we wrote ourselves is a token.
  if (bytes.length <= macBytes + 3 || bytes.toString('base64url') !== token) return undefined
  const said = bytes.subarray(0, -macBytes)
  const mac = bytes.subarray(-macBytes)
  if (said[0] !== version || said[2] !== linkPurposes.indexOf(purpose)) return undefined
  const isOurs = ring.some(
    (entry) => keyByte(entry.id) === said[1] && timingSafeEqual(macOf(entry, purpose, said), mac),
  )
  const numbers = isOurs ? numbersOf(said.subarray(3)) : []
  if (numbers.length !== 3) return undefined
  const [venue, subscriber, campaign] = numbers as [number, number, number]
  return { venue: venue as VenueId, subscriber, campaign }
}

/** The purposes of links to one record of a guest's own: a sign-up, a booking, a place in line, a booking to be made, an order of tickets, a payment. */
export type PrivatePurpose = Extract<LinkPurpose, 'confirm' | 'booking' | 'place' | 'proof' | 'order' | 'pay'>

export type PrivateLink = {
  readonly venue: VenueId
  readonly record: number
  /** Which link to the record it is: staff end one by making the next. */
  readonly issue: number
}

/** A private link's token, in the form of the others. */
export const makePrivateToken = (
  ring: KeyRing,
  purpose: PrivatePurpose,
  { venue, record, issue }: PrivateLink,
): string => makeLinkToken(ring, purpose, { venue, subscriber: record, campaign: issue })

/** What a private link says; undefined as for every other link. */
export const readPrivateToken = (
  ring: KeyRing,
  purpose: PrivatePurpose,
  token: string,
): PrivateLink | undefined => {
  const facts = readLinkToken(ring, purpose, token)
  return facts && { venue: facts.venue, record: facts.subscriber, issue: facts.campaign }
}

/** A key of its own for each purpose, so that no token of one is good for another. */
const macOf = ({ link }: KeyRing[number], purpose: LinkPurpose, said: Buffer): Buffer =>
  keyedHash(said.toString('latin1'), keyedHash(purpose, link)).subarray(0, macBytes)

/** Which entry to try; the ids of entries are an operator's words and may be long. */
const keyByte = (id: string): number => createHash('sha256').update(id).digest()[0] as number

const written = (number: number): number[] => {
  const bytes: number[] = []
  let rest = number
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return [...bytes, rest]
}

const numbersOf = (bytes: Buffer): number[] => {
  const numbers: number[] = []
  let number = 0
  let place = 1
  for (const byte of bytes) {
    number += (byte % 128) * place
    if (byte >= 128) place *= 128
    else {
      numbers.push(number)
      number = 0
      place = 1
    }
  }
  return numbers
}
