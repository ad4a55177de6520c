-- Whether somebody gets the letter about each week. Off unless they ask for it.
alter table staff add column weekly_letter boolean not null default false;

-- The Monday of a letter's week; null for all other mail. Each person has one letter of a week.
alter table guest_mail add column week date;
create unique index guest_mail_of_week on guest_mail (venue_id, kind, record_id, week) where week is not null;
