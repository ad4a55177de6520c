/** For each list: how a venue gets a record with a given creation moment, by a statement. */
export const makers: Readonly<Record<string, string>> = {
  '/api/v1/reservations': `insert into reservation (venue_id, status, source, created_at, updated_at)
    values ($1, 'Requested', 'staff', $2, $2) returning id`,
  '/api/v1/guests': 'insert into guest (venue_id, created_at, updated_at) values ($1, $2, $2) returning id',
  '/api/v1/subscribers': `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
    values ($1, gen_random_uuid(), gen_random_uuid(), 'subscribed', 'import', $2, $2) returning id`,
  '/api/v1/leads': `insert into lead (venue_id, stage, priority, submitted_via, created_at, updated_at)
    values ($1, 'Inquiry', 'Low', 'staff', $2, $2) returning id`,
  '/api/v1/waitlist': `insert into waitlist_entry (venue_id, status, source, created_at, updated_at)
    values ($1, 'waiting', 'staff', $2, $2) returning id`,
  '/api/v1/ticket-orders': `with e as (insert into ticketed_event (venue_id, name, created_at) values ($1, 'x', $2) returning id),
      o as (insert into occurrence (venue_id, event_id, date, capacity, price_cents)
            select $1, id, '2026-11-01', 9, 9 from e returning id)
    insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, seats,
      subtotal_cents, total_cents, created_at, updated_at)
    select $1, id, gen_random_uuid(), 'paid', 'public', 'cash', 1, 2, 2, $2, $2 from o returning id`,
  '/api/v1/tasks': `insert into task (venue_id, title, priority, category, created_at, updated_at)
    values ($1, 'Call', 'Low', 'Other', $2, $2) returning id`,
  '/api/v1/campaigns': `insert into campaign (venue_id, name, subject, body_format, segment, status, created_at, updated_at)
    values ($1, 'Oysters', 'Oysters', 'guided', '{"type":"all"}', 'draft', $2, $2) returning id`,
  // One of a reservation, whose moment it shows.
  '/api/v1/visits': `with r as (insert into reservation (venue_id, status, source, created_at, updated_at)
      values ($1, 'Requested', 'staff', $2, $2) returning id)
    insert into record_change (venue_id, kind, record_id, op, gone, revision, changed_at)
    select $1, 'visit', id, 'upsert', false, 1, $2 from r returning record_id as id`,
  // Its id is a UUID; here they ascend, as the numbers of the other records do.
  '/api/v1/webhooks': `insert into webhook_endpoint (venue_id, id, kind, url, address, events, secret_sealed, status, key_id, created_at)
    select $1, ('0199b9d0-0000-7000-8000-' || lpad(count(*)::text, 12, '0'))::uuid, 'webhook', '',
           'https://' || count(*) || '.example.com', '{lead.created}', '', 'active', 1, $2
      from webhook_endpoint where venue_id = $1 returning id`,
}
