import type { Endpoint } from '@venue-data/contract/endpoint.ts'

/**
 * What the SDKs call an endpoint: `reservations.cancel`. The first word of its path is the namespace; the method is its id
 * without the name of the record, so `cancelReservation` is `cancel`. An id that is nothing but its namespace stands alone.
 */
export const callName = ({ id, path }: Pick<Endpoint, 'id' | 'path'>): string => {
  const word = path.split('/')[3] as string
  const namespace = word.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
  if (id === namespace) return id
  const record = capital(namespace).replace(/ches$/, 'ch').replace(/s$/, '')
  const method = id.replace(new RegExp(`${record}(?:Entry|es|s)?(?=[A-Z]|$)`), '')
  return `${namespace}.${method}`
}

export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** A name of the contract in Python's manner: `partySize` is `party_size`. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
