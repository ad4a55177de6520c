import { BlockList, isIP, isIPv4 } from 'node:net'

/*
 * Blocks of network addresses, such as `10.0.0.0/8` or `2001:db8::/32`. Sockets that listen on both families report an
 * IPv4 address as IPv6 (`::ffff:192.0.2.7`); it is the same address.
 */

/** The PostgreSQL form of a block or single address; undefined if the text is neither. */
export const readBlock = (text: string): string | undefined => {
  const [address = '', typedBits, more] = text.trim().split('/')
  const family = isIP(address)
  if (family === 0 || address.includes('%') || more !== undefined) return undefined
  const most = family === 4 ? 32 : 128
  if (typedBits !== undefined && !/^\d{1,3}$/.test(typedBits)) return undefined
  const bits = Number(typedBits ?? most)
  if (bits > most) return undefined
  const v4 = family === 6 && bits >= mappedBits ? asIPv4(address) : undefined
  return v4 === undefined ? `${address}/${bits}` : `${v4}/${bits - mappedBits}`
}

const mappedBits = 96

/** The IPv4 address inside an IPv4-mapped IPv6 address; undefined for any other. */
const asIPv4 = (address: string): string | undefined => {
  const [, high, low] =
    /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(new URL(`http://[${address}]/`).hostname) ?? []
  if (high === undefined || low === undefined) return undefined
  return [high, low]
    .flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 0xff])
    .join('.')
}

/** Whether an address is in one of these blocks. Text that is not an address is in none. */
export const isWithin = (blocks: readonly string[], address: string): boolean => {
  const [plain = ''] = address.split('%')
  return isIP(plain) !== 0 && listOf(blocks).check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
}

const lists = new Map<string, BlockList>()
const mostLists = 1_000

/** Cached so that requests do not rebuild it. */
const listOf = (blocks: readonly string[]): BlockList => {
  const name = blocks.join()
  const known = lists.get(name)
  if (known) return known
  if (lists.size >= mostLists) lists.clear()
  const list = new BlockList()
  for (const block of blocks) {
    const [address = '', bits] = block.split('/')
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6')
  }
  lists.set(name, list)
  return list
}
