import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'

/**
 * A guest's network, as limits and holds know it: a hash, so that no address is stored. Of IPv6 the first 64 bits, which
 * are one household's.
 */
export const networkHash = (address: string): string =>
  createHash('sha256')
    .update(`guest network ${networkOf(address)}`)
    .digest('base64url')

const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/, '').replace(/%.*$/, '')
  if (!isIPv6(plain)) return plain
  const [head = '', tail = ''] = plain.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = plain.includes('::') ? Array<string>(8 - left.length - right.length).fill('0') : []
  return [...left, ...zeros, ...right]
    .slice(0, 4)
    .map((part) => part.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')
}
