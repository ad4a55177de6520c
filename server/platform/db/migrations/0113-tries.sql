-- When its key of a call was first used; null: since it was made. A failed try changes the key, and not when the row was made.
alter table refund add column tried_at timestamptz(3);
alter table payment add column tried_at timestamptz(3);

-- When the look at the processor began that a dispute is written down from: an earlier look writes nothing over it.
alter table money_matter add column seen_at timestamptz(3);
