-- The venue's own account at the processor of payments. Its key, and what callbacks are signed with, are sealed
-- (kernel/secrets.ts). An account that was replaced stays to give back what it took.
create table processor_account (
  venue_id bigint not null,
  id uuid not null,
  live boolean not null,
  key_sealed text not null,
  signing_sealed text,
  -- The one before, for a day.
  earlier_signing_sealed text,
  earlier_until timestamptz(3),
  -- Its id for the address it calls; null: the owner registered it by hand.
  callback_ref text,
  made_at timestamptz(3) not null,
  checked_at timestamptz(3),
  -- What the last check found, in a sentence; null: nothing.
  trouble text,
  ended_at timestamptz(3),
  version integer not null default 1,
  primary key (venue_id, id)
);

create unique index processor_account_open on processor_account (venue_id) where ended_at is null;

-- Somebody who is about to pay. In no list, feed or event. What they typed goes once there is an order, and after 30 days.
create table checkout (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  -- Names it at the processor; never the id, which a restored database gives again.
  ref uuid not null,
  account_id uuid not null,
  kind text not null,
  mode text not null,
  state text not null,
  occurrence_id bigint,
  seats integer,
  promo_code_id bigint,
  form jsonb,
  buyer_email_key text,
  language text not null,
  -- What the processor's page calls it.
  title text not null,
  sentence text,
  subtotal_cents integer not null,
  discount_cents integer not null,
  fee_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  currency text not null,
  made_at timestamptz(3) not null,
  -- When the processor's page closes.
  ends_at timestamptz(3),
  -- Until then its seats are nobody else's.
  counts_until timestamptz(3) not null,
  -- Rises only when nothing was done for certain: the key of a call is the ref and this.
  try integer not null default 1,
  session_ref text,
  -- When it should be looked at next; null: nothing is left to see.
  look_at timestamptz(3),
  why text,
  order_id bigint,
  primary key (venue_id, id),
  foreign key (venue_id, account_id) references processor_account (venue_id, id),
  foreign key (venue_id, occurrence_id) references occurrence (venue_id, id),
  foreign key (venue_id, promo_code_id) references promo_code (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id),
  constraint checkout_state check (state in ('made', 'opening', 'open', 'completed', 'refused', 'ended')),
  constraint checkout_of_tickets check (kind <> 'tickets' or (occurrence_id is not null and seats > 0))
);

create unique index checkout_ref on checkout (venue_id, ref);
create unique index checkout_session on checkout (venue_id, session_ref) where session_ref is not null;
create index checkout_live on checkout (venue_id, occurrence_id) where state in ('made', 'opening', 'open');
create index checkout_of_date on checkout (venue_id, occurrence_id);
create index checkout_code on checkout (venue_id, promo_code_id) where promo_code_id is not null;
create index checkout_buyer on checkout (venue_id, buyer_email_key) where buyer_email_key is not null;
create index checkout_to_look on checkout (look_at) where look_at is not null;
create index checkout_form on checkout (made_at) where form is not null;

-- Money that came in.
create table payment (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  ref uuid not null,
  account_id uuid not null,
  checkout_id bigint not null,
  order_id bigint not null,
  amount_cents integer not null,
  currency text not null,
  via text not null,
  state text not null,
  why text,
  try integer not null default 1,
  processor_ref text,
  made_at timestamptz(3) not null,
  settled_at timestamptz(3),
  primary key (venue_id, id),
  foreign key (venue_id, account_id) references processor_account (venue_id, id),
  foreign key (venue_id, checkout_id) references checkout (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id),
  constraint payment_amount check (amount_cents > 0),
  constraint payment_via check (via = 'processor'),
  constraint payment_state check (state in ('pending', 'succeeded', 'failed'))
);

create unique index payment_ref on payment (venue_id, ref);
create unique index payment_processor_ref on payment (venue_id, processor_ref) where processor_ref is not null;
create index payment_of_order on payment (venue_id, order_id);
create index payment_of_checkout on payment (venue_id, checkout_id);

-- What the processor called about, until somebody has looked at the object it names.
create table processor_event (
  venue_id bigint not null,
  event_ref text not null,
  account_id uuid not null,
  kind text not null,
  object_ref text not null,
  at timestamptz(3) not null,
  looked_at timestamptz(3),
  primary key (venue_id, event_ref)
);

create index processor_event_to_look on processor_event (at) where looked_at is null;
create index processor_event_at on processor_event (at);
