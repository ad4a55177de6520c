-- Refunds that the processor makes for us. Null: recorded by hand, as by the previous release.
alter table refund add column payment_id bigint;
alter table refund add column ref uuid;
alter table refund add column try integer not null default 1;
alter table refund add column processor_ref text;
alter table refund add column origin text not null default 'us';
alter table refund add column look_at timestamptz(3);
alter table refund add constraint refund_origin check (origin in ('us', 'dashboard', 'dispute'));
alter table refund add constraint refund_of_payment foreign key (venue_id, payment_id) references payment (venue_id, id);
create unique index refund_ref on refund (venue_id, ref) where ref is not null;
create unique index refund_processor_ref on refund (venue_id, processor_ref) where processor_ref is not null;
create index refund_to_look on refund (look_at) where state = 'pending' and payment_id is not null;
