-- A request of a past day that staff took off their queue. Private: its status stays, and nobody is told.
alter table reservation add column archived_at timestamptz(3);
