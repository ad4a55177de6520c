-- An address that asked an integrator to be left alone, before anybody here knew it.
alter table suppression drop constraint suppression_reason_check;
alter table suppression add constraint suppression_reason_check
  check (reason in ('bounced', 'spam_report', 'staff_removal', 'asked_elsewhere'));
