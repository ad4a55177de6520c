import { createHash } from 'node:crypto'

/** The tag of an answer's content. Weak, because answers with equal content may differ in when they were made. */
export const tagOf = (said: unknown): string =>
  `W/"${createHash('sha256').update(JSON.stringify(said)).digest('base64url').slice(0, 22)}"`

/**
 * Whether `If-None-Match` names a tag: `*`, or a list of tags. Compared weakly (RFC 9110, 13.1.2), because a proxy that
 * compresses weakens tags. Unreadable entries match nothing.
 */
export const matchesTag = (header: string | undefined, tag: string): boolean => {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = tag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}
