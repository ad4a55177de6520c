-- Webhook endpoints that can be changed: what they are for, how and whether deliveries are sent, and the secret before.
alter table webhook_endpoint
  add column description text,
  add column payload text not null default 'full' check (payload in ('full', 'thin')),
  -- What deliveries have besides: 'previous'.
  add column include text[] not null default '{}',
  -- 'service' always; 'standard' too.
  add column signatures text[] not null default '{service}',
  -- Kept while it is off for another reason, so that it is paused again after that.
  add column paused_at timestamptz(3),
  -- What waits from before this is sent one by one, in the order in which it happened.
  add column resumed_at timestamptz(3),
  add column previous_secret_sealed text,
  add column previous_until timestamptz(3),
  -- Counts the changes of settings and status.
  add column revision integer not null default 1,
  add check (status <> 'paused' or paused_at is not null),
  add check ((previous_secret_sealed is null) = (previous_until is null));

alter table webhook_endpoint drop constraint webhook_endpoint_status_check;
alter table webhook_endpoint add constraint webhook_endpoint_status_check
  check (status in ('active', 'paused', 'disabled'));
