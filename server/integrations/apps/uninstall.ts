import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { fingerprints } from '../../platform/kernel/secrets.ts'
import type { Venue, VenueId } from '../../core/venue/venue.ts'
import { stopEndpointsOfKey } from '../webhooks/actions.ts'
import { lockAccess } from '../access/actions.ts'
import { keysOfInstall, revokeKey } from '../access/keys.ts'
import { type AppRow, endApp } from './apps.ts'
import { dropUnusedCodes } from './codes.ts'
import type { EndWord } from './installs.ts'
import { endTrades, ofToken } from './tokens.ts'

/*
 * An install ends with its keys, all at once: the venue's owner removes the app, the app removes itself, or the operator
 * removes it everywhere. The endpoints that its keys made stop. Safe to repeat.
 */

/** The owner removes an app from the venue. Refuses an install that is not the venue's. */
export const removeApp = async (
  work: Work,
  actor: Actor & { kind: 'staff' },
  install: number,
): Promise<string> => {
  const { db, venue } = work
  await lockAccess(db, venue.id)
  const name = await nameOfInstall(db, venue.id, install)
  if (name === undefined) throw new Refusal(404, 'There is no such app.')
  await endInstall(work, actor, { install, name, why: `by ${actor.email}` })
  return name
}

/** An app gives one of its keys or tokens back, and with it the install. Any other text changes nothing. */
export const giveBack = async (
  { secrets, clock }: Pick<Context, 'secrets' | 'clock'>,
  db: Queries,
  app: AppRow,
  text: string,
): Promise<void> => {
  const found = await db.maybe(sql({ venue_id: 'int8', install_id: 'int8' })`
    select k.venue_id, k.install_id
      from api_key k
      join app_install i on i.id = k.install_id
     where i.app_id = ${app.id} and (
       k.fingerprint = any(${fingerprints(secrets, text)}::bytea[])
       or k.id in (select t.key_id from app_token t where ${ofToken(text)}))`)
  if (!found) return
  const venue = found.venue_id as VenueId
  await lockAccess(db, venue)
  await endInstall(
    workAt(db, venue, clock),
    { kind: 'service' },
    { install: found.install_id, name: app.name, why: 'removed-by-app' satisfies EndWord },
  )
}

/**
 * The operator removes an app: it can sign in no more, and all of its installs end. First the one and then the others, each
 * venue by itself, so that no venue waits for all. Refuses an unknown id; repeating it ends what an interruption left.
 */
export const removeAppEverywhere = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  id: number,
): Promise<{ readonly row: AppRow; readonly ended: number }> => {
  const row = await db.transaction(async (queries) => {
    const ended = await endApp(queries, id, clock())
    await endTrades(queries, id, clock())
    return ended
  })
  const installs = await db.many(sql({ id: 'int8', venue_id: 'int8' })`
    select i.id, i.venue_id
      from app_install i
     where i.app_id = ${id} and exists (select from api_key k where k.install_id = i.id and k.revoked_at is null)
     order by i.venue_id, i.id`)
  for (const { id: install, venue_id } of installs) {
    const venue = venue_id as VenueId
    await db.transaction(async (queries) => {
      await lockAccess(queries, venue)
      await endInstall(
        workAt(queries, venue, clock),
        { kind: 'service' },
        { install, name: row.name, why: 'app-removed' satisfies EndWord },
      )
    })
  }
  return { row, ended: installs.length }
}

const endInstall = async (
  work: Work,
  actor: Actor,
  { install, name, why }: { readonly install: number; readonly name: string; readonly why: string },
): Promise<void> => {
  const { db, venue, now } = work
  const moment = now()
  // A code that nobody exchanged yet would connect it again.
  await dropUnusedCodes(db, install)
  const live = (await keysOfInstall(db, install)).filter(({ revoked_at }) => revoked_at === null)
  const [latest] = live
  if (!latest) return
  await revokeKey(db, latest.id, why, moment)
  for (const { id } of live) await stopEndpointsOfKey(db, venue.id, id, moment)
  await recordActivity(
    work,
    actor,
    { action: 'remove an app', record: { kind: 'api_key', id: latest.id }, before: null, after: { name } },
    moment,
  )
}

const nameOfInstall = async (db: Queries, venue: VenueId, install: number): Promise<string | undefined> =>
  (
    await db.maybe(sql({ name: 'text' })`
      select a.name from app_install i join app a on a.id = i.app_id
       where i.id = ${install} and i.venue_id = ${venue}`)
  )?.name

const workAt = (db: Queries, venue: VenueId, now: Context['clock']): Work => ({
  db: db.within(venue),
  venue: { id: venue } as Venue,
  now,
})
