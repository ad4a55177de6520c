-- One ticket for each seat of an order that was paid, or had nothing to pay: what lets somebody in. Whoever has the code
-- may enter, so it is in no answer, event, export or log. Orders of before get theirs when they are first needed.
create table ticket (
  venue_id bigint not null,
  id bigint generated always as identity,
  order_id bigint not null,
  -- Counted from 1 within the order.
  number integer not null,
  code text not null,
  -- Its seat went back.
  void_at timestamptz(3),
  -- When its holder came in, who of the staff let them in, and at which door.
  in_at timestamptz(3),
  in_by bigint,
  door text,
  primary key (venue_id, id),
  foreign key (venue_id, order_id) references ticket_order (venue_id, id)
);

create unique index ticket_of_order on ticket (venue_id, order_id, number);
create unique index ticket_by_code on ticket (venue_id, code);

-- For the buyer's own page: the language to write to them in, which link leads to it (staff end one by making the next),
-- and when its mail was last asked for. All private.
alter table ticket_order add column language text;
alter table ticket_order add column link_issue integer not null default 0;
alter table ticket_order add column resent_at timestamptz(3);

-- The tickets that become void with a refund, where staff chose them.
alter table refund add column tickets integer[];
