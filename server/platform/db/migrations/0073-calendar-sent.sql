-- Whether a calendar file about the booking was mailed to its guest: only then does a cancellation take it off a calendar.
alter table guest_booking add column calendar_sent boolean not null default false;

-- Whoever was mailed one before, as far as it is still known.
update guest_booking b set calendar_sent = true
  from guest_mail m
 where m.venue_id = b.venue_id and m.record_id = b.reservation_id and m.state = 'sent'
   and m.kind in ('bookingConfirmed', 'bookingChangeDeclined', 'bookingReminder');
