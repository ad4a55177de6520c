/**
 * What attempts and forms are counted by: an IPv4 address, or the first 64 bits of an IPv6 address, since anyone with
 * one such address has all of them. Anything else, which only an over-trusted proxy lets through, counts as one.
 */
export const networkOf = (address: string): string => networksOf(address)[0].name

/** A network, and how many times what one household may do it may. */
export type Network = { readonly name: string; readonly times: number }

/**
 * The networks of an address, the narrowest first. Anyone who rents a server has 256 or 65,536 networks of 64 bits, so
 * those around it count as well, with more room, as other households may be in them.
 */
export const networksOf = (address: string): readonly [Network, ...Network[]] => {
  const v4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (v4 !== undefined) return [{ name: v4, times: 1 }]
  const plain = address.replace(/%.*$/s, '')
  if (!plain.includes(':') || !URL.canParse(`http://[${plain}]/`)) return [{ name: 'unknown', times: 1 }]
  // The URL parser writes an address in its shortest form, so that one address has one text.
  const { hostname } = new URL(`http://[${plain}]/`)
  const [front = '', back] = hostname.slice(1, -1).split('::')
  const groups = front === '' ? [] : front.split(':')
  const rest = back === undefined || back === '' ? [] : back.split(':')
  const zeros = back === undefined ? 0 : 8 - groups.length - rest.length
  const all = [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest]
  const first = (bits: number): string => {
    const whole = all.slice(0, Math.floor(bits / 16))
    const part = Number.parseInt(all[whole.length] ?? '0', 16) & (0xffff << (16 - (bits % 16)))
    return `${[...whole, ...(bits % 16 === 0 ? [] : [part.toString(16)])].join(':')}::/${bits}`
  }
  return [
    { name: first(64), times: 1 },
    { name: first(56), times: 4 },
    { name: first(48), times: 16 },
  ]
}
