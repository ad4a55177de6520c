import assert from 'node:assert/strict'
import { after, before, it, describe } from 'node:test'
import { rowsOf } from '../test/rows.ts'
import { type TestService, startService } from '../test/service.ts'
import { fillContactKeys } from './fill-contact-keys.ts'

describe('match keys of contacts', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('are filled in once for older entries and leads, in every venue, however many', async () => {
    const [one, other] = [await service.venue(), await service.venue()]
    const leads = (venue: number, count: number) =>
      rowsOf(
        service,
        `insert into lead (venue_id, contact_email, contact_phone, stage, priority, submitted_via, created_at, updated_at)
         select $1, 'Maya@Example.com', '+1 212 555 0147', 'Inquiry', 'Low', 'staff', now(), now()
           from generate_series(1, $2::int)`,
        [venue, count],
      )
    await leads(one.id, 2_500)
    await leads(other.id, 1)
    await rowsOf(
      service,
      `insert into waitlist_entry (venue_id, phone, status, source, created_at, updated_at)
       select $1, phone, 'waiting', 'staff', now(), now() from unnest($2::text[]) as p (phone)`,
      [one.id, ['212 555 0147', 'ext. 5']],
    )
    assert.equal(await fillContactKeys(service.context), 2_502)
    assert.equal(await fillContactKeys(service.context), 0)
    const found = async (path: string, key: string) => {
      const answer = await service.call('GET', `/api/v1/${path}&count=true&limit=1`, { key })
      return answer.headers.get('x-count')
    }
    assert.equal(await found('leads?email=maya@example.com', one.key), '2500')
    assert.equal(await found('leads?phone=2125550147', other.key), '1')
    assert.equal(await found('waitlist?phone=%2B12125550147', one.key), '1')
    const [changes] = await rowsOf<{ n: number }>(service, 'select count(*)::int as n from record_change')
    assert.equal(changes?.n, 0)
  })

  it('of a new or edited record match what was typed', async () => {
    const venue = await service.venue()
    const body = { name: 'Maya', email: 'maya@example.com', phone: '(212) 555-0199' }
    await service.call('POST', '/api/v1/leads', { key: venue.key, body })
    for (const query of ['email=MAYA@example.com', 'phone=2125550199', 'phone=%2B1 212 555 0199']) {
      const answer = await service.call('GET', `/api/v1/leads?${query}`, { key: venue.key })
      assert.equal(answer.body.length, 1, query)
    }
    assert.equal(await fillContactKeys(service.context), 0)
  })
})
