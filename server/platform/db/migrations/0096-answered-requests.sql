-- When staff first answered a request: private, written once. Those answered before are known from the trail.
alter table reservation add column answered_at timestamptz(3);
update reservation r set answered_at = a.at
  from (
    select venue_id, record_id, min(at) as at
      from activity
     where record_kind = 'reservation' and actor_kind = 'staff' and action in ('confirm', 'cancel', 'seat')
       and before ->> 'status' = 'Requested'
     group by venue_id, record_id) a
 where a.venue_id = r.venue_id and a.record_id = r.id;
