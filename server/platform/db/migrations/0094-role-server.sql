-- Accounts of those who serve tables: one page of the office, and nothing else of it.
alter table staff drop constraint staff_role_check;
alter table staff add constraint staff_role_check check (role in ('server', 'host', 'manager', 'owner', 'reviewer'));
alter table invitation drop constraint invitation_role_check;
alter table invitation add constraint invitation_role_check check (role in ('server', 'host', 'manager', 'owner'));
