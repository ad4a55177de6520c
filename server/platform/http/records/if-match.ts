import { inHeader } from '../../kernel/problem.ts'
import { badRequest } from '../../kernel/refusal.ts'

/** The revisions a request accepts, from the tags in `If-Match`; `any` accepts every revision. */
export type Expected = 'any' | readonly number[]

/**
 * Reads `If-Match`: `*`, or a list of tags as `ETag` gave them. Only the revision at the front of a tag counts. Weak
 * tags match too, although RFC 9110 asks for strong comparison: the tag holds a revision, not a hash of bytes, and a
 * proxy that compresses, and so weakens tags, must not block writes.
 *
 * @throws Refusal 400 for a tag without a revision.
 */
export const readIfMatch = (header: string | undefined): Expected | undefined => {
  if (header === undefined) return undefined
  if (header.trim() === '*') return 'any'
  return header.split(',').map((tag) => {
    const [, revision] = /^(?:W\/)?"([1-9][0-9]{0,8})(?:\.[^"]*)?"$/.exec(tag.trim()) ?? []
    if (revision === undefined) {
      throw badRequest(
        'If-Match must be a tag as ETag gave it, or *.',
        inHeader('If-Match', 'not-a-word', 'header-invalid'),
      )
    }
    return Number(revision)
  })
}

/** Whether a record at this revision may be changed; without a precondition, always. */
export const isExpected = (expected: Expected | undefined, revision: number): boolean =>
  expected === undefined || expected === 'any' || expected.includes(revision)
