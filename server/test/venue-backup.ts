import { tablesInOrder } from '../platform/db/backup/tables.ts'
import type { TestService, TestVenue } from './service.ts'

/*
 * A backup of one venue that is put back while the processor, and the other venues, go on: what a restored copy knows. Counters
 * of ids go on too, as in a copy, which moves them ahead.
 */

export type VenueBackup = { readonly putBack: () => Promise<void> }

let kept = 0

export const backUp = async (
  { db }: Pick<TestService, 'db'>,
  { id }: Pick<TestVenue, 'id'>,
): Promise<VenueBackup> => {
  const schema = `kept_${process.pid}_${++kept}`
  const tables = (await db.session(tablesInOrder))
    .filter(({ columns }) => columns.includes('venue_id'))
    .map(({ name, columns }) => ({ name, listed: columns.map((one) => `"${one}"`).join(', ') }))
  const run = (statements: readonly string[]): Promise<unknown> =>
    db.session((client) => client.query(['begin', ...statements, 'commit'].join(';')))
  await run([
    `create schema ${schema}`,
    ...tables.map(
      ({ name, listed }) =>
        `create table ${schema}.${name} as select ${listed} from ${name} where venue_id = ${id}`,
    ),
  ])
  return {
    putBack: async () => {
      await run([
        ...tables.toReversed().map(({ name }) => `delete from ${name} where venue_id = ${id}`),
        ...tables.map(
          ({ name, listed }) =>
            `insert into ${name} (${listed}) overriding system value select ${listed} from ${schema}.${name}`,
        ),
      ])
    },
  }
}
