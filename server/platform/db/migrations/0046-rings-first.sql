-- Doorbells that wait go before all else; they are found without reading what waits.
create index delivery_rings on delivery (venue_id, endpoint_id)
  where done_at is null and tries = 0 and name = 'changes.available';
