-- What an event says of itself on its page, how many tickets one order there may have, and until how many hours before it begins
-- buyers give seats back by themselves; null: nothing, as many as any order may have, never.
alter table ticketed_event add column text text;
alter table ticketed_event add column order_most integer;
alter table ticketed_event add constraint ticketed_event_order_most check (order_most between 1 and 100);
alter table ticketed_event add column return_hours integer;
alter table ticketed_event add constraint ticketed_event_return_hours check (return_hours between 0 and 999);
-- Whether the venue keeps its fee then.
alter table ticketed_event add column return_keeps_fee boolean not null default false;
