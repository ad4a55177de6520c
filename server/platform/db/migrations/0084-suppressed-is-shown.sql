-- Subscribers show from now on whether their address is on the do-not-email list. Copies that mail from such a list have to
-- learn it of everybody who was on it before, so each of them is a change once more.
update subscriber s set revision = revision + 1, updated_at = greatest(updated_at, now())
  from suppression x where x.venue_id = s.venue_id and x.email_key = s.email_key;
update record_change c set revision = s.revision, changed_at = greatest(c.changed_at, s.updated_at), seq = null
  from subscriber s join suppression x on x.venue_id = s.venue_id and x.email_key = s.email_key
 where c.venue_id = s.venue_id and c.kind = 'subscriber' and c.record_id = s.id and not c.gone;
