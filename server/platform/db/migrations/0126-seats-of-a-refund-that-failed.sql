-- Seats that had gone back with a refund before its bank returned the money, or with the one that it is another try of: the
-- money of those seats is not shared among the others of the order.

alter table refund add column gone_seats integer not null default 0;
