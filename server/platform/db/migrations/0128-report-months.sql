-- Sums of whole months for the figures of reports, added up from those of their days; where one does not hold, its days are read.
create table report_month (
  venue_id bigint not null,
  month date not null,
  rules text not null,
  -- Which rows of days it was made of: it holds while these do.
  made_of text not null,
  body json not null,
  primary key (venue_id, month)
);
