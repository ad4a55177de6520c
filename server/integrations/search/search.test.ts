import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook, staff } from '../../book/reservations/test/book.ts'
import { editGuest } from '../../crm/guests/staff-edits.ts'
import { staffGuest } from '../../crm/guests/staff-reads.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, startService } from '../../test/service.ts'

describe('the search of the API', () => {
  let service: TestService
  let book: TestBook
  before(async () => {
    service = await startService()
    book = await openBook(service)
  })
  after(() => service.stop())

  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', `/api/v1/${path}`, { key: book.venue.key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const guest = async (name: string, more: object): Promise<number> =>
    (await post('guests', { name, ...more })).guest.id
  const booking = async (guestName: string, date: string, more: object = {}): Promise<number> =>
    (await post('reservations', { guestName, date, time: '19:00', partySize: 2, ...more })).reservation.id
  const search = (query: Record<string, string>, key = book.venue.key) =>
    service.call('GET', `/api/v1/search?${new URLSearchParams(query).toString()}`, { key })
  const found = async (q: string, more: Record<string, string> = {}): Promise<string[]> => {
    const { status, text, body } = await search({ q, ...more })
    assert.equal(status, 200, text)
    return body.results.map(
      ({ kind, id, why }: { kind: string; id: number; why: string }) => `${kind} ${id} ${why}`,
    )
  }

  it('finds by the start of a name, the end of a number and the start of an address, without accents', async () => {
    const olga = await guest('Olga Müller', { email: 'o.m@example.com', phone: '+1 212 555 0199' })
    const bert = await guest('Bert', { email: 'quincy@example.com' })
    const booked = await booking('Ólgá M.', '2026-10-08', { phone: '212 555 0177', email: 'pia@example.com' })
    const own = `guest ${(await search({ q: 'pia@' })).body.results.at(-1).id}`
    assert.deepEqual(await found('olg'), [`reservation ${booked} name`, `${own} name`, `guest ${olga} name`])
    assert.deepEqual(await found('MULLER'), [`guest ${olga} name`])
    assert.deepEqual(await found('0199'), [`guest ${olga} phone`])
    assert.deepEqual(await found('0177'), [`reservation ${booked} phone`, `${own} phone`])
    assert.deepEqual(await found('(212) 555-0199'), [`guest ${olga} phone`])
    assert.deepEqual(await found('+12125550177'), [`reservation ${booked} phone`, `${own} phone`])
    assert.deepEqual(await found('quin'), [`guest ${bert} email`])
    const joan = await guest('Joan', { email: 'oa.n@example.com' })
    assert.deepEqual(await found('oa'), [`guest ${joan} email`])
    assert.deepEqual(await found('pia@'), [`reservation ${booked} email`, `${own} email`])
    assert.deepEqual(await found('pia', { kinds: 'reservation' }), [`reservation ${booked} email`])
  })

  it('gives each record as its list does', async () => {
    const id = await guest('Zoltan', { email: 'zoltan@example.com' })
    const { body } = await search({ q: 'zoltan' })
    const list = await service.call('GET', `/api/v1/guests/${id}`, { key: book.venue.key })
    assert.deepEqual(body.results, [{ kind: 'guest', id, why: 'name', record: list.body }])
  })

  it('finds no word that staff wrote, no tag and no note, and no booking by its number', async () => {
    const id = await guest('Karla', { email: 'karla@example.com' })
    const row = await staffGuest(service.db, book.venue.id, id)
    assert.ok(row)
    const changes = { staffNotes: 'windowseat', allergies: 'sesame', tags: ['bigspender'] }
    await book.act((work) => editGuest(work, staff('manager'), { id, seenVersion: row.version, changes }))
    const noted = await booking('Karla', '2026-10-07', { notes: 'anniversary' })
    for (const q of ['windowseat', 'sesame', 'bigspender', 'anniversary', String(noted).padStart(3, '0')]) {
      assert.deepEqual(await found(q), [], q)
    }
  })

  it('looks through bookings from yesterday to two weeks ahead, or through the days it is given', async () => {
    const near = await booking('Fabio', '2026-10-20')
    const far = await booking('Fabio', '2026-11-10')
    const bookings = (more: Record<string, string> = {}) => found('fabio', { kinds: 'reservation', ...more })
    assert.deepEqual(await bookings(), [`reservation ${near} name`])
    assert.deepEqual(await bookings({ from: '2026-10-21', to: '2026-11-20' }), [`reservation ${far} name`])
    assert.equal((await search({ q: 'fabio', from: '2026-10-21', to: '2026-11-21' })).status, 400)
  })

  it('shares its few results between bookings and guests', async () => {
    for (let n = 0; n < 4; n++) {
      await guest(`Wanda ${n}`, { email: `wanda${n}@example.com` })
      await booking('Wanda', `2026-10-1${n}`)
    }
    const kindsOf = async (limit: string) => (await found('wanda', { limit })).map((one) => one.split(' ')[0])
    assert.deepEqual(await kindsOf('4'), ['reservation', 'reservation', 'guest', 'guest'])
    assert.deepEqual((await kindsOf('25')).length, 8)
    assert.deepEqual((await found('wanda 3', { limit: '4' })).length, 1)
  })

  it('a key finds only kinds it may read, and one that sees no contact details may not search', async () => {
    const { key } = await book.venue.makeKey('read', 'api', { scopes: ['guests:read'] })
    const id = await guest('Ulla', { email: 'ulla@example.com' })
    await booking('Ulla', '2026-10-09')
    const { body } = await search({ q: 'ulla' }, key)
    assert.deepEqual(
      body.results.map(({ kind, id: one }: { kind: string; id: number }) => [kind, one]),
      [['guest', id]],
    )
    const refused = await search({ q: 'ulla', kinds: 'guest,reservation' }, key)
    assert.deepEqual([refused.status, refused.body.reason], [403, 'scope-missing'])
    const tasks = await book.venue.makeKey('read', 'api', { scopes: ['tasks:read'] })
    assert.equal((await search({ q: 'ulla' }, tasks.key)).status, 403)
    const hidden = await book.venue.makeKey('read', 'api', {
      scopes: ['guests:read', 'reservations:read', 'contacts:hidden'],
    })
    const { status, body: said } = await search({ q: 'ulla' }, hidden.key)
    assert.deepEqual([status, said.reason], [403, 'scope-missing'])
    assert.match(said.error, /may not search by contact details/)
    const elsewhere = await service.venue()
    assert.deepEqual((await search({ q: 'ulla' }, elsewhere.key)).body, { results: [] })
  })

  it('what cannot be read is 400', async () => {
    for (const query of [
      {},
      { q: 'a' },
      { q: ' a ' },
      { q: 'a\u0000b' },
      { q: 'a'.repeat(101) },
      { q: 'anna', kinds: 'lead' },
      { q: 'anna', kinds: 'guest,guest' },
      { q: 'anna', kinds: '' },
      { q: 'anna', from: '2026-10-08' },
      { q: 'anna', from: '2026-10-08', to: '2026-10-07' },
      { q: 'anna', from: '2026-10-08', to: 'x' },
      { q: 'anna', limit: '0' },
    ] as Record<string, string>[]) {
      const { status, body } = await search(query)
      assert.equal(status, 400, JSON.stringify(query))
      assert.equal(typeof body.error, 'string')
    }
  })

  it('leaves what was looked for in no table', async () => {
    await found('xylophona')
    await service.context.usage.flush()
    const tables = await rowsOf<{ name: string }>(
      service,
      `select tablename as name from pg_tables where schemaname = 'public'`,
    )
    for (const { name } of tables) {
      const rows = await rowsOf(service, `select 1 from "${name}" t where t::text ilike '%xylophona%'`)
      assert.equal(rows.length, 0, name)
    }
  })
})
