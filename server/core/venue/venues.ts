import type { Plan } from '@venue-data/contract/records/account.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { beginChanges } from '../events/change-head.ts'
import type { ClockHours } from '../../platform/kernel/formats.ts'
import { type ListPage, type PageAsked, slugPageOf, slugPlace } from '../../platform/kernel/list-page.ts'
import { beginGuestPages } from './guest-settings.ts'
import { isSlug } from './venue-fields.ts'
import type { VenueId } from './venue.ts'

/*
 * The venues themselves: a local table, so statements here name a venue by its slug or id and never join
 * anything sharded.
 */

export const venueRow = {
  id: 'int8',
  slug: 'text',
  name: 'text',
  timezone: 'text',
  plan: 'text',
  paused: 'bool',
  country: 'text',
  currency: 'text?',
  phone: 'text?',
  postal_address: 'text?',
  mail_from: 'text?',
  test_addresses: 'text[]',
  rooms: 'text[]',
  clock_hours: 'int4?',
  monthly_emails: 'int4',
  access: 'text',
  access_description: 'text?',
  access_answer: 'text?',
  access_changed_at: 'timestamptz?',
  created_at: 'timestamptz',
} as const
export type VenueRow = Omit<RowOf<typeof venueRow>, 'id' | 'clock_hours'> & {
  readonly id: VenueId
  readonly clock_hours: ClockHours
}

export type NewVenue = {
  readonly slug: string
  readonly name: string
  readonly timezone: string
  readonly plan: Plan
  readonly country: string
  readonly phone: string | null
}

/** Makes a venue, with the feed of its changes and its pages for guests. Undefined when the slug is taken. */
export const insertVenue = async (
  db: Queries,
  { slug, name, timezone, plan, country, phone }: NewVenue,
  now: Temporal.Instant,
): Promise<VenueRow | undefined> => {
  const row = (await db.maybe(sql(venueRow)`
    insert into venue (slug, name, timezone, plan, country, phone, created_at)
    values (${slug}, ${name}, ${timezone}, ${plan}, ${country}, ${phone}, ${now})
    on conflict (slug) do nothing
    returning ${columnsOf(venueRow)}`)) as VenueRow | undefined
  if (row) {
    await beginChanges(db, row.id, now)
    await beginGuestPages(db, row.id)
  }
  return row
}

/** Text that cannot be a slug, such as text that PostgreSQL would refuse to read, names no venue. */
export const venueBySlug = async (db: Queries, slug: string): Promise<VenueRow | undefined> =>
  isSlug(slug)
    ? ((await db.maybe(sql(venueRow)`select ${columnsOf(venueRow)} from venue where slug = ${slug}`)) as
        | VenueRow
        | undefined)
    : undefined

/** The venue behind a link in a mail, or a worker's claim. */
export const venueOfId = async (
  db: Queries,
  venue: VenueId,
): Promise<(VenueRow & { readonly plan: Plan }) | undefined> =>
  (await db.maybe(sql(venueRow)`select ${columnsOf(venueRow)} from venue where id = ${venue}`)) as
    | (VenueRow & { readonly plan: Plan })
    | undefined

/** Its currency is what experiences ask for. */
export const countryOf = async (db: Queries, venue: VenueId): Promise<string> =>
  (await venueOfId(db, venue))?.country ?? ''

/** The venue, held until the transaction ends. */
export const venueForUpdate = async (db: Queries, venue: VenueId): Promise<VenueRow> =>
  (await db.one(
    sql(venueRow)`select ${columnsOf(venueRow)} from venue where id = ${venue} for update`,
  )) as VenueRow

export const allVenues = async (db: Queries): Promise<VenueRow[]> =>
  (await db.many(sql(venueRow)`select ${columnsOf(venueRow)} from venue order by slug`)) as VenueRow[]

/** Venues by slug, a page at a time; `named`: only those whose slug or name begins so. */
export const venuesPage = async (
  db: Queries,
  named: string,
  { limit, after }: PageAsked,
): Promise<ListPage<VenueRow>> => {
  const text = named.replaceAll('\0', '').trim()
  const rows = (await db.many(sql(venueRow)`
    select ${columnsOf(venueRow)} from venue
     where slug > ${slugPlace(after)}
       and (${text} = '' or starts_with(slug, lower(${text})) or starts_with(lower(name), lower(${text})))
     order by slug
     limit ${limit + 1}`)) as VenueRow[]
  return slugPageOf(rows, limit)
}

/** What may change of a venue later. Undefined leaves a field as it is; null takes it away. */
export type VenueChanges = {
  /** Takes the place of the slug, and with it the address of the guest pages. */
  readonly slug?: string | undefined
  readonly plan?: Plan | undefined
  readonly paused?: boolean | undefined
  readonly timezone?: string | undefined
  readonly phone?: string | null | undefined
  readonly postalAddress?: string | null | undefined
  readonly mailFrom?: string | null | undefined
  /** Takes the place of the whole saved list. */
  readonly testAddresses?: readonly string[] | undefined
  /** Rooms and brands, in the owner's order. Takes the place of the whole saved list. */
  readonly rooms?: readonly string[] | undefined
  /** Hours of the clock on which the office writes times; null: as the country does. */
  readonly clockHours?: ClockHours | undefined
  readonly monthlyEmails?: number | undefined
}

/** Changes the fields given; undefined when there is no such venue. */
export const updateVenue = async (
  db: Queries,
  slug: string,
  changes: VenueChanges,
): Promise<VenueRow | undefined> =>
  (await db.maybe(sql(venueRow)`
    update venue set
      slug = coalesce(${changes.slug ?? null}, slug),
      plan = coalesce(${changes.plan ?? null}, plan),
      paused = coalesce(${changes.paused ?? null}, paused),
      timezone = coalesce(${changes.timezone ?? null}, timezone),
      phone = case when ${changes.phone === undefined}::boolean then phone else ${changes.phone ?? null} end,
      postal_address =
        case when ${changes.postalAddress === undefined}::boolean then postal_address else ${changes.postalAddress ?? null} end,
      mail_from = case when ${changes.mailFrom === undefined}::boolean then mail_from else ${changes.mailFrom ?? null} end,
      test_addresses = coalesce(${changes.testAddresses ?? null}, test_addresses),
      rooms = coalesce(${changes.rooms ?? null}, rooms),
      clock_hours = case when ${changes.clockHours === undefined}::boolean then clock_hours else ${changes.clockHours ?? null} end,
      monthly_emails = coalesce(${changes.monthlyEmails ?? null}, monthly_emails)
     where slug = ${slug}
    returning ${columnsOf(venueRow)}`)) as VenueRow | undefined
