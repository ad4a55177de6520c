-- The sums of a day are only ever read whole: as they were written they cost a tenth of what jsonb does. What was made so far is
-- made again, as what is counted has changed.
alter table report_day alter column body type json using body::json;
