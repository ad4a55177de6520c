-- When a record was erased. From then on it holds nothing about a person, whichever way it is written.
alter table guest add column erased_at timestamptz(3);
alter table reservation add column erased_at timestamptz(3);
alter table lead add column erased_at timestamptz(3);
alter table waitlist_entry add column erased_at timestamptz(3);
alter table ticket_order add column erased_at timestamptz(3);

-- Their names tell a refusal from a fault (db/faults.ts).
alter table guest add constraint guest_stays_erased check (erased_at is null or (
  num_nonnulls(name, email, phone, seating_preference, referral_source, external_id, allergies) = 0 and staff_notes = ''));
alter table reservation add constraint reservation_stays_erased check (erased_at is null or
  num_nonnulls(guest_name, email, phone, notes, cancel_message, external_id) = 0);
alter table lead add constraint lead_stays_erased check (erased_at is null or
  num_nonnulls(contact_name, contact_email, contact_phone, event_name, occasion, dining_style, dietary_needs, notes, external_id) = 0);
alter table waitlist_entry add constraint waitlist_entry_stays_erased check (erased_at is null or
  num_nonnulls(guest_name, email, phone, notes, external_id) = 0);
alter table ticket_order add constraint ticket_order_stays_erased check (erased_at is null or
  num_nonnulls(buyer_first_name, buyer_last_name, buyer_email, buyer_phone, external_reference) = 0);

-- Who was erased before, unless the record was filled in again since.
update guest g set erased_at = e.at
  from erasure e, jsonb_array_elements_text(e.ids -> 'guests') as r (id)
 where g.venue_id = e.venue_id and g.id = r.id::bigint
   and num_nonnulls(name, email, phone, seating_preference, referral_source, external_id, allergies) = 0 and staff_notes = '';
update reservation b set erased_at = e.at
  from erasure e, jsonb_array_elements_text(e.ids -> 'reservations') as r (id)
 where b.venue_id = e.venue_id and b.id = r.id::bigint
   and num_nonnulls(guest_name, email, phone, notes, cancel_message, external_id) = 0;
update lead l set erased_at = e.at
  from erasure e, jsonb_array_elements_text(e.ids -> 'leads') as r (id)
 where l.venue_id = e.venue_id and l.id = r.id::bigint
   and num_nonnulls(contact_name, contact_email, contact_phone, event_name, occasion, dining_style, dietary_needs, notes, external_id) = 0;
update waitlist_entry w set erased_at = e.at
  from erasure e, jsonb_array_elements_text(e.ids -> 'waitlist') as r (id)
 where w.venue_id = e.venue_id and w.id = r.id::bigint
   and num_nonnulls(guest_name, email, phone, notes, external_id) = 0;
update ticket_order t set erased_at = e.at
  from erasure e, jsonb_array_elements_text(e.ids -> 'ticketOrders') as r (id)
 where t.venue_id = e.venue_id and t.id = r.id::bigint
   and num_nonnulls(buyer_first_name, buyer_last_name, buyer_email, buyer_phone, external_reference) = 0;
update record_change c set op = 'erased'
  from guest g where c.kind = 'guest' and not c.gone and c.venue_id = g.venue_id and c.record_id = g.id and g.erased_at is not null;
update record_change c set op = 'erased'
  from reservation b where c.kind = 'reservation' and not c.gone and c.venue_id = b.venue_id and c.record_id = b.id and b.erased_at is not null;
update record_change c set op = 'erased'
  from lead l where c.kind = 'lead' and not c.gone and c.venue_id = l.venue_id and c.record_id = l.id and l.erased_at is not null;
update record_change c set op = 'erased'
  from waitlist_entry w where c.kind = 'waitlist_entry' and not c.gone and c.venue_id = w.venue_id and c.record_id = w.id and w.erased_at is not null;
update record_change c set op = 'erased'
  from ticket_order t where c.kind = 'ticket_order' and not c.gone and c.venue_id = t.venue_id and c.record_id = t.id and t.erased_at is not null;
