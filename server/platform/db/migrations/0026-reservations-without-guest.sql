-- Searching for a person goes through the bookings that are tied to no guest. In a venue with years of bookings they are
-- few, and were found by passing over all the others.
create index reservation_without_guest on reservation (venue_id, id) where guest_id is null;
