-- Checks come by themselves and with a name; the names are those that PostgreSQL gave them in the first form.
alter table webhook_endpoint
  add column description text,
  add column payload text not null default 'full',
  add column include text[] not null default '{}',
  add column signatures text[] not null default '{service}',
  add column paused_at timestamptz(3),
  add column resumed_at timestamptz(3),
  add column previous_secret_sealed text,
  add column previous_until timestamptz(3),
  add column revision integer not null default 1;
alter table webhook_endpoint add constraint webhook_endpoint_payload_check check (payload in ('full', 'thin'));
alter table webhook_endpoint add constraint webhook_endpoint_check2 check (status <> 'paused' or paused_at is not null);
alter table webhook_endpoint add constraint webhook_endpoint_check3
  check ((previous_secret_sealed is null) = (previous_until is null));

alter table webhook_endpoint drop constraint webhook_endpoint_status_check;
alter table webhook_endpoint add constraint webhook_endpoint_status_check
  check (status in ('active', 'paused', 'disabled'));
