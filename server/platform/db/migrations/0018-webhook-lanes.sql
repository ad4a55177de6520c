-- How often the lane was picked: a worker gives back only a lane that nobody picked after it, not even in the same
-- millisecond. And the earliest moment it was opened for since then, so that giving it back forgets no opening.
alter table lane add column picks bigint not null default 0;
alter table lane add column opened_for timestamptz(3) not null default 'infinity';

-- For the owner's log, written once for each delivery: at its end.
create index delivery_ended on delivery (venue_id, endpoint_id, occurred_at) where done_at is not null;
