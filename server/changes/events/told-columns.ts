import { fragment } from '../../db/sql.ts'

export const toldRow = {
  public_id: 'uuid',
  names: 'text[]',
  record_kind: 'text?',
  record_id: 'int8?',
  revision: 'int4?',
} as const

/**
 * What is told of an event `v` besides its data. One that the release before version 1 grew recorded knows only its name:
 * it has no record here, and an id that is always made the same way.
 */
export const toldColumns = fragment(`
  coalesce(v.public_id, md5(v.venue_id || ' ' || v.id)::uuid) as public_id, coalesce(v.names, array[v.name]) as names,
  v.record_kind, v.record_id, v.revision`)
