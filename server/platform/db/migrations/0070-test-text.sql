-- The number the venue's own people had a test sent to; gone with the sender.
alter table text_sender add column test_number text;
