-- An import is undone record by record, as a job: how far it came, how many records it left, and why.
alter table data_import add column undo_started_at timestamptz(3);
alter table data_import add column undo_told integer not null default 0;
alter table data_import add column undone integer not null default 0;
alter table data_import add column kept integer not null default 0;
alter table data_import drop constraint data_import_state_check;
alter table data_import add constraint data_import_state_check
  check (state in ('ready', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone'));
alter table data_import drop constraint data_import_check;
alter table data_import add constraint data_import_next_check
  check ((state in ('running', 'undoing')) = (next_at is not null));
create index data_import_next on data_import (next_at) where next_at is not null;
-- Null: not undone. '': it is. A sentence: why it stays.
alter table import_record add column stays text;
