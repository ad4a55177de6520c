import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { countOf, rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('POST /leads', () => {
  let service: TestService
  let venue: TestVenue
  const post = (body: object) => service.call('POST', '/api/v1/leads', { key: venue.key, body })
  const conceptOf = async (id: number) =>
    (await rowsOf<{ concept: string | null }>(service, 'select concept from lead where id = $1', [id]))[0]
      ?.concept

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    venue = await service.venue()
  })
  after(() => service.stop())

  it('lands on the pipeline at stage Inquiry, with everything as given', async () => {
    const answer = await post({
      name: ' Maya Okafor',
      email: 'maya@example.com',
      phone: '(212) 555-0147',
      eventName: 'Okafor’s 40th 🎂',
      occasion: 'Birthday',
      eventDate: '2026-12-12',
      guestCount: '35-40',
      budgetPerPerson: '$120 or so',
      concept: 'Garden room',
      priority: 'high',
      notes: ' Two lines\nof notes ',
    })
    assert.equal(answer.status, 201, answer.text)
    const { lead } = answer.body
    assert.deepEqual(answer.body, {
      lead: {
        id: lead.id,
        contactName: ' Maya Okafor',
        contactEmail: 'maya@example.com',
        contactPhone: '(212) 555-0147',
        eventName: 'Okafor’s 40th 🎂',
        occasion: 'Birthday',
        date: '2026-12-12',
        guestCount: '35-40',
        budgetPerPerson: '$120 or so',
        diningStyle: null,
        dietaryNeeds: null,
        stage: 'Inquiry',
        priority: 'High',
        notes: ' Two lines\nof notes ',
        submittedVia: 'automation',
        submittedAt: '2026-10-06T19:00:00.000Z',
        externalId: null,
        createdAt: '2026-10-06T19:00:00.000Z',
        updatedAt: '2026-10-06T19:00:00.000Z',
        revision: 1,
      },
    })
    const events = await rowsOf<{ name: string; data: string }>(
      service,
      'select name, data from event where venue_id = $1 order by id',
      [venue.id],
    )
    assert.deepEqual(
      events.map(({ name }) => name),
      ['guest.created', 'lead.created'],
    )
    assert.deepEqual(JSON.parse(events[1]?.data ?? ''), lead)
  })

  it('a name is enough: the event is TBD, priority Medium, and nobody is made a guest', async () => {
    const { lead } = (await post({ name: 'Maya' })).body
    assert.deepEqual(
      [lead.eventName, lead.priority, lead.date, lead.guestCount],
      ['TBD', 'Medium', null, null],
    )
    assert.equal(await countOf(service, 'guest', venue.id), 0)
  })

  it('the contact is matched to a guest as when creating one', async () => {
    const guest = await service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { name: 'Maya', phone: '+1 212 555 0147' },
    })
    await post({ name: 'M. Okafor', phone: '212 555 0147', email: 'maya@example.com' })
    const [lead] = await rowsOf<{ guest_id: string }>(
      service,
      'select guest_id from lead where venue_id = $1',
      [venue.id],
    )
    assert.equal(Number(lead?.guest_id), guest.body.guest.id)
    const found = await service.call('GET', '/api/v1/guests/find?email=maya@example.com', { key: venue.key })
    assert.equal(found.body[0].id, guest.body.guest.id)
    assert.equal(found.body[0].name, 'Maya')
    assert.equal(await countOf(service, 'guest', venue.id), 1)
  })

  it('concept left out is the one of the venue’s latest lead, else none', async () => {
    assert.equal(await conceptOf((await post({ name: 'a' })).body.lead.id), null)
    await post({ name: 'b', concept: 'Garden room' })
    service.setClock('2026-10-06T19:00:01Z')
    await post({ name: 'c', concept: 'Cellar' })
    assert.equal(await conceptOf((await post({ name: 'd' })).body.lead.id), 'Cellar')
    service.setClock('2026-10-06T19:00:00Z')
  })

  it('priority is matched without regard to letter case', async () => {
    for (const [given, kept] of [
      ['HIGH', 'High'],
      ['medium', 'Medium'],
      [' Low ', 'Low'],
      [null, 'Medium'],
    ]) {
      assert.equal((await post({ name: 'x', priority: given })).body.lead.priority, kept)
    }
  })
})
