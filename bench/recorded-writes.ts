import type { Database, Queries, VenueQueries } from '../server/db/pool.ts'
import type { Statement } from '../server/db/sql.ts'

/*
 * What a write costs in SQL alone: the service serves one request over a database that writes down its
 * statements, and a script sends the same statements again and again, with nothing around them.
 */

/** Statements sent together: the service did not wait for one before it sent the next. */
type Together = Statement<unknown>[]

export type Recording = { readonly before: Together[]; readonly inTransaction: Together[] }

/** A database that notes what runs on it, apart for the transaction and for what comes before it. */
export const recordingDatabase = (database: Database): { database: Database; recording: Recording } => {
  const recording: Recording = { before: [], inTransaction: [] }
  const noting = (queries: Queries, into: Together[]): Queries => {
    let underWay = 0
    const noted = async <T>(statement: Statement<unknown>, run: () => Promise<T>): Promise<T> => {
      if (underWay === 0) into.push([])
      into.at(-1)?.push(statement)
      underWay++
      try {
        return await run()
      } finally {
        underWay--
      }
    }
    const through: Queries = {
      ...(queries.inTransaction && { inTransaction: queries.inTransaction }),
      many: (statement) => noted(statement, () => queries.many(statement)),
      one: (statement) => noted(statement, () => queries.one(statement)),
      maybe: (statement) => noted(statement, () => queries.maybe(statement)),
      run: (statement) => noted(statement, () => queries.run(statement)),
      within: () => through as VenueQueries,
    }
    return through
  }
  return {
    recording,
    database: {
      ...database,
      ...noting(database, recording.before),
      transaction: (work) =>
        database.transaction((queries) => work(noting(queries, recording.inTransaction))),
    },
  }
}

/** Sends the statements of a recording once, with every marker in their values replaced. */
export const replay = async (
  database: Database,
  { before, inTransaction }: Recording,
  replaced: (text: string) => string,
): Promise<void> => {
  const send = async (queries: Queries, groups: Together[]): Promise<void> => {
    for (const group of groups) {
      await Promise.all(
        group.map((statement) =>
          queries.many({
            ...statement,
            values: statement.values.map((value) => (typeof value === 'string' ? replaced(value) : value)),
          }),
        ),
      )
    }
  }
  await send(database, before)
  await database.transaction((queries) => send(queries, inTransaction))
}
