import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Non-public ranges that ipaddr.js calls unicast. 168.63.129.16 is one large cloud's own host service: public by its
 * number, internal by what answers there.
 */
const furtherRanges = ['168.63.129.16/32', '100:0:0:1::/64', '::/96'].map((range) => ipaddr.parseCIDR(range))

/** Everything ever allocated for public use in IPv6; ranges not yet in the lists are outside it. */
const globalUnicast = ipaddr.parseCIDR('2000::/3')

/**
 * Is this the address of a single machine on the public internet? False for everything in IANA's special-purpose lists,
 * even where IANA calls it globally reachable; for every form that carries an IPv4 address inside an IPv6 one (mapped,
 * compatible, translated, 6to4, Teredo); for multicast; and for any text that is not one plain address, such as one
 * with a zone (`fe80::1%eth0`) or `0x7f.1`.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined || address.range() !== 'unicast') return false
  if (address.kind() === 'ipv6' && !address.match(globalUnicast)) return false
  return !furtherRanges.some((range) => range[0].kind() === address.kind() && address.match(range))
}

/** Is this an address of the machine itself, 127.0.0.0/8 or ::1? `::ffff:127.0.0.1` and `127.1` are not. */
export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === 'loopback'

/** ipaddr.js also reads octal, hexadecimal and shortened forms; `isIP` lets only the usual ones through. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(text) === 0 || text.includes('%') ? undefined : ipaddr.parse(text)
