import pg from 'pg'
import type { ColumnType } from './sql.ts'

/*
 * How values leave PostgreSQL. Dates stay text (the driver would make them local midnight), times are cut to
 * HH:MM, moments get the contract's form. The session's time zone is UTC (db/pool.ts), so the text of a
 * timestamptz always ends in +00.
 */

/** Type numbers in PostgreSQL's catalog. */
export const typeNumbers: Record<ColumnType, number> = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int4: 23,
  text: 25,
  date: 1082,
  time: 1083,
  timestamptz: 1184,
  uuid: 2950,
  jsonb: 3802,
  'int4[]': 1007,
  'int8[]': 1016,
  'text[]': 1009,
}

/** `2026-10-05 19:00:00.12+00` -> `2026-10-05T19:00:00.120Z`. */
export const momentText = (text: string): string =>
  `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`

const parsers = new Map<number, (text: string) => unknown>([
  [typeNumbers.int8, Number],
  [typeNumbers['int8[]'], (text) => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number))],
  [typeNumbers.date, String],
  [typeNumbers.time, (text) => text.slice(0, 5)],
  [typeNumbers.timestamptz, momentText],
])

export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format),
}
