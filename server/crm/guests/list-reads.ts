import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, columnsOf, part, seldom, sql } from '../../platform/db/sql.ts'
import { lapsedDays } from '../house/rules.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import {
  type ListPage,
  type PageAsked,
  idTextPlace,
  keyPlace,
  pageOf,
} from '../../platform/kernel/list-page.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { foldedText, nameFromWord } from './folded-name.ts'
import { noDay } from './regular-writes.ts'
import { type StaffGuestRow, staffGuestRow } from './guest.ts'
import { guestsPage } from './staff-reads.ts'

/*
 * The lists of guests in the office. Each is read in the order of an index, from where the page before ended, so that a
 * page of a million guests costs what one of a hundred does. Of those with allergies, VIP or a tag there are few: in the
 * order of their names they are sorted.
 */

export const guestFilters = ['all', 'regulars', 'lapsed', 'allergies', 'vip', 'birthday', 'tag'] as const
export type GuestFilter = (typeof guestFilters)[number]

export const guestSorts = ['newest', 'name', 'visits', 'seen', 'away'] as const
export type GuestSort = (typeof guestSorts)[number]

/** In which orders each list can be read; the first is the usual one. */
export const sortsOf: Readonly<Record<GuestFilter, readonly GuestSort[]>> = {
  all: ['newest', 'name'],
  regulars: ['visits', 'seen', 'away'],
  lapsed: ['seen', 'away', 'visits'],
  allergies: ['newest', 'name'],
  vip: ['newest', 'name'],
  tag: ['newest', 'name'],
  birthday: [],
}

export type GuestListAsked = PageAsked & {
  readonly filter: GuestFilter
  /** One of those of the filter. */
  readonly sort: GuestSort
  /** For the filter of that name. */
  readonly tag: number
  /** The venue's calendar date. */
  readonly today: LocalDate
}

export const guestListPage = (
  db: Queries,
  venue: VenueId,
  asked: GuestListAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const { filter, sort, tag, today } = asked
  switch (filter) {
    case 'all':
      return sort === 'name'
        ? page(db, part`guest g where g.venue_id = ${venue} and g.name is not null`, asked)
        : guestsPage(db, venue, asked)
    case 'regulars':
      return regulars(db, venue, part`true`, asked)
    case 'lapsed':
      return regulars(
        db,
        venue,
        part`r.last_visit_date < ${addDays(today, -lapsedDays)} and r.last_visit_date > ${noDay}`,
        asked,
      )
    case 'allergies':
      return page(db, part`guest g where g.venue_id = ${venue} and g.allergies is not null`, asked)
    case 'vip':
      return someOf(db, venue, part`h.id`, part`guest_house h where h.venue_id = ${venue} and h.vip`, asked)
    case 'tag':
      return someOf(
        db,
        venue,
        part`x.guest_id`,
        part`guest_house_tag x where x.venue_id = ${venue} and x.tag_id = ${tag}`,
        asked,
      )
    case 'birthday':
      return birthdays(db, venue, today)
    default:
      return filter satisfies never
  }
}

/**
 * The guests whose ids a source that ends in its conditions has. The newest are limited where they are read: joined
 * first, a venue with few of them would be gone through guest by guest.
 */
const someOf = (
  db: Queries,
  venue: VenueId,
  id: Fragment,
  source: Fragment,
  asked: GuestListAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const place = idTextPlace(asked.after)?.id ?? Number.MAX_SAFE_INTEGER
  const which =
    asked.sort === 'name'
      ? part`select ${id} as id from ${source}`
      : part`select ${id} as id from ${source} and ${id} < ${place} order by ${id} desc limit ${asked.limit + 1}`
  return page(
    db,
    part`(${which}) few join guest g on g.venue_id = ${venue} and g.id = few.id where true`,
    asked,
  )
}

