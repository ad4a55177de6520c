-- A card or a deposit that staff ask for: until when, in whose words, and when staff were told that it is not there. `waived`:
-- a manager does without it.
alter table guarantee drop constraint guarantee_status;
alter table guarantee add constraint guarantee_status check (status in (
  'asked', 'held', 'paid', 'partially_refunded', 'refunded', 'charged', 'charge_failed', 'waived', 'released'));
alter table guarantee add column ask_until timestamptz(3);
alter table guarantee add column ask_note text;
alter table guarantee add column ask_over_at timestamptz(3);

-- Somebody who secures a booking that is there, or pays what its card was refused.
alter table checkout add constraint checkout_of_booking
  check (kind not in ('ask', 'fee') or reservation_id is not null);

-- Money that a manager says came in another way.
alter table payment drop constraint payment_via;
alter table payment add constraint payment_via check (via in ('processor', 'otherwise'));

-- Whether a booking is let go that was not secured in time.
alter table booking_settings add column let_go_unsecured boolean not null default false;
