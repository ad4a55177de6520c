-- When access was last withdrawn. It is a fact beside the state: a venue that asks anew is "requested" and no longer
-- "withdrawn", and its keys are refused all the same, until it is given access again.
alter table venue add column access_withdrawn_at timestamptz(3);

update venue set access_withdrawn_at = coalesce(access_changed_at, created_at) where access = 'withdrawn';

-- Who asked anew since, and was not given access: the keys that were revoked then say so.
update venue v
   set access_withdrawn_at = (
     select max(k.revoked_at) from api_key k where k.venue_id = v.id and k.revoked_why = 'access-withdrawn')
 where access in ('requested', 'declined');

-- A do-not-email list can be brought, too.
alter table data_import drop constraint data_import_kind_check;

alter table data_import add constraint data_import_kind_check
  check (kind in ('guests', 'subscribers', 'reservations', 'do-not-email'));
