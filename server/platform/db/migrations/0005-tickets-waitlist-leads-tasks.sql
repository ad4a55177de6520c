create table ticketed_event (
  venue_id bigint not null,
  id bigint generated always as identity,
  name text not null,
  created_at timestamptz(3) not null,
  primary key (venue_id, id)
);

create table occurrence (
  venue_id bigint not null,
  id bigint generated always as identity,
  event_id bigint not null,
  title text,
  date date not null,
  start_time time(0),
  capacity integer not null check (capacity >= 0),
  price_cents integer not null check (price_cents >= 0),
  primary key (venue_id, id),
  foreign key (venue_id, event_id) references ticketed_event (venue_id, id)
);

create index occurrence_by_event on occurrence (venue_id, event_id);

-- Only orders that reached one of the contract's states; running checkouts are no orders yet.
create table ticket_order (
  venue_id bigint not null,
  id bigint generated always as identity,
  occurrence_id bigint not null,
  order_number text not null,
  status text not null check (
    status in ('paid', 'paid_unconfirmed', 'refunded', 'partially_refunded', 'refund_failed', 'cancelled')
  ),
  channel text not null check (channel in ('public', 'box_office')),
  payment_method text not null check (payment_method in ('processor_link', 'cash', 'comp', 'free', 'external')),
  buyer_first_name text,
  buyer_last_name text,
  buyer_email text,
  buyer_email_key text,
  buyer_phone text,
  seats integer not null check (seats >= 1),
  subtotal_cents integer not null check (subtotal_cents >= 0),
  discount_cents integer not null default 0 check (discount_cents >= 0),
  fee_cents integer not null default 0 check (fee_cents >= 0),
  tax_cents integer not null default 0 check (tax_cents >= 0),
  total_cents integer not null,
  refunded_cents integer not null default 0,
  promo_code text,
  marketing_opt_in boolean,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, occurrence_id) references occurrence (venue_id, id),
  check (total_cents = subtotal_cents - discount_cents + fee_cents + tax_cents),
  check (refunded_cents between 0 and total_cents)
);

create unique index ticket_order_by_number on ticket_order (venue_id, order_number);
create index ticket_order_newest on ticket_order (venue_id, created_at desc, id desc);
create index ticket_order_by_occurrence on ticket_order (venue_id, occurrence_id);

create table waitlist_entry (
  venue_id bigint not null,
  id bigint generated always as identity,
  guest_name text,
  email text,
  phone text,
  party_size integer check (party_size >= 1),
  date date,
  requested_time time(0),
  window_start time(0),
  window_end time(0),
  status text not null check (status in ('waiting', 'offered', 'booked', 'expired', 'cancelled')),
  source text not null check (source in ('public', 'staff')),
  notes text,
  quoted_minutes integer check (quoted_minutes >= 0),
  quoted_at timestamptz(3),
  paged_at timestamptz(3),
  seated_at timestamptz(3),
  left_at timestamptz(3),
  reservation_id bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id)
);

create index waitlist_newest on waitlist_entry (venue_id, created_at desc, id desc);
create index waitlist_by_day on waitlist_entry (venue_id, date);

create table lead (
  venue_id bigint not null,
  id bigint generated always as identity,
  guest_id bigint,
  contact_name text,
  contact_email text,
  contact_phone text,
  event_name text,
  occasion text,
  event_date text,
  guest_count text,
  budget_per_person text,
  dining_style text,
  dietary_needs text,
  concept text,
  stage text not null,
  priority text not null check (priority in ('High', 'Medium', 'Low')),
  notes text,
  submitted_via text not null,
  submitted_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id),
  foreign key (venue_id, guest_id) references guest (venue_id, id)
);

create index lead_newest on lead (venue_id, created_at desc, id desc);
create index lead_by_guest on lead (venue_id, guest_id) where guest_id is not null;

create table task (
  venue_id bigint not null,
  id bigint generated always as identity,
  title text not null,
  due date,
  priority text not null check (priority in ('High', 'Medium', 'Low')),
  category text not null,
  client text,
  done boolean not null default false,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (venue_id, id)
);

create index task_open on task (venue_id, done, due);
