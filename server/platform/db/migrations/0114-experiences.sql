-- What guests can choose with a time: a part of the booking rules.
alter table booking_settings add column experiences jsonb not null default '[]';

-- The experience of a booking, by its key in the rules; its name is the booking's type. A hold is for one, too.
alter table reservation add column experience text;
alter table booking_hold add column experience text;
create index reservation_of_experience on reservation (venue_id, service_date, experience) where experience is not null;

-- What is paid in full as it is booked, with the fee and the tax in it, and for which experience.
alter table guarantee drop constraint guarantee_kind;
alter table guarantee add constraint guarantee_kind check (kind in ('card', 'deposit', 'prepaid'));
alter table guarantee add column fee_cents integer not null default 0;
alter table guarantee add column tax_cents integer not null default 0;
alter table guarantee add column experience text;
