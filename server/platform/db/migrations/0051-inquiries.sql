-- The language a guest inquired in, for the mail about it.
alter table lead add column language text;
