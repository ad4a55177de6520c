import type { Queries } from '../db/pool.ts'
import { fragment, part } from '../db/sql.ts'
import { idsOfAddress } from '../http/contact-ids.ts'
import type { ListAsked } from '../http/list-asked.ts'
import { type ListSource, judged, oneOfWords } from '../http/list-page.ts'
import type { VenueId } from '../venue/venue.ts'
import { subscriberColumns, subscriberRow } from './reads.ts'

/** What the list of the API is read from. */
export const listedSubscribers = async (
  db: Queries,
  venue: VenueId,
  { filters: { status, source, tag, contact } }: ListAsked,
): Promise<ListSource<typeof subscriberRow>> => ({
  venue,
  kind: 'subscriber',
  row: subscriberRow,
  records: part`select ${subscriberColumns} from subscriber s where s.venue_id = ${venue}`,
  ids:
    contact &&
    (await idsOfAddress(db, venue, { table: fragment('subscriber'), key: fragment('email_key') }, contact)),
  where: [
    oneOfWords('status', status),
    source && judged(part`lower(source) = any(${source})`),
    tag &&
      judged(part`id in (
        select s.subscriber_id from subscriber_tag s join tag t on t.venue_id = s.venue_id and t.id = s.tag_id
         where s.venue_id = ${venue} and t.name_key = any(${tag}))`),
  ],
})
