import type { DisabledReason } from '@venue-data/contract/webhooks/webhook-states.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { mailOwners } from '../../mail/mail-owners.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { hostOf } from './activity.ts'

/*
 * Mails a venue's owners about endpoints to which nothing is sent any more: switched off, or paused because the key that
 * last set their address no longer works. Code that stops an endpoint leaves this to the code here, so a crash in between
 * loses nothing. A mail lost on the way is not repeated, nor is one sent about what a process of a release before this
 * one switched off; the endpoint's page says the same.
 */

type Parts = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'mail' | 'log' | 'hold'>

export const mailAboutEndpoints = async (parts: Parts): Promise<void> => {
  // A restored copy mails nobody.
  if (parts.hold.isOn()) return
  const now = parts.clock()
  await forEachVenue(parts, await venuesToTell(parts.db, now), async (venue) => {
    const db = parts.db.within(venue.id)
    await mailAboutDoubt(parts, venue, await takeInDoubt(db, venue.id))
    for (const off of await takeSwitchedOff(db, venue.id, now)) await mailAboutOff(parts, venue, off)
  })
}

type InDoubt = Awaited<ReturnType<typeof takeInDoubt>>[number]

const mailAboutDoubt = async (parts: Parts, venue: Venue, paused: readonly InDoubt[]): Promise<void> => {
  if (paused.length === 0) return
  const keys = await keysOf(
    parts.db,
    paused.map(({ address_key_id }) => address_key_id),
  )
  const lines = paused.map(
    ({ url, address_key_id: id }) => `- ${hostOf(url)}, set by ${keys.get(id)?.called}`,
  )
  await mailOwners(parts, venue, {
    subject: `Deliveries of ${venue.name} are paused`,
    text: `The API key that last set these addresses for events of ${venue.name} no longer works, so nothing is sent there for now:\n\n${lines.join('\n')}\n\nWhat happens is held for 48 hours. If an address is yours, resume it in the office under Integrations; if not, delete it there or have your software set the right one.\n`,
  })
}

type SwitchedOff = Awaited<ReturnType<typeof takeSwitchedOff>>[number]

/** The contacts of the keys that made it and that last set its address hear of it, too: their software answers there. */
const mailAboutOff = async (parts: Parts, venue: Venue, off: SwitchedOff): Promise<void> => {
  const { words, advice } = reasons[off.disabled_reason as DisabledReason]
  const keys = await keysOf(parts.db, [off.key_id, ...(off.address_key_id ? [off.address_key_id] : [])])
  const isOfApp = keys.get(off.key_id)?.isOfApp === true
  const contacts = keys.values().flatMap(({ contact }) => (contact === null ? [] : [contact]))
  await mailOwners(parts, venue, {
    subject: `${hostOf(off.url)} gets no more events of ${venue.name}`,
    text: `Events of ${venue.name} are no longer sent to ${hostOf(off.url)}: ${words}.\n\n${off.disabled_reason === 'key-revoked' && isOfApp ? 'To go on, connect the app again: the app leads you to it.' : advice}\n`,
    also: [...contacts],
  })
}

const again =
  'What happens is held for 48 hours. Once the software works again, switch the address on in the office under Integrations; the software may also do so itself.'
const reasons: Readonly<Record<DisabledReason, { readonly words: string; readonly advice: string }>> = {
  'too-many-failures': {
    words: `the last ${limits.failuresToDisable} deliveries in a row failed`,
    advice: again,
  },
  gone: { words: 'the software there answered that it wants nothing more (status 410)', advice: again },
  'key-expired': {
    words: 'the API key that asked for them has expired',
    advice:
      'What happens is held for 48 hours. To go on, set a later last day for the key in the office under Integrations.',
  },
  'key-revoked': {
    words: 'the API key that asked for them was revoked',
    advice: 'To go on, create another key in the office under Integrations and give it to the software.',
  },
  'access-withdrawn': {
    words: 'the venue may no longer use the API',
    advice: 'To go on, ask for access again in the office under Integrations.',
  },
}

const venuesToTell = async (db: Queries, now: Temporal.Instant): Promise<Set<VenueId>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from webhook_endpoint
     where (status = 'paused' and address_in_doubt and not off_told)
        or (status = 'disabled' and off_mail_due and coalesce(off_mailed_at <= ${dayBefore(now)}, true))`)
  return new Set(rows.map(({ venue_id }) => venue_id as VenueId))
}

const dayBefore = (now: Temporal.Instant): Temporal.Instant => now.subtract({ hours: 24 })

const takeInDoubt = (db: Queries, venue: VenueId) =>
  db.many(sql({ url: 'text', address_key_id: 'int8' })`
    update webhook_endpoint set off_told = true
     where venue_id = ${venue} and status = 'paused' and address_in_doubt and not off_told
    returning url, address_key_id`)

const takeSwitchedOff = (db: Queries, venue: VenueId, now: Temporal.Instant) =>
  db.many(sql({ url: 'text', disabled_reason: 'text?', key_id: 'int8', address_key_id: 'int8?' })`
    update webhook_endpoint set off_mail_due = false, off_mailed_at = ${now}
     where venue_id = ${venue} and status = 'disabled' and off_mail_due
       and coalesce(off_mailed_at <= ${dayBefore(now)}, true)
    returning url, disabled_reason, key_id, address_key_id`)

type KeyNamed = { readonly called: string; readonly contact: string | null; readonly isOfApp: boolean }

const keysOf = async (db: Queries, ids: readonly number[]): Promise<ReadonlyMap<number, KeyNamed>> => {
  const rows = await db.many(sql({
    id: 'int8',
    name: 'text',
    last_four: 'text',
    contact: 'text?',
    is_of_app: 'bool',
  })`
    select id, name, last_four, contact, install_id is not null as is_of_app from api_key where id = any(${[...ids]}::bigint[])`)
  return new Map(
    rows.map(({ id, name, last_four, contact, is_of_app: isOfApp }) => [
      id,
      { called: `“${name}” (…${last_four})`, contact, isOfApp },
    ]),
  )
}
