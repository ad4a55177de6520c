-- That the processor no longer says whether somebody paid is one more thing to look at.
alter table money_matter drop constraint money_matter_kind;
alter table money_matter add constraint money_matter_kind
  check (kind in ('dispute', 'payment-differs', 'refund-above', 'not-here', 'differs', 'not-told', 'not-seen'));
