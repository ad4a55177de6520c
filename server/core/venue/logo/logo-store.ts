import { createHash } from 'node:crypto'
import type { Actor } from '../../activity/actor.ts'
import { recordActivity } from '../../activity/record.ts'
import type { Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { ensureGuestPages } from '../guest-settings.ts'
import type { VenueId } from '../venue.ts'
import type { Picture } from './read-logo.ts'

/** The picture itself, if it is still the venue's. */
export const logoBytes = async (
  db: Queries,
  venue: VenueId,
  { tag, type }: { readonly tag: string; readonly type: string },
): Promise<Buffer | undefined> =>
  (
    await db.maybe(sql({ bytes: 'bytea' })`
    select bytes from venue_logo where venue_id = ${venue} and tag = ${tag} and type = ${type}`)
  )?.bytes

/** Names a content, in its address. */
export const tagOf = (bytes: Buffer): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 16)

/** Puts a logo on a venue's pages, in the place of the one there was. */
export const saveLogo = async (work: Work, actor: Actor, picture: Picture): Promise<void> => {
  const { db, venue } = work
  const { type, width, height, bytes } = picture
  const before = await logoType(db, venue.id)
  const tag = tagOf(bytes)
  await ensureGuestPages(db, venue.id)
  await db.run(sql()`
    insert into venue_logo (venue_id, tag, type, width, height, bytes)
    values (${venue.id}, ${tag}, ${type}, ${width}, ${height}, ${bytes})
    on conflict (venue_id) do update set
      tag = excluded.tag, type = excluded.type, width = excluded.width, height = excluded.height,
      bytes = excluded.bytes`)
  await noteLogo(work, actor, before, type)
}

/** Takes the logo off a venue's pages. Does nothing if it has no logo. */
export const removeLogo = async (work: Work, actor: Actor): Promise<void> => {
  const { db, venue } = work
  const before = await logoType(db, venue.id)
  if (before === null) return
  await db.run(sql()`delete from venue_logo where venue_id = ${venue.id}`)
  await noteLogo(work, actor, before, null)
}

const logoType = async (db: Queries, venue: VenueId): Promise<string | null> =>
  (await db.maybe(sql({ type: 'text' })`select type from venue_logo where venue_id = ${venue} for update`))
    ?.type ?? null

const noteLogo = (work: Work, actor: Actor, before: string | null, after: string | null): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action: 'change the guest pages',
      record: { kind: 'venue', id: work.venue.id },
      before: { logo: before },
      after: { logo: after },
    },
    work.now(),
  )
