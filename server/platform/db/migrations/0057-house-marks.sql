-- What the venue knows of guests and bookings for itself: in no answer of the API, event, delivery or feed, and so in
-- tables of their own. Its tags are its own words; those of subscribers are public fields and have nothing to do with these.
create table house_tag (
  venue_id bigint not null,
  id bigint not null generated always as identity,
  name text not null check (char_length(name) between 1 and 40),
  primary key (venue_id, id)
);

create unique index house_tag_name on house_tag (venue_id, lower(name));

-- Of a guest, whose id it has. A birthday has no year: nobody asks a guest's age.
create table guest_house (
  venue_id bigint not null,
  id bigint not null,
  vip boolean not null default false,
  birthday_month integer check (birthday_month between 1 and 12),
  birthday_day integer check (birthday_day between 1 and 31),
  primary key (venue_id, id),
  foreign key (venue_id, id) references guest (venue_id, id) on delete cascade,
  check ((birthday_month is null) = (birthday_day is null))
);

create index guest_house_vip on guest_house (venue_id, id) where vip;
create index guest_house_birthday on guest_house (venue_id, birthday_month, birthday_day, id)
  where birthday_month is not null;

create table guest_house_tag (
  venue_id bigint not null,
  guest_id bigint not null,
  tag_id bigint not null,
  primary key (venue_id, guest_id, tag_id),
  foreign key (venue_id, guest_id) references guest (venue_id, id) on delete cascade,
  foreign key (venue_id, tag_id) references house_tag (venue_id, id) on delete cascade
);

create index guest_house_tag_by_tag on guest_house_tag (venue_id, tag_id, guest_id);

-- Of a booking, whose id it has. '' says that there is no occasion, whatever the guest said when booking online.
create table reservation_house (
  venue_id bigint not null,
  id bigint not null,
  occasion text,
  primary key (venue_id, id),
  foreign key (venue_id, id) references reservation (venue_id, id) on delete cascade
);

create table reservation_house_tag (
  venue_id bigint not null,
  reservation_id bigint not null,
  tag_id bigint not null,
  primary key (venue_id, reservation_id, tag_id),
  foreign key (venue_id, reservation_id) references reservation (venue_id, id) on delete cascade,
  foreign key (venue_id, tag_id) references house_tag (venue_id, id) on delete cascade
);

create index reservation_house_tag_by_tag on reservation_house_tag (venue_id, tag_id, reservation_id);
