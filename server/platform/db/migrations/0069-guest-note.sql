-- What the guest wrote with a booking, as the private link and the mails show it to them. A booking's notes are for the
-- restaurant: staff and connected software add to them.
alter table guest_booking add column note text;
