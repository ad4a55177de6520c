import { erasedKey } from '../../platform/kernel/erased-key.ts'
import { phoneKey } from '../../platform/kernel/phone/phone.ts'

/* What may be texted, to which number, and what an answer means. */

/** Countries whose numbers have the code 1. */
const ofNorthAmerica: ReadonlySet<string> = new Set(['US', 'CA'])

/**
 * A number as a provider takes it, "+12125550147"; undefined if that is not certain, such as without a country code
 * outside of North America.
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

/** The letters every phone has; with one more, only 70 fit in a segment. */
export const plainLetters =
  '\n\r !"#$%&\'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΔΦΓΛΩΠΨΣΘΞ'
/** They have these, too, in the room of two. */
export const doubleLetters = '^{}\\[~]|€'
const plain: ReadonlySet<string> = new Set(plainLetters)
const double: ReadonlySet<string> = new Set(doubleLetters)

/** Quotes and dashes as a keyboard sets them by itself, in letters every phone has. */
export const plainQuotes = (text: string): string =>
  text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[–—]/g, '-')
    .replaceAll('…', '...')
    .replaceAll(/[\u00A0\u202F]/g, ' ')

/** In the letters every phone has: others lose their accents, and what is left over goes. */
export const inPlainLetters = (text: string): string =>
  Array.from(plainQuotes(text), (letter) =>
    plain.has(letter)
      ? letter
      : Array.from(letter.normalize('NFD'))
          .filter((part) => plain.has(part))
          .join(''),
  ).join('')

/** A text in one segment: in letters every phone has, and the end is cut before `tail`. */
export const oneSegment = (text: string, tail: string): string =>
  inPlainLetters(text)
    .slice(0, segmentCharacters - tail.length)
    .trimEnd() + tail

/** With a letter that not every phone has. */
const oddSegmentCharacters = 70

export type Measured = {
  /** The room it takes, and the room of one segment. */
  readonly used: number
  readonly most: number
  /** The first letter that not every phone has. */
  readonly odd: string | undefined
}

/** How much of a segment a text fills. */
export const measured = (text: string): Measured => {
  const letters = Array.from(text)
  const odd = letters.find((letter) => !plain.has(letter) && !double.has(letter))
  return odd === undefined
    ? {
        used: letters.reduce((sum, letter) => sum + (double.has(letter) ? 2 : 1), 0),
        most: segmentCharacters,
        odd,
      }
    : { used: text.length, most: oddSegmentCharacters, odd }
}

/** Where the link of a booking goes in a text that waits: the link itself is in no row. */
export const linkPlace = '[link]'

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
