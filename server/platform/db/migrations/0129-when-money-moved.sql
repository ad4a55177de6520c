-- When the money that somebody has to look at moved, at the processor or, of what is only written here, here. Null: of what is no movement, or of before.
alter table money_matter add column moved_at timestamptz(3);
