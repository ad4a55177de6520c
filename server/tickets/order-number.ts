import { randomInt } from 'node:crypto'
import { plainSigns } from '../platform/kernel/plain-signs.ts'

const signs = 6

/** A number for a buyer to read out, `BD-7K3M9Q`: the venue's initials and 113 million possibilities after them. */
export const makeOrderNumber = (slug: string): string =>
  `${prefixOf(slug)}-${Array.from({ length: signs }, () => plainSigns[randomInt(plainSigns.length)]).join('')}`

/** Every number that typed text may mean: as it is, and with the dash or initials that people leave out. */
export const orderNumbersMeant = (slug: string, typed: string): string[] => {
  const plain = typed
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9-]/g, '')
  const joined = plain.replaceAll('-', '')
  const prefix = prefixOf(slug)
  const behind = joined.startsWith(prefix) ? joined.slice(prefix.length) : joined
  return [...new Set([plain, `${prefix}-${behind}`, `${prefix}-${joined}`])].filter((number) => number !== '')
}

/** The first letters of the first two words of the slug. */
const prefixOf = (slug: string): string => {
  const [one = '', two = ''] = slug.split('-').filter((word) => word !== '')
  return (two === '' ? one.slice(0, 2) : one.charAt(0) + two.charAt(0)).toUpperCase()
}
