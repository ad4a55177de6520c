-- The number of an order in the software that made it: sent again, it is the same order.
alter table ticket_order add column external_reference text;
create unique index ticket_order_by_reference on ticket_order (venue_id, external_reference)
  where external_reference is not null;

-- Refunds that integrators ask for. A manager grants them, which is an attempt as any (refund), or declines.
create table refund_request (
  venue_id bigint not null,
  id bigint generated always as identity,
  order_id bigint not null,
  amount_cents integer not null check (amount_cents >= 1),
  reason text,
  status text not null check (status in ('asked', 'granted', 'declined')),
  asked_by_key bigint,
  asked_at timestamptz(3) not null,
  answered_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id),
  check ((status = 'asked') = (answered_at is null))
);

create index refund_request_of_order on refund_request (venue_id, order_id, id);
create index refund_request_asked on refund_request (venue_id, asked_at, id) where status = 'asked';
