-- How a requested change of a booking was answered, which the booking itself does not show. Null: the event is about none.
alter table event add column answer text;
