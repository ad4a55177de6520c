import { createHash } from 'node:crypto'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { records } from '@venue-data/contract/endpoints.ts'
import { type RecordKind, kinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { TSchema } from 'typebox'
import { hidesContacts } from './contacts-hidden.ts'

/** Tags a record as a key with these scopes sees it. */
type RecordTag = (record: { readonly revision: number }, scopes: readonly Scope[]) => string

/**
 * What tags records of a shape: the revision, and a mark of the fields shown. If the service or the key starts to show
 * a field, a 304 does not hide it.
 */
export const tagsOf = (record: TSchema): RecordTag => {
  const [whole, masked] = [shapeMark(record, ''), shapeMark(record, 'masked')]
  return ({ revision }, scopes) => `"${revision}.${hidesContacts(scopes) ? masked : whole}"`
}

/** What tags a kind's records. */
export const recordTag = (kind: RecordKind): RecordTag => tagsOf(kinds[kind].record)

const shapeMark = (record: TSchema, how: string): string =>
  createHash('sha256')
    .update(JSON.stringify(record) + how)
    .digest('base64url')
    .slice(0, 4)

/** The tag of the record in a reply to a write; a stored answer keeps its original tag. */
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
  // The reply is the record itself, or for a dry run a preview of a record that does not exist.
  const { $ref } = replies[200] as { $ref?: string }
  const record = records.find((one) => `${(one as { $id?: string }).$id}#` === $ref)
  if (!record) return () => undefined
  const tag = tagsOf(record)
  return (body, scopes) => tag(JSON.parse(body), scopes)
}
