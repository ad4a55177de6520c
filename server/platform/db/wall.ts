import type { Database, Queries, VenueQueries } from './pool.ts'
import { type Statement, sql } from './sql.ts'
import { type VenueTies, venueTiesOf } from './venue-in-statement.ts'

/*
 * The second wall between venues. The first is that every statement names its venue; this one checks, for each statement
 * that actually runs in a unit of work, that the venue it names is the unit's own. It is up in all tests and on practice
 * instances. Elsewhere it does not exist: a database's `within` returns its argument. It does not see statements
 * outside a unit (lists across venues, the key check, the workers' sweeps).
 * docs/decisions/0012-two-walls-between-venues.md says why this is not row-level security.
 */

/** The tables whose primary key begins with venue_id: the sharded ones, and the few local ones with a row per venue. */
export const venueTables = async (db: Queries): Promise<ReadonlySet<string>> =>
  new Set(
    (
      await db.many(sql({ name: 'text' })`
        select c.relname::text as name
          from pg_class c
          join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
          join pg_attribute a on a.attrelid = c.oid and a.attnum = p.conkey[1]
         where c.relnamespace = 'public'::regnamespace and a.attname = 'venue_id'`)
    ).map(({ name }) => name),
  )

/** The same database, but its units of work refuse any statement on one of these tables that does not name their venue. */
export const behindWall = (database: Database, tables: ReadonlySet<string>): Database => {
  const read = new Map<string, VenueTies>()
  const tiesOf = ({ name, text }: Statement<unknown>): VenueTies => {
    let ties = read.get(name)
    if (!ties) read.set(name, (ties = venueTiesOf(text, tables)))
    return ties
  }
  const walled = (queries: Queries): Queries => ({
    ...queries,
    within: (venue) =>
      inside(queries, venue, (statement) => refuseOtherVenue(statement, tiesOf(statement), venue)),
  })
  return {
    ...database,
    ...walled(database),
    transaction: (work) => database.transaction((queries) => work(walled(queries))),
    rehearse: (work) => database.rehearse((queries) => work(walled(queries))),
    longTransaction: (group, work) => database.longTransaction(group, (queries) => work(walled(queries))),
    together: (work) => database.together((queries) => work(walled(queries))),
  }
}

const inside = (
  queries: Queries,
  venue: number,
  check: (statement: Statement<unknown>) => void,
): VenueQueries => {
  /** Rejects instead of throwing, as an error from the database would. */
  const checked = async <Row, Answer>(
    statement: Statement<Row>,
    ask: (statement: Statement<Row>) => Promise<Answer>,
  ): Promise<Answer> => {
    check(statement)
    return ask(statement)
  }
  const own: Queries = {
    ...(queries.inTransaction && { inTransaction: queries.inTransaction }),
    source: queries.source,
    many: (statement) => checked(statement, (one) => queries.many(one)),
    one: (statement) => checked(statement, (one) => queries.one(one)),
    maybe: (statement) => checked(statement, (one) => queries.maybe(one)),
    run: (statement) => checked(statement, (one) => queries.run(one)),
    within: (other) => {
      if (other !== venue) throw new Error(`A unit of work of venue ${venue} was to work for venue ${other}.`)
      return own as VenueQueries
    },
  }
  return own as VenueQueries
}

const refuseOtherVenue = (
  { text, values }: Statement<unknown>,
  { venues, loose }: VenueTies,
  venue: number,
): void => {
  const say = (what: string): never => {
    throw new Error(`A unit of work of venue ${venue} sent a statement ${what}: ${text}`)
  }
  if (loose.length > 0) say(`that does not hold ${loose.join(' and ')} to a venue`)
  for (const number of venues) {
    const value = values[number - 1]
    const isOwn = Array.isArray(value) ? value.every((one) => one === venue) : value === venue
    if (!isOwn) say(`whose $${number} is another venue`)
  }
}
