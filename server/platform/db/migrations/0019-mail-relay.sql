-- What processes that send mail share. Local tables, one row for each process and each relay.

-- A process that works counts here; one whose count stands still is gone, and what it held is taken over. A count and
-- no moment, so that clocks of several machines need not agree.
create table mail_process (
  boot uuid primary key,
  beats bigint not null
) with (fillfactor = 50);

-- How fast the relay may be used, and whether it is left alone for a while, as the program keeps it.
create table mail_relay (
  relay text primary key,
  state jsonb not null
) with (fillfactor = 50);
