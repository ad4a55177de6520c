import { createHash } from 'node:crypto'
import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { hidesContacts } from './contacts-hidden.ts'

/** Tags a record as a key with these scopes sees it. */
type RecordTag = (record: { readonly revision: number }, scopes: readonly Scope[]) => string

/**
 * What tags the records of a kind: the revision, and a mark of what is shown, so that a field that the service, or the key,
 * learns to show is not hidden by a 304.
 */
export const recordTag = (kind: RecordKind): RecordTag => {
  const [whole, masked] = [shapeMark(kind, ''), shapeMark(kind, 'masked')]
  return ({ revision }, scopes) => `"${revision}.${hidesContacts(scopes) ? masked : whole}"`
}

const shapeMark = (kind: RecordKind, how: string): string =>
  createHash('sha256')
    .update(JSON.stringify(kinds[kind].record) + how)
    .digest('base64url')
    .slice(0, 4)

/** The tag of the record in a reply to a write; in a kept answer it is the one of then. */
export const tagInReply = (
  endpoint: Pick<Endpoint, 'kind' | 'precondition'>,
): ((body: string, scopes: readonly Scope[]) => string | undefined) => {
  if (!endpoint.precondition || !endpoint.kind) return () => undefined
  const tag = recordTag(endpoint.kind)
  const { field } = kinds[endpoint.kind]
  return (body, scopes) => tag(JSON.parse(body)[field], scopes)
}
