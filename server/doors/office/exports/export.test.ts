import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { exportKinds } from '../../../data/exports/kinds.ts'
import { guessColumns } from '../../../data/imports/fields.ts'
import { atWork, furnished } from '../../../test/office-forms.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('an owner takes the data along', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const withoutMark = (text: string): string => text.replace(/^\uFEFF/, '')

  it('every kind has its headings, also where there is nothing of it', async () => {
    const { visitor } = await atWork(service, 'owner')
    for (const { name, fields } of exportKinds) {
      const { status, html } = await visitor.get(`/office/data/export/${name}.csv`)
      assert.equal(status, 200)
      assert.equal(withoutMark(html), `${fields.join(',')}\r\n`, name)
    }
  })

  it('a record of every kind has the fields of the headings, in their order, in CSV and in JSON', async () => {
    const { venue, visitor } = await atWork(service, 'owner')
    await furnished(visitor, 'export')
    for (const text of [
      `insert into waitlist_entry (venue_id, status, source, created_at, updated_at)
       values ($1, 'waiting', 'staff', now(), now())`,
      `insert into text_reply (venue_id, entry_id, provider_id, body, at)
       select venue_id, id, 'SM1', 'On our way', now() from waitlist_entry where venue_id = $1`,
      `insert into guest_text (venue_id, kind, record_id, state, made_at, until, body)
       select venue_id, 'lineTyped', id, 'sent', now(), now(), 'Ten more minutes' from waitlist_entry where venue_id = $1`,
      `insert into shift_note (venue_id, service_date, text) values ($1, '2026-10-06', 'Out of branzino')`,
      `update venue set rooms = '{The Cellar}' where id = $1`,
      `insert into suppression (venue_id, email_key, reason, created_at) values ($1, 'x@example.com', 'bounced', now())`,
      `insert into refund_request (venue_id, order_id, amount_cents, status, asked_at)
       select venue_id, id, 500, 'asked', now() from ticket_order where venue_id = $1`,
      `insert into reservation (venue_id, guest_name, party_size, date, time, service_date, service_minute, starts_at,
         duration_minutes, status, source, booking_type, created_at, updated_at)
       values ($1, 'Maya', 2, '2026-10-09', '19:00', '2026-10-09', 1140, now(), 90, 'Confirmed', 'staff', 'Dinner', now(), now())`,
      `insert into processor_account (venue_id, id, live, key_sealed, made_at)
       values ($1, gen_random_uuid(), false, 'sealed', now())`,
      `insert into guarantee (venue_id, reservation_id, account_id, kind, status, amount_cents, currency, free_until,
         sentence, language, agreed_at)
       select r.venue_id, r.id, a.id, 'card', 'held', 5000, 'USD', now(), 'Cancel in time.', 'en', now()
         from reservation r join processor_account a on a.venue_id = r.venue_id
        where r.venue_id = $1 and r.guest_name = 'Maya'`,
      `insert into server (venue_id, name, initials, color) values ($1, 'Ann Lee', 'AL', 'blue')`,
      `insert into section_plan (venue_id, name) values ($1, 'Usual')`,
      `insert into shift (venue_id, service_date, from_minute, to_minute, plan_id)
       select venue_id, '2026-10-09', 1020, 1380, id from section_plan where venue_id = $1`,
      `insert into shift_server (venue_id, shift_id, server_id, place, from_minute, until_minute)
       select h.venue_id, h.id, s.id, 0, 1020, 1380 from shift h join server s on s.venue_id = h.venue_id where h.venue_id = $1`,
      `insert into shift_section (venue_id, shift_id, section, server_id)
       select venue_id, shift_id, 3, server_id from shift_server where venue_id = $1`,
      `insert into reservation_server (venue_id, reservation_id, server_id)
       select r.venue_id, r.id, s.id from reservation r join server s on s.venue_id = r.venue_id
        where r.venue_id = $1 and r.guest_name = 'Maya'`,
      `insert into guest_booking (venue_id, reservation_id, occasion, answers)
       select venue_id, id, 'Birthday', '{Yes,No}' from reservation where venue_id = $1 and guest_name = 'Maya'`,
    ])
      await rowsOf(service, text, [venue.id])
    const codes = await rowsOf<{ code: string }>(service, 'select code from ticket where venue_id = $1', [
      venue.id,
    ])
    const everything = JSON.parse((await visitor.get('/office/data/export/everything.json')).html)
    assert.deepEqual(everything.venue, {
      slug: venue.slug,
      name: 'The Blue Door',
      timezone: 'America/New_York',
      phone: null,
      postalAddress: null,
      mailFrom: null,
      testAddresses: [],
      rooms: ['The Cellar'],
      clockHours: null,
    })
    assert.ok(codes.length > 0 && codes.every(({ code }) => !JSON.stringify(everything).includes(code)))
    assert.deepEqual(everything.shifts[0].servers, ['Ann Lee 3'])
    assert.equal(everything.whoServed[0].server, 'Ann Lee')
    assert.equal(everything.refunds[0].origin, 'us')
    for (const { name, key, fields } of exportKinds) {
      const [record] = everything[key]
      assert.ok(record, `a record of ${name}`)
      assert.deepEqual(Object.keys(record), fields, name)
      const csv = withoutMark((await visitor.get(`/office/data/export/${name}.csv`)).html)
      assert.ok(csv.startsWith(`${fields.join(',')}\r\n`) && csv.split('\r\n').length > 2, name)
    }
  })

  it('headings of other systems are known again, "Notes" among them', () => {
    assert.deepEqual(guessColumns('guests', ['Name', 'E-mail', 'Notes']), {
      name: 0,
      email: 1,
      staffNotes: 2,
    })
    assert.deepEqual(guessColumns('guests', ['Guest notes', 'NOTES', 'First Name']), {
      staffNotes: 0,
      firstName: 2,
    })
    assert.deepEqual(
      guessColumns('reservations', ['Date', 'Time', 'Notes', 'Special request']),
      { date: 0, time: 1, staffNotes: 2, notes: 3 },
      'what staff wrote is not taken for what the guest asked for',
    )
  })
})
