import { after, before, beforeEach } from 'node:test'
import { type TestBook, openBook } from '../../../book/reservations/test/book.ts'
import { openGate } from '../../../platform/db/gate.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { countFigures } from '../count-figures.ts'
import type { CountedFigure } from '../figure-names.ts'
import { rollingUp } from '../roll-up.ts'

const gate = openGate({ places: 4, waitMs: 60_000 })

/** A new book for each test of the `describe` it is called in, whose figures are counted, and whose sums the job makes when asked. */
export const countedBook = () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    book = await openBook(service)
  })
  return {
    get service() {
      return service
    },
    get book() {
      return book
    },
    makeSums: () => rollingUp(service.context)(new AbortController().signal),
    /** The rows of one figure. */
    rowsOf: async (
      name: CountedFigure,
      days: { readonly from: string; readonly to: string },
      compare?: 'before' | 'year',
    ) => {
      const { figures } = await book.act((work) =>
        countFigures(work, gate, { ...days, names: [name], compare }),
      )
      return figures[0]?.rows ?? []
    },
  }
}
