import type { Database, Queries, VenueQueries } from '../server/platform/db/pool.ts'
import type { Statement } from '../server/platform/db/sql.ts'

/*
 * The SQL cost of a write alone: the service handles one request over a database that records its statements, and a
 * script replays them without anything around them.
 */

/** Statements sent together: the service did not wait for one before sending the next. */
type Together = Statement<unknown>[]

export type Recording = { readonly before: Together[]; readonly inTransaction: Together[] }

/** A database that records its statements, separately for the transaction and for what precedes it. */
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
      source: queries.source,
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
      together: (work) => database.together((queries) => work(noting(queries, recording.before))),
      transaction: (work) =>
        database.transaction((queries) => work(noting(queries, recording.inTransaction))),
    },
  }
}

/** Replays a recording once, with every marker in its values filled in. */
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
