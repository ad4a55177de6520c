import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'

/**
 * The SDKs' name for an endpoint: `reservations.cancel`. The namespace is the first word of the path. The method is the
 * id without the record's name, so `cancelReservation` is `cancel`. An id that equals its namespace is used alone.
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

/** A contract name in Python style: `partySize` is `party_size`. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Words of Python that the contract may have as names. */
export const pythonKeywords: ReadonlySet<string> = new Set([
  'class',
  'from',
  'global',
  'import',
  'in',
  'is',
  'not',
  'pass',
  'with',
])

/** A contract name as that of an argument in Python. */
export const argumentName = (name: string): string =>
  pythonKeywords.has(name) ? `${name}_` : snakeCase(name)
