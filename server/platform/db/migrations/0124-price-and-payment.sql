-- What a guest of a table paid in advance costs, as it was agreed on: with it another size has its own whole price, with the tax
-- rounded once, whatever the venue asks by then.
alter table guarantee add column each_cents integer;
alter table guarantee add column each_fee_cents integer;
alter table guarantee add column tax_rate integer;

-- Which payment a bank disputes: of a deposit that was paid in two, the other one can go back. Null: not known, so each may be meant.
alter table money_matter add column payment_id bigint;
