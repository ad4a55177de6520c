import { fragment } from '../../../platform/db/sql.ts'

export const eventHeadRow = {
  public_id: 'uuid',
  names: 'text[]',
  record_kind: 'text?',
  record_id: 'int8?',
  revision: 'int4?',
  answer: 'text?',
} as const

/**
 * The columns of an event `v` apart from its data. An event recorded by the release before these additions has only its
 * name: it has no record here, and an id derived the same way every time.
 */
export const eventHeadColumns = fragment(`
  coalesce(v.public_id, md5(v.venue_id || ' ' || v.id)::uuid) as public_id, coalesce(v.names, array[v.name]) as names,
  v.record_kind, v.record_id, v.revision, v.answer`)
