-- Whether the guest had two open bookings at that time already: then it waits for staff, whatever is confirmed at once.
alter table guest_booking add column two_at_once boolean not null default false;
