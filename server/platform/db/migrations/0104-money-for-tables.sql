-- A checkout of a table: the place it holds, and the booking it made.
alter table checkout add column hold_id text;
alter table checkout add column reservation_id bigint;
alter table checkout add constraint checkout_of_table check (kind <> 'table' or hold_id is not null);
alter table checkout add constraint checkout_reservation foreign key (venue_id, reservation_id)
  references reservation (venue_id, id) on delete cascade;
create index checkout_reservation on checkout (venue_id, reservation_id) where reservation_id is not null;

-- Money of a table belongs to its guarantee; a card that was kept is charged without a checkout.
alter table payment alter column order_id drop not null;
alter table payment alter column checkout_id drop not null;
alter table payment add column guarantee_id bigint;
alter table payment add column look_at timestamptz(3);
alter table payment add constraint payment_of_one check ((order_id is null) <> (guarantee_id is null));
alter table payment add constraint payment_guarantee foreign key (venue_id, guarantee_id)
  references guarantee (venue_id, id);
create index payment_of_guarantee on payment (venue_id, guarantee_id) where guarantee_id is not null;
create index payment_to_look on payment (look_at) where look_at is not null;

alter table refund alter column order_id drop not null;
alter table refund add column guarantee_id bigint;
alter table refund add constraint refund_of_one check ((order_id is null) <> (guarantee_id is null));
alter table refund add constraint refund_guarantee foreign key (venue_id, guarantee_id)
  references guarantee (venue_id, id);
create index refund_of_guarantee on refund (venue_id, guarantee_id) where guarantee_id is not null;
