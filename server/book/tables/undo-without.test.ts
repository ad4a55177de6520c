import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { editReservation } from '../reservations/edits/edits.ts'
import { moveReservation } from '../reservations/moves.ts'
import type { ReservationOutcome } from '../day/outcome.ts'
import { lookAtFreed } from '../waitlist/freed-job.ts'
import { chooseTables } from './choose-tables.ts'
import { four, host, tableScene, tonight } from './test/scene.ts'
import { undoTableChoice } from '../reservations/undo-choice.ts'

describe('the undo of a press that gave a table to a party that staff had left without one', () => {
  const scene = tableScene()
  const { service, made, held } = scene
  const act = <T>(work: Parameters<typeof scene.book.act<T>>[0]) => scene.book.act(work)
  const pressOf = (outcome: ReservationOutcome): readonly number[] => {
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.press ?? []
  }

  /** A party that was taken off its table, and the only table. */
  const without = async () => {
    await scene.open(four, { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const id = await made(4, '19:00')
    pressOf(await act((work) => chooseTables(work, host, { id, tables: [] })))
    const { '1': table } = await scene.ids()
    return { id, table: table as number }
  }
  /** No machine gives it the table that is free, however long it looks. */
  const staysWithout = async (id: number): Promise<void> => {
    service.setClock(service.context.clock().add({ minutes: 2 }).toString())
    const job = { ...service.context, db: service.context.workerDb }
    assert.equal((await lookAtFreed(job)).tables, 0)
    assert.equal((await held())[id], undefined)
    const other = await made(4, '21:00')
    assert.deepEqual(await held(), { [other]: '1' })
  }

  it('a table chosen: it is without one again, and no machine gives it one', async () => {
    const { id, table } = await without()
    const press = pressOf(await act((work) => chooseTables(work, host, { id, tables: [table] })))
    assert.deepEqual(await held(), { [id]: '1!' })
    pressOf(await act((work) => undoTableChoice(work, host, { id, press })))
    await staysWithout(id)
  })

  it('seated: it is expected again, without one', async () => {
    const { id } = await without()
    service.setClock('2026-10-06T22:50:00Z')
    const move = (name: 'seat' | 'undoSeat', press?: readonly number[]) =>
      act((work) => moveReservation(work, host, { id, move: name, press }))
    const press = pressOf(await move('seat'))
    assert.deepEqual(await held(), { [id]: '1' })
    pressOf(await move('undoSeat', press))
    await staysWithout(id)
  })

  it('seated without a table in a full house: its seating is undone later without a question about one', async () => {
    await scene.open(four, { turnMinutes: [{ upTo: 99, minutes: 90 }] })
    const first = await made(4, '19:00')
    const second = await made(4, '20:45')
    service.setClock('2026-10-06T23:00:00Z')
    const seated = await act((work) => moveReservation(work, host, { id: first, move: 'seat' }))
    pressOf(seated)
    const { '1': table } = await scene.ids()
    await scene.book.query('delete from reservation_table where reservation_id = $1', [first])
    pressOf(await act((work) => chooseTables(work, host, { id: second, tables: [table as number] })))
    await scene.book.query(
      `update reservation set time = '19:00', starts_at = '2026-10-06T23:00:00Z', service_minute = 1140 where id = $1`,
      [second],
    )
    const undone = await act((work) => moveReservation(work, host, { id: first, move: 'undoSeat' }))
    assert.equal(undone.kind, 'done', JSON.stringify(undone))
    assert.deepEqual(await held(), { [second]: '1!' })
  })

  it('restored later, without its press: it comes back to none, and nobody is asked about a table', async () => {
    const { id } = await without()
    const move = (name: 'cancel' | 'undoCancel') =>
      act((work) => moveReservation(work, host, { id, move: name, decidedBy: 'guest' }))
    pressOf(await move('cancel'))
    const other = await made(4, '19:00')
    service.setClock(service.context.clock().add({ minutes: 10 }).toString())
    assert.equal((await move('undoCancel')).kind, 'done')
    service.setClock(service.context.clock().add({ minutes: 2 }).toString())
    assert.equal((await lookAtFreed({ ...service.context, db: service.context.workerDb })).tables, 0)
    assert.deepEqual(await held(), { [other]: '1' })
  })

  it('moved to another time: at its old time it is without one again', async () => {
    const { id } = await without()
    const edit = async (time: string, press?: readonly number[]) => {
      const { version: seenVersion } = await scene.book.row(id)
      const changes = { when: scene.book.when(tonight, time) }
      return act((work) => editReservation(work, host, { id, seenVersion, changes, press }))
    }
    const press = pressOf(await edit('20:00'))
    assert.deepEqual(await held(), { [id]: '1' })
    pressOf(await edit('19:00', press))
    await staysWithout(id)
  })

  it('moved to a time at which there is no table: at its old time it is not filled', async () => {
    const { id } = await without()
    const other = await made(4, '21:00')
    const edit = async (time: string, more: object) => {
      const { version: seenVersion } = await scene.book.row(id)
      const changes = { when: scene.book.when(tonight, time) }
      return act((work) => editReservation(work, host, { id, seenVersion, changes, ...more }))
    }
    const press = pressOf(await edit('21:00', { confirmed: ['tables-full'] }))
    assert.deepEqual(await held(), { [other]: '1' })
    pressOf(await edit('19:00', { press }))
    service.setClock(service.context.clock().add({ minutes: 2 }).toString())
    assert.equal((await lookAtFreed({ ...service.context, db: service.context.workerDb })).tables, 0)
    assert.deepEqual(await held(), { [other]: '1' })
  })
})
