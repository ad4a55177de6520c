import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('leads changed by API', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService()
    venue = await service.venue()
  })
  after(() => service.stop())

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    service.call(method, `/api/v1${path}`, {
      key: venue.key,
      headers: { 'if-match': '*', ...headers },
      ...(body !== undefined && { body }),
    })
  const made = async (more: object = {}): Promise<number> =>
    (await call('POST', '/leads', { name: 'Maya Okafor', ...more })).body.lead.id

  it('each field is written, and no event says anything but the record', async () => {
    const id = await made()
    const changes = {
      contactName: 'Maya O.',
      contactEmail: 'maya@example.com',
      contactPhone: '(212) 555-0147',
      eventName: 'Okafor 40th',
      occasion: 'Birthday',
      eventDate: '2026-12-12',
      guestCount: '45',
      budgetPerPerson: '$120',
      diningStyle: 'Seated',
      dietaryNeeds: 'No nuts',
      notes: 'The garden room',
      priority: 'high',
      stage: 'proposal',
      externalId: 'form-7731',
    }
    const { status, body } = await call('PATCH', `/leads/${id}`, changes)
    assert.equal(status, 200)
    const { eventDate: date, ...same } = changes
    const { id: _id, submittedVia, submittedAt, createdAt, updatedAt, revision, ...shown } = body.lead
    assert.deepEqual(shown, { ...same, date, priority: 'High', stage: 'Proposal' })
    assert.deepEqual([submittedVia, revision], ['automation', 2])
    assert.ok(submittedAt <= updatedAt && createdAt <= updatedAt)
    const [linked] = await rowsOf(service, 'select guest_id from lead where id = $1', [id])
    assert.notEqual(linked?.['guest_id'], null, 'the contact is matched to a guest')
  })

  it('eventDate must be YYYY-MM-DD when given by the API, in a PATCH too; what staff typed stays', async () => {
    const id = await made({ eventDate: '2026-12-12' })
    for (const eventDate of ['2026-13-01', '2026-02-30', 'mid December', '12/12/2026']) {
      const { status, body } = await call('PATCH', `/leads/${id}`, { eventDate })
      assert.deepEqual([status, /eventDate/.test(body.error)], [400, true], eventDate)
    }
    await rowsOf(service, `update lead set event_date = 'mid December' where id = $1 returning id`, [id])
    const { body } = await call('PATCH', `/leads/${id}`, { guestCount: '45' })
    assert.equal(body.lead.date, 'mid December')
    assert.equal((await call('PATCH', `/leads/${id}`, { eventDate: null })).body.lead.date, null)
  })

  it('a stage that is not on the pipeline is 409 with those that are, and nothing is done', async () => {
    const id = await made()
    const { status, body } = await call('PATCH', `/leads/${id}`, { stage: 'Tasting', occasion: 'Wedding' })
    assert.deepEqual([status, body.reason], [409, 'unknown-stage'])
    assert.deepEqual(body.stages, ['Inquiry', 'Proposal', 'Contract', 'Booked', 'Completed', 'Lost'])
    assert.doesNotMatch(body.error, /Tasting/)
    assert.equal((await call('GET', `/leads/${id}`)).body.occasion, null)
  })

  it('what only staff set is refused by name; a name cannot be emptied', async () => {
    const id = await made({ occasion: 'Birthday' })
    const { status, body } = await call('PATCH', `/leads/${id}`, { submittedVia: null, occasion: 'x' })
    assert.deepEqual([status, body.reason, body.error], [403, 'staff-only', 'A key cannot set submittedVia.'])
    assert.equal((await call('PATCH', `/leads/${id}`, { contactName: null })).status, 400)
    assert.equal((await call('PATCH', `/leads/${id}`, { occasion: null })).body.lead.occasion, null)
  })

  it("a note is staff's to read, under the key's name, and nothing returns it", async () => {
    const id = await made()
    const text = 'The contract went out through our signing tool.'
    const noted = await call('POST', `/leads/${id}/notes`, { text }, { 'idempotency-key': 'note-1' })
    assert.deepEqual([noted.status, noted.body], [201, { noted: true }])
    await call('POST', `/leads/${id}/notes`, { text }, { 'idempotency-key': 'note-1' })
    assert.deepEqual(
      await rowsOf(service, 'select kind, text, written_by from lead_note where lead_id = $1', [id]),
      [{ kind: 'note', text, written_by: 'test' }],
    )
    for (const path of [`/leads/${id}`, '/leads', '/changes', '/guests', '/tasks']) {
      assert.doesNotMatch((await call('GET', path)).text, /signing tool/, path)
    }
    const told = await rowsOf(service, `select data from event where venue_id = $1`, [venue.id])
    assert.doesNotMatch(JSON.stringify(told), /signing tool/)
    assert.equal((await call('POST', '/leads/404404/notes', { text })).status, 404)
    assert.equal((await call('POST', `/leads/${id}/notes`, { text: ' ' })).status, 400)
  })
})
