-- How often the public shape of a record has changed; unlike `version` it does not count what only staff see.
alter table reservation add column revision integer not null default 1;
alter table guest add column revision integer not null default 1;
alter table subscriber add column revision integer not null default 1;
alter table ticket_order add column revision integer not null default 1;
alter table waitlist_entry add column revision integer not null default 1;
alter table lead add column revision integer not null default 1;
alter table task add column revision integer not null default 1;
alter table campaign add column revision integer not null default 1;

-- The last change of each record, also of those that are gone. Writers leave `seq` empty; whoever reads the changes
-- numbers what is committed. No personal data. A blanked record is `erased` and not gone.
create table record_change (
  venue_id bigint not null,
  kind text not null,
  record_id bigint not null,
  op text not null check (op in ('upsert', 'erased', 'deleted', 'merged')),
  gone boolean not null,
  revision integer not null,
  changed_at timestamptz(3) not null,
  -- The number under which the record was first there.
  made_seq bigint,
  seq bigint,
  -- The record that it was merged into.
  into_id bigint,
  primary key (venue_id, kind, record_id)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create unique index record_change_by_kind on record_change (venue_id, kind, seq) where seq is not null;
create index record_change_unnumbered on record_change (venue_id, changed_at) where seq is null;
create index record_change_by_moment on record_change (venue_id, kind, changed_at, record_id);
create index record_change_gone on record_change (venue_id, changed_at) where gone;
