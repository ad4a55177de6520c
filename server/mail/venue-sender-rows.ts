import { createHash } from 'node:crypto'
import type { Queries } from '../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../platform/db/sql.ts'
import { emailKey } from '../platform/kernel/email.ts'
import type { VenueId } from '../core/venue/venue.ts'

/* What is known of a venue's own sender address. One row for each venue; one about another address says nothing. */

const senderRow = {
  venue_id: 'int8',
  address: 'text',
  verified_at: 'timestamptz?',
  verified_by: 'text?',
  sent_at: 'timestamptz?',
  expires_at: 'timestamptz?',
  links: 'int4',
  links_since: 'timestamptz?',
} as const
export type SenderRow = Omit<RowOf<typeof senderRow>, 'venue_id'> & { readonly venue_id: VenueId }

/** What was said of the venue's sender, whichever address it was about. */
export const senderRowOf = async (db: Queries, venue: VenueId): Promise<SenderRow | undefined> =>
  (await db.maybe(sql(senderRow)`
    select ${columnsOf(senderRow)} from venue_sender where venue_id = ${venue}`)) as SenderRow | undefined

/** The row a link belongs to, whether it was pressed or not. */
export const senderRowOfLink = async (
  db: Queries,
  token: string,
  now: Temporal.Instant,
): Promise<SenderRow | undefined> =>
  (await db.maybe(sql(senderRow)`
    select ${columnsOf(senderRow)} from venue_sender
     where token_hash = ${hashOf(token)} and expires_at > ${now}`)) as SenderRow | undefined

/** Keeps a new link in place of an older one; what was verified of another address is forgotten. */
export const keepLink = (
  db: Queries,
  venue: VenueId,
  { address, token, links }: { readonly address: string; readonly token: string; readonly links: number },
  { now, expiresAt, since }: Record<'now' | 'expiresAt' | 'since', Temporal.Instant>,
): Promise<number> =>
  db.run(sql()`
    insert into venue_sender (venue_id, address, token_hash, sent_at, expires_at, links, links_since)
    values (${venue}, ${emailKey(address)}, ${hashOf(token)}, ${now}, ${expiresAt}, ${links}, ${since})
    on conflict (venue_id) do update set
      address = excluded.address, verified_at = null, verified_by = null, token_hash = excluded.token_hash,
      sent_at = excluded.sent_at, expires_at = excluded.expires_at,
      links = excluded.links, links_since = excluded.links_since`)

/** From now on the venue may send from this address. A link that was mailed to another one is over. */
export const keepVerified = (
  db: Queries,
  venue: VenueId,
  address: string,
  by: 'link' | 'operator',
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into venue_sender (venue_id, address, verified_at, verified_by)
    values (${venue}, ${emailKey(address)}, ${now}, ${by})
    on conflict (venue_id) do update set
      address = excluded.address, verified_at = excluded.verified_at, verified_by = excluded.verified_by,
      token_hash = case when venue_sender.address = excluded.address then venue_sender.token_hash end`)

/** The token is random and long, so a plain hash keeps it. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
