import { createHash } from 'node:crypto'

/**
 * What is kept of an Idempotency-Key whose answer was erased: its fingerprint, in the place of the key, which may name the
 * person. A retry is known by it and writes nothing about them again.
 */
export const erasedKey = (venue: number, endpoint: string, key: string): string =>
  `erased:${createHash('sha256').update(`${venue} ${endpoint} ${key}`).digest('hex')}`
