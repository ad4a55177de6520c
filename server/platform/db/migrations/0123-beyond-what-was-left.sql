-- What a refund or a lost dispute moved at the processor beyond what its order or guarantee had left, as after a refund in cash. It is
-- in the sums of what moved, and never comes off what was paid for; a refund may be nothing else.
alter table refund add column beyond_cents integer not null default 0;
alter table refund drop constraint refund_amount_cents_check;
alter table refund add constraint refund_amount check (amount_cents >= 0 and beyond_cents >= 0 and amount_cents + beyond_cents > 0);

update refund r set beyond_cents = m.amount_cents
  from money_matter m
 where m.venue_id = r.venue_id and m.kind = 'refund-above' and m.subject = r.processor_ref;
