-- The activity of a day. Rows come in the order of their moments, so a few words for each stretch of the table are enough;
-- a change pays next to nothing for it.
create index activity_by_moment on activity using brin (at);
