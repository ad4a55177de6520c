-- What the report of a campaign counts: who left by it, which copies were not sent and why, and what came back.
create index recipient_left on recipient (venue_id, campaign_id) where left_at is not null;

create index recipient_not_sent on recipient (venue_id, campaign_id, state, why) where state in ('failed', 'skipped');

create index mail_bounce_by_campaign on mail_bounce (venue_id, campaign_id, kind) where campaign_id is not null;
