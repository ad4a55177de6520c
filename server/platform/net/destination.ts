import { isIP } from 'node:net'
import { isLoopbackAddress } from './public-address.ts'

/** Longest address accepted, in characters. */
export const MAX_ADDRESS_CHARACTERS = 2_000

/**
 * Name endings that mean something only inside one network, or nothing at all. First the published ones (`home.arpa` is
 * part of `arpa`), then the other endings of RFC 6762 appendix G, those that clusters and offices commonly use, and the
 * special names that no public name server resolves.
 */
export const internalEndings = [
  'localhost',
  'local',
  'internal',
  'arpa',
  'lan',
  'test',
  'invalid',
  'example',
  'localdomain',
  'intranet',
  'intern',
  'workgroup',
  'svc',
  'private',
  'corp',
  'home',
  'onion',
  'alt',
] as const

/** What can differ between endpoints, or between services. */
export type DestinationRules = {
  /** Practice instance: also accepts this machine, with `http` and any port; nothing else differs. */
  readonly practice?: boolean
  /** Accepts only this host (`AUTOMATION_HOOK_HOST`, for `POST /hooks`); `host:port` requires the port as well. */
  readonly onlyHost?: string
}

/**
 * Accepted: `address` is the canonical spelling. "One endpoint per address" compares it, and deliveries are sent to it.
 * Refused: `sentence` is the public sentence of the 400.
 */
export type Destination =
  | { readonly kind: 'accepted'; readonly address: string }
  | { readonly kind: 'refused'; readonly sentence: string }

const sentences = {
  tooLong: `The address is too long: at most ${MAX_ADDRESS_CHARACTERS} characters are taken.`,
  characters:
    'The address must be written in plain ASCII, without blanks, control characters or backslashes; write an international name in its "xn--" form.',
  notHttps: 'The address must begin with https://, for example https://hooks.example.com/bookings.',
  notWeb: 'The address must begin with https:// or http://, for example http://localhost:4000/bookings.',
  credentials: 'The address must not hold a user name, a password or an "@" before its path.',
  port: 'The address must use the standard https port, 443.',
  practicePort: 'The port of the address must be a whole number from 1 to 65535.',
  ipAddress: 'The address must use a public domain name, not an IP address.',
  internal: 'The address must use a public domain name; this name only works inside one network.',
  oneLabel: 'The address must use a public domain name with at least two parts, such as example.com.',
  badName: 'The name in the address is not a domain name.',
  percent:
    'The address holds a "%" that is not followed by two hexadecimal digits, or a dot written as "%2e".',
  repaired:
    'The address is not written in its plain form, for example because of "/../" or a character that must be percent-encoded.',
} as const

const refused = (sentence: string): Destination => ({ kind: 'refused', sentence })

/**
 * Judges the text of a proposed endpoint address. Decides on the text alone; before every delivery the sender checks
 * what the name resolves to.
 *
 * The text is parsed strictly and reassembled in one canonical spelling, and the URL parser must then agree with that
 * spelling to the last character. Nothing passes that two parsers could read differently. Two texts are the same
 * address if they differ only in the case of scheme and host, the port 443, a dot at the end of the host, an empty path
 * or query, the fragment, or how a character is percent-encoded.
 */
export const checkDestination = (text: string, rules: DestinationRules = {}): Destination => {
  const practice = rules.practice === true
  if (text.length > MAX_ADDRESS_CHARACTERS) return refused(sentences.tooLong)
  if (!/^[\x21-\x5b\x5d-\x7e]+$/.test(text))
    return refused(text === '' ? notWeb(practice) : sentences.characters)

  const parts = /^(https?):\/\/([^/?#]+)([^?#]*)(\?[^#]*)?(?:#.*)?$/i.exec(text)
  if (!parts) return refused(notWeb(practice))
  const [, schemeText = '', authority = '', pathText = '', queryText = ''] = parts
  const scheme = schemeText.toLowerCase()
  const hostAndPort = /^(\[[^\]]*\]|[^:[\]]+)(?::(.*))?$/.exec(authority)
  const host = (hostAndPort?.[1] ?? '').toLowerCase().replace(/\.$/, '')
  const isHere = practice && (isLoopbackAddress(bareHost(host)) || isLocalhostName(host))
  if (scheme !== 'https' && !isHere) return refused(sentences.notHttps)
  // Without a path, some parsers read everything up to an @ as credentials.
  if (authority.includes('@') || (pathText === '' && text.includes('@')))
    return refused(sentences.credentials)

  if (!hostAndPort) return refused(isIP(authority) ? sentences.ipAddress : sentences.badName)
  const port = readPort(hostAndPort[2], scheme, isHere)
  if (port === undefined) return refused(isHere ? sentences.practicePort : sentences.port)
  const hostTrouble = isHere ? undefined : judgeHost(host)
  if (hostTrouble !== undefined) return refused(hostTrouble)

  const rest = `${pathText || '/'}${queryText === '?' ? '' : queryText.replaceAll("'", '%27')}`
  if (/%(?![0-9a-f]{2})|%2e/i.test(rest)) return refused(sentences.percent)
  const address = `${scheme}://${host}${port}${onePercentSpelling(rest)}`
  const parsed = URL.parse(address)
  if (parsed?.href !== address) return refused(sentences.repaired)

  if (rules.onlyHost !== undefined && !isOnHost(parsed, rules.onlyHost)) {
    return refused(`The address must be on ${rules.onlyHost}.`)
  }
  return { kind: 'accepted', address }
}

/** The host without an IPv6 address's brackets: resolved, or connected to directly if it is an address. */
export const bareHost = (hostname: string): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname

/** `localhost` and the names below it: this machine by definition, without asking a name server (RFC 6761). */
export const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const notWeb = (practice: boolean): string => (practice ? sentences.notWeb : sentences.notHttps)

/** The port in canonical spelling: `''` for the scheme's default, else `:4000`; undefined: refused. */
const readPort = (text: string | undefined, scheme: string, isHere: boolean): string | undefined => {
  if (text === undefined) return ''
  if (!/^[1-9][0-9]{0,4}$/.test(text) || Number(text) > 65_535) return undefined
  if (text === (scheme === 'https' ? '443' : '80')) return ''
  return isHere ? `:${text}` : undefined
}

/** The sentence that refuses the host, or undefined. The host is lower case, without a single trailing dot. */
const judgeHost = (host: string): string | undefined => {
  const labels = host.split('.')
  // The URL parser reads any name whose last label is a number as an IPv4 address: 0x7f.1, 2130706433, 0177.0.0.1.
  const last = labels.at(-1) ?? ''
  if (host.startsWith('[') || /^(?:[0-9]+|0x[0-9a-f]*)$/.test(last)) return sentences.ipAddress
  if (internalEndings.some((ending) => host === ending || host.endsWith(`.${ending}`)))
    return sentences.internal
  if (
    host.length > 253 ||
    !labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  ) {
    return sentences.badName
  }
  return labels.length < 2 ? sentences.oneLabel : undefined
}

/** Letters, digits and `-_~` are never percent-encoded; everything else uses uppercase hex (RFC 3986, 6.2.2). */
const onePercentSpelling = (text: string): string =>
  text.replaceAll(/%[0-9a-f]{2}/gi, (code) => {
    const character = String.fromCodePoint(Number.parseInt(code.slice(1), 16))
    return /[A-Za-z0-9_~-]/.test(character) ? character : code.toUpperCase()
  })

const isOnHost = (url: URL, onlyHost: string): boolean => {
  const wanted = onlyHost.toLowerCase().replace(/\.$/, '')
  return url.hostname === wanted || url.host === wanted
}
