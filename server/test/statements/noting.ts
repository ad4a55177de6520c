import type { Database, Queries, VenueQueries } from '../../platform/db/pool.ts'
import type { Statement } from '../../platform/db/sql.ts'

/** The same queries, which tell of each statement before it runs. */
export const noting = (queries: Queries, note: (statement: Statement<unknown>) => void): Queries => {
  const noted = <Row>(statement: Statement<Row>): Statement<Row> => {
    note(statement)
    return statement
  }
  return {
    ...(queries.inTransaction && { inTransaction: queries.inTransaction }),
    source: queries.source,
    many: (statement) => queries.many(noted(statement)),
    one: (statement) => queries.one(noted(statement)),
    maybe: (statement) => queries.maybe(noted(statement)),
    run: (statement) => queries.run(noted(statement)),
    within: (venue) => noting(queries.within(venue), note) as VenueQueries,
  }
}

/** The same database, likewise; work in long transactions is not reported. */
export const notingDatabase = (
  database: Database,
  note: (statement: Statement<unknown>) => void,
): Database => ({
  ...database,
  ...noting(database, note),
  transaction: (work) => database.transaction((queries) => work(noting(queries, note))),
  rehearse: (work) => database.rehearse((queries) => work(noting(queries, note))),
  together: (work) => database.together((queries) => work(noting(queries, note))),
})
