-- Rows that were imported, with something to know about them: a booking that is not at the table its file names.
alter table data_import add column remarked integer not null default 0;
alter table data_import_refusal add column imported boolean not null default false;
