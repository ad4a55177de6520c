import { subscriberSources } from '@venue-data/contract/records/subscriber.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { fragment, part } from '../../platform/db/sql.ts'
import { idsOfAddress } from '../../platform/http/records/contact-ids.ts'
import type { ListAsked } from '../../platform/http/lists/list-asked.ts'
import { type ListSource, judged, ofStatusAndSource } from '../../platform/http/lists/list-page.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { subscriberRow } from './subscriber.ts'
import { subscriberColumns } from './reads.ts'

/** What the list of the API is read from. */
export const listedSubscribers = async (
  db: Queries,
  venue: VenueId,
  { filters }: ListAsked,
): Promise<ListSource<typeof subscriberRow>> => {
  const { tag, contact } = filters
  return {
    venue,
    kind: 'subscriber',
    row: subscriberRow,
    records: tag
      ? part`
      select ${subscriberColumns(venue)}, exists (
        select from subscriber_tag g join tag t on t.venue_id = g.venue_id and t.id = g.tag_id
         where g.venue_id = ${venue} and g.subscriber_id = s.id and t.name_key = any(${tag})) as is_tagged
        from subscriber s where s.venue_id = ${venue}`
      : part`select ${subscriberColumns(venue)} from subscriber s where s.venue_id = ${venue}`,
    ids:
      contact &&
      (await idsOfAddress(db, venue, { table: fragment('subscriber'), key: fragment('email_key') }, contact)),
    where: [...ofStatusAndSource(subscriberSources, filters), tag && judged(fragment('is_tagged'))],
  }
}
