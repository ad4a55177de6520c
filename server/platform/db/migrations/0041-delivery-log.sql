-- The log of an endpoint by what came of its deliveries, newest first; written once for each delivery, at its end.
drop index delivery_ended;
create index delivery_ended on delivery (venue_id, endpoint_id, outcome, occurred_at, event_id) where done_at is not null;

-- When deliveries of an endpoint were last replayed by a key: once a minute they may be.
alter table webhook_endpoint add column replayed_at timestamptz(3);
