import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { Work } from '../../context.ts'
import { maskedFor } from '../../platform/http/records/contacts-hidden.ts'
import { recordsOf } from '../changes/records.ts'

/** The kind of record that a scope shows; one that only writes shows none that was there before. */
export const kindShownBy = (scope: Scope): RecordKind | undefined =>
  recordKinds.find((kind) => scope === `${kinds[kind].scope}:read`)

const lookedAt = 50

/** One of the venue's own records, as a key with these scopes would see it; undefined if the venue has none yet. */
export const sampleRecord = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  kind: RecordKind,
  scopes: readonly Scope[],
): Promise<object | undefined> => {
  const { states, shown } = recordsOf[kind]
  const ids = (await states(db, venue.id, 0, lookedAt)).map(({ id }) => id)
  const record = (await shown(db, venue, ids)).at(-1)
  return record && maskedFor(scopes, kind, record)
}
