import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { openBook, staff } from '../../book/reservations/test/book.ts'
import { openGate } from '../../platform/db/gate.ts'
import { eventually } from '../../test/eventually.ts'
import { type TestService, startService } from '../../test/service.ts'
import { startWorker } from '../../worker/worker.ts'
import { countFigures } from './count-figures.ts'

const gate = openGate({ places: 4, waitMs: 60_000 })

describe('sums of past days, made by the worker', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('follow a booking that moves from one past day to another while it runs, on both, though nobody asks it to', async (t) => {
    const book = await openBook(service)
    const [from, to] = ['2026-09-28', '2026-09-30']
    const id = await book.booking('Completed', { date: from, partySize: 3 })
    await book.booking('Completed', { date: to, partySize: 5 })
    const kept = async (): Promise<string> =>
      (
        await book.query(
          `select service_date::text as date, body #>> '{sizes}' as sizes from report_day d
            where venue_id = $1 and not exists (
              select from report_mark m where m.venue_id = d.venue_id and m.service_date = d.service_date)
            order by 1`,
          [book.venue.id],
        )
      )
        .map(({ date, sizes }) => `${String(date)} ${String(sizes)}`)
        .join(' ')
    const shown = async (): Promise<string[]> => {
      const { figures } = await book.act((work) =>
        countFigures(work, gate, { from, to, names: ['covers'], compare: undefined }),
      )
      return (figures[0]?.rows ?? []).map(({ key, n }) => `${String(key['date'])}: ${n}`)
    }
    const worker = startWorker(service.context)
    t.after(() => worker.stop())
    await eventually(async () => (await kept()) === `${from} {"size=3":[1,0]} ${to} {"size=5":[1,0]}`)
    const { version } = await book.row(id)
    const moved = await book.act((work) =>
      editReservation(work, staff('manager'), {
        ...{ id, seenVersion: version, changes: { when: book.when(to, '20:00') } },
        confirmed: ['another-day', 'in-the-past'] as never,
      }),
    )
    assert.equal(moved.kind, 'done', JSON.stringify(moved))
    assert.deepEqual(await shown(), [`${to}: 8`], 'at once: counted from the bookings')
    // It looks every ten seconds.
    await eventually(async () => /^2026-09-28 (?:null|{})? ?2026-09-30 .*"size=3"/.test(await kept()), {
      times: 3,
    })
    assert.deepEqual(await shown(), [`${to}: 8`])
  })
})
