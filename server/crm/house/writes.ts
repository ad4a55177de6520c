import type { Queries } from '../../platform/db/pool.ts'
import { sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { GuestProfile } from './rules.ts'

/** The ids of tags by name; those that are not there are made. */
export const idsOfTags = async (
  db: Queries,
  venue: VenueId,
  names: readonly string[],
): Promise<readonly number[]> => {
  if (names.length === 0) return []
  await db.run(sql()`
    insert into house_tag (venue_id, name)
    select ${venue}, name from unnest(${[...names]}::text[]) as given (name)
    on conflict (venue_id, lower(name)) do nothing`)
  const rows = await db.many(sql({ id: 'int8' })`
    select id from house_tag
     where venue_id = ${venue} and lower(name) in (select lower(name) from unnest(${[...names]}::text[]) as given (name))
     order by id`)
  return rows.map(({ id }) => id)
}

export const writeGuestHouse = async (
  db: Queries,
  venue: VenueId,
  guest: number,
  { vip, birthday, tags }: GuestProfile,
): Promise<void> => {
  const [month, day] = [birthday?.month ?? null, birthday?.day ?? null]
  await db.run(sql()`
    insert into guest_house (venue_id, id, vip, birthday_month, birthday_day)
    values (${venue}, ${guest}, ${vip}, ${month}, ${day})
    on conflict (venue_id, id) do update set
      vip = excluded.vip, birthday_month = excluded.birthday_month, birthday_day = excluded.birthday_day`)
  const ids = await idsOfTags(db, venue, tags)
  await db.run(sql()`
    delete from guest_house_tag
     where venue_id = ${venue} and guest_id = ${guest} and not tag_id = any(${ids}::bigint[])`)
  await db.run(sql()`
    insert into guest_house_tag (venue_id, guest_id, tag_id)
    select ${venue}, ${guest}, id from unnest(${ids}::bigint[]) as given (id)
    on conflict (venue_id, guest_id, tag_id) do nothing`)
}

/** `occasion`, `seating` or `note` undefined: as it is, so that what a guest says later when asked online still counts. */
export const writeBookingHouse = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
  {
    occasion,
    seating,
    note,
    tags,
  }: {
    readonly occasion: string | undefined
    readonly seating: string | undefined
    readonly note?: string | undefined
    readonly tags: readonly string[]
  },
): Promise<void> => {
  if (occasion !== undefined || seating !== undefined || note !== undefined) {
    await db.run(sql()`
      insert into reservation_house (venue_id, id, occasion, seating, note)
      values (${venue}, ${reservation}, ${occasion ?? null}, ${seating ?? null}, ${note ?? null})
      on conflict (venue_id, id) do update set
        occasion = coalesce(excluded.occasion, reservation_house.occasion),
        seating = coalesce(excluded.seating, reservation_house.seating),
        note = coalesce(excluded.note, reservation_house.note)`)
  }
  const ids = await idsOfTags(db, venue, tags)
  await db.run(sql()`
    delete from reservation_house_tag
     where venue_id = ${venue} and reservation_id = ${reservation} and not tag_id = any(${ids}::bigint[])`)
  await db.run(sql()`
    insert into reservation_house_tag (venue_id, reservation_id, tag_id)
    select ${venue}, ${reservation}, id from unnest(${ids}::bigint[]) as given (id)
    on conflict (venue_id, reservation_id, tag_id) do nothing`)
}
