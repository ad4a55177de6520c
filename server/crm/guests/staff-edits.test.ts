import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type GuestChanges, addGuest, editGuest } from './staff-edits.ts'
import { searchGuests } from './search-guests.ts'
import { staffGuest } from './staff-reads.ts'

describe('guests as staff edit them', () => {
  let service: TestService
  let desk: Desk
  const host = staffOf('host')

  const add = async (name: string, more: { email?: string; phone?: string } = {}) => {
    const contact = more.email || more.phone ? more : { email: `${crypto.randomUUID()}@example.com` }
    return (await desk.act((work) => addGuest(work, host, { name, ...contact }))).guest
  }
  const edit = (id: number, seenVersion: number, changes: GuestChanges) =>
    desk.act((work) => editGuest(work, host, { id, seenVersion, changes }))
  const found = async (typed: string) =>
    (await searchGuests(service.db, desk.venue.id, typed)).map(({ name }) => name)

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('two people editing one guest: one wins, the other gets a message, and nothing is overwritten', async () => {
    desk = await openDesk(service)
    const { id, version } = await add('Maya')
    await desk.trail()
    const { done, refused } = await settled(
      ['Window', 'Bar', 'Terrace'].map((seatingPreference) => edit(id, version, { seatingPreference })),
    )
    assert.equal(done.length, 1)
    assert.deepEqual(
      refused,
      Array(2).fill('Refusal: This guest was just changed by someone else; reload and try again.'),
    )
    const trail = await desk.trail()
    assert.deepEqual(
      trail.map(({ action, before, after }) => [action, before, after]),
      [['edit', { seating_preference: null }, { seating_preference: done[0]?.seating_preference }]],
    )
  })

  it('a line that the API adds to the notes is not lost to a form that did not show it', async () => {
    desk = await openDesk(service)
    const { id, version } = await add('Maya', { email: 'maya@example.com', phone: '212 555 0100' })
    const body = { email: 'maya@example.com', phone: '646 555 0199' }
    const answer = await service.call('POST', '/api/v1/guests', { key: desk.venue.key, body })
    assert.deepEqual(answer.body.conflicting, { phone: '646 555 0199' })
    await assert.rejects(
      edit(id, version, { staffNotes: 'A regular.' }),
      refusal(409, /just changed by someone else/),
    )
    assert.match((await staffGuest(service.db, desk.venue.id, id))?.staff_notes ?? '', /646 555 0199/)
  })

  it('notes and allergies never leave through the API', async () => {
    desk = await openDesk(service)
    const { id, version } = await add('Maya', { email: 'maya@example.com' })
    await edit(id, version, { staffNotes: 'Secret-note', allergies: 'Secret-nuts' })
    const answers = await Promise.all([
      service.call('GET', '/api/v1/guests', { key: desk.venue.key }),
      service.call('GET', '/api/v1/guests/find?email=maya@example.com', { key: desk.venue.key }),
      service.call('POST', '/api/v1/guests', { key: desk.venue.key, body: { email: 'maya@example.com' } }),
    ])
    for (const { text, status } of answers) {
      assert.equal(status, 200)
      assert.doesNotMatch(text, /Secret|allerg|staff/i)
    }
    assert.doesNotMatch(JSON.stringify(await desk.told()), /Secret/)
  })

  it("a new address is matched at once; another guest's address is refused; a guest stays identifiable", async () => {
    desk = await openDesk(service)
    const maya = await add('Maya', { email: 'maya@example.com' })
    await add('Ben', { email: 'ben@example.com' })
    await assert.rejects(
      edit(maya.id, maya.version, { email: 'BEN@example.com' }),
      refusal(409, /merge them/),
    )
    const moved = await edit(maya.id, maya.version, { email: 'new@example.com', phone: '(212) 555-0100' })
    const find = (query: string) =>
      service.call('GET', `/api/v1/guests/find?${query}`, { key: desk.venue.key })
    assert.equal((await find('email=NEW@example.com')).body[0].id, maya.id)
    assert.equal((await find('phone=12125550100')).body[0].id, maya.id)
    assert.deepEqual((await find('email=maya@example.com')).body, [])
    await assert.rejects(
      edit(maya.id, moved.version, { name: ' ', email: null, phone: '' }),
      refusal(400, /needs a name, an email or a phone/),
    )
    for (const bad of [
      { email: 'no' },
      { name: 'a\u0000b' },
      { name: 'x'.repeat(201) },
      { allergies: 'a\ud800' },
    ]) {
      await assert.rejects(edit(maya.id, moved.version, bad), refusal(400, /must/))
    }
  })

  it('an existing guest is filled in, not duplicated', async () => {
    desk = await openDesk(service)
    const maya = await add('Maya', { email: 'maya@example.com' })
    const again = await desk.act((work) =>
      addGuest(work, host, { name: 'Maya', email: 'MAYA@example.com', phone: '212 555 0100' }),
    )
    assert.deepEqual([again.created, again.guest.id, again.guest.phone], [false, maya.id, '212 555 0100'])
    assert.deepEqual(
      (await desk.told()).map(({ name }) => name),
      ['guest.created'],
    )
    await assert.rejects(
      desk.act((work) => addGuest(work, host, { name: 'Maya' })),
      refusal(400, /needs/),
    )
  })

  it('is found by the beginning of any name, by address and by number, with the booking matcher', async () => {
    desk = await openDesk(service)
    await add('Maya Okafor', { email: 'maya.o@example.com', phone: '+1 212 555 0100' })
    await add('María del Carmen Ruiz', { phone: '+34 600 123 456' })
    await add('Émile Okada', { email: 'emile@example.com' })
    await add('okra % lover_', { phone: '646 555 0100' })
    const table: [typed: string, names: string[]][] = [
      ['maya', ['Maya Okafor']],
      ['MAYA OK', ['Maya Okafor']],
      ['okafor maya', ['Maya Okafor']],
      ['Okafor, Maya', ['Maya Okafor']],
      ['ok', ['Maya Okafor', 'okra % lover_', 'Émile Okada']],
      ['del carmen', ['María del Carmen Ruiz']],
      ['maría ruiz', ['María del Carmen Ruiz']],
      ['ruiz', ['María del Carmen Ruiz']],
      ['éMILE', ['Émile Okada']],
      ['%', ['okra % lover_']],
      ['m%', []],
      ['maya.o@', ['Maya Okafor']],
      ['Maya.', ['Maya Okafor']],
      ['emile', ['Émile Okada']],
      ['MAYA.O@EXAMPLE.COM', ['Maya Okafor']],
      ['(212) 555-0100', ['Maya Okafor']],
      ['5550100', ['Maya Okafor', 'okra % lover_']],
      ['3456', ['María del Carmen Ruiz']],
      ['', []],
      ['\u0000', []],
      ["' or 1=1 --", []],
    ]
    for (const [typed, names] of table) assert.deepEqual(new Set(await found(typed)), new Set(names), typed)
    desk = await openDesk(service)
    assert.deepEqual(await found('maya'), [], 'another venue finds nobody')
  })
})
