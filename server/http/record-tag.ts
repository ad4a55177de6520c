import { createHash } from 'node:crypto'
import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'

/**
 * What tags the records of a kind: the revision, and a mark of the shape, so that a field that the service learns to show
 * is not hidden by a 304.
 */
export const recordTag = (kind: RecordKind): ((record: { readonly revision: number }) => string) => {
  const shape = createHash('sha256')
    .update(JSON.stringify(kinds[kind].record))
    .digest('base64url')
    .slice(0, 4)
  return ({ revision }) => `"${revision}.${shape}"`
}

/** The tag of the record in a reply to a write; in a kept answer it is the one of then. */
export const tagInReply = (
  endpoint: Pick<Endpoint, 'kind' | 'precondition'>,
): ((body: string) => string | undefined) => {
  if (!endpoint.precondition || !endpoint.kind) return () => undefined
  const tag = recordTag(endpoint.kind)
  const { field } = kinds[endpoint.kind]
  return (body) => tag(JSON.parse(body)[field])
}
