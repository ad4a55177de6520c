-- Whether somebody reads the lists of the evening from further away than most: larger rows, on every device they sign in on.
alter table staff add column larger_rows boolean not null default false;
