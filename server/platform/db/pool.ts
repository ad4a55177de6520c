import pg from 'pg'
import { codeOf } from '../kernel/code-of.ts'
import { type Ask, openAsk } from './ask.ts'
import { typeNumbers, types } from './codecs.ts'
import { CommitUnknown, isDatabaseDown, isStale, isWorthAnotherTry } from './faults.ts'
import { openGate } from './gate.ts'
import { openSharedReads } from './shared-reads.ts'
import type { Shape, Statement } from './sql.ts'

/*
 * The pool of connections, the four ways to run a statement, and the one way to run a transaction.
 * Time ladder, each shorter than the next: wait for a connection 1 s < wait for a lock 2 s < a statement 3 s
 * < its answer 4 s < the whole request 8 s (contract/limits.ts). Isolation stays READ COMMITTED: the day lock
 * and the sum behind it are two statements, and the second must see what the first waited for.
 */

export type Queries = {
  /** All rows. */
  many<Row>(statement: Statement<Row>): Promise<Row[]>
  /** Exactly one row; anything else is a bug. */
  one<Row>(statement: Statement<Row>): Promise<Row>
  /** The row, if there is one. */
  maybe<Row>(statement: Statement<Row>): Promise<Row | undefined>
  /** How many rows the statement changed. */
  run(statement: Statement<unknown>): Promise<number>
  /** The transaction that these statements are part of. */
  readonly inTransaction?: Transaction
  /** The same for everything asked of one database: what is remembered of it is kept under this. */
  readonly source: object
  /** The same for one unit of work of a venue. Behind the wall (db/wall.ts) each statement must carry that venue. */
  within(venue: number): VenueQueries
}

/** A transaction under way; one that is run once more is another one. */
export type Transaction = {
  /**
   * The statements it sends before its first `await` are sent with the commit. They run only if `work` succeeded; if the
   * database refuses one, everything is rolled back. A later one is refused, behind a commit that stays.
   */
  readonly beforeCommit: (last: () => Promise<unknown>) => void
}

declare const ofOneVenue: unique symbol

/** Created only by `within`, so that nobody opens a unit of work without saying for which venue. */
export type VenueQueries = Queries & { readonly [ofOneVenue]: true }

