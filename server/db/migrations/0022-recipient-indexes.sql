-- Two indexes that cost more than half of building a list of a million, and something at each of the three changes a
-- copy goes through. A person's copies are found by the primary key, one campaign after the other. And an address is on
-- a list once because a person is, and an address belongs to one subscriber of a venue (subscriber_by_email).
drop index recipient_by_person;

drop index recipient_by_address;
