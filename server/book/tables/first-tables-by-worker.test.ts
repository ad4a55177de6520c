import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { moveReservation } from '../reservations/moves.ts'
import { eventually } from '../../test/eventually.ts'
import { startWorker } from '../../worker/worker.ts'
import { tableScene } from './test/scene.ts'

/** Late, here before its time, and due in ten minutes, at ten past seven; each waits for a table of its own kind. */
const waiting = [
  { size: 2, time: '18:50', arrives: false },
  { size: 4, time: '19:30', arrives: true },
  { size: 6, time: '19:20', arrives: false },
] as const

describe('with a worker running', () => {
  const scene = tableScene()
  const { service, made, move, held } = scene
  const open = async () => {
    await scene.open(
      [
        { label: '1', least: 1, most: 2 },
        { label: '2', least: 3, most: 4 },
        { label: '3', least: 5, most: 6 },
      ],
      { turnMinutes: [{ upTo: 99, minutes: 90 }] },
    )
    const having: number[] = []
    const without: number[] = []
    // Booked for a little later, so that to cancel them can be undone.
    for (const { size } of waiting) having.push(await made(size, '19:45'))
    for (const { size, time } of waiting) without.push(await made(size, time, { confirmed: ['tables-full'] }))
    service.setClock('2026-10-06T23:10:00Z')
    for (const [n, { arrives }] of waiting.entries()) if (arrives) await move(without[n] as number, 'arrive')
    return { having, without }
  }
  const tablesOf = async (ids: readonly number[]) => {
    const now = await held()
    return ids.map((id) => now[id])
  }
  const working = async (work: (worker: ReturnType<typeof startWorker>) => Promise<void>) => {
    const worker = startWorker(service.context)
    try {
      await work(worker)
    } finally {
      await worker.stop()
    }
  }

  it('a party that is late, here or due soon gets the table that connected software freed, with nobody pressing and no clock moved', async () => {
    const { having, without } = await open()
    await working(async () => {
      for (const id of having)
        await scene.book.act((work) =>
          moveReservation(work, { kind: 'key', id: 1 }, { id, move: 'cancel', decidedBy: 'staff' }),
        )
      await eventually(async () => (await tablesOf(without)).join() === '1,2,3')
    })
  })

  it('and the table that a press of staff freed within three seconds of its half minute, not before', async () => {
    const { having, without } = await open()
    await working(async ({ catchUp }) => {
      for (const id of having) assert.equal((await move(id, 'cancel')).kind, 'done')
      service.setClock('2026-10-06T23:10:29Z')
      await catchUp()
      assert.deepEqual(await tablesOf(without), [undefined, undefined, undefined])
      service.setClock('2026-10-06T23:10:33Z')
      await catchUp()
      assert.deepEqual(await tablesOf(without), ['1', '2', '3'])
    })
  })
})
