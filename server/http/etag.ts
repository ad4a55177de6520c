import { createHash } from 'node:crypto'

/** The tag of an answer's content; weak, since answers with the same content may differ in when they were made. */
export const tagOf = (said: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)}"`

/**
 * Whether `If-None-Match` names a tag: `*`, or a list of tags. Compared weakly (RFC 9110, 13.1.2), since a proxy that
 * compresses makes a tag weak. What cannot be read names none.
 */
export const matchesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}
