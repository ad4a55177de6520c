create table delivery (id text primary key, begun integer not null, done integer not null default 0);
create table reservation (id integer primary key, revision integer not null, date text, time text, data text not null);
create index reservation_of_day on reservation (date, time);
