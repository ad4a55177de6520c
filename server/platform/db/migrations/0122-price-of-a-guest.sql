-- What a guest of a table paid in advance costs, as it was agreed on: with it another size has its own whole price, with the tax
-- rounded once, whatever the venue asks by then.
alter table guarantee add column each_cents integer;
alter table guarantee add column each_fee_cents integer;
alter table guarantee add column tax_rate integer;
