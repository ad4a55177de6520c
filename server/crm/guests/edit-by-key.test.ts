import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('guests changed by API', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/api/v1${path}`, {
      key: venue.key,
      headers: { 'if-match': '*' },
      ...(body !== undefined && { body }),
    })
  const made = async (email: string, more: object = {}): Promise<number> =>
    (await call('POST', '/guests', { name: 'Maya Okafor', email, ...more })).body.guest.id
  const staffNotesOf = async (id: number) =>
    (await rowsOf(service, 'select staff_notes from guest where id = $1', [id]))[0]?.['staff_notes']

  it('what is written over is in the reply and in the notes for staff, with the name of the key', async () => {
    const id = await made('maya@example.com', { phone: '(212) 555-0147', notes: 'Likes the bar.' })
    const changes = { email: 'maya@example.org', phone: null, seatingPreference: 'Booth' }
    const { status, body } = await call('PATCH', `/guests/${id}`, changes)
    assert.equal(status, 200)
    assert.deepEqual(
      [body.changed, body.replaced],
      [true, { email: 'maya@example.com', phone: '(212) 555-0147' }],
    )
    assert.deepEqual(
      [body.guest.email, body.guest.phone, body.guest.seatingPreference, body.guest.name],
      ['maya@example.org', null, 'Booth', 'Maya Okafor'],
    )
    assert.equal(
      await staffNotesOf(id),
      'Likes the bar.\n2026-10-06 test: the email was: maya@example.com\n2026-10-06 test: the phone was: (212) 555-0147',
    )
    const found = await call('GET', '/guests/find?email=maya@example.org')
    assert.equal(found.body[0].id, id)
    const again = await call('PATCH', `/guests/${id}`, changes)
    assert.deepEqual([again.body.changed, again.body.replaced], [false, {}])
  })

  it("another guest's address is 409, and nothing is done", async () => {
    await made('ada@example.com')
    const id = await made('ben@example.com')
    const { status, body } = await call('PATCH', `/guests/${id}`, { email: 'ADA@example.com', name: 'Ada' })
    assert.deepEqual([status, body.reason], [409, 'address-taken'])
    assert.equal((await call('GET', `/guests/${id}`)).body.name, 'Maya Okafor')
  })

  it('a guest keeps something to be known by; counts and notes are for staff', async () => {
    const id = await made('eve@example.com')
    assert.equal((await call('PATCH', `/guests/${id}`, { email: null, name: null })).status, 400)
    for (const field of ['visitCount', 'allergies', 'staffNotes']) {
      const { status, body } = await call('PATCH', `/guests/${id}`, { [field]: null })
      assert.deepEqual([status, body.reason, body.error], [403, 'staff-only', `A key cannot set ${field}.`])
    }
  })
})
