import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Erasure } from '@venue-data/contract/erasure.ts'
import { type Desk, openDesk, staffOf } from '../../../test/desk.ts'
import { staffOf as staffMember, visitOffice } from '../../../test/office.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { erasePerson } from '../erase.ts'

const name = 'Zephyrine Quillfeather'
const email = 'zephyrine@example.com'
const phone = '+1 917 555 0142'

describe('receipts of erasures', () => {
  let service: TestService
  let desk: Desk
  const owner = staffOf('owner')

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const fresh = async () => {
    service.setClock('2026-10-06T19:00:00Z')
    desk = await openDesk(service)
    await setRules(service, desk.venue)
  }
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/api/v1/${path}`, { key: desk.venue.key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  /** A person with a record of three kinds; returns the ids. */
  const somebody = async (address = email) => {
    const table = { partySize: 2, date: '2026-10-08', time: '19:00' }
    const { reservation } = await post('reservations', { guestName: name, email: address, phone, ...table })
    const { subscriber } = await post('subscribers', { email: address, consent: { source: 'Form' } })
    const [guest] = (
      await service.call('GET', `/api/v1/guests/find?email=${address}`, { key: desk.venue.key })
    ).body as { id: number }[]
    return {
      reservation: reservation.id as number,
      subscriber: subscriber.id as number,
      guest: guest?.id as number,
    }
  }
  const erase = (address = email) =>
    desk.act((work) => erasePerson(work, owner, { guestId: null, email: address, phone, name }))
  const list = async (query = '', key = desk.venue.key) => {
    const answer = await service.call('GET', `/api/v1/erasures${query}`, { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const confirm = (id: number, body?: object, key = desk.venue.key) =>
    service.call('POST', `/api/v1/erasures/${id}/confirm`, { key, ...(body && { body }) })

  it('a retry of a request whose kept answer was erased writes nothing of the person again', async () => {
    await fresh()
    const ids = await somebody()
    const sent = (method: string, path: string, body: object, key: string) =>
      service.call(method, `/api/v1/${path}`, {
        key: desk.venue.key,
        headers: { 'if-match': '*', 'idempotency-key': `${key}-${email}` },
        body,
      })
    const requests = [
      ['PATCH', `reservations/${ids.reservation}`, { guestName: `${name} Jr` }, 'name'],
      ['PATCH', `guests/${ids.guest}`, { seatingPreference: 'By the window' }, 'seat'],
      ['POST', 'waitlist', { guestName: name, phone, partySize: 2 }, 'line'],
      ['POST', 'leads', { name, email }, 'lead'],
    ] as const
    for (const [method, path, body, key] of requests) {
      const { status, text } = await sent(method, path, body, key)
      assert.ok(status < 300, text)
    }
    await erase()
    for (const [method, path, body, key] of requests) {
      const retried = await sent(method, path, body, key)
      assert.deepEqual([retried.status, retried.body.reason], [409, 'answer-erased'], path)
      assert.equal((await sent(method, path, { ...body, notes: 'x' }, key)).body.reason, 'different-body')
    }
    for (const path of ['reservations', 'guests', 'waitlist', 'leads', 'changes'])
      assert.doesNotMatch(
        (await service.call('GET', `/api/v1/${path}`, { key: desk.venue.key })).text,
        /Zephyrine/i,
      )
    const left = await rowsOf(service, 'select key, body from idempotency where venue_id = $1', [
      desk.venue.id,
    ])
    assert.doesNotMatch(JSON.stringify(left), /zephyrine/i)
    service.setClock('2026-10-07T19:00:01Z')
    const dayLater = await sent('POST', 'leads', { name, email }, 'lead')
    assert.equal(dayLater.status, 201, 'the key is free')
  })

  it('an erasure is listed and sent with the records’ ids, and nothing of the person', async () => {
    await fresh()
    await post('webhooks', { url: 'https://example.com/', events: ['person.erased'] })
    const ids = await somebody()
    assert.deepEqual((await list()).erasures, [])
    await erase()
    const { erasures, more } = (await list()) as { erasures: Erasure[]; more: boolean }
    assert.equal(more, false)
    assert.deepEqual(erasures, [
      {
        id: erasures[0]?.id,
        at: '2026-10-06T19:00:00.000Z',
        guests: [ids.guest],
        reservations: [ids.reservation],
        leads: [],
        waitlist: [],
        ticketOrders: [],
        subscribers: [ids.subscriber],
        confirmed: false,
      },
    ])
    const [event] = await rowsOf<{ data: string }>(
      service,
      `select data from event e join delivery d on d.venue_id = e.venue_id and d.event_id = e.id
        where e.venue_id = $1 and e.name = 'person.erased'`,
      [desk.venue.id],
    )
    const { id, at: _at, confirmed: _confirmed, ...records } = erasures[0] as Erasure
    assert.deepEqual(JSON.parse(event?.data ?? ''), { erasure: id, ...records })
    const kept = await rowsOf(service, 'select * from erasure where venue_id = $1', [desk.venue.id])
    assert.doesNotMatch(JSON.stringify([kept, event]), /zephyrine|quillfeather|5550142/i)
  })

  it('nothing is sent about somebody unknown', async () => {
    await fresh()
    await erase()
    assert.deepEqual((await list()).erasures, [])
    const told = await rowsOf(service, `select id from event where venue_id = $1`, [desk.venue.id])
    assert.deepEqual(told, [])
  })

  it('goes on after a cursor, which is of this venue', async () => {
    await fresh()
    const empty = await list()
    assert.equal(typeof empty.next, 'string')
    for (const address of ['a@example.com', 'b@example.com', 'c@example.com']) {
      await somebody(address)
      await erase(address)
    }
    const first = await list('?limit=2')
    assert.deepEqual([first.erasures.length, first.more], [2, true])
    const second = await list(`?limit=2&after=${first.next}`)
    assert.deepEqual([second.erasures.length, second.more], [1, false])
    const after = await list(`?after=${second.next}`)
    assert.deepEqual(after, { erasures: [], next: second.next, more: false })
    assert.deepEqual((await list(`?after=${empty.next}`)).erasures, [...first.erasures, ...second.erasures])

    const other = await service.venue()
    for (const text of [first.next, 'x', '']) {
      const { status, body } = await service.call('GET', `/api/v1/erasures?after=${text}`, { key: other.key })
      assert.equal(status, 400)
      assert.equal(body.error, 'after must be the `next` of an earlier answer, as it was given.')
    }
    assert.deepEqual((await list('', other.key)).erasures, [])
  })

  it('each key confirms once, for itself; the first time stays', async () => {
    await fresh()
    await somebody()
    await erase()
    const [{ id }] = (await list()).erasures
    service.setClock('2026-10-06T19:30:00Z')
    const done = await confirm(id, { note: 'Removed from the mailing tool.' })
    assert.equal(done.status, 200, done.text)
    assert.equal(done.body.erasure.confirmed, true)
    assert.equal((await list()).erasures[0].confirmed, true)
    const { key } = await desk.venue.makeKey('read_write')
    assert.equal((await list('', key)).erasures[0].confirmed, false)
    service.setClock('2026-10-06T20:30:00Z')
    assert.equal((await confirm(id)).status, 200)
    const kept = await rowsOf(
      service,
      'select at::text, note from erasure_confirmation where venue_id = $1',
      [desk.venue.id],
    )
    assert.deepEqual(kept, [{ at: '2026-10-06 19:30:00+00', note: 'Removed from the mailing tool.' }])
  })

  it('is confirmed with its own scope; an unknown one and another venue’s are 404', async () => {
    await fresh()
    await somebody()
    await erase()
    const [{ id }] = (await list()).erasures
    const reader = await desk.venue.makeKey('read')
    assert.equal((await confirm(id, {}, reader.key)).status, 403)
    const old = await desk.venue.makeKey('read_write')
    await rowsOf(service, 'update api_key set scopes = null where id = $1', [old.id])
    const refused = await confirm(id, {}, old.key)
    assert.deepEqual(refused.body, {
      error: 'This key may not confirm erasures; its owner can allow it.',
      reason: 'scope-missing',
    })
    const other = await service.venue()
    const strange = await confirm(id, {}, other.key)
    const unknown = await confirm(999_999, {})
    assert.deepEqual(
      [strange.status, strange.body],
      [404, { error: 'There is no such erasure at this venue.' }],
    )
    assert.deepEqual([unknown.status, unknown.body], [strange.status, strange.body])
  })

  it('shows no ids of kinds that a key may not read', async () => {
    await fresh()
    const ids = await somebody()
    await erase()
    const { key, id } = await desk.venue.makeKey('read')
    await rowsOf(service, `update api_key set scopes = '{subscribers:read}' where id = $1`, [id])
    const [erasure] = (await list('', key)).erasures
    assert.deepEqual(erasure.subscribers, [ids.subscriber])
    assert.deepEqual([erasure.guests, erasure.reservations], [[], []])
  })

  it('shows the owner who has confirmed, and when', async () => {
    await fresh()
    await somebody()
    await erase()
    const [{ id }] = (await list()).erasures
    const { email: address } = await staffMember(service, desk.venue, 'owner')
    const office = visitOffice(service)
    await office.signIn(address)
    const before = await office.get('/office/data/erasures')
    assert.match(before.words, /1 guest, 1 booking, 1 subscriber\s+not yet/)
    service.setClock('2026-12-03T19:02:00Z')
    const { key, id: keyId } = await desk.venue.makeKey('read_write')
    await rowsOf(service, `update api_key set name = 'Mailing tool' where id = $1`, [keyId])
    await confirm(id, { note: 'Gone.' }, key)
    const again = visitOffice(service)
    await again.signIn(address)
    const { words } = await again.get('/office/data/erasures')
    assert.match(words, /confirmed by Mailing tool, December 3, 2026, 2:02\sPM: Gone\./)
    assert.doesNotMatch(words, /not yet/)
  })
})
