-- What a manager drew of a room besides its tables: walls, doors, a bar. By it people recognize the room on the floor.
create table room_part (
  venue_id bigint not null,
  id bigint generated always as identity,
  room_id bigint not null,
  what text not null,
  x integer not null,
  y integer not null,
  wide integer not null,
  high integer not null,
  primary key (venue_id, id),
  foreign key (venue_id, room_id) references room (venue_id, id) on delete cascade,
  constraint room_part_what_check check (what in ('wall', 'door', 'bar')),
  constraint room_part_size_check check (wide >= 1 and high >= 1)
);

create index room_part_of_room on room_part (venue_id, room_id);
