import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { countOf, rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('POST /guests and GET /guests/find', () => {
  let service: TestService
  let venue: TestVenue
  const post = (body: object) => service.call('POST', '/api/v1/guests', { key: venue.key, body })
  const find = async (query: Record<string, string>) =>
    service.call('GET', `/api/v1/guests/find?${new URLSearchParams(query).toString()}`, { key: venue.key })
  const foundId = async (query: Record<string, string>): Promise<number | undefined> =>
    (await find(query)).body[0]?.id
  const make = async (body: object): Promise<number> => {
    const answer = await post(body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.guest.id
  }
  const staffNotes = async (id: number): Promise<string> =>
    (
      await rowsOf<{ staff_notes: string }>(
        service,
        'select staff_notes from guest where venue_id = $1 and id = $2',
        [venue.id, id],
      )
    )[0]?.staff_notes ?? ''

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    venue = await service.venue()
  })
  after(() => service.stop())

  it('makes a guest when none matches: 201, created, every field present, one guest.created', async () => {
    const answer = await post({ name: 'Maya', email: ' Maya@Example.com ', phone: '(212) 555-0147' })
    assert.equal(answer.status, 201)
    assert.deepEqual(Object.keys(answer.body), ['created', 'guest'])
    const { guest } = answer.body
    assert.deepEqual(guest, {
      id: guest.id,
      name: 'Maya',
      email: 'Maya@Example.com',
      phone: '(212) 555-0147',
      seatingPreference: null,
      referralSource: null,
      visitCount: 0,
      noShowCount: 0,
      cancellationCount: 0,
      lastVisitDate: null,
      externalId: null,
      createdAt: '2026-10-06T19:00:00.000Z',
      updatedAt: '2026-10-06T19:00:00.000Z',
      revision: 1,
    })
    const events = await rowsOf<{ name: string; data: string }>(
      service,
      'select name, data from event where venue_id = $1',
      [venue.id],
    )
    assert.deepEqual(
      events.map(({ name, data }) => [name, JSON.parse(data)]),
      [['guest.created', guest]],
    )
  })

  it('needs an email or a phone with at least 7 digits', async () => {
    for (const body of [
      {},
      { name: 'Maya' },
      { phone: '555-014' },
      { phone: 'call me' },
      { phone: '1'.repeat(21) },
    ]) {
      const answer = await post(body)
      assert.equal(answer.status, 400)
      assert.equal(answer.body.error, 'Send an email, or a phone with at least 7 digits.')
    }
    assert.equal((await post({ phone: '555-0147' })).status, 201)
    assert.equal((await post({ phone: 'call me', email: 'maya@example.com' })).body.guest.phone, 'call me')
  })

  describe('matching', () => {
    it('is by exact email first, ignoring letter case and surrounding spaces', async () => {
      const byPhone = await make({ phone: '2125550147' })
      const byEmail = await make({ email: 'Maya@Example.com' })
      const answer = await post({ email: ' mAYA@exaMPLE.com', phone: '2125550147' })
      assert.equal(answer.status, 200)
      assert.equal(answer.body.created, false)
      assert.equal(answer.body.guest.id, byEmail)
      assert.notEqual(answer.body.guest.id, byPhone)
    })

    it('keeps dots and plus tags: other addresses are other guests', async () => {
      const ids = [
        await make({ email: 'maya.okafor@example.com' }),
        await make({ email: 'mayaokafor@example.com' }),
        await make({ email: 'maya.okafor+table@example.com' }),
      ]
      assert.equal(new Set(ids).size, 3)
    })

    it('then by phone: the shorter one without a country code is the end of the longer', async () => {
      const id = await make({ phone: '+1 (212) 555-0147' })
      for (const phone of [
        '2125550147',
        '(212) 555-0147',
        '5550147',
        '001 212 555 0147',
        '+12125550147 ext. 5',
        '0212 555 0147',
      ]) {
        const answer = await post({ phone })
        assert.equal(answer.body.guest.id, id, phone)
        assert.equal(await foundId({ phone }), id, phone)
      }
      for (const phone of ['6465550147', '+44 212 555 0147', '+44 20 2125550147', '2125550148', '550147']) {
        assert.equal(await foundId({ phone: phone.padStart(7, '9') }), undefined, phone)
      }
    })

    it('never takes two numbers for one because their last seven digits agree', async () => {
      const a = await make({ phone: '(212) 555-0100' })
      const b = await make({ phone: '(646) 555-0100' })
      assert.notEqual(a, b)
      assert.equal(await foundId({ phone: '646 555 0100' }), b)
      // With seven digits only, both end alike: the lowest id, today and tomorrow.
      assert.equal(await foundId({ phone: '5550100' }), a)
    })

    it('an equal number comes before one with the same ending, a guest without an email before one with another', async () => {
      const longer = await make({ phone: '+12125550100' })
      const other = await make({ email: 'a@example.com', phone: '+442125550100' })
      const equal = await rowsOf<{ id: string }>(
        service,
        `insert into guest (venue_id, email, email_key, phone, phone_key, created_at, updated_at)
         values ($1, 'b@example.com', 'b@example.com', '2125550100', '2125550100', now(), now()),
                ($1, null, null, '212 5550100', '2125550100', now(), now()),
                ($1, null, null, '212-5550100', '2125550100', now(), now()) returning id`,
        [venue.id],
      )
      assert.equal(await foundId({ phone: '2125550100' }), Number(equal[1]?.id))
      assert.equal(await foundId({ phone: '+1 212 555 0100' }), longer)
      assert.equal(await foundId({ phone: '+44 212 555 0100' }), other)
      assert.equal(await foundId({ phone: '2125550100', email: 'b@example.com' }), Number(equal[0]?.id))
    })

    it('an unknown email with a known phone is that guest, whose other email conflicts', async () => {
      const id = await make({ name: 'Maya', email: 'maya@example.com', phone: '2125550147' })
      const answer = await post({ email: 'new@example.com', phone: '212 555 0147' })
      assert.equal(answer.body.guest.id, id)
      assert.deepEqual(answer.body.conflicting, { email: 'new@example.com' })
      assert.equal(answer.body.guest.email, 'maya@example.com')
      assert.equal(await foundId({ email: 'new@example.com' }), undefined)
    })

    it('find needs one of them, gives at most one guest, and ignores an unusable phone next to an email', async () => {
      const id = await make({ email: 'maya@example.com' })
      for (const query of [{}, { email: '' }, { email: ' ', phone: '123456' }, { phone: 'abc' }]) {
        assert.equal((await find(query)).status, 400)
      }
      assert.equal(await foundId({ email: 'maya@example.com', phone: '123' }), id)
      assert.deepEqual((await find({ email: 'nobody@example.com' })).body, [])
      assert.deepEqual((await find({ email: 'no address at all' })).body, [])
      const repeated = await service.call('GET', '/api/v1/guests/find?email=a@b.io&email=c@d.io', {
        key: venue.key,
      })
      assert.equal(repeated.status, 400)
      const plus = await service.call('GET', '/api/v1/guests/find?phone=+12125550147', { key: venue.key })
      assert.equal(plus.status, 200)
    })
  })

  describe('a matched guest', () => {
    it('is filled in only where empty, and found by what was filled in', async () => {
      const id = await make({ email: 'maya@example.com' })
      service.setClock('2026-10-06T20:00:00Z')
      const answer = await post({
        name: ' Maya "Mo" 👩🏽‍🍳',
        email: 'maya@example.com',
        phone: ' +1 212 555 0147',
      })
      service.setClock('2026-10-06T19:00:00Z')
      assert.equal(answer.status, 200)
      assert.equal(answer.body.conflicting, undefined)
      assert.equal(answer.body.guest.name, ' Maya "Mo" 👩🏽‍🍳')
      assert.equal(answer.body.guest.phone, ' +1 212 555 0147')
      assert.equal(answer.body.guest.createdAt, '2026-10-06T19:00:00.000Z')
      assert.equal(answer.body.guest.updatedAt, '2026-10-06T20:00:00.000Z')
      assert.equal(await foundId({ phone: '2125550147' }), id)
      const byPhone = await make({ phone: '6465550100' })
      await post({ phone: '6465550100', email: 'ben@example.com' })
      assert.equal(await foundId({ email: 'BEN@example.com' }), byPhone)
    })

    it('keeps what it has to the letter; what differs goes into the staff notes, once, and into the answer', async () => {
      const id = await make({ name: ' Maya  Okafor ', email: 'maya@example.com', phone: '2125550147' })
      const supplied = { name: 'Ben', email: 'maya@example.com', phone: '(646) 555-0199' }
      for (let i = 0; i < 3; i++) {
        const answer = await post(supplied)
        assert.equal(answer.status, 200)
        assert.deepEqual(answer.body.conflicting, { name: 'Ben', phone: '(646) 555-0199' })
        assert.equal(answer.body.guest.name, ' Maya  Okafor ')
        assert.equal(answer.body.guest.phone, '2125550147')
        assert.ok(!answer.text.includes('staff'))
      }
      assert.equal(
        await staffNotes(id),
        '2026-10-06 automation: another name was given: Ben\n2026-10-06 automation: another phone was given: (646) 555-0199',
      )
      assert.equal(
        (await post({ name: 'maya okafor', email: 'maya@example.com' })).body.conflicting,
        undefined,
      )
    })

    it('filling one field changes no other, including surrounding spaces', async () => {
      await make({ name: ' Maya ', email: 'maya@example.com' })
      const answer = await post({ email: 'maya@example.com', phone: '2125550147' })
      assert.equal(answer.body.guest.name, ' Maya ')
    })

    it('gets notes appended, never shown, never replacing what staff wrote', async () => {
      const id = await make({ email: 'maya@example.com', notes: 'Allergic to nuts.' })
      await rowsOf(service, `update guest set staff_notes = staff_notes || E'\\nVIP' where id = $1`, [id])
      await post({ email: 'maya@example.com', notes: 'Likes the window.\nAsks for Ana.' })
      await post({ email: 'maya@example.com', notes: 'Likes the window.\nAsks for Ana.' })
      assert.equal(await staffNotes(id), 'Allergic to nuts.\nVIP\nLikes the window.\nAsks for Ana.')
      const { text } = await service.call('GET', '/api/v1/guests', { key: venue.key })
      assert.ok(!text.includes('nuts') && !text.includes('VIP'))
    })

    it('emits no event and makes no change when nothing is new', async () => {
      const id = await make({ name: 'Maya', email: 'maya@example.com' })
      service.setClock('2026-10-06T21:00:00Z')
      const answer = await post({ name: 'MAYA', email: 'Maya@example.com' })
      service.setClock('2026-10-06T19:00:00Z')
      assert.equal(answer.body.guest.id, id)
      assert.equal(answer.body.guest.updatedAt, '2026-10-06T19:00:00.000Z')
      assert.equal(await countOf(service, 'event', venue.id), 1)
    })
  })

  it('parallel creations of one guest, by email and by phones with the same ending, make one guest', async () => {
    const phones = ['+1 212 555 0147', '2125550147', '(212) 555-0147', '5550147', '0012125550147']
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        post(i % 2 === 0 ? { email: 'maya@example.com', phone: phones[i % 5] } : { phone: phones[i % 5] }),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ status }) => status === 200).length, 49)
    assert.equal(new Set(answers.map(({ body }) => body.guest.id)).size, 1)
    assert.equal(await countOf(service, 'guest', venue.id), 1)
    const told = await rowsOf<{ name: string }>(service, 'select name from event where venue_id = $1', [
      venue.id,
    ])
    assert.equal(told.filter(({ name }) => name === 'guest.created').length, 1)
    // Created with only a phone number, it was reported when the email came.
    assert.ok(told.every(({ name }) => name === 'guest.created' || name === 'guest.updated'))
  })

  it('a match by phone reads no more than it must, in a book of any size', async () => {
    await rowsOf(
      service,
      `insert into guest (venue_id, name, phone, phone_key, created_at, updated_at)
       select $1, 'Guest ' || n, '212' || n, '212' || n, now(), now() from generate_series(1000000, 1005000) n`,
      [venue.id],
    )
    assert.equal((await find({ phone: '2121003333' })).body[0].name, 'Guest 1003333')
    assert.equal((await find({ phone: '+1 212 1003333' })).body[0].name, 'Guest 1003333')
    assert.equal((await find({ phone: '1003333' })).body[0].name, 'Guest 1003333')
  })
})
