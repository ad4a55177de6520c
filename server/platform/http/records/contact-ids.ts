import type { Queries } from '../../db/pool.ts'
import { type Fragment, seldom, sql } from '../../db/sql.ts'
import { prefixEnd, reversed, samePhone, suffixesOf } from '../../kernel/phone/phone.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Contact } from '../contact-query.ts'

/** The most records returned for one contact, far above any real case. */
const mostOfContact = 10_000

/**
 * The records of a table that match an email, a phone number, or either. Numbers match by `samePhone`, which SQL cannot
 * express as equality, so an index finds a superset and this code filters it.
 */
export const idsOfContact = async (
  db: Queries,
  venue: VenueId,
  table: Fragment,
  { emailKey, phone }: Contact,
): Promise<number[]> => {
  const back = phone && reversed(phone.digits)
  const rows = await db.many(
    seldom(sql({ id: 'int8', email_key: 'text?', phone_key: 'text?', phone_international: 'bool' })`
    select id, email_key, phone_key, phone_international from ${table}
     where venue_id = ${venue} and email_key = ${emailKey ?? null}
    union
    select id, email_key, phone_key, phone_international from ${table}
     where venue_id = ${venue} and phone_key = any(${phone ? suffixesOf(phone.digits) : []})
    union
    select id, email_key, phone_key, phone_international from ${table}
     where venue_id = ${venue} and phone_key is not null
       and reverse(phone_key) ~>=~ ${back ?? null} and reverse(phone_key) ~<~ ${back ? prefixEnd(back) : null}
    order by id desc
    limit ${mostOfContact}`),
  )
  return rows
    .filter(
      ({ email_key, phone_key, phone_international }) =>
        (emailKey !== undefined && email_key === emailKey) ||
        (phone !== undefined &&
          phone_key !== null &&
          samePhone({ digits: phone_key, international: phone_international }, phone)),
    )
    .map(({ id }) => id)
}

/** The same for a table searched by email alone. */
export const idsOfAddress = async (
  db: Queries,
  venue: VenueId,
  { table, key }: { readonly table: Fragment; readonly key: Fragment },
  { emailKey }: Contact,
): Promise<number[]> => {
  const rows = await db.many(
    seldom(sql({ id: 'int8' })`
    select id from ${table} where venue_id = ${venue} and ${key} = ${emailKey ?? null}
     order by id desc limit ${mostOfContact}`),
  )
  return rows.map(({ id }) => id)
}
