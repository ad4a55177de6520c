import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import { erasePerson } from '../../../data/erasure/erase.ts'
import { type Answer, type TestService, startService } from '../../../test/service.ts'
import { answerChange } from './answer-change.ts'
import { deleteReservation } from '../delete-reservation.ts'
import { editReservation } from '../edits/edits.ts'
import { lapseChanges } from '../jobs.ts'
import { moveReservation } from '../moves.ts'
import { pendingChange } from './pending-change.ts'
import { type TestBook, dinner, openBook, staff } from '../test/book.ts'

const afternoon = '2026-10-06T19:00:00Z'
const capped = dinner({ pacing: { intervalMinutes: 15, maxCovers: 10, maxParties: null } })
const tonight = '2026-10-06'

describe('changing a reservation by API', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async (document: object = capped) => {
    service.setClock(afternoon)
    book = await openBook(service, document)
  }
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.call(method, `/api/v1/reservations${path}`, {
      key: book.venue.key,
      headers: { 'if-match': '*', ...headers },
      ...(body !== undefined && { body }),
    })
  const patch = (id: number, body: unknown, headers = {}, query = '') =>
    call('PATCH', `/${id}${query}`, body, headers)
  const read = async (id: number) => (await call('GET', `/${id}`)).body
  const refusedWith = ({ status, body }: Answer, reason: string, expected = 409): void => {
    assert.deepEqual([status, body.reason], [expected, reason], JSON.stringify(body))
  }
  const names = async () => (await book.told()).map(({ name }) => name)
  const pending = (id: number) => book.act(({ db, venue, now }) => pendingChange(db, venue.id, id, now()))
  const answer = async (
    id: number,
    answered: 'accept' | 'decline',
    confirmed: 'pacing-covers-full'[] = [],
  ) => {
    const change = await pending(id)
    assert.ok(change)
    return book.act((work) =>
      answerChange(work, staff('host'), { id, change: change.id, answer: answered, confirmed }),
    )
  }
  /** Guests who take up so many places at 19:00, and another time. */
  const taken = (partySize: number, time = '19:00') => book.booking('Confirmed', { partySize, time })

  describe('words', () => {
    it('of a confirmed booking apply at once, and its status stays', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      const body = { guestName: 'Maya Okafor', notes: 'A booth.', email: 'maya@example.com' }
      const { status, body: reply } = await patch(id, body)
      assert.deepEqual([status, reply.changed, reply.reservation.status], [200, true, 'Confirmed'])
      assert.deepEqual({ ...reply.reservation, ...body }, reply.reservation)
      assert.deepEqual(await read(id), reply.reservation)
      assert.ok(!(await names()).includes('reservation.updated'))
      assert.equal((await patch(id, body)).body.changed, false)
    })

    it('null empties them; what is left out, and an empty text, stay', async () => {
      await fresh()
      const id = await book.booking('Requested')
      await patch(id, { notes: 'A booth.', email: 'maya@example.com', phone: '212 555 0147' })
      const { body } = await patch(id, { notes: null, email: '' })
      const { notes, email, phone } = body.reservation
      assert.deepEqual([notes, email, phone], [null, 'maya@example.com', '212 555 0147'])
      assert.equal((await patch(id, { guestName: null })).status, 400)
      assert.match((await patch(id, { tableName: 'x' })).body.error, /^Name at least one field to change/)
    })

    it('new contact details are matched to a guest', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      await patch(id, { email: 'new@example.com' })
      assert.deepEqual(await names(), ['guest.created'])
      const { guest_id } = await book.row(id)
      assert.ok(guest_id)
    })
  })

  describe('a request', () => {
    it('is not moved into a full slot, and stays as it was', async () => {
      await fresh()
      await taken(9)
      const id = await book.booking('Requested', { time: '20:00' })
      const before = await read(id)
      refusedWith(await patch(id, { time: '19:00' }), 'pacing-covers-full')
      assert.deepEqual([await read(id), await names()], [before, []])
    })

    it('may grow by the places that are left and no more', async () => {
      await fresh()
      await taken(7)
      const id = await book.booking('Requested', { partySize: 2 })
      refusedWith(await patch(id, { partySize: 4 }), 'pacing-covers-full')
      const { status, body } = await patch(id, { partySize: 3 })
      assert.deepEqual([status, body.reservation.partySize, body.reservation.status], [200, 3, 'Requested'])
      assert.deepEqual(await names(), ['reservation.updated'])
    })

    it('keeps what is not named: the date alone, the time alone, or both by startsAt', async () => {
      await fresh()
      const id = await book.booking('Requested')
      const when = async (body: object) => {
        const { reservation } = (await patch(id, body)).body
        return `${reservation.date} ${reservation.time}`
      }
      assert.equal(await when({ date: '2026-10-08' }), '2026-10-08 19:00')
      assert.equal(await when({ time: '8pm' }), '2026-10-08 20:00')
      assert.equal(await when({ startsAt: '2026-10-10T00:30:00-04:00' }), '2026-10-10 00:30')
      assert.equal((await book.row(id)).service_date, '2026-10-09')
    })

    it('a date on which the clocks skip its time is 400 and says so', async () => {
      await fresh(dinner({ periods: [{ weekday: 7, name: 'Night', opens: '01:00', closes: '05:00' }] }))
      const id = await book.booking('Requested', { date: '2026-10-11', time: '02:30' })
      const { status, body } = await patch(id, { date: '2027-03-14' })
      assert.equal(status, 400)
      assert.match(body.error, /^02:30 does not exist on 14 March 2027/)
    })

    it('a time that cannot be read is 400 before anything else, whether or not there is such a booking', async () => {
      await fresh()
      for (const body of [{ date: 'tomorrow' }, { time: '7' }, { startsAt: '2026-10-06' }])
        assert.equal((await patch(404_404, body, { 'if-match': '"7.x"' })).status, 400)
      assert.equal((await patch(404_404, { time: '20:00' })).status, 404)
    })

    it('a refusal names the nearest open times when asked, its own place among them', async () => {
      await fresh()
      await taken(8, '19:15')
      await taken(6)
      const id = await book.booking('Requested', { partySize: 4 })
      const { body } = await patch(id, { time: '19:15' }, {}, '?alternatives=2')
      assert.equal(body.reason, 'pacing-covers-full')
      assert.deepEqual(
        body.alternatives.map(({ time }: { time: string }) => time),
        ['19:00', '19:30'],
      )
      assert.equal('alternatives' in (await patch(id, { time: '19:15' })).body, false)
    })
  })

  describe('a confirmed booking', () => {
    it('another time is asked of the venue; the booking stays, and the new place is held', async () => {
      await fresh()
      const id = await book.booking('Confirmed', { partySize: 4 })
      const before = await read(id)
      const { status, body } = await patch(id, { time: '20:00' })
      assert.equal(status, 202)
      assert.deepEqual(body, {
        reservation: before,
        change: {
          id: body.change.id,
          status: 'pending',
          date: tonight,
          time: '20:00',
          partySize: 4,
          askedAt: '2026-10-06T19:00:00.000Z',
          expiresAt: '2026-10-06T23:00:00.000Z',
        },
      })
      assert.deepEqual(await read(id), before)
      const request = { guestName: 'Ada', date: tonight, time: '20:00' }
      const full = await call('POST', '', { ...request, partySize: 7 })
      assert.equal(full.body.error, 'There are only 6 places left at 20:00.')
      const open = async (partySize: number) => {
        const path = `/api/v1/availability?date=${tonight}&partySize=${partySize}`
        const { body: found } = await service.call('GET', path, { key: book.venue.key })
        return found.days[0].slots.map(({ time }: { time: string }) => time)
      }
      assert.deepEqual([(await open(7)).includes('20:00'), (await open(6)).includes('20:00')], [false, true])
      assert.equal((await call('POST', '', { ...request, partySize: 6 })).status, 201)
      // Its own place is still its own.
      refusedWith(await call('POST', '', { ...request, time: '19:00', partySize: 7 }), 'pacing-covers-full')
    })

    it('more guests in the same slot hold only what is new', async () => {
      await fresh()
      const id = await book.booking('Confirmed', { partySize: 4 })
      assert.equal((await patch(id, { partySize: 6, time: '19:10' })).status, 202)
      const load = async (partySize: number) => {
        const query = `date=${tonight}&time=19:05&partySize=${partySize}`
        const { body } = await service.call('GET', `/api/v1/availability/check?${query}`, {
          key: book.venue.key,
        })
        const path = `/api/v1/availability?date=${tonight}&partySize=${partySize}`
        const { body: days } = await service.call('GET', path, { key: book.venue.key })
        const times = days.days[0].slots.map(({ time }: { time: string }) => time)
        assert.equal(times.includes('19:00'), body.ok)
        return body.ok
      }
      assert.deepEqual([await load(4), await load(5)], [true, false])
    })

    it('text fields sent with a new time apply at once, and the reply shows them', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      const { status, body } = await patch(id, { time: '20:00', notes: 'A booth.' })
      assert.deepEqual([status, body.reservation.notes, body.reservation.time], [202, 'A booth.', '19:00'])
      assert.equal((await patch(id, { guestName: 'Ada' })).status, 200)
      assert.ok(await pending(id))
    })

    it('fewer guests at the same time apply at once', async () => {
      await fresh(dinner({ minParty: 2 }))
      const id = await book.booking('Confirmed', { partySize: 4 })
      const { status, body } = await patch(id, { partySize: 3 })
      assert.deepEqual([status, body.reservation.partySize, body.reservation.status], [200, 3, 'Confirmed'])
      assert.deepEqual(await names(), ['reservation.updated'])
      refusedWith(await patch(id, { partySize: 1 }), 'party-too-small')
    })

    it('accepted it has the new time, with one event; declined nothing has changed', async () => {
      await fresh()
      const [moved, kept] = [await book.booking('Confirmed'), await book.booking('Confirmed')]
      for (const id of [moved, kept])
        assert.equal((await patch(id, { time: '20:00', partySize: 3 })).status, 202)
      await names()
      assert.equal((await answer(moved, 'accept')).kind, 'done')
      const { time, partySize, status } = await read(moved)
      assert.deepEqual([time, partySize, status], ['20:00', 3, 'Confirmed'])
      assert.deepEqual(await names(), ['reservation.updated'])
      const before = await read(kept)
      assert.equal((await answer(kept, 'decline')).kind, 'done')
      assert.deepEqual([await read(kept), await names()], [before, []])
      assert.deepEqual([await pending(moved), await pending(kept)], [undefined, undefined])
    })

    it('what the rules say by then is shown to staff before they accept, and may be overridden', async () => {
      await fresh()
      const id = await book.booking('Confirmed', { partySize: 4 })
      await patch(id, { time: '20:00' })
      await book.rules(dinner({ pacing: { intervalMinutes: 15, maxCovers: 3, maxParties: null } }))
      const asked = await answer(id, 'accept')
      assert.deepEqual(
        asked.kind === 'needs override' && asked.reasons.map(({ reason, figure }) => [reason, figure]),
        [['pacing-covers-full', '4 of 3']],
      )
      assert.equal((await answer(id, 'accept', ['pacing-covers-full'])).kind, 'done')
      assert.equal((await read(id)).time, '20:00')
    })

    it('a second change is refused while one waits', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      await patch(id, { time: '20:00' })
      const second = await patch(id, { partySize: 5 })
      refusedWith(second, 'change-pending')
      assert.equal(
        second.body.error,
        'The venue has not yet answered the change to 20:00 on Tuesday 6 October, 2 guests.',
      )
    })

    it('a change is withdrawn, once, and its place is free again', async () => {
      await fresh()
      const id = await book.booking('Confirmed', { partySize: 4 })
      await patch(id, { time: '20:00' })
      const { status, body } = await call('DELETE', `/${id}/change`)
      assert.deepEqual([status, body.change.status, body.reservation], [200, 'withdrawn', await read(id)])
      assert.equal(
        (await call('POST', '', { guestName: 'Ada', date: tonight, time: '20:00', partySize: 10 })).status,
        201,
      )
      const again = await call('DELETE', `/${id}/change`)
      assert.deepEqual(
        [again.status, again.body.error],
        [404, 'No change of this reservation waits for an answer.'],
      )
      assert.equal(
        (await call('DELETE', '/404404/change')).body.error,
        'There is no such reservation at this venue.',
      )
    })

    it('any key that may read bookings can read it while it is pending; with none, or once answered or lapsed, it is 404', async () => {
      await fresh()
      const [id, quiet] = [await book.booking('Confirmed'), await book.booking('Confirmed')]
      const asked = await patch(id, { time: '20:00', partySize: 3 })
      const get = (of: number, key = book.venue.key) =>
        service.call('GET', `/api/v1/reservations/${of}/change`, { key })
      const { key } = await book.venue.makeKey('read')
      const waiting = await get(id, key)
      assert.deepEqual([waiting.status, waiting.body], [200, asked.body.change])
      const none = 'No change of this reservation waits for an answer.'
      assert.deepEqual([(await get(quiet)).status, (await get(quiet)).body.error], [404, none])
      const [unknown, foreign] = [await get(404_404), await get(id, (await service.venue()).key)]
      assert.deepEqual(
        [unknown.status, unknown.body],
        [404, { error: 'There is no such reservation at this venue.' }],
      )
      assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
      const tasks = await book.venue.makeKey('read')
      await book.query(`update api_key set scopes = '{tasks:read}' where id = $1`, [tasks.id])
      refusedWith(await get(id, tasks.key), 'scope-missing', 403)
      service.setClock('2026-10-06T23:00:00Z')
      assert.deepEqual([(await get(id)).status, (await get(id)).body.error], [404, none])
      service.setClock(afternoon)
      assert.equal((await get(id)).status, 200)
      await answer(id, 'decline')
      assert.equal((await get(id)).status, 404)
      await book.act((work) => deleteReservation(work, staff('manager'), quiet))
      refusedWith(await get(quiet), 'deleted', 410)
    })

    it('the event of its answer says how it ended, whichever way that was', async () => {
      await fresh()
      const ended = async (end: (id: number) => Promise<unknown>, at = afternoon) => {
        const id = await book.booking('Confirmed')
        assert.equal((await patch(id, { time: '20:00' })).status, 202)
        service.setClock(at)
        await end(id)
        service.setClock(afternoon)
        const { body } = await service.call('GET', `/api/v1/events?record=reservation:${id}&limit=100`, {
          key: book.venue.key,
        })
        return (body.items as { names: string[]; answer: string | null }[])
          .filter(({ names, answer }) => names.includes('reservation.change_answered') || answer !== null)
          .map(({ names, answer }) => [names.includes('reservation.change_answered'), answer])
      }
      const late = '2026-10-06T23:00:00Z'
      assert.deepEqual(await ended((id) => answer(id, 'accept')), [[true, 'accepted']])
      assert.deepEqual(await ended((id) => answer(id, 'decline')), [[true, 'declined']])
      assert.deepEqual(await ended((id) => call('DELETE', `/${id}/change`)), [[true, 'withdrawn']])
      assert.deepEqual(await ended((id) => call('POST', `/${id}/cancel`)), [[true, 'lapsed']])
      assert.deepEqual(await ended(() => lapseChanges(service.context), late), [[true, 'lapsed']])
      const byStaff = async (id: number) => {
        const { version: seenVersion } = await book.row(id)
        await book.act((work) =>
          editReservation(work, staff('host'), { id, seenVersion, changes: { partySize: 3 } }),
        )
      }
      assert.deepEqual(await ended(byStaff), [[true, 'lapsed']])
    })

    it('one that has lapsed is reported before the next is asked', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      await patch(id, { time: '18:00' })
      service.setClock('2026-10-06T22:00:00Z')
      await book.toldAll()
      assert.equal((await patch(id, { time: '21:00' })).status, 202)
      assert.deepEqual(
        (await book.toldAll()).map(({ name }) => name),
        ['reservation.change_answered', 'reservation.change_requested'],
      )
    })

    it('it lapses when the earlier of the two arrivals comes', async () => {
      await fresh()
      const id = await book.booking('Confirmed', { partySize: 4 })
      await patch(id, { time: '18:00' })
      const room = () => call('POST', '', { guestName: 'Ada', date: tonight, time: '18:00', partySize: 10 })
      refusedWith(await room(), 'pacing-covers-full')
      service.setClock('2026-10-06T22:00:00Z')
      assert.equal(await pending(id), undefined)
      assert.equal((await patch(id, { time: '21:00' })).status, 202)
      service.setClock('2026-10-06T23:00:00Z')
      refusedWith(await patch(id, { time: '22:00' }), 'too-late')
    })

    it('it lapses when the booking is cancelled, and when staff set another time themselves', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      await patch(id, { time: '20:00' })
      assert.equal((await call('POST', `/${id}/cancel`)).status, 200)
      assert.equal(await pending(id), undefined)
      const other = await book.booking('Confirmed')
      await patch(other, { time: '20:00' })
      const { version: seenVersion } = await book.row(other)
      await book.act((work) =>
        editReservation(work, staff('host'), { id: other, seenVersion, changes: { partySize: 6 } }),
      )
      assert.equal(await pending(other), undefined)
    })

    it('the undo of what it lapsed with has it wait again, and says so; not one that was answered, or whose time came', async () => {
      await fresh()
      const lapsing = async (move: 'cancel' | 'seat') => {
        const id = await book.booking('Confirmed')
        const { change } = (await patch(id, { time: '20:00' })).body
        await book.act((work) =>
          moveReservation(work, staff('host'), {
            id,
            move,
            ...(move === 'cancel' && { decidedBy: 'guest' }),
          }),
        )
        assert.equal(await pending(id), undefined)
        return { id, change }
      }
      const undo = async (id: number, move: 'undoCancel' | 'undoSeat') => {
        const undone = await book.act((work) => moveReservation(work, staff('host'), { id, move }))
        assert.equal(undone.kind, 'done')
      }
      for (const [move, back] of [
        ['cancel', 'undoCancel'],
        ['seat', 'undoSeat'],
      ] as const) {
        const { id, change } = await lapsing(move)
        await undo(id, back)
        assert.equal((await pending(id))?.id, change.id, move)
        const { body } = await service.call('GET', `/api/v1/events?record=reservation:${id}&limit=100`, {
          key: book.venue.key,
        })
        const told = (body.items as { names: string[] }[]).map(({ names }) =>
          names.filter((name) => name.includes('change_')),
        )
        const asks = ['reservation.change_requested']
        const said = told.filter((names) => names.length > 0)
        assert.deepEqual(said, [asks, ['reservation.change_answered'], asks])
        assert.equal((await answer(id, 'accept')).kind, 'done')
        assert.equal((await read(id)).time, '20:00')
      }
      const late = await lapsing('cancel')
      service.setClock('2026-10-06T23:00:00Z')
      await undo(late.id, 'undoCancel')
      assert.equal(await pending(late.id), undefined)
      service.setClock(afternoon)
      const other = await book.booking('Confirmed')
      await patch(other, { time: '20:00' })
      await answer(other, 'decline')
      await patch(other, { time: '21:00' })
      await call('DELETE', `/${other}/change`)
      await book.act((work) =>
        moveReservation(work, staff('host'), { id: other, move: 'cancel', decidedBy: 'guest' }),
      )
      await undo(other, 'undoCancel')
      assert.equal(await pending(other), undefined)
    })

    it('of staff who answer and a key that withdraws at once, one does', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      await patch(id, { time: '20:00' })
      const [outcome, withdrawn] = await Promise.all([answer(id, 'accept'), call('DELETE', `/${id}/change`)])
      const moved = (await read(id)).time === '20:00'
      assert.deepEqual([outcome.kind === 'done', withdrawn.status === 200], [moved, !moved])
    })

    it('where the owner wants it so, a change that every rule allows applies at once', async () => {
      await fresh()
      await book.query(`update booking_settings set api_changes = 'direct' where venue_id = $1`, [
        book.venue.id,
      ])
      const id = await book.booking('Confirmed')
      await taken(9, '20:00')
      refusedWith(await patch(id, { time: '20:00' }), 'pacing-covers-full')
      const { status, body } = await patch(id, { time: '21:00' })
      assert.deepEqual([status, body.reservation.time, body.reservation.status], [200, '21:00', 'Confirmed'])
      assert.equal(await pending(id), undefined)
    })
  })

  it('fields that staff set are 403, before other fields, and nothing is done', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const before = await read(id)
    for (const field of ['status', 'source', 'cancelledAt', 'cancelledBy', 'confirmed', 'override']) {
      const refused = await patch(id, { guestName: 'Ada', partySize: 'four', [field]: null })
      refusedWith(refused, 'staff-only', 403)
      assert.equal(refused.body.error, `A key cannot set ${field}.`)
    }
    assert.deepEqual(await read(id), before)
  })

  it('a party at the table, and a booking that is over, are not changed', async () => {
    await fresh()
    for (const status of ['Seated', 'Completed', 'Cancelled', 'No-show'] as ReservationStatus[]) {
      const id = await book.booking(status)
      for (const body of [{ time: '20:00' }, { partySize: 5 }, { notes: 'x' }])
        refusedWith(await patch(id, body), 'not-in-state')
    }
  })

  it('who has not seen the last change is 412 and nothing is done', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const tag = (await call('GET', `/${id}`)).headers.get('etag') as string
    await patch(id, { notes: 'A booth.' })
    const late = await patch(id, { time: '20:00' }, { 'if-match': tag })
    refusedWith(late, 'changed-meanwhile', 412)
    assert.deepEqual(late.body.current, await read(id))
    assert.equal(await pending(id), undefined)
  })

  it('a 202 is kept: a retry under its Idempotency-Key asks nothing again', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const headers = { 'idempotency-key': 'once' }
    const first = await patch(id, { time: '20:00' }, headers)
    await answer(id, 'decline')
    const again = await patch(id, { time: '20:00' }, headers)
    assert.deepEqual([again.status, again.text], [202, first.text])
    assert.equal(await pending(id), undefined)
  })

  describe('at once', () => {
    it('changes into the last 10 places, of many more, bring exactly 10 guests, requests and confirmed alike', async () => {
      for (const status of ['Requested', 'Confirmed'] as const) {
        await fresh()
        const ids: number[] = []
        for (let n = 0; n < 30; n++) {
          const [hour, minute] = [17 + Math.floor(n / 15), (n % 4) * 15]
          ids.push(
            await book.booking(status, { partySize: 2, time: `${hour}:${String(minute).padStart(2, '0')}` }),
          )
        }
        const answers = await Promise.all(ids.map((id) => patch(id, { time: '20:00' })))
        const done = answers.filter((one) => one.status === (status === 'Requested' ? 200 : 202))
        assert.equal(done.length, 5)
        for (const one of answers.filter((other) => !done.includes(other)))
          refusedWith(one, 'pacing-covers-full')
        const accepted = await Promise.all(
          status === 'Requested' ? [] : done.map(({ body }) => answer(body.reservation.id, 'accept')),
        )
        assert.ok(accepted.every(({ kind }) => kind === 'done'))
        const [row] = await book.query(
          `select sum(party_size)::int as covers from reservation
            where venue_id = $1 and time = '20:00' and status <> 'Cancelled'`,
          [book.venue.id],
        )
        assert.equal(row?.['covers'], 10)
      }
    })

    it('bookings of one slot that each grow by one fill its last 10 places, and no more', async () => {
      await fresh(dinner({ pacing: { intervalMinutes: 15, maxCovers: 70, maxParties: null } }))
      const ids: number[] = []
      for (let n = 0; n < 30; n++)
        ids.push(await book.booking(n % 2 ? 'Requested' : 'Confirmed', { partySize: 2 }))
      const answers = await Promise.all(ids.map((id) => patch(id, { partySize: 3 })))
      assert.equal(answers.filter(({ status }) => status < 300).length, 10)
    })

    it('of two changes of one booking, one is requested and the other refused', async () => {
      await fresh()
      const id = await book.booking('Confirmed')
      const answers = await Promise.all(['20:00', '21:00'].map((time) => patch(id, { time })))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202, 409]))
    })

    it('bookings that change places with each other across days do not wait for each other', async () => {
      await fresh()
      const ids = [
        await book.booking('Requested', { date: '2026-10-06' }),
        await book.booking('Requested', { date: '2026-10-07' }),
      ]
      const dates = ['2026-10-07', '2026-10-06']
      for (let round = 0; round < 4; round++) {
        const answers = await Promise.all(ids.map((id, n) => patch(id, { date: dates[(n + round) % 2] })))
        assert.deepEqual(
          answers.map(({ status }) => status),
          [200, 200],
        )
      }
    })
  })

  it('what came with a cancellation goes with the person', async () => {
    await fresh()
    const person = { guestId: null, email: 'maya@example.com', phone: null, name: 'Maya' }
    const id = await book.booking('Confirmed', { email: person.email })
    const other = await book.booking('Confirmed', { email: 'ada@example.com', guestName: 'Ada' })
    for (const one of [id, other])
      await call('POST', `/${one}/cancel`, { message: 'Maya@example.com cannot come.' })
    const owner = staff('owner')
    await book.act((work) => erasePerson(work, owner, person))
    assert.equal((await book.row(id)).cancel_message, null)
    assert.equal((await book.row(other)).cancel_message, '[erased] cannot come.')
    const [left] = await book.query(
      `select count(*)::int as n from activity
        where venue_id = $1 and (before::text || after::text) ilike '%maya@example%'`,
      [book.venue.id],
    )
    assert.equal(left?.['n'], 0)
  })

  it('each write leaves a row in the activity log that names the key', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    await patch(id, { notes: 'A booth.' })
    await patch(id, { time: '20:00' })
    await call('DELETE', `/${id}/change`)
    await call('POST', `/${id}/cancel`, { by: 'guest' })
    const rows = await book.query(
      `select action, before::text, after::text from activity
        where venue_id = $1 and record_id = $2 and record_kind = 'reservation' and actor_kind = 'key' order by id`,
      [book.venue.id, id],
    )
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['edit', 'askChange', 'withdrawChange', 'cancel'],
    )
    assert.deepEqual(JSON.parse(String(rows[1]?.['after'])), { time: '20:00' })
  })
})

