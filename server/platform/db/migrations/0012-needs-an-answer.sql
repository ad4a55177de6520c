-- The requests nobody has answered yet, whatever their date: the top of the book, on every look at it.
create index reservation_to_answer on reservation (venue_id, service_date, service_minute, id) where status = 'Requested';

-- One evening's waitlist, those who were seated or left included.
create index waitlist_by_evening on waitlist_entry (venue_id, service_date, id);
