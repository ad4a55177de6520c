-- What the API shows of the card or the deposit behind a booking, as of its last change; null: there is none.
alter table reservation add column guarantee jsonb;
