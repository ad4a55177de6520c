import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Ranges that are not for the public and that ipaddr.js calls unicast. 168.63.129.16 is the host's own
 * service inside one large cloud: a public address by its number, an inner one by what answers there.
 */
const furtherRanges = ['168.63.129.16/32', '100:0:0:1::/64', '::/96'].map((range) => ipaddr.parseCIDR(range))

/** All that has ever been given out for the public in IPv6; a range the lists do not know yet lies outside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Is this the address of something on the public internet, and of one machine?
 * No for everything in IANA's special-purpose lists, also where IANA calls it globally reachable, for every form
 * that carries an IPv4 address inside an IPv6 one (mapped, compatible, translated, 6to4, Teredo), for multicast,
 * and for any text that is not one plain address: a zone (`fe80::1%eth0`) or `0x7f.1` is no.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6' && !address.match(globalUnicast)) return false
  return !furtherRanges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

/** Is this an address of the machine itself, 127.0.0.0/8 or ::1? `::ffff:127.0.0.1` and `127.1` are not. */
export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback'

/** ipaddr.js also reads octal, hexadecimal and shortened forms: `isIP` lets only the usual ones through to it. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)
