-- A refund that had gone out and came back: the two moments. Each is a movement of money of its own day, whatever happens to the
-- refund afterward.
alter table refund add column arrived_at timestamptz(3);
alter table refund add column came_back_at timestamptz(3);

-- What moved in some days.
create index payment_settled on payment (venue_id, settled_at);
create index refund_settled on refund (venue_id, settled_at);
create index refund_arrived on refund (venue_id, arrived_at) where arrived_at is not null;
