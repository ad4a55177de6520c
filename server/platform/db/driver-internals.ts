import type { Duplex } from 'node:stream'
import pg from 'pg'
import { types } from './codecs.ts'
import { readRowsAtOnce } from './row-texts.ts'

/*
 * What we need from the driver that it does not offer: the socket under a client, a named statement that is not copied,
 * and rows that are described once and read at once (row-texts.ts). These names are not part of pg's public interface; if
 * a new version renames one, the tests fail and only these files change.
 */

readRowsAtOnce()

type Field = { readonly name: string; readonly dataTypeID: Parameters<typeof types.getTypeParser>[0] }
type Connection = { readonly describe: (portal: object) => void }
type DriverQuery = pg.Query & {
  name?: string
  _accumulateRows: boolean
  readonly _result: { fields: readonly Field[]; parseRow: ReadRow }
  prepare(connection: Connection): void
  handleRowDescription(described: { readonly fields: readonly Field[] }): void
  handleCommandComplete(completed: object, connection: Connection): void
}
const DriverQuery = pg.Query as unknown as new (
  text: string,
  values: unknown[] | undefined,
  answered: (error: Error | null, result: pg.QueryResult) => void,
) => DriverQuery

/**
 * A named statement's rows stay what they were when its connection first ran it: PostgreSQL refuses one whose columns have
 * changed (db/faults.ts). So it is asked to describe them once, and they are read by code that is written for them.
 */
class Described extends DriverQuery {
  private known: Map<string, Rows> | undefined
  private isDescribed = false

  override prepare(connection: Connection): void {
    this.known = rowsKnownTo(connection)
    const rows = this.known.get(this.name ?? '')
    if (rows) this.take(rows)
    super.prepare(rows ? withoutDescribing(connection) : connection)
  }

  override handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    const rows = rowsOf(fields)
    this.remember(rows)
    this.take(rows)
  }

  override handleCommandComplete(completed: object, connection: Connection): void {
    if (!this.isDescribed) this.remember(noRows)
    super.handleCommandComplete(completed, connection)
  }

  private remember(rows: Rows): void {
    this.isDescribed = true
    if (this.name !== undefined) this.known?.set(this.name, rows)
  }

  private take({ fields, read }: Rows): void {
    this.isDescribed = true
    this._result.fields = fields
    this._result.parseRow = read
    this._accumulateRows = true
  }
}

/**
 * A statement to pass to a client's `query`. The driver copies a statement given as a plain object property by property,
 * which is a tenth of what a small statement costs; one in this form is not copied.
 */
export const uncopied = (
  { name, text, values }: pg.QueryConfig,
  answered: (error: Error | null, result: pg.QueryResult) => void,
): pg.Query => Object.assign(new Described(text, values, answered), { name })

type ReadRow = (texts: readonly (string | null)[]) => Record<string, unknown>
type Rows = { readonly fields: readonly Field[]; readonly read: ReadRow }

const noRows: Rows = { fields: [], read: () => ({}) }

const known = new WeakMap<Connection, Map<string, Rows>>()
const rowsKnownTo = (connection: Connection): Map<string, Rows> => {
  let rows = known.get(connection)
  if (!rows) known.set(connection, (rows = new Map()))
  return rows
}

const silent = new WeakMap<Connection, Connection>()
const withoutDescribing = (connection: Connection): Connection => {
  let one = silent.get(connection)
  if (!one) {
    one = Object.create(connection, { describe: { value: () => undefined } }) as Connection
    silent.set(connection, one)
  }
  return one
}

/** As many as there are lists of columns in our statements. */
const written = new Map<string, Rows>()

/** Rows of some columns. The literal is written once: columns that are assigned one by one take twice as long. */
const rowsOf = (fields: readonly Field[]): Rows => {
  const signature = fields.map(({ name, dataTypeID }) => `${name} ${dataTypeID}`).join()
  let rows = written.get(signature)
  if (!rows) {
    const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
    const columns = fields.map(
      ({ name }, at) =>
        `${JSON.stringify(name)}: texts[${at}] === null ? null : parsers[${at}](texts[${at}])`,
    )
    // oxlint-disable-next-line typescript/no-implied-eval -- of columns in our own statements, as records are shown
    const read = new Function('parsers', `return (texts) => ({ ${columns.join(', ')} })`)(parsers) as ReadRow
    written.set(signature, (rows = { fields, read }))
  }
  return rows
}

const streamOf = (client: pg.ClientBase): Duplex =>
  (client as unknown as { connection: { stream: Duplex } }).connection.stream

/** Everything the client is asked in `work`, and until the end of this turn of the event loop, is sent in one piece. */
export const corked = <T>(client: pg.ClientBase, work: () => T): T => {
  const stream = streamOf(client)
  stream.cork()
  process.nextTick(() => stream.uncork())
  return work()
}

/** Ends the connection immediately, along with everything waiting for an answer on it: `end` would wait for those answers. */
export const cutOff = (client: pg.ClientBase): void => {
  streamOf(client).destroy()
}
