import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { walkIn } from '../reservations/bookings.ts'
import { undoTableChoice } from '../reservations/undo-choice.ts'
import { chooseTables, swapTables } from './choose-tables.ts'
import { host, tableScene } from './test/scene.ts'

const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('a party that sits and is put at another table needs it from now on', () => {
  const scene = tableScene()
  const { service, open, held } = scene
  const at = (time: string) =>
    service.setClock(Temporal.Instant.from(`2026-10-06T${time}:00-04:00`).toString())
  const idOf = async (label: string) => (await scene.ids())[label] as number
  const sits = async (label: string, time: string): Promise<number> => {
    at(time)
    const tables = [await idOf(label)]
    const party = { guestName: label, email: null, phone: null, notes: null, partySize: 2, tables }
    const outcome = await scene.book.act((work) => walkIn(work, host, party))
    assert.ok(outcome.kind === 'done', JSON.stringify(outcome))
    return outcome.record.id
  }
  /** Booked for a time that is over, and neither came nor was marked as a no-show. */
  const neverCame = async (label: string, time: string): Promise<void> => {
    const id = await scene.book.booking('Confirmed', { guestName: 'Stern', partySize: 2, time })
    await scene.book.query('delete from reservation_table where reservation_id = $1', [id])
    await scene.book.query(
      'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
      [scene.book.venue.id, id, await idOf(label)],
    )
  }
  const two = [
    { label: '1', most: 2 },
    { label: '2', most: 2 },
  ]

  it('a party that was to be there before that, and never came, is in nobody’s way', async () => {
    await open([...two, { label: '3', most: 2 }], ninety)
    const first = await sits('1', '19:00')
    const second = await sits('2', '19:05')
    for (const label of ['1', '2', '3']) await neverCame(label, '18:00')
    at('19:40')
    const press = await scene.book.act((work) => swapTables(work, host, { ids: [first, second] }))
    assert.equal(press.kind, 'done', JSON.stringify(press))
    const moved = await scene.book.act(async (work) =>
      chooseTables(work, host, { id: first, tables: [await idOf('3')] }),
    )
    assert.equal(moved.kind, 'done', JSON.stringify(moved))
    const { [first]: one, [second]: other } = await held()
    assert.deepEqual([one, other], ['3!', '1!'])
  })

  it('one that sat over its time is asked about when an Undo brings it back where others sit by now', async () => {
    await open(two, ninety)
    const first = await sits('1', '19:00')
    at('20:45')
    const made = await scene.book.act(async (work) =>
      chooseTables(work, host, { id: first, tables: [await idOf('2')] }),
    )
    assert.ok(made.kind === 'done')
    const second = await sits('1', '20:45')
    const press = made.press ?? []
    const undone = await scene.book.act((work) => undoTableChoice(work, host, { id: first, press }))
    assert.equal(undone.kind, 'needs override', 'staff are asked')
    const { [first]: one, [second]: other } = await held()
    assert.deepEqual([one, other], ['2!', '1!'])
  })
})
