import { limits } from '@venue-data/contract/limits.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { recordEvent } from '../../core/events/record.ts'
import { type Moment, toInstant } from '../../platform/kernel/time/moment.ts'
import { type OwnersMail, mailOwners } from '../../mail/mail-owners.ts'
import { forEachVenue } from '../../core/venue/each-venue.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { holdEndpointsOfExpiredKey, moveEndpointsToKey } from '../webhooks/actions.ts'
import { type KeyRow, isOver, keysOfInstall, scopesOf, successorOf } from './keys.ts'

/*
 * What happens to keys over time. Their owner is notified 14, 3 and 1 days before one expires, by mail and by an event;
 * when it expires, its endpoints are held; and the owner is mailed when a key has replaced itself. Each notice is
 * recorded with the key, in the event's transaction, so two processes send it only once. A mail lost on the way is not
 * repeated.
 */

type Parts = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'mail' | 'log' | 'hold'>

export const followExpiry = async (parts: Parts): Promise<void> => {
  // A restored copy mails nobody; its endpoints' events wait as well.
  if (parts.hold.isOn()) return
  const due = await keysToFollow(parts.db, parts.clock())
  const venues = new Set(due.map(({ venue_id }) => venue_id))
  await forEachVenue(parts, venues, async (venue) => {
    for (const { id } of due.filter(({ venue_id }) => venue_id === venue.id)) await follow(parts, venue, id)
  })
}

const follow = async (parts: Parts, venue: Venue, id: number): Promise<void> => {
  const { db, clock } = parts
  const mails = await db.transaction((queries) =>
    settleEnd({ db: queries.within(venue.id), venue, now: clock }, id, clock()),
  )
  for (const mail of mails) await mailOwners(parts, venue, mail)
}

/** Does what is due for one key, and returns the mails about it. */
export const settleEnd = async (
  work: Work,
  id: number,
  now: Temporal.Instant,
): Promise<readonly OwnersMail[]> => {
  const { db, venue } = work
  const key = await keyToFollow(db, id)
  if (!key) return []
  const mails: OwnersMail[] = []
  const called = `“${key.name}” (…${key.last_four})`
  if (key.rotated_from !== null && !key.rotation_told) {
    mails.push({
      subject: `An API key of ${venue.name} was replaced`,
      text: `The API key ${called} of ${venue.name} was created when the previous key replaced itself. If nobody on your team did this, revoke it in the office under Integrations; that revokes both.\n`,
    })
  }
  const stage = stageOf(key.expires_at, now)
  if (stage !== undefined && stage < (key.expiry_told ?? Infinity)) {
    const replaced = await successorOf(db, venue.id, id)
    const next = replaced ?? (await keyOfLaterConsent(db, key, now))
    if (stage === 0 && next)
      // The endpoints of an app that was connected again stay within what the key that made them could read.
      await moveEndpointsToKey(db, venue.id, [id], { id: next.id, scopes: scopesOf(next) }, !replaced)
    else if (stage === 0) await holdEndpointsOfExpiredKey(db, venue.id, id, now)
    // The expected end of a replaced key.
    else if (!next) mails.push(await notifyOwner(work, key, stage, now))
  }
  await writeNotified(db, id, stage ?? key.expiry_told)
  return mails
}

/** The key that an app got when the owner connected it again, while it works. */
const keyOfLaterConsent = async (
  db: Queries,
  { id, install_id }: FollowedKey,
  now: Temporal.Instant,
): Promise<KeyRow | undefined> => {
  if (install_id === null) return undefined
  const latest = (await keysOfInstall(db, install_id)).find(({ revoked_at }) => revoked_at === null)
  return latest && latest.id !== id && !isOver(latest, now) ? latest : undefined
}

const notifyOwner = async (
  work: Work,
  key: FollowedKey,
  daysLeft: number,
  now: Temporal.Instant,
): Promise<OwnersMail> => {
  const expiresAt = key.expires_at as Moment
  const { id, name, last_four } = key
  await recordEvent(work, 'access.key_expiring', { id, name, expiresAt }, now)
  const { name: venue, timezone } = work.venue
  const when = toInstant(expiresAt).toZonedDateTimeISO(timezone).toPlainDateTime()
  return {
    subject: `An API key of ${venue} expires in ${daysLeft === 1 ? '1 day' : `${daysLeft} days`} or less`,
    text: `The API key “${name}” (…${last_four}) of ${venue} stops working on ${when.toString({ smallestUnit: 'minute' }).replace('T', ' at ')} (${timezone}). To keep the software that uses it running, set a later last day in the office under Integrations.\n`,
  }
}

/** Which notice is due, in days before the expiry; 0: it has expired. Undefined: none yet. */
const stageOf = (expiresAt: Moment | null, now: Temporal.Instant): number | undefined => {
  if (expiresAt === null) return undefined
  const leftHours = toInstant(expiresAt).since(now).total('hours')
  return leftHours <= 0 ? 0 : limits.keyExpiryToldDays.findLast((days) => leftHours <= 24 * days)
}

/** Keys about to expire whose owner was not notified yet, and keys that replaced another. */
const keysToFollow = (db: Queries, now: Temporal.Instant) =>
  db.many(sql({ id: 'int8', venue_id: 'int8' })`
    select id, venue_id from api_key
     where revoked_at is null and traded_until is null and (
       (rotated_from is not null and not rotation_told)
       or expires_at <= ${now.add({ hours: 24 * limits.keyExpiryToldDays[0] })} and coalesce(expiry_told, 99) > case
         when expires_at <= ${now} then 0
         when expires_at <= ${now.add({ hours: 24 * limits.keyExpiryToldDays[2] })} then ${limits.keyExpiryToldDays[2]}::integer
         when expires_at <= ${now.add({ hours: 24 * limits.keyExpiryToldDays[1] })} then ${limits.keyExpiryToldDays[1]}::integer
         else ${limits.keyExpiryToldDays[0]}::integer end)
     order by id
     limit 1000`)

const followedRow = {
  id: 'int8',
  name: 'text',
  last_four: 'text',
  expires_at: 'timestamptz?',
  expiry_told: 'int4?',
  rotated_from: 'int8?',
  install_id: 'int8?',
  rotation_told: 'bool',
} as const
type FollowedKey = NonNullable<Awaited<ReturnType<typeof keyToFollow>>>

const keyToFollow = (db: Queries, id: number) =>
  db.maybe(sql(followedRow)`
    select id, name, last_four, expires_at, expiry_told, rotated_from, install_id, rotation_told
      from api_key where id = ${id} and revoked_at is null for update`)

const writeNotified = (db: Queries, id: number, stage: number | null): Promise<number> =>
  db.run(sql()`
    update api_key set expiry_told = ${stage}, rotation_told = true where id = ${id}`)
