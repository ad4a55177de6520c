import type { Queries, Transaction } from '../pool.ts'

/*
 * What a transaction writes with its commit, in the same trip: in the order in which each was first asked for, and only if the
 * work succeeded. Outside of a transaction it is refused, as a crash could come between the work and what goes with it.
 *
 * All that `write` sends, it sends before its first `await`: the commit is sent right behind it. A statement that waited for
 * the answer to another would come after the commit, so it is refused, and can take nothing back anymore.
 */

export const withCommit = (db: Queries, write: () => Promise<unknown>): void =>
  transactionOf(db).beforeCommit(write)

/** What a transaction gathers of each venue, begun where it is first asked for, and writes with its commit. */
export const gatheredWithCommit = <Venue extends number, Gathered, More extends readonly unknown[]>(
  begin: (db: Queries, venue: Venue, ...more: More) => Gathered,
  write: (db: Queries, venue: Venue, gathered: Gathered) => Promise<unknown>,
) => {
  const gatheredBy = new WeakMap<Transaction, Map<Venue, Gathered>>()
  return (db: Queries, venue: Venue, ...more: More): Gathered => {
    const transaction = transactionOf(db)
    const ofVenues = gatheredBy.get(transaction) ?? new Map<Venue, Gathered>()
    const gathered = ofVenues.get(venue) ?? begin(db, venue, ...more)
    if (!ofVenues.has(venue)) transaction.beforeCommit(() => write(db, venue, gathered))
    gatheredBy.set(transaction, ofVenues.set(venue, gathered))
    return gathered
  }
}

const transactionOf = ({ inTransaction }: Queries): Transaction => {
  if (!inTransaction) throw new Error('What goes with a commit was asked for outside of a transaction.')
  return inTransaction
}