/** Guests `g` of a source that ends in its conditions: the newest first, or by name. */
const page = async (
  db: Queries,
  source: Fragment,
  { filter, sort, limit, after }: GuestListAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const place = idTextPlace(after)
  // Only guests have a name here, so it needs no alias.
  const [name] = nameFromWord
  const from =
    sort === 'name'
      ? place === undefined
        ? part`true`
        : part`(${name} ~>=~ ${foldedText(place.text)} and (${name} ~>~ ${foldedText(place.text)} or g.id > ${place.id}))`
      : part`g.id < ${place?.id ?? Number.MAX_SAFE_INTEGER}`
  const order = sort === 'name' ? part`${name} using ~<~, g.id` : part`g.id desc`
  // Behind `offset 0` few guests are sorted; otherwise all names are gone through in their order for the few.
  const few = sort === 'name' && filter !== 'all'
  const rows = await db.many(
    seldom(
      few
        ? sql(staffGuestRow)`
            select ${columnsOf(staffGuestRow, 'g')}
              from (select ${columnsOf(staffGuestRow, 'g')} from ${source} offset 0) g
             where ${from} order by ${order} limit ${limit + 1}`
        : sql(staffGuestRow)`
            select ${columnsOf(staffGuestRow, 'g')} from ${source} and ${from}
             order by ${order} limit ${limit + 1}`,
    ),
  )
  return pageOf(rows, limit, (row) => [String(row.id), sort === 'name' ? (row.name ?? '') : ''])
}

const regularRow = { ...staffGuestRow, visits: 'int4', last_visit: 'date' } as const

const regulars = async (
  db: Queries,
  venue: VenueId,
  which: Fragment,
  { sort, limit, after }: GuestListAsked,
): Promise<ListPage<StaffGuestRow>> => {
  const place = keyPlace(after)
  const [key, beyond, order] = {
    visits: [
      Number(place?.key ?? 0),
      (at: Fragment) => part`(r.visit_count, r.id) < ${at}`,
      part`r.visit_count desc, r.id desc`,
    ] as const,
    seen: [
      place?.key ?? noDay,
      (at: Fragment) => part`(r.last_visit_date, r.id) < ${at}`,
      part`r.last_visit_date desc, r.id desc`,
    ] as const,
    away: [
      place?.key ?? noDay,
      (at: Fragment) => part`(r.last_visit_date, r.id) > ${at}`,
      part`r.last_visit_date, r.id`,
    ] as const,
  }[sort === 'seen' || sort === 'away' ? sort : 'visits']
  const rows = await db.many(
    seldom(sql(regularRow)`
      select ${columnsOf(staffGuestRow, 'g')}, r.visit_count as visits, r.last_visit_date as last_visit
        from guest_regular r join guest g on g.venue_id = r.venue_id and g.id = r.id
       where r.venue_id = ${venue} and ${which}
         and ${place === undefined ? part`true` : beyond(part`(${key}, ${place.id})`)}
       order by ${order} limit ${limit + 1}`),
  )
  return pageOf(rows, limit, (row) => [sort === 'visits' ? String(row.visits) : row.last_visit, row.id])
}

/** How far ahead birthdays are listed. */
export const birthdayDays = 30
/** More than anybody greets in a month. */
const mostBirthdays = 200

/** The birthdays of the coming days, the next first. */
const birthdays = async (db: Queries, venue: VenueId, today: LocalDate): Promise<ListPage<StaffGuestRow>> => {
  const [from, to] = [today, addDays(today, birthdayDays)].map((date) => ({
    month: Number(date.slice(5, 7)),
    day: Number(date.slice(8, 10)),
  })) as [Month, Month]
  const isOver = today.slice(0, 4) !== addDays(today, birthdayDays).slice(0, 4)
  const rows = await db.many(sql(staffGuestRow)`
    select ${columnsOf(staffGuestRow, 'g')} from guest_house h join guest g on g.venue_id = h.venue_id and g.id = h.id
     where h.venue_id = ${venue} and h.birthday_month is not null
       and (((h.birthday_month, h.birthday_day) >= (${from.month}, ${from.day})
             and (${isOver} or (h.birthday_month, h.birthday_day) <= (${to.month}, ${to.day})))
         or (${isOver} and (h.birthday_month, h.birthday_day) <= (${to.month}, ${to.day})))
     order by (h.birthday_month, h.birthday_day) < (${from.month}, ${from.day}), h.birthday_month, h.birthday_day, g.id
     limit ${mostBirthdays}`)
  return { rows, next: null }
}

type Month = { readonly month: number; readonly day: number }
