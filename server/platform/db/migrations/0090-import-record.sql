-- What an import did, row by row, without values: the sheet after it and its undo read it. Gone with the file after seven days.
create table import_record (
  venue_id bigint not null,
  import_id bigint not null,
  line integer not null,
  kind text not null,
  record_id bigint not null,
  made boolean not null,
  -- The names of the fields that were empty before; a note by its digest, a count by how far it went up.
  filled text[] not null,
  -- The record's version after it: a higher one now means that somebody has touched it since.
  version integer not null,
  primary key (venue_id, import_id, line, kind),
  foreign key (venue_id, import_id) references data_import (venue_id, id) on delete cascade,
  constraint import_record_kind check (kind in ('guest', 'reservation'))
);
create index import_record_of on import_record (venue_id, kind, record_id);
