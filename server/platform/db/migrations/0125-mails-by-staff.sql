-- What staff just did does not wait for the pace of mails to one address.
alter table guest_mail add column by_staff boolean not null default false;
