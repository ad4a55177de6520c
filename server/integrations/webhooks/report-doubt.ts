import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { mailOwners } from '../../mail/mail-owners.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { hostOf } from './activity.ts'

/*
 * Notifies a venue's owners of endpoints that were paused because the key that last set their address no longer works.
 * Code that ends a key leaves this to the code here, so a crash in between loses nothing. Each is reported once; a mail
 * lost on the way is not repeated, and the endpoint's page says the same.
 */

type Parts = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'mail' | 'log' | 'hold'>

export const reportAddressesInDoubt = async (parts: Parts): Promise<void> => {
  // A restored copy mails nobody.
  if (parts.hold.isOn()) return
  await forEachVenue(parts, await venuesToTell(parts.db), async (venue) => {
    const paused = await takeUnreported(parts.db.within(venue.id), venue.id)
    if (paused.length === 0) return
    const names = await namesOfKeys(
      parts.db,
      paused.map(({ address_key_id }) => address_key_id),
    )
    const lines = paused.map(({ url, address_key_id: key }) => `- ${hostOf(url)}, set by ${names.get(key)}`)
    await mailOwners(parts, venue, {
      subject: `Deliveries of ${venue.name} are paused`,
      text: `The API key that last set these addresses for events of ${venue.name} no longer works, so nothing is sent there for now:\n\n${lines.join('\n')}\n\nWhat happens is held for 48 hours. If an address is yours, resume it in the office under Integrations; if not, delete it there or have your software set the right one.\n`,
    })
  })
}

const venuesToTell = async (db: Queries): Promise<Set<VenueId>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from webhook_endpoint where status = 'paused' and address_in_doubt and not off_told`)
  return new Set(rows.map(({ venue_id }) => venue_id as VenueId))
}

const takeUnreported = (db: Queries, venue: VenueId) =>
  db.many(sql({ url: 'text', address_key_id: 'int8' })`
    update webhook_endpoint set off_told = true
     where venue_id = ${venue} and status = 'paused' and address_in_doubt and not off_told
    returning url, address_key_id`)

const namesOfKeys = async (db: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, string>> => {
  const rows = await db.many(sql({ id: 'int8', name: 'text', last_four: 'text' })`
    select id, name, last_four from api_key where id = any(${[...ids]}::bigint[])`)
  return new Map(rows.map(({ id, name, last_four }) => [id, `“${name}” (…${last_four})`]))
}
