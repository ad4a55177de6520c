-- Guests are found by the start of any word of their name, with or without accents. What is folded, and how, stands in
-- guests/folded-name.ts: the search must ask for exactly these expressions. They take the place of indexes on names as
-- they were typed.
create index guest_by_word_1 on guest (venue_id, translate(normalize(replace(lower(name), 'ß', 'ss'), NFD), E'øłđ\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328', 'old') text_pattern_ops);
create index guest_by_word_2 on guest (venue_id, translate(normalize(replace(lower(substring(name from '^[^ ]+ (.*)$')), 'ß', 'ss'), NFD), E'øłđ\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328', 'old') text_pattern_ops);
create index guest_by_word_3 on guest (venue_id, translate(normalize(replace(lower(substring(name from '^[^ ]+ [^ ]+ (.*)$')), 'ß', 'ss'), NFD), E'øłđ\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328', 'old') text_pattern_ops)
  where name like '% % %';
create index guest_by_word_4 on guest (venue_id, translate(normalize(replace(lower(substring(name from '^[^ ]+ [^ ]+ [^ ]+ (.*)$')), 'ß', 'ss'), NFD), E'øłđ\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328', 'old') text_pattern_ops)
  where name like '% % % %';
create index guest_by_last_word on guest (venue_id, translate(normalize(replace(lower(substring(name from '[^ ]+$')), 'ß', 'ss'), NFD), E'øłđ\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u0309\u030a\u030b\u030c\u031b\u0323\u0326\u0327\u0328', 'old') text_pattern_ops);
drop index guest_by_name;
drop index guest_by_later_names;
drop index guest_by_last_name;
