-- Whom an owner has mailed with themselves when an endpoint of a key is switched off.
alter table api_key add column contact text;
-- At most one mail a day for an endpoint that goes on and off.
alter table webhook_endpoint add column off_mail_due boolean not null default false;
alter table webhook_endpoint add column off_mailed_at timestamptz(3);
