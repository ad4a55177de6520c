import type { Context } from '../context.ts'
import type { Queries } from '../platform/db/pool.ts'
import { fragment, sql } from '../platform/db/sql.ts'
import { contactKeys } from '../platform/kernel/phone/contact-keys.ts'
import { forEachVenue } from '../core/venue/each-venue.ts'
import type { VenueId } from '../core/venue/venue.ts'

/*
 * Fills in the match keys of waitlist entries and leads that lack them: those from before match keys existed, and those
 * that a process of the previous release writes during a rolling restart. SQL cannot do it: only our code knows which
 * part of a number counts.
 */

const places = [
  { table: fragment('waitlist_entry'), email: fragment('email'), phone: fragment('phone') },
  { table: fragment('lead'), email: fragment('contact_email'), phone: fragment('contact_phone') },
]
type Place = (typeof places)[number]

const atOnce = 1_000

/** Returns how many it filled in; a number that is too short to match keeps none. */
export const fillContactKeys = async ({ db, log }: Pick<Context, 'db' | 'log'>): Promise<number> => {
  let filled = 0
  for (const place of places) {
    await forEachVenue({ db, log }, await venuesWithout(db, place), async (venue) => {
      for (let after: number | undefined = 0; after !== undefined;) {
        const rows = await withoutKeys(db.within(venue.id), venue.id, place, after)
        filled += await writeKeys(db.within(venue.id), venue.id, place, rows)
        after = rows.length < atOnce ? undefined : rows.at(-1)?.id
      }
    })
  }
  return filled
}

const venuesWithout = async (db: Queries, { table, email, phone }: Place): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from ${table}
     where ${email} is not null and email_key is null or ${phone} is not null and phone_key is null`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

type Row = { readonly id: number; readonly email: string | null; readonly phone: string | null }

const withoutKeys = (
  db: Queries,
  venue: VenueId,
  { table, email, phone }: Place,
  after: number,
): Promise<Row[]> =>
  db.many(sql({ id: 'int8', email: 'text?', phone: 'text?' })`
    select id, ${email} as email, ${phone} as phone from ${table}
     where venue_id = ${venue} and id > ${after}
       and (${email} is not null and email_key is null or ${phone} is not null and phone_key is null)
     order by id limit ${atOnce}`)

/** A row edited since it was read already has its keys. */
const writeKeys = (
  db: Queries,
  venue: VenueId,
  { table, email, phone }: Place,
  rows: readonly Row[],
): Promise<number> => {
  const found = rows
    .map((row) => ({ ...row, ...contactKeys(row.email, row.phone) }))
    .filter(({ email_key, phone_key }) => email_key !== null || phone_key !== null)
  if (found.length === 0) return Promise.resolve(0)
  return db.run(sql()`
    update ${table} as r
       set email_key = k.email_key, phone_key = k.phone_key, phone_international = k.phone_international
      from unnest(${found.map(({ id }) => id)}::bigint[], ${found.map((one) => one.email)}::text[],
                  ${found.map((one) => one.phone)}::text[], ${found.map((one) => one.email_key)}::text[],
                  ${found.map((one) => one.phone_key)}::text[],
                  ${found.map((one) => String(one.phone_international))}::boolean[])
        as k (id, email, phone, email_key, phone_key, phone_international)
     where r.venue_id = ${venue} and r.id = k.id
       and r.${email} is not distinct from k.email and r.${phone} is not distinct from k.phone
       and (r.email_key is distinct from k.email_key or r.phone_key is distinct from k.phone_key)`)
}
