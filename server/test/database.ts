import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type Database, type PoolOptions, openDatabase } from '../platform/db/pool.ts'
import { eventually } from './eventually.ts'
import { patience as measured } from './patience.ts'

/** The migrated database that test files copy. Nobody stays connected to it. */
export const templateDatabase = 'venue_data_template'

export const withDatabase = async <T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** A fresh copy of the migrated database, or one with nothing in it; `drop` takes it away again. */
export const freshDatabase = async (
  kind: 'migrated' | 'empty' = 'migrated',
): Promise<{ url: string; drop: () => Promise<void> }> => {
  const server = process.env.TEST_DATABASE_URL
  if (server === undefined) throw new Error('Run the tests with `npm test`: it starts their database.')
  const name = `test_${randomBytes(8).toString('hex')}`
  await withDatabase(server, (admin) =>
    admin.query(
      `create database ${name} template ${kind === 'empty' ? 'template0' : templateDatabase} strategy file_copy`,
    ),
  )
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => {
      // Refused for the moment in which the server itself vacuums it: only a superuser may end that. A try whose answer
      // got lost has dropped it.
      await eventually(() =>
        withDatabase(server, (admin) => admin.query(`drop database if exists ${name} with (force)`)),
      )
    },
  }
}

/** How many times as long as in earnest the service waits in tests: what it waits for takes long only on a slow machine. */
export const patience = measured.ms() / 500

/**
 * Opens a database with the waits of a test: on a busy machine a connection takes longer to open than a request would
 * wait for it.
 */
export const openPatiently = (options: PoolOptions): Database => openDatabase({ patience, ...options })
