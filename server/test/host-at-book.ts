import { type TestBook, openBook } from '../book/reservations/test/book.ts'
import { type OfficeVisitor, staffOf, visitOffice } from './office.ts'
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
