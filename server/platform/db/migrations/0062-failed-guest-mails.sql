-- Mails that did not reach a guest: few, and looked for each time the service screen is opened.
create index guest_mail_failed on guest_mail (venue_id, record_id, id) where state = 'failed';
