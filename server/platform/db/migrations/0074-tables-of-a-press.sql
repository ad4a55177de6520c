-- What a change did to who holds which tables, its own booking and others that moved for it: ids and pins only.
alter table activity add column tables jsonb;
