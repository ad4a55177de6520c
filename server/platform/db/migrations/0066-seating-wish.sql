-- Where a party would like to sit, as staff wrote it. Null: what the guest said when booking online; '': nowhere in particular.
alter table reservation_house add column seating text;
