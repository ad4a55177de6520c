import { domainToASCII } from 'node:url'

/*
 * What may stand in a header: ASCII on lines of at most 76 characters, or encoded words (RFC 2047). No value can end
 * its line, whatever is in it.
 */

const lineMost = 76
/** `=?UTF-8?B?` and `?=` around an encoded word. */
const wordFrame = 12

/** Text of a header whose name and colon take `column` characters, folded. */
export const headerText = (typed: string, column: number): string => {
  const text = headerLine(typed)
  if (isPlain(text)) return column + text.length <= lineMost ? text : folded(text.split(' '), column)
  return encodedWords(text, column).join('\r\n ')
}

/** One line without control signs; all a header may be given. */
export const headerLine = (typed: string): string =>
  typed
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim()

/** A name before an address: as it is, in quotes, or encoded. */
export const displayName = (typed: string, column: number): string => {
  const name = headerLine(typed)
  if (/^[\w !#$%&'*+/=?^`{|}~-]*$/.test(name) && column + name.length <= lineMost && !name.includes('=?'))
    return name
  if (isPlain(name) && column + name.length <= lineMost - 8) return `"${name.replaceAll(/["\\]/g, '\\$&')}"`
  return encodedWords(name, column).join('\r\n ')
}

/**
 * An address as it goes over the wire, or null when it cannot: the domain in its `xn--` form, the part before the @
 * in ASCII. Addresses with other letters before the @ need SMTPUTF8 (RFC 6531) along the whole way, which most
 * servers that receive mail do not offer; they are no usable address for a campaign.
 */
export const wireAddress = (address: string): string | null => {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, Math.max(at, 0))
  const domain = domainToASCII(address.slice(at + 1))
  return /^[\w!#$%&'*+/=?^`{|}~.-]{1,64}$/.test(local) && /^[a-z0-9.-]{1,253}$/.test(domain)
    ? `${local}@${domain}`
    : null
}

/** An address that no mail can go to, or come from: nothing but another address helps. */
export class UnmailableAddress extends Error {
  override name = 'UnmailableAddress'
}

/**
 * An address as it goes over the wire (`wireAddress`).
 * @throws UnmailableAddress when it cannot
 */
export const onWire = (address: string): string => {
  const written = wireAddress(address)
  if (written === null) throw new UnmailableAddress('This address cannot go over the wire.')
  return written
}

/** Printable ASCII that no reader takes for an encoded word, in pieces short enough to fold at blanks. */
const isPlain = (text: string): boolean =>
  /^[ -~]*$/.test(text) && !text.includes('=?') && !/[^ ]{61}/.test(text)

const folded = (words: readonly string[], column: number): string => {
  let out = words[0] ?? ''
  let length = column + out.length
  for (const word of words.slice(1)) {
    const breaks = length + 1 + word.length > lineMost
    out += breaks ? `\r\n ${word}` : ` ${word}`
    length = (breaks ? 0 : length) + 1 + word.length
  }
  return out
}

/** Bytes whose Base64 fits, with its frame, on what is left of a line. */
const bytesAfter = (column: number): number => Math.floor((lineMost - column - wordFrame) / 4) * 3

const encodedWords = (text: string, column: number): string[] => {
  const words: string[] = []
  let word = ''
  let bytes = 0
  for (const sign of text) {
    const more = Buffer.byteLength(sign)
    if (bytes + more > bytesAfter(words.length === 0 ? column : 1)) {
      words.push(word)
      word = ''
      bytes = 0
    }
    word += sign
    bytes += more
  }
  return [...words, word].map((one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`)
}

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

/** The text of a Date header (RFC 5322, section 3.3), in UTC. */
export const dateOf = (moment: Temporal.Instant): string => {
  const { dayOfWeek, day, month, year, hour, minute, second } = moment.toZonedDateTimeISO('UTC')
  const two = (number: number) => String(number).padStart(2, '0')
  return `${days[dayOfWeek - 1]}, ${two(day)} ${months[month - 1]} ${year} ${two(hour)}:${two(minute)}:${two(second)} +0000`
}
