-- How much keys were used, by day of UTC. `endpoint` is a row of the contract, never an address that was asked for.
create table key_usage_day (
  key_id bigint not null,
  day date not null,
  endpoint text not null,
  class text not null,
  count bigint not null,
  primary key (key_id, day, endpoint, class)
);
create index key_usage_day_by_day on key_usage_day (day);
