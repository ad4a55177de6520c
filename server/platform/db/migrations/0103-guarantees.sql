-- When the venue's own booking page asks for a card or a deposit, and for how many days after a visit a card is kept.
alter table booking_settings add column guarantees jsonb not null default '[]';
alter table booking_settings add column keep_card_days integer not null default 3;

-- What stands behind a booking, as its guest agreed to it: a later rule changes nothing of it.
create table guarantee (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  -- Null: it was for a table that could not be given by the time it was secured.
  reservation_id bigint,
  account_id uuid not null,
  kind text not null,
  status text not null,
  -- What was agreed on: for each guest if that is what the sentence says, and in all.
  per_guest_cents integer,
  amount_cents integer not null,
  asked_cents integer not null default 0,
  paid_cents integer not null default 0,
  refunded_cents integer not null default 0,
  currency text not null,
  free_until timestamptz(3) not null,
  sentence text not null,
  language text not null,
  agreed_at timestamptz(3) not null,
  -- Where the card is at the processor; none once it was deleted there.
  customer_ref text,
  method_ref text,
  delete_at timestamptz(3),
  deleted_at timestamptz(3),
  taken_off_at timestamptz(3),
  -- When the card is to be deleted, or its deletion tried again; null: nothing is left to do.
  look_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade,
  foreign key (venue_id, account_id) references processor_account (venue_id, id),
  constraint guarantee_kind check (kind in ('card', 'deposit')),
  constraint guarantee_status check (status in (
    'held', 'paid', 'partially_refunded', 'refunded', 'charged', 'charge_failed', 'released')),
  constraint guarantee_amount check (amount_cents >= 0),
  constraint guarantee_money check (0 <= refunded_cents and refunded_cents <= paid_cents)
);

create unique index guarantee_of_booking on guarantee (venue_id, reservation_id) where reservation_id is not null;
create index guarantee_to_look on guarantee (look_at) where look_at is not null;
