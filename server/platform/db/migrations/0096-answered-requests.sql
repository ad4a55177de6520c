-- When staff first answered a request: private, written once.
alter table reservation add column answered_at timestamptz(3);
