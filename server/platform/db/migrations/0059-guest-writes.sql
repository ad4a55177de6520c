-- Of the forms a network sent within ten minutes, those that meant to write something: after the third it is asked a question.
alter table guest_window add column written integer not null default 0;
