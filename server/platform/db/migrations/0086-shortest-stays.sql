-- How long a party must be able to stay for a table to be offered to it for a while; empty: the usual minutes by size.
alter table booking_settings add column shortest_stays jsonb not null default '[]';
