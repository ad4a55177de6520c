-- What staff should know of a booking and only they may read: imports bring it where there is no guest to note it for.
alter table reservation_house add column note text;
