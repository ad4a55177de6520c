import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type EventName, events, eventNames, namesWith } from '@venue-data/contract/webhooks/events.ts'
import { editReservation } from '../../book/reservations/edits/edits.ts'
import { moveReservation } from '../../book/reservations/moves.ts'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'

describe('names of events', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async () => {
    service.setClock('2026-10-06T22:55:00Z')
    book = await openBook(service)
  }
  const add = (wanted: readonly string[], key = book.venue.key) =>
    service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: `https://hooks.bluedoor.com/${Math.random()}`, events: wanted },
    })
  const endpoint = async (wanted: readonly string[], key?: string): Promise<string> => {
    const made = await add(wanted, key)
    assert.equal(made.status, 201, made.text)
    return made.body.id
  }
  type Sent = {
    readonly name: EventName
    readonly late: boolean
    readonly due_at: string
    readonly data: string
  }
  const sentTo = (id: string): Promise<Sent[]> =>
    rowsOf<Sent>(
      service,
      `select d.name, d.late, d.due_at, e.data from delivery d
         join event e on e.venue_id = d.venue_id and e.id = d.event_id
        where d.venue_id = $1 and d.endpoint_id = $2 order by e.id`,
      [book.venue.id, id],
    )
  const namesTo = async (id: string) => (await sentTo(id)).map(({ name }) => name)
  const seat = (id: number) => book.act((work) => moveReservation(work, staff('host'), { id, move: 'seat' }))

  it('that go along with others exist, and are of the same kind of record', () => {
    for (const name of eventNames) {
      for (const more of namesWith([name])) assert.equal(events[more].kind, events[name].kind, name)
    }
  })

  it('a change arrives once, under the most specific subscribed name', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const [old, both] = [
      await endpoint(['reservation.updated']),
      await endpoint(['reservation.updated', 'reservation.seated']),
    ]
    await seat(id)
    assert.deepEqual(await namesTo(old), ['reservation.updated'])
    assert.deepEqual(await namesTo(both), ['reservation.seated'])
    assert.deepEqual([(await sentTo(old))[0]?.late, (await sentTo(both))[0]?.late], [false, true])
  })

  it('reservation.* is every event of reservations, * every event', async () => {
    await fresh()
    const [reservations, all, tasks] = [
      await endpoint(['reservation.*']),
      await endpoint(['*']),
      await endpoint(['task.*']),
    ]
    await service.call('POST', '/api/v1/tasks', { key: book.venue.key, body: { title: 'Order napkins' } })
    await seat(await book.booking('Confirmed'))
    assert.deepEqual(await namesTo(reservations), ['reservation.created', 'reservation.seated'])
    assert.deepEqual(await namesTo(tasks), ['task.created'])
    assert.deepEqual(await namesTo(all), ['task.created', 'reservation.created', 'reservation.seated'])
  })

  it('a pattern that matches nothing is 400', async () => {
    await fresh()
    for (const wanted of ['nope.*', 'reservation', 'reservation.', '.*', '**', 'reservation.sea*', 'ping']) {
      assert.equal((await add([wanted])).status, 400, wanted)
    }
  })

  it('the revision rises with each event of a record', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    for (let edit = 0; edit < 50; edit++) {
      const { version: seenVersion } = await book.row(id)
      const changes = edit % 2 ? { notes: `Note ${edit}` } : { partySize: 2 + (edit % 7) }
      await book.act((work) => editReservation(work, staff('manager'), { id, seenVersion, changes }))
    }
    const rows = await rowsOf<{ revision: number; record_kind: string; record_id: number; data: string }>(
      service,
      `select revision, record_kind, record_id, data from event
        where venue_id = $1 and record_kind = 'reservation' order by id`,
      [book.venue.id],
    )
    assert.ok(rows.length > 40)
    for (const [place, { revision, data, ...record }] of rows.entries()) {
      assert.deepEqual(record, { record_kind: 'reservation', record_id: id })
      assert.equal(revision, JSON.parse(data).revision)
      assert.ok(place === 0 || revision > (rows[place - 1]?.revision ?? 0))
    }
  })

  it('an event says what changed, and what it was', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const { version: seenVersion } = await book.row(id)
    const changes = { partySize: 5, notes: 'By the window', when: book.when('2026-10-06', '20:00') }
    await book.act((work) => editReservation(work, staff('manager'), { id, seenVersion, changes }))
    const [told] = await rowsOf<Record<string, unknown>>(
      service,
      'select names, changed, previous from event where venue_id = $1 order by id desc limit 1',
      [book.venue.id],
    )
    assert.deepEqual(told?.['names'], [
      'reservation.rescheduled',
      'reservation.resized',
      'reservation.details_changed',
      'reservation.updated',
    ])
    assert.deepEqual(told?.['changed'], ['partySize', 'time', 'notes'])
    assert.deepEqual(JSON.parse(String(told?.['previous'])), { partySize: 2, time: '19:00', notes: null })
  })

  it('a key gets no events of what it may not read, with any pattern', async () => {
    await fresh()
    const of = await book.venue.makeKey('read_write')
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [of.id])
    const before = await endpoint(['*'], of.key)
    const narrow = await book.venue.makeKey('read_write')
    await rowsOf(service, `update api_key set scopes = '{webhooks:manage,tasks:read}' where id = $1`, [
      narrow.id,
    ])
    const tasksOnly = await endpoint(['*'], narrow.key)
    assert.deepEqual((await add(['guest.created'], narrow.key)).body.reason, 'scope-missing')
    await service.call('POST', '/api/v1/tasks', { key: book.venue.key, body: { title: 'Order napkins' } })
    await service.call('POST', '/api/v1/guests', { key: book.venue.key, body: { email: 'ada@example.com' } })
    assert.deepEqual(await namesTo(before), ['guest.created'])
    assert.deepEqual(await namesTo(tasksOnly), ['task.created'])
  })

  it('changes to a guest’s counters alone are sent once a minute, with the current values', async () => {
    await fresh()
    const id = await endpoint(['guest.updated'])
    const party = { email: 'maya@example.com', guestName: 'Maya' }
    const [first, second] = [await book.booking('Confirmed', party), await book.booking('Confirmed', party)]
    await seat(first)
    service.setClock('2026-10-06T22:55:40Z')
    await seat(second)
    const [one, ...others] = await sentTo(id)
    assert.deepEqual(others, [])
    assert.equal(JSON.parse(one?.data ?? '').visitCount, 2)
    assert.equal(one?.due_at, '2026-10-06T22:56:00.000Z')
    service.setClock('2026-10-06T22:56:00Z')
    await book.act((work) => moveReservation(work, staff('host'), { id: second, move: 'undoSeat' }))
    assert.deepEqual(
      (await sentTo(id)).map(({ data, due_at }) => [JSON.parse(data).visitCount, due_at]),
      [
        [2, '2026-10-06T22:56:00.000Z'],
        [1, '2026-10-06T22:57:00.000Z'],
      ],
    )
  })
})
