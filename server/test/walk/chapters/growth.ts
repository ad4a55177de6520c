import { rowsOf } from '../../rows.ts'
import type { Chapter } from '../walk.ts'

/** What came to version 1 later. */

/** The SQL that makes one record of a kind, whose id is then 1. */
const makers: Readonly<Record<string, string>> = {
  reservations: `insert into reservation (venue_id, guest_name, party_size, status, source, created_at, updated_at)
    values ($1, 'Maya Okafor', 2, 'Confirmed', 'staff', $2, $2)`,
  guests: `insert into guest (venue_id, name, created_at, updated_at) values ($1, 'Maya Okafor', $2, $2)`,
  subscribers: `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
    values ($1, 'maya@example.com', 'maya@example.com', 'subscribed', 'import', $2, $2)`,
  'ticket-orders': `with e as (insert into ticketed_event (venue_id, name, created_at) values ($1, 'Jazz', $2) returning id),
      o as (insert into occurrence (venue_id, event_id, date, capacity, price_cents)
            select $1, id, '2026-11-01', 9, 900 from e returning id)
    insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
      subtotal_cents, total_cents, created_at, updated_at)
    select $1, id, 'ORDER-1', 'paid', 'public', 'cash', 1, 900, 900, $2, $2 from o`,
  waitlist: `insert into waitlist_entry (venue_id, guest_name, party_size, status, source, created_at, updated_at)
    values ($1, 'Maya Okafor', 2, 'waiting', 'staff', $2, $2)`,
  leads: `insert into lead (venue_id, contact_name, stage, priority, submitted_via, created_at, updated_at)
    values ($1, 'Maya Okafor', 'Inquiry', 'Low', 'staff', $2, $2)`,
}

export const singleRecords: Chapter = {
  name: 'single records',
  take: async ({ service, ask, venue: makeVenue }) => {
    const venue = await makeVenue()
    for (const [place, insert] of Object.entries(makers)) {
      const one = `GET /api/v1/${place}/1`
      await ask(`not there, ${place}`, one, venue)
      await rowsOf(service, insert, [venue.id, service.context.clock().toString()])
      await ask(`one of ${place}`, one, venue)
      await ask(`any state that one of ${place} has`, one, { ...venue, headers: { 'if-none-match': '*' } })
    }
    const gone = (kind: string, op: string, into: number | null = null) =>
      rowsOf(
        service,
        `insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at, into_id)
         values ($1, $2, 9, $3, true, 2, $4, $5)`,
        [venue.id, kind, op, service.context.clock().toString(), into],
      )
    await gone('reservation', 'deleted')
    await gone('lead', 'deleted')
    await gone('subscriber', 'erased')
    await gone('guest', 'merged', 1)
    await ask('a reservation that was deleted', 'GET /api/v1/reservations/9', venue)
    await ask('a lead that was deleted', 'GET /api/v1/leads/9', venue)
    await ask('a subscriber who was erased', 'GET /api/v1/subscribers/9', venue)
    await ask('a guest who was merged into another', 'GET /api/v1/guests/9', venue)
    for (const id of ['007', 'abc', '0', '99999999999999999']) {
      await ask(`no id: ${id}`, `GET /api/v1/reservations/${id}`, venue)
    }
    await ask('another method on a word beside the ids', 'PATCH /api/v1/reservations/find', venue)
    await ask('another method on a record', 'HEAD /api/v1/reservations/1', venue)
  },
}

export const namesOfEvents: Chapter = {
  name: 'names of events',
  take: async ({ service, ask, venue: makeVenue }) => {
    const { key, id, makeKey } = await makeVenue()
    const url = 'https://hooks.bluedoor.com/growth'
    const add = (title: string, events: readonly string[], asked = key) =>
      ask(title, 'POST /api/v1/webhooks', { key: asked, body: { url: `${url}/${title.length}`, events } })
    await add('every event of reservations', ['reservation.*'])
    await add('every event, and the doorbell', ['*', 'changes.available'])
    await add('every event of what is not there', ['table.*'])
    const before = await makeKey('read_write')
    await rowsOf(service, 'update api_key set scopes = null where venue_id = $1 and id = $2', [id, before.id])
    await add('tasks, by a key of before', ['task.created'], before.key)
    await add('every event, by a key of before', ['*'], before.key)
    await ask('a hook for tasks, by a key of before', 'POST /api/v1/hooks', {
      key: before.key,
      body: { event: 'task.created', targetUrl: 'https://hooks.zapier.com/hooks/standard/1/abc/' },
    })
  },
}
