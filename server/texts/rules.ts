import { erasedKey } from '../kernel/erased-key.ts'
import { phoneKey } from '../kernel/phone.ts'

/* What may be texted, to which number, and what an answer means. */

/** Countries whose numbers have the code 1. */
const ofNorthAmerica: ReadonlySet<string> = new Set(['US', 'CA'])

/**
 * A number as a provider takes it, "+12125550147"; undefined for one that cannot be told for sure, such as one without a
 * country code outside of North America.
 */
export const textableNumber = (typed: string | null, country: string): string | undefined => {
  const key = typed === null ? undefined : phoneKey(typed)
  if (!key) return undefined
  if (key.international)
    return key.digits.length >= 8 && key.digits.length <= 15 ? `+${key.digits}` : undefined
  if (!ofNorthAmerica.has(country)) return undefined
  if (/^1?[2-9]\d{9}$/.test(key.digits)) return `+1${key.digits.slice(-10)}`
  return undefined
}

/** What is kept of a number that wants no texts: nobody can read it back at a glance, and it stays after an erasure. */
export const stopKey = (venue: number, number: string): string => erasedKey(venue, 'text', number)

/** One segment of a text in the letters of phones. */
export const segmentCharacters = 160

/** The letters every phone has; one more makes a text cost twice. */
const notPlain = /[^\n\r !"#$%&'()*+,\-./0-9:;<=>?@A-Za-z_¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùü]/gu

/** A text in one segment: other letters lose their accents, what is left over goes, and the end is cut before `tail`. */
export const oneSegment = (text: string, tail: string): string => {
  const plain = Array.from(
    text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"').replaceAll(/[–—]/g, '-'),
    (letter) =>
      letter.replace(notPlain, (odd) => odd.normalize('NFD').replaceAll(/\p{M}/gu, '').replace(notPlain, '')),
  ).join('')
  return plain.slice(0, segmentCharacters - tail.length).trimEnd() + tail
}

export type Meaning = 'stop' | 'start' | 'help' | 'words'

const meanings: Readonly<Record<string, Meaning>> = {
  ...Object.fromEntries(
    ['stop', 'stopall', 'unsubscribe', 'end', 'quit', 'cancel', 'optout', 'revoke', 'alto', 'parar'].map(
      (word) => [word, 'stop'],
    ),
  ),
  ...Object.fromEntries(['start', 'unstop', 'yes'].map((word) => [word, 'start'])),
  ...Object.fromEntries(['help', 'info', 'ayuda'].map((word) => [word, 'help'])),
}

/** What somebody means who answers a text. */
export const meaningOf = (body: string): Meaning =>
  meanings[
    body
      .trim()
      .toLowerCase()
      .replaceAll(/[^a-z]/g, '')
  ] ?? 'words'
