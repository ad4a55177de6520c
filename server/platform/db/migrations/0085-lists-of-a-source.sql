-- Lists of one source walk an index, as those of one status do.
create index reservation_by_source on reservation (venue_id, source, created_at desc, id desc);
create index subscriber_by_source on subscriber (venue_id, source, created_at desc, id desc);
