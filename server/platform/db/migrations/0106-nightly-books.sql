-- The last day of the venue whose money was compared with the processor's.
alter table processor_account add column reconciled_on date;
alter table money_matter drop constraint money_matter_kind;
alter table money_matter add constraint money_matter_kind
  check (kind in ('dispute', 'payment-differs', 'refund-above', 'not-here', 'differs'));
