-- The secret behind the numbers that guests see of their bookings (reservations/reference.ts). It belongs to the venue and
-- stands with it, so that a restored copy writes the same numbers.
alter table venue add column reference_key uuid not null default gen_random_uuid();