export type Database = Queries & {
  /**
   * Runs `work` in one transaction and commits. An error rolls back; a lost race with another transaction is
   * run once more. Throws `CommitUnknown` when the commit was sent and its answer never came.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, but rolled back after `work` and the statements sent with the commit have succeeded: only what it
   * returns is left.
   */
  rehearse<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Like `transaction`, for the few jobs in which a single statement reads a million rows: each may take `longStatementMs`,
   * on one of a few separate connections, one at a time per group (a venue). Never for an ordinary request.
   */
  longTransaction<T>(group: number, work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Runs `work` on one connection, outside a transaction. Statements asked in the same turn of
   * the event loop are sent in one piece, at a third of the cost of sending them one by one; each succeeds or fails alone.
   */
  together<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** Runs `work` on a separate connection, outside a transaction and without time limits: for migrations. */
  session<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>
  /** Citus, which keeps the venues on several machines: a statement about many of them costs more there than one for each. */
  readonly isCluster: boolean
  /** Connections at this moment: the ordinary ones, and those of long transactions. */
  counts(): { readonly ordinary: PoolCounts; readonly long: PoolCounts }
  close(): Promise<void>
}

/** Open connections, idle ones, and tasks waiting for one. */
export type PoolCounts = { readonly total: number; readonly idle: number; readonly waiting: number }

export type PoolOptions = {
  url: string
  /** Connections at most. */
  size?: number
  onError?: (error: Error) => void
  /** Called for every statement and every connection that the server refused, for any caller. */
  onFailed?: (error: unknown) => void
  /**
   * For background work, in which every step may be repeated: a commit does not wait for the disk. A database crash
   * then loses the last half second of steps, never anything that a request was answered for.
   */
  background?: boolean
  /**
   * The database is Citus, which answers 0A000 to a statement over all venues with a generic plan. Elsewhere a
   * statement has one plan for all values, since planning most of ours costs more than running them
   * (test/statements/web-plans.test.ts checks the plans), and it is made for a large venue (db/expect-large-venues.ts); statements of
   * long transactions are planned for their actual values.
   */
  citus?: boolean
  /** Multiplies all waits of the time ladder: for tests, which may run on a slow machine. */
  patience?: number
}

export const openDatabase = ({
  url,
  size = 16,
  onError = () => undefined,
  onFailed = () => undefined,
  background = false,
  citus = false,
  patience = 1,
}: PoolOptions): Database => {
  const source = {}
  const connection = connectionTo(url, background)
  const settings: pg.PoolConfig & { pipeline: boolean } = {
    ...connection,
    max: size,
    connectionTimeoutMillis: (background ? backgroundWaitMs : openingMs) * patience,
    idleTimeoutMillis: 60_000,
    maxLifetimeSeconds: 1_800,
    lock_timeout: 2_000 * patience,
    statement_timeout: 3_000 * patience,
    idle_in_transaction_session_timeout: 10_000 * patience,
    // Sends statements of one transaction without waiting for each other's answers (Promise.all).
    pipeline: true,
  }
  const pool = new pg.Pool({
    ...settings,
    options: `${connection.options}${indexesOnly}${citus ? '' : ' -c plan_cache_mode=force_generic_plan'}`,
  })
  const { ask, stop } = openAsk(answerMs * patience, onFailed)
  const longPool = new pg.Pool({
    ...settings,
    max: longPlaces,
    connectionTimeoutMillis: longStatementMs,
    idleTimeoutMillis: 10_000,
    lock_timeout: longStatementMs,
    statement_timeout: longStatementMs,
    options: `${connection.options}${indexesOnly} -c work_mem=32MB -c enable_nestloop=off`,
  })
  const longAsking = openAsk(longStatementMs + 800, onFailed)
  const longGate = openGate({ places: 1, waitMs: longStatementMs })
  // Without these a connection that breaks while idle, or in the middle of a transaction, ends the process.
  for (const one of [pool, longPool]) {
    one.on('error', onError)
    one.on('connect', (client) => client.on('error', onError))
  }

  const connect = async (from: pg.Pool): Promise<pg.PoolClient> => {
    try {
      // No timer where nobody waits.
      if (from !== pool || pool.idleCount > 0) return await from.connect()
      return await orLater(pool.connect(), (background ? backgroundWaitMs : waitMs) * patience)
    } catch (error) {
      // Those of the pool itself have no code, and the log, which quotes no messages, would not say what failed.
      if (codeOf(error) === undefined) Object.assign(error as Error, { code: 'no-connection' })
      onFailed(error)
      throw error
    }
  }

  const again = async <T>(once: () => Promise<T>): Promise<T> => {
    try {
      return await once()
    } catch (error) {
      if (isWorthAnotherTry(error)) return once()
      throw error
    }
  }

  const once = async <T>(
    from: pg.Pool,
    ask: Ask,
    work: (queries: Queries) => Promise<T>,
    end: End = commit,
  ): Promise<T> => {
    const client = await connect(from)
    let broken: Error | undefined
    let over = false
    try {
      // Not awaited: begin travels with the first statement. Should it fail, so does what follows it.
      const begun = ask(client, { text: 'begin' })
      begun.catch(() => undefined)
      const last: (() => Promise<unknown>)[] = []
      const result = await work(
        queriesBy(
          source,
          (query) => {
            // A statement that one branch of a Promise.all sends after another branch failed would land in somebody else's transaction.
            if (over) throw new Error('a statement came after its transaction had ended')
            return ask(client, query)
          },
          { beforeCommit: (run) => void last.push(run) },
        ),
      )
      await begun
      const lasting = Promise.all(last.map((run) => run()))
      lasting.catch(() => undefined)
      over = true
      await end(ask, client, lasting)
      return result
    } catch (error) {
      over = true
      if (error instanceof CommitUnknown || isDatabaseDown(error) || isStale(error)) broken = error as Error
      else {
        await ask(client, { text: 'rollback' }).catch((failure: unknown) => {
          broken = failure as Error
        })
      }
      throw error
    } finally {
      client.release(broken)
    }
  }

  const onAny = async (query: pg.QueryConfig): Promise<pg.QueryResult> => {
    const client = await connect(pool)
    let broken: Error | undefined
    try {
      return await ask(client, query)
    } catch (error) {
      broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  const shared = openSharedReads({ connect: () => connect(pool), ask, alone: onAny })

  return {
    ...queriesBy(source, async (query, isQuickRead) => {
      if (isQuickRead) return shared(query)
      try {
        return await onAny(query)
      } catch (error) {
        if (isStale(error)) return onAny(query)
        throw error
      }
    }),
    transaction: (work) => again(() => once(pool, ask, work)),
    rehearse: (work) => again(() => once(pool, ask, work, rollBack)),
    longTransaction: (group, work) =>
      longGate(group, () => again(() => once(longPool, longAsking.ask, work))),
    together: async (work) => {
      const client = await connect(pool)
      let broken: Error | undefined
      let over = false
      try {
        return await work(
          queriesBy(source, async (query) => {
            if (over) throw new Error('a statement came after its connection was given back')
            try {
              return await ask(client, query)
            } catch (error) {
              if (isDatabaseDown(error) || isStale(error)) broken = error as Error
              if (!isStale(error)) throw error
              // Nothing of it ran. Without its name it is planned again, on the one connection that is surely ours.
              return ask(client, { text: query.text, values: query.values ?? [] })
            }
          }),
        )
      } finally {
        over = true
        client.release(broken)
      }
    },
    session: async (work) => {
      const client = new pg.Client({ ...connection, connectionTimeoutMillis: sessionMs * patience })
      client.on('error', onError)
      await client.connect()
      try {
        return await work(client)
      } finally {
        await client.end()
      }
    },
    isCluster: citus,
    counts: () => ({ ordinary: countsOf(pool), long: countsOf(longPool) }),
    close: async () => {
      stop()
      longAsking.stop()
      await Promise.all([pool.end(), longPool.end()])
    },
  }
}

/**
 * What all connections have in common: UTC, how `types` reads values, and no compiling of statements (`jit`), which takes
 * seconds where a year of bookings is read in a tenth of one.
 */
export const connectionTo = (url: string, background = false) => ({
  connectionString: url,
  keepAlive: true,
  application_name: 'venue-data',
  options: `-c TimeZone=UTC -c jit=off${background ? ' -c synchronous_commit=off' : ''}`,
  types,
})

/**
 * Where an index leads to a venue's rows it is used, however many the plan expects: a whole table holds those of all other
 * venues. A table is still read whole where no index fits, as in sweeps over all venues.
 */
const indexesOnly = ' -c enable_seqscan=off'

/** How long a request waits for a connection, in milliseconds. */
const waitMs = 1_000

/** The same for background work, behind which nobody waits: trying again would only add to what keeps the machine busy. */
const backgroundWaitMs = 15_000

/**
 * How long opening a connection may take, in milliseconds: longer than anybody waits for it, since it serves the next. On
 * a machine so busy that opening one takes longer than that, there would never be any.
 */
const openingMs = 4_000

/** A connection of the pool in time; one that comes later is given back. */
const orLater = (coming: Promise<pg.PoolClient>, ms: number): Promise<pg.PoolClient> =>
  new Promise((resolve, reject) => {
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      reject(new Error('timeout exceeded when trying to connect'))
    }, ms)
    coming.then(
      (client) => {
        clearTimeout(timer)
        if (isLate) client.release()
        else resolve(client)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })

/** How long opening a session may take: no request waits for one, only a start or a command. */
const sessionMs = 15_000

/** How long to wait for an answer from the database, in milliseconds. */
const answerMs = 3_800

/** How long a statement of a long transaction may take, and how many such transactions run at once. */
const longStatementMs = 50_000
const longPlaces = 3

/** The maximum number of connections of a database opened with this size. A session, such as a migration's, is extra. */
export const mostConnections = (size: number): number => size + longPlaces

const countsOf = (pool: pg.Pool): PoolCounts => ({
  total: pool.totalCount,
  idle: pool.idleCount,
  waiting: pool.waitingCount,
})

/** Ends a transaction whose work succeeded. `lasting`: the statements sent just before. */
type End = (ask: Ask, client: pg.PoolClient, lasting: Promise<unknown>) => Promise<void>

/** A statement sent just before the commit failed, so the commit became a rollback. */
const commit: End = async (ask, client, lasting) => {
  let answer: pg.QueryResult
  try {
    answer = await ask(client, { text: 'commit' })
  } catch (error) {
    throw new CommitUnknown(error)
  }
  await lasting
  // A transaction in which a statement failed answers COMMIT with ROLLBACK, and the driver calls that a success.
  if (answer.command !== 'COMMIT') throw new Error('a transaction with a failed statement was committed')
}

const rollBack: End = async (ask, client, lasting) => {
  await lasting
  await ask(client, { text: 'rollback' })
}

type Send = (query: pg.QueryConfig, isQuickRead: boolean) => Promise<pg.QueryResult>

const queriesBy = (source: object, send: Send, inTransaction?: Transaction): Queries => {
  const rows = async (statement: Statement<unknown>): Promise<pg.QueryResult> => {
    const { name, text } = statement
    const values = statement.values as unknown[]
    const query = statement.isSeldom ? { text, values } : { name, text, values }
    const result = await send(query, statement.isQuickRead === true)
    compareOnce(statement, result.fields)
    return result
  }
  const queries: Queries = {
    many: async <Row>(statement: Statement<Row>) => (await rows(statement)).rows as Row[],
    maybe: async <Row>(statement: Statement<Row>) => {
      const found = (await rows(statement)).rows as Row[]
      if (found.length > 1) throw new Error(`more than one row: ${statement.text}`)
      return found[0]
    },
    one: async <Row>(statement: Statement<Row>) => {
      const found = (await rows(statement)).rows as Row[]
      if (found.length !== 1) throw new Error(`${found.length} rows instead of one: ${statement.text}`)
      return found[0] as Row
    },
    run: async (statement) => (await rows(statement)).rowCount ?? 0,
    ...(inTransaction && { inTransaction }),
    source,
    within: () => queries as VenueQueries,
  }
  return queries
}

const compared = new Set<string>()

/** The first run of a statement compares the row it declares with the row it returns. */
const compareOnce = (statement: Statement<unknown>, fields: readonly pg.FieldDef[]): void => {
  if (compared.has(statement.name)) return
  const declared = describe(statement.shape)
  const returned = fields.map((field) => `${field.name} ${field.dataTypeID}`).toSorted()
  if (declared.join() !== returned.join()) {
    const names = fields.map(({ name }) => name)
    const twice = names.find((name, at) => names.indexOf(name) < at)
    throw new Error(
      `${twice === undefined ? '' : `two columns are called ${twice}, so that one would hide the other: `}a statement declares [${declared.join()}] and returns [${returned.join()}]: ${statement.text}`,
    )
  }
  compared.add(statement.name)
}

const describe = (shape: Shape): string[] =>
  Object.entries(shape)
    .map(([name, type]) => `${name} ${typeNumbers[type.replace('?', '') as keyof typeof typeNumbers]}`)
    .toSorted()
