/**
 * What attempts are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, since whoever has one such
 * address has all of them. Anything else, which only an over-trusted proxy lets through, counts as one.
 */
export const networkOf = (address: string): string => {
  const v4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (v4 !== undefined) return v4
  const plain = address.replace(/%.*$/, '')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]/`)) return 'unknown'
  // The URL parser writes an address in its shortest form, so that one address has one text.
  const { hostname } = new URL(`http://[${plain}]/`)
  const [front = '', back] = hostname.slice(1, -1).split('::')
  const groups = front === '' ? [] : front.split(':')
  const rest = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? 0 : 8 - groups.length - rest.length
  return `${[...groups, ...Array.from({ length: zeros }, () => '0'), ...rest].slice(0, 4).join(':')}::/64`
}
