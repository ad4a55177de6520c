import { type TestBook, dinner, openBook } from '../../../book/reservations/test/book.ts'
import { type TestTable, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { staffOf } from '../../office.ts'
import type { TestService } from '../../service.ts'
import type { TestBrowser, Visitor } from '../browser.ts'

/** A venue of which these tables decide, and a host of it, signed in. */
export const hostWithTables = async (
  service: TestService,
  browser: TestBrowser,
  tables: readonly TestTable[],
  more: object = {},
): Promise<{ book: TestBook; host: Visitor; page: Visitor['page'] }> => {
  const book = await openBook(service, dinner({ ...tablesOf(tables), ...more }))
  await turnTablesOn(service, book.venue)
  const host = await browser.visitor(service)
  await host.signIn((await staffOf(service, book.venue, 'host')).email)
  return { book, host, page: host.page }
}

/** Tables for four. */
export const fours = (...labels: readonly string[]): readonly TestTable[] =>
  labels.map((label) => ({ label, most: 4 }))
