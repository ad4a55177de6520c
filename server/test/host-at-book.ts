import { type TestBook, dinner, openBook } from '../book/reservations/test/book.ts'
import { type TestTable, tablesOf, turnTablesOn } from '../book/tables/test/floor.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from './office.ts'
import type { TestService } from './service.ts'

/** A venue with a book, and a host of it who is signed in. */
export const hostAtBook = async (
  service: TestService,
  document?: object,
): Promise<{ book: TestBook; host: OfficeVisitor }> => {
  const book = await openBook(service, document)
  const host = visitOffice(service)
  await host.signIn((await staffOf(service, book.venue, 'host')).email)
  return { book, host }
}

/** The same where these tables decide, whose ids are in `table` by their labels. */
export const hostAtTables = async (
  service: TestService,
  tables: readonly TestTable[],
  rules: object = {},
): Promise<{ book: TestBook; host: OfficeVisitor; table: Record<string, string> }> => {
  const { book, host } = await hostAtBook(service, dinner({ ...tablesOf(tables), ...rules }))
  await turnTablesOn(service, book.venue)
  const rows = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
  return { book, host, table: Object.fromEntries(rows.map(({ id, label }) => [label, String(id)])) }
}

/** What the pad of sizes at the door answers. */
export const padIn = ({ html }: Pick<Seen, 'html'>): string =>
  /<div id="pad-answer"[^]*?<\/form>/.exec(html)?.[0] ?? ''

/** What somebody reads of a part of a page. */
export const wordsOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([,.])/g, '$1')

/** A confirmed party of two at the table with a label, or at none, wherever it would have been put. */
export const bookedAt = async (
  { book, table }: { readonly book: TestBook; readonly table: Readonly<Record<string, string>> },
  party: { readonly guestName: string; readonly time: string },
  label?: string,
): Promise<number> => {
  const id = await book.booking('Confirmed', { ...party, partySize: 2 })
  await book.query('delete from reservation_table where reservation_id = $1', [id])
  if (label !== undefined)
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)`,
      [book.venue.id, id, table[label]],
    )
  return id
}