describe('cancelling a reservation by API', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  const fresh = async () => {
    service.setClock(afternoon)
    book = await openBook(service, capped)
  }
  const cancel = (id: number, body?: unknown, headers: Record<string, string> = {}) =>
    service.call('POST', `/api/v1/reservations/${id}/cancel`, {
      key: book.venue.key,
      headers,
      ...(body !== undefined && { body }),
    })

  it('needs no body; the guest has decided unless it says otherwise', async () => {
    await fresh()
    for (const [body, by] of [
      [undefined, 'guest'],
      [{}, 'guest'],
      [{ by: 'Staff' }, 'staff'],
    ] as const) {
      for (const from of ['Requested', 'Confirmed'] as const) {
        const { status, body: reply } = await cancel(await book.booking(from), body)
        const { reservation, changed } = reply
        assert.deepEqual(
          [status, changed, reservation.status, reservation.cancelledBy],
          [200, true, 'Cancelled', by],
        )
      }
    }
    const other = await cancel(await book.booking('Confirmed'), { by: 'weather' })
    assert.deepEqual([other.status, other.body.error], [400, 'by must be one of guest, staff.'])
  })

  it('by the guest not once the booked time has come; by staff still', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    service.setClock('2026-10-06T23:00:00Z')
    const late = await cancel(id, { by: 'guest' })
    assert.deepEqual([late.status, late.body.reason], [409, 'too-late'])
    const { status, body } = await cancel(id, { by: 'staff' })
    assert.deepEqual([status, body.reservation.cancelledBy], [200, 'staff'])
  })

  it('twice: the second changes nothing, and there is one event', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const answers = await Promise.all([cancel(id), cancel(id)])
    assert.deepEqual(new Set(answers.map(({ body }) => body.changed)), new Set([false, true]))
    assert.deepEqual(
      (await book.told()).map(({ name }) => name),
      ['reservation.cancelled'],
    )
  })

  it('a party at the table, and a booking that is over, are 409', async () => {
    await fresh()
    for (const status of ['Seated', 'Completed', 'No-show'] as ReservationStatus[]) {
      const refused = await cancel(await book.booking(status), { by: 'staff' })
      assert.deepEqual([refused.status, refused.body.reason], [409, 'not-in-state'])
      assert.match(refused.body.error, new RegExp(status))
    }
  })

  it('while staff seat the party, one wins and the other learns the status', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const { version } = await book.row(id)
    const [seated, cancelled] = await Promise.all([
      book.act((work) =>
        moveReservation(work, staff('host'), {
          id,
          move: 'seat',
          seenStatus: 'Confirmed',
          seenVersion: version,
        }),
      ),
      cancel(id),
    ])
    const { status } = await book.row(id)
    assert.deepEqual(
      [seated.kind === 'done', cancelled.status],
      status === 'Seated' ? [true, 409] : [false, 200],
    )
  })

  it('the message is for staff: no answer and no event has it, and bringing the booking back drops it', async () => {
    await fresh()
    const id = await book.booking('Confirmed')
    const { text } = await cancel(id, { message: 'The flight was cancelled.' })
    assert.doesNotMatch(text, /flight/)
    assert.doesNotMatch(JSON.stringify(await book.told()), /flight/)
    assert.equal((await book.row(id)).cancel_message, 'The flight was cancelled.')
    await book.act((work) => moveReservation(work, staff('host'), { id, move: 'undoCancel' }))
    assert.equal((await book.row(id)).cancel_message, null)
  })
})
