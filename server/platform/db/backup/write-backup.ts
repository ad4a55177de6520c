import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Duplex } from 'node:stream'
import { createZstdCompress } from 'node:zlib'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type Moment, toMoment } from '../../kernel/time/moment.ts'
import { badRequest } from '../../kernel/refusal.ts'
import type { RingMark } from '../../kernel/secrets.ts'
import { isUnfinished, unfinishedSentence } from '../migrate.ts'
import type { Database } from '../pool.ts'
import { type Frame, bytesOfFrames } from './frames.ts'
import { type Counts, type Header, rowsIn } from './header.ts'
import { writePrivateFile } from './private-file.ts'
import { type Table, tablesInOrder } from './tables.ts'

/*
 * Our own copy of a database: every table as of one moment, alongside the running service. A snapshot (REPEATABLE READ,
 * read only) is kept open throughout, and rows stream from the server into the file, so that a large database needs
 * no more memory. It takes no lock that a request would wait for.
 */

/** Writes a backup. Refuses an empty database and one into which a restore has not finished. */
export const writeBackup = (
  database: Database,
  path: string,
  about: { readonly madeAt: Moment; readonly secrets: readonly RingMark[] },
): Promise<Counts & { readonly bytes: number; readonly schema: string }> =>
  database.session(async (client) => {
    await beginSnapshot(client)
    const header = await headerOf(client, about)
    const counts = { tables: header.tables.length, rows: 0 }
    const bytes = await writePrivateFile(path, async (unfinished) => {
      try {
        await pipeline(
          bytesOfFrames(framesOf(client, header, (rows) => (counts.rows += rows))),
          createZstdCompress(),
          createWriteStream(unfinished),
        )
      } catch (error) {
        // The server may be in the middle of a table that nobody reads any longer: this connection cannot be used again.
        ;(client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy()
        throw error
      }
    })
    return { ...counts, bytes, schema: header.migrations.at(-1)?.name ?? '' }
  })

const beginSnapshot = async (client: pg.ClientBase): Promise<void> => {
  if (await isUnfinished(client)) throw badRequest(unfinishedSentence)
  await client.query('set statement_timeout = 0')
  await client.query('set idle_in_transaction_session_timeout = 0')
  // What COPY writes must read the same on every server.
  await client.query('set datestyle = ISO')
  await client.query('begin transaction isolation level repeatable read read only')
}

const heldSinceOf = async (client: pg.ClientBase): Promise<Moment | null> => {
  const { rows } = await client.query<{ held_since: string | null }>(
    'select held_since::text as held_since from database_mark',
  )
  const [{ held_since: since } = { held_since: null }] = rows
  return since === null ? null : toMoment(Temporal.Instant.from(since))
}

const headerOf = async (
  client: pg.ClientBase,
  about: Pick<Header, 'madeAt' | 'secrets'>,
): Promise<Header> => {
  const { rows } = await client.query<{ there: boolean; marked: boolean; version: number }>(
    `select to_regclass('schema_migration') is not null as there, to_regclass('database_mark') is not null as marked,
            current_setting('server_version_num')::int4 / 10000 as version`,
  )
  if (!rows[0]?.there) throw badRequest('There is nothing to back up: the database is empty.')
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration order by name',
  )
  return {
    ...{ format: 1, ...about, postgres: rows[0].version, migrations },
    tables: await tablesInOrder(client),
    heldSince: rows[0].marked ? await heldSinceOf(client) : null,
  }
}

async function* framesOf(
  client: pg.ClientBase,
  header: Header,
  onTable: (rows: number) => void,
): AsyncGenerator<Frame> {
  yield jsonFrame('header', header)
  for (const table of header.tables) {
    yield jsonFrame('table', { name: table.name })
    let rows = 0
    for await (const body of gathered(client.query(copyTo(`copy ${columnsIn(client, table)} to stdout`)))) {
      rows += rowsIn(body)
      yield { kind: 'rows', body }
    }
    yield jsonFrame('tableEnd', { rows })
    onTable(rows)
  }
}

/** The table and its columns in a backup, in COPY's syntax. */
export const columnsIn = (client: pg.ClientBase, { name, columns }: Table): string =>
  `${client.escapeIdentifier(name)} (${columns.map((column) => client.escapeIdentifier(column)).join(', ')})`

const jsonFrame = (kind: Frame['kind'], what: object): Frame => ({
  kind,
  body: Buffer.from(JSON.stringify(what)),
})

const frameBytes = 65_536

/** Gathers rows into larger frames: the server sends each row separately. */
async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    parts.push(chunk)
    bytes += chunk.length
    if (bytes < frameBytes) continue
    yield Buffer.concat(parts, bytes)
    parts = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes)
}
