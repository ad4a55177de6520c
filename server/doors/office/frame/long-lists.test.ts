import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor } from '../../../test/office.ts'
import { atWork } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { timed } from '../../../test/run/timed.ts'

/** Lists other than those of records (records.test.ts), of the book and of the waitlist. */
describe('with 10,000 rows on each of the owner’s lists', () => {
  let service: TestService
  let venue: TestVenue
  let owner: OfficeVisitor
  let guest = ''
  const endpoint = '5f0c7a52-2f6e-4c39-9b6e-0d9c2c7f4a11'
  before(async () => {
    service = await startService()
    const at = await atWork(service, 'owner')
    venue = at.venue
    owner = at.visitor
    const series = 'from generate_series(1, 10000) n'
    const at0 = `timestamptz '2026-10-06T00:00:00Z' - n * interval '10 minutes'`
    const run = (text: string) => rowsOf(service, text, [venue.id])
    await run(`insert into data_import (venue_id, kind, state, file_name, file_bytes, row_count, separator, upload_id,
        plan, made_by, made_at, refused)
      select $1, 'guests', 'done', 'file' || n || '.csv', 1, 1, ',', gen_random_uuid(),
        '{"header":true,"columns":{},"dates":"month-first","evidence":null}', 'x', ${at0}, 10000 ${series}`)
    await run(`insert into data_import_refusal (venue_id, import_id, line, sentence)
      select $1, (select max(id) from data_import where venue_id = $1), n, 'The email is not one.' ${series}`)
    await run(`insert into webhook_endpoint (venue_id, id, kind, url, address, events, status, key_id, created_at)
      select $1, '${endpoint}', 'hook', 'https://hooks.zapier.com/x', 'https://hooks.zapier.com/x', '{guest.created}', 'active', 1, now()`)
    await run(`insert into event (venue_id, name, data, occurred_at)
      select $1, 'guest.created', '{}', ${at0} ${series}`)
    await run(`insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, done_at, outcome)
      select venue_id, gen_random_uuid(), id, '${endpoint}', occurred_at, occurred_at, id % 2,
             case when id % 2 = 0 then occurred_at end, case when id % 2 = 0 then 'delivered' end
        from event where venue_id = $1`)
    await run(`insert into attempt (venue_id, delivery_id, token, endpoint_id, started_at, duration_ms, status_code, result, answer)
      select venue_id, id, gen_random_uuid(), endpoint_id, occurred_at, 12, 500, 'HTTP 500', repeat('x', 1000)::bytea
        from delivery where venue_id = $1`)
    await run(`insert into promo_code (venue_id, code, percent, created_at)
      select $1, 'CODE' || n, 10, ${at0} ${series}`)
    await run(`insert into lead (venue_id, contact_name, concept, stage, priority, submitted_via, created_at, updated_at)
      select $1, 'Lead ' || n, 'Room ' || n, 'Inquiry', 'Low', 'import', ${at0}, ${at0} ${series}`)
    const [made] = await rowsOf<{ id: string }>(
      service,
      `insert into guest (venue_id, name, email, email_key, staff_notes, created_at, updated_at)
       values ($1, 'Maya', 'maya@example.com', 'maya@example.com', '', now(), now()) returning id`,
      [venue.id],
    )
    guest = String(made?.id)
    await rowsOf(
      service,
      `insert into reservation (venue_id, guest_id, guest_name, email, email_key, party_size, date, time, service_date,
         service_minute, starts_at, duration_minutes, status, source, booking_type, created_at, updated_at)
       select $1, $2, 'Maya', 'maya@example.com', 'maya@example.com', 2, date '2026-10-01' - n % 365, '19:00', date '2026-10-01' - n % 365, 1140,
         ${at0}, 90, 'Completed', 'staff', 'Dinner', ${at0}, ${at0} ${series}`,
      [venue.id, guest],
    )
    await service.db.session((client) => client.query('analyze'))
  })
  after(() => service.stop())

  it('every page that shows them is of a size', async () => {
    const newest = await rowsOf<{ id: string }>(
      service,
      'select max(id) as id from data_import where venue_id = $1',
      [venue.id],
    )
    for (const path of [
      '/office/data',
      `/office/data/imports/${newest[0]?.id}`,
      '/office/integrations',
      `/office/integrations/endpoints/${endpoint}`,
      '/office/tickets/codes',
      `/office/guests/${guest}`,
      '/office/leads/new',
      '/office/settings/venue',
    ]) {
      const { status, html } = await timed(path, 200, () => owner.get(path))
      assert.equal(status, 200, path)
      // A page of the list, not all of it.
      assert.ok(html.length < 400_000, `${path}: ${html.length} characters`)
    }
  })

  it('the files that were brought are paged, each shown once, to the first of all', async () => {
    let path: string | undefined = '/office/data'
    const seen: string[] = []
    while (path !== undefined) {
      const { html } = await owner.get(path)
      for (const [, id] of html.matchAll(/\/office\/data\/imports\/(\d+)"/g)) seen.push(id as string)
      path = /rel="next" href="([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
    }
    assert.equal(seen.length, 10_000)
    assert.equal(new Set(seen).size, 10_000)
  })
})
