import { inHeader } from '../kernel/problem.ts'
import { badRequest } from '../kernel/refusal.ts'

/** The revisions that a request means to change, by the tags in `If-Match`; `any`: whatever is there. */
export type Expected = 'any' | readonly number[]

/**
 * Reads `If-Match`: `*`, or a list of tags as `ETag` gave them. Only the revision in front of a tag counts, and a weak tag
 * is as good as a strong one, though RFC 9110 compares strongly here: the tag is a revision and no hash of bytes, and a
 * proxy that compresses, and so weakens tags, must not keep anybody from writing.
 *
 * @throws Refusal 400 for a tag that holds no revision.
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

/** Whether a record of this revision may be changed; without a word, any. */
export const isExpected = (expected: Expected | undefined, revision: number): boolean =>
  expected === undefined || expected === 'any' || expected.includes(revision)
