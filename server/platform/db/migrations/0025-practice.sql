-- Practice instances (PRACTICE=on). Local tables, empty everywhere else.

-- The one row of a database whose service is, or once was, a practice instance: how far its clock is ahead of the
-- system's, so that every process and every command reads the same moment. Whoever wants something of the processes
-- counts the step on; they do what the row says and answer the step.
create table practice (
  is_single boolean primary key default true check (is_single),
  is_on boolean not null,
  -- The PRACTICE_CLOCK that the clock was set by; empty: none.
  clock_setting text not null,
  ahead_ms bigint not null,
  step bigint not null default 0,
  -- Background work stands still until then, by the database's clock, so that a command that died holds nobody.
  held_until timestamptz(3)
);

-- The processes of the running instance. One that was not seen for some seconds is gone.
create table practice_process (
  boot uuid primary key,
  has_worker boolean not null,
  step bigint not null,
  seen_at timestamptz(3) not null
) with (fillfactor = 50);
