import { rowsOf } from '../../../test/rows.ts'
import type { TestService, TestVenue } from '../../../test/service.ts'

/*
 * Floors for tests: the part `tables` of a rules document, and a look at who holds what.
 */

export type TestTable = { label: string; most: number; [field: string]: unknown }

/** Tables of one room, as a part of the rules document. */
export const tablesOf = (tables: readonly TestTable[], more: object = {}) => ({
  tables: {
    rooms: [{ name: 'Dining room' }],
    tables: tables.map((table) => ({ room: 'Dining room', ...table })),
    ...more,
  },
})

/** Lets tables decide, without giving any to the bookings there are. */
export const turnTablesOn = async (service: TestService, { id }: Pick<TestVenue, 'id'>): Promise<void> => {
  await rowsOf(service, `update booking_settings set table_mode = 'on' where venue_id = $1`, [id])
}

/** Who holds which tables: booking by booking, the labels joined, `!` behind those that are pinned. */
export const heldTables = async (
  service: TestService,
  { id }: Pick<TestVenue, 'id'>,
): Promise<Record<number, string>> => {
  const rows = await rowsOf<{ reservation_id: number; tables: string }>(
    service,
    `select t.reservation_id::int, string_agg(d.label || case when t.pinned then '!' else '' end, '+' order by d.label) as tables
       from reservation_table t join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id
      where t.venue_id = $1 group by t.reservation_id order by t.reservation_id`,
    [id],
  )
  return Object.fromEntries(rows.map(({ reservation_id, tables }) => [reservation_id, tables]))
}
