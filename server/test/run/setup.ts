import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptPassword, placesUnder } from '../../platform/db/embedded/cluster.ts'
import { type Embedded, startEmbedded } from '../../platform/db/embedded/embedded.ts'
import { superuserAddress } from '../../platform/db/embedded/service-role.ts'
import { migrate } from '../../platform/db/migrate.ts'
import { templateDatabase, withDatabase, openPatiently } from '../database.ts'

/*
 * Before any test: a PostgreSQL of their own, and in it a migrated database that every test file copies.
 * TEST_DATABASE_URL names another server to run on (the address of a role that may make databases); it is set here otherwise.
 */

let folder: string | undefined
let embedded: Embedded | undefined

export const globalSetup = async (): Promise<void> => {
  if (process.env.TEST_DATABASE_URL === undefined) {
    folder = await mkdtemp(join(tmpdir(), 'venue-data-test-'))
    await chmod(folder, 0o755)
    embedded = await startEmbedded({
      dataDir: folder,
      role: 'command',
      log: { info: () => undefined, warn: console.warn, error: console.error },
      flags: {
        fsync: 'off',
        synchronous_commit: 'off',
        full_page_writes: 'off',
        // The services of all processes connect to this one server: over a hundred at once have been counted.
        max_connections: '400',
      },
    })
    // All tests run as the service does, as a role that is no superuser; only it makes their databases, too.
    const superuser = superuserAddress(
      await keptPassword(placesUnder(folder), 'fail'),
      Number(new URL(embedded.url).port),
    )
    await withDatabase(superuser, async (admin) => {
      await admin.query('alter role venue_data createdb')
      // Signing in thousands of times would take minutes of hashing.
      await admin.query('set scram_iterations = 1')
      const password = decodeURIComponent(new URL((embedded as Embedded).url).password)
      await admin.query(`alter role venue_data password ${admin.escapeLiteral(password)}`)
    })
    process.env.TEST_DATABASE_URL = embedded.url
  }
  const { TEST_DATABASE_URL: url } = process.env
  await withDatabase(url, async (admin) => {
    await admin.query(`drop database if exists ${templateDatabase} with (force)`)
    await admin.query(`create database ${templateDatabase}`)
  })
  const template = new URL(url)
  template.pathname = `/${templateDatabase}`
  const database = openPatiently({ url: template.href })
  await migrate(database)
  await database.close()
}

export const globalTeardown = async (): Promise<void> => {
  if (embedded) {
    await embedded.stop()
    // What this process starts afterwards would look for it.
    delete process.env.TEST_DATABASE_URL
  }
  if (folder) await rm(folder, { recursive: true, force: true })
}
