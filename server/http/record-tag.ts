import { createHash } from 'node:crypto'
import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { records } from '@venue-data/contract/endpoints.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { TSchema } from 'typebox'
import { hidesContacts } from './contacts-hidden.ts'

/** Tags a record as a key with these scopes sees it. */
type RecordTag = (record: { readonly revision: number }, scopes: readonly Scope[]) => string

/**
 * What tags records of a shape: the revision, and a mark of what is shown, so that a field that the service, or the key,
 * learns to show is not hidden by a 304.
 */
export const tagsOf = (record: TSchema): RecordTag => {
  const [whole, masked] = [shapeMark(record, ''), shapeMark(record, 'masked')]
  return ({ revision }, scopes) => `"${revision}.${hidesContacts(scopes) ? masked : whole}"`
}

/** What tags the records of a kind. */
export const recordTag = (kind: RecordKind): RecordTag => tagsOf(kinds[kind].record)

const shapeMark = (record: TSchema, how: string): string =>
  createHash('sha256')
    .update(JSON.stringify(record) + how)
    .digest('base64url')
    .slice(0, 4)

/** The tag of the record in a reply to a write; in a kept answer it is the one of then. */
export const tagInReply = ({
  kind,
  precondition,
  replies,
}: Pick<Endpoint, 'kind' | 'precondition' | 'replies'>): ((
  body: string,
  scopes: readonly Scope[],
) => string | undefined) => {
  if (!precondition) return () => undefined
  if (kind) {
    const tag = recordTag(kind)
    return (body, scopes) => tag(JSON.parse(body)[kinds[kind].field], scopes)
  }
  // The reply is the record itself, or, of a dry run, tells of one that is not there.
  const { $ref } = replies[200] as { $ref?: string }
  const record = records.find((one) => `${(one as { $id?: string }).$id}#` === $ref)
  if (!record) return () => undefined
  const tag = tagsOf(record)
  return (body, scopes) => tag(JSON.parse(body), scopes)
}
