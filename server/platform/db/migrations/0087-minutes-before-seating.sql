-- How long a party was booked for before its stay was cut when it sat down, so that undoing that is exact; 0: nobody had said.
-- Null: its stay was not cut. A release before this one undoes the seating and leaves the shorter stay.
alter table reservation add column minutes_before_seating integer;
alter table reservation add constraint reservation_minutes_before_seating_check check (minutes_before_seating >= 0);
