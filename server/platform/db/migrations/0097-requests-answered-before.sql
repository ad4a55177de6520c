-- no transaction
-- Those answered before are known from the trail. By itself, so that the table is not locked against everybody meanwhile.
update reservation r set answered_at = a.at
  from (
    select venue_id, record_id, min(at) as at
      from activity
     where record_kind = 'reservation' and actor_kind = 'staff' and action in ('confirm', 'cancel', 'seat')
       and before ->> 'status' = 'Requested'
     group by venue_id, record_id) a
 where a.venue_id = r.venue_id and a.record_id = r.id and r.answered_at is null;
