import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, fragment, part, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { BookingProfile, GuestProfile } from './rules.ts'

/** Of each of these guests what the house knows. */
export const housesOfGuests = async (
  db: Queries,
  venue: VenueId,
  guests: readonly number[],
): Promise<Map<number, GuestProfile>> => {
  const rows = await db.many(sql({
    id: 'int8',
    vip: 'bool',
    birthday_month: 'int4?',
    birthday_day: 'int4?',
    tags: 'text[]',
  })`
    select g.id, coalesce(h.vip, false) as vip, h.birthday_month, h.birthday_day,
           array(select t.name from guest_house_tag x
                   join house_tag t on t.venue_id = x.venue_id and t.id = x.tag_id
                  where x.venue_id = ${venue} and x.guest_id = g.id order by lower(t.name)) as tags
      from unnest(${[...guests]}::bigint[]) as g (id)
      left join guest_house h on h.venue_id = ${venue} and h.id = g.id`)
  return new Map(
    rows.map(({ id, vip, birthday_month: month, birthday_day: day, tags }) => [
      id,
      { vip, birthday: month === null || day === null ? null : { month, day }, tags },
    ]),
  )
}

export const houseOfGuest = async (db: Queries, venue: VenueId, guest: number): Promise<GuestProfile> => {
  const found = (await housesOfGuests(db, venue, [guest])).get(guest)
  if (!found) throw new Error('a guest that was asked for is not in the answer')
  return found
}

/** Of each of these bookings what the house says; the occasion and the seating are the guest's own where staff have not said others. */
export const housesOfBookings = async (
  db: Queries,
  venue: VenueId,
  reservations: readonly number[],
): Promise<Map<number, BookingProfile>> => {
  const rows = await db.many(sql({
    id: 'int8',
    occasion: 'text?',
    seating: 'text?',
    note: 'text?',
    tags: 'text[]',
  })`
    select one.id, nullif(coalesce(h.occasion, b.occasion), '') as occasion,
           nullif(coalesce(h.seating, b.seating), '') as seating, nullif(h.note, '') as note,
           array(select t.name from reservation_house_tag x
                   join house_tag t on t.venue_id = x.venue_id and t.id = x.tag_id
                  where x.venue_id = ${venue} and x.reservation_id = one.id order by lower(t.name)) as tags
      from unnest(${[...reservations]}::bigint[]) as one (id)
      left join reservation_house h on h.venue_id = ${venue} and h.id = one.id
      left join guest_booking b on b.venue_id = ${venue} and b.reservation_id = one.id`)
  return new Map(rows.map(({ id, ...house }) => [id, house]))
}

export const houseOfBooking = async (
  db: Queries,
  venue: VenueId,
  reservation: number,
): Promise<BookingProfile> => {
  const found = (await housesOfBookings(db, venue, [reservation])).get(reservation)
  if (!found) throw new Error('a booking that was asked for is not in the answer')
  return found
}

/** The columns below: what the house knows of a booking and of its guest, as the book shows it. */
export const houseRow = {
  occasion: 'text?',
  seating: 'text?',
  private_note: 'text?',
  vip: 'bool',
  two_at_once: 'bool',
  tags: 'text[]',
} as const

/** For a statement on `reservation r`, with `houseJoins`. Its tags are those of the booking and of its guest. */
export const houseColumns = (venue: VenueId): Fragment => part`
  nullif(coalesce(rh.occasion, gb.occasion), '') as occasion, nullif(coalesce(rh.seating, gb.seating), '') as seating,
  nullif(rh.note, '') as private_note,
  coalesce(gh.vip, false) as vip, coalesce(gb.two_at_once, false) as two_at_once,
  array(select t.name from reservation_house_tag x
          join house_tag t on t.venue_id = x.venue_id and t.id = x.tag_id
         where x.venue_id = ${venue} and x.reservation_id = r.id
        union
        select t.name from guest_house_tag x
          join house_tag t on t.venue_id = x.venue_id and t.id = x.tag_id
         where x.venue_id = ${venue} and x.guest_id = r.guest_id
        order by 1) as tags`

export const houseJoins = fragment(`
  left join reservation_house rh on rh.venue_id = r.venue_id and rh.id = r.id
  left join guest_booking gb on gb.venue_id = r.venue_id and gb.reservation_id = r.id
  left join guest_house gh on gh.venue_id = r.venue_id and gh.id = r.guest_id`)

export const tagNamesOf = async (
  db: Queries,
  venue: VenueId,
  tags: readonly number[],
): Promise<readonly string[]> => {
  if (tags.length === 0) return []
  const rows = await db.many(sql({ name: 'text' })`
    select name from house_tag where venue_id = ${venue} and id = any(${[...tags]}::bigint[])`)
  return rows.map(({ name }) => name)
}

/** Tags somebody offers to choose from. */
const mostTags = 200

/** The venue's tags that somebody or something has, by name. */
export const tagsInUse = (
  db: Queries,
  venue: VenueId,
): Promise<{ readonly id: number; readonly name: string }[]> =>
  db.many(sql({ id: 'int8', name: 'text' })`
    select t.id, t.name from house_tag t
     where t.venue_id = ${venue}
       and (exists (select from guest_house_tag g where g.venue_id = ${venue} and g.tag_id = t.id)
         or exists (select from reservation_house_tag r where r.venue_id = ${venue} and r.tag_id = t.id))
     order by lower(t.name)
     limit ${mostTags}`)
