import { isIP } from 'node:net'
import { internalEndings } from '../platform/net/destination.ts'
import { isPublicAddress } from '../platform/net/public-address.ts'

/** Names under `.test` are made up on purpose, by who tests an installation. */
const closedEndings: readonly string[] = internalEndings.filter((ending) => ending !== 'test')

/**
 * Whether people who get mail can open what lies at PUBLIC_URL, and their mail programs may press unsubscribe there
 * (RFC 8058 wants https): else each mail would carry links that lead nowhere. Looks at the address alone.
 */
export const isReachedFromOutside = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl)
  const host = hostname.replace(/\.$/, '').replaceAll(/[[\]]/g, '')
  if (protocol !== 'https:') return false
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !closedEndings.some((ending) => host.endsWith(`.${ending}`))
}
