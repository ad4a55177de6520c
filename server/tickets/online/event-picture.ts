import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Logo } from '../../core/venue/logo/logo.ts'
import { tagOf } from '../../core/venue/logo/logo-store.ts'
import type { Picture } from '../../core/venue/logo/read-logo.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { columnsOf, sql } from '../../platform/db/sql.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import { eventById } from '../event-reads.ts'

/* The picture of an event's page. It is kept and served as a logo is, and goes with its event. */

const shownRow = { tag: 'text', type: 'text', width: 'int4', height: 'int4' } as const

/** What pages know of it. */
export const eventPicture = (db: Queries, venue: VenueId, event: number): Promise<Logo | undefined> =>
  db.maybe(sql(shownRow)`
    select ${columnsOf(shownRow)} from event_picture where venue_id = ${venue} and event_id = ${event}`)

/** Its address is another one whenever it changes, so it is cached for good. */
export const eventPicturePath = (slug: string, { tag, type }: Logo): string =>
  `/v/${slug}/picture/${tag}.${type}`

/** The picture itself, if an event still has it. */
export const eventPictureBytes = async (
  db: Queries,
  venue: VenueId,
  { tag, type }: Pick<Logo, 'tag' | 'type'>,
): Promise<Buffer | undefined> =>
  (
    await db.maybe(sql({ bytes: 'bytea' })`
    select bytes from event_picture where venue_id = ${venue} and tag = ${tag} and type = ${type} limit 1`)
  )?.bytes

/** Puts a picture on an event's page, in the place of the one there was. */
export const saveEventPicture = async (
  work: Work,
  actor: Actor,
  event: number,
  { type, width, height, bytes }: Picture,
): Promise<void> => {
  const { db, venue } = work
  if (!(await eventById(db, venue.id, event))) throw notFound('event')
  const before = await eventPicture(db, venue.id, event)
  await db.run(sql()`
    insert into event_picture (venue_id, event_id, tag, type, width, height, bytes)
    values (${venue.id}, ${event}, ${tagOf(bytes)}, ${type}, ${width}, ${height}, ${bytes})
    on conflict (venue_id, event_id) do update set
      tag = excluded.tag, type = excluded.type, width = excluded.width, height = excluded.height,
      bytes = excluded.bytes`)
  await notePicture(work, actor, event, before?.type ?? null, type)
}

/** Takes it off. Does nothing if the event has none. */
export const removeEventPicture = async (work: Work, actor: Actor, event: number): Promise<void> => {
  const { db, venue } = work
  if (!(await eventById(db, venue.id, event))) throw notFound('event')
  const before = await eventPicture(db, venue.id, event)
  if (!before) return
  await db.run(sql()`delete from event_picture where venue_id = ${venue.id} and event_id = ${event}`)
  await notePicture(work, actor, event, before.type, null)
}

const notePicture = (
  work: Work,
  actor: Actor,
  event: number,
  before: string | null,
  after: string | null,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action: 'edit',
      record: { kind: 'ticketed_event', id: event },
      before: { picture: before },
      after: { picture: after },
    },
    work.now(),
  )
