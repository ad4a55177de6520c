import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, quickRead, sql } from '../../platform/db/sql.ts'
import { statesIn } from '../../core/events/record-states.ts'
import { type PhoneKey, prefixEnd, reversed, suffixesOf } from '../../platform/kernel/phone/phone.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { type GuestRow, guestRow } from './guest.ts'
import type { SoughtKeys } from './rules.ts'

export const guestById = (db: Queries, venue: VenueId, id: number): Promise<GuestRow | undefined> =>
  db.maybe(
    quickRead(sql(guestRow)`
    select ${columnsOf(guestRow)} from guest where venue_id = ${venue} and id = ${id}`),
  )

export const guestsByIds = (db: Queries, venue: VenueId, ids: readonly number[]): Promise<GuestRow[]> =>
  db.many(sql(guestRow)`
    select ${columnsOf(guestRow)} from guest where venue_id = ${venue} and id = any(${ids}::bigint[])`)

export const guestStates = statesIn(fragment('guest'))

const candidateRow = {
  ...guestRow,
  email_key: 'text?',
  phone_key: 'text?',
  phone_international: 'bool',
} as const

/** A guest's row with the keys it is matched by. */
export type Candidate = {
  readonly id: number
  readonly row: GuestRow
  readonly emailKey: string | null
  readonly phone: PhoneKey | null
}

/** Rows that may match by phone: far more than a family sharing one. Equal keys are read first. */
const mostCandidates = 1_000

/**
 * Every guest who may match: by email address, and if that finds nobody, by phone numbers where one ends with the
 * other. A superset of what `chooseMatch` accepts, each part found by an index.
 */
export const guestsThatMayMatch = async (
  db: Queries,
  venue: VenueId,
  { emailKey, phone }: SoughtKeys,
): Promise<Candidate[]> => {
  const [byEmail, byPhone] = await Promise.all([
    emailKey ? guestsWithEmail(db, venue, emailKey) : [],
    phone ? guestsWithPhoneLike(db, venue, phone, emailKey) : [],
  ])
  return [...byEmail, ...byPhone].map((row) => ({
    id: row.id,
    row,
    emailKey: row.email_key,
    phone: row.phone_key === null ? null : { digits: row.phone_key, international: row.phone_international },
  }))
}

const guestsWithEmail = (db: Queries, venue: VenueId, emailKey: string) =>
  db.many(
    quickRead(sql(candidateRow)`
      select ${columnsOf(candidateRow)} from guest where venue_id = ${venue} and email_key = ${emailKey}`),
  )

/** Empty if somebody has the address. */
const guestsWithPhoneLike = (
  db: Queries,
  venue: VenueId,
  { digits }: PhoneKey,
  emailKey: string | null | undefined,
) =>
  db.many(
    quickRead(sql(candidateRow)`
    select ${columnsOf(candidateRow)} from (
      select ${columnsOf(candidateRow)} from guest
       where venue_id = ${venue} and phone_key = any(${suffixesOf(digits)})
      union
      select ${columnsOf(candidateRow)} from guest
       where venue_id = ${venue}
         and reverse(phone_key) ~>=~ ${reversed(digits)} and reverse(phone_key) ~<~ ${prefixEnd(reversed(digits))}
    ) as alike
     where not exists (select from guest where venue_id = ${venue} and email_key = ${emailKey ?? null})
     order by phone_key <> ${digits}, id
     limit ${mostCandidates}`),
  )

const mostKnown = 5_000

/** Guests who have one of these addresses, one of these numbers (more than really match) or one of these names. */
export const guestsKnownBy = (
  db: Queries,
  venue: VenueId,
  {
    emailKeys,
    phones,
    names,
  }: { emailKeys: readonly string[]; phones: readonly PhoneKey[]; names: readonly string[] },
): Promise<GuestRow[]> =>
  db.many(sql(guestRow)`
    select ${columnsOf(guestRow)} from guest where venue_id = ${venue} and id in (
      select id from guest where venue_id = ${venue} and email_key = any(${emailKeys})
      union all
      select id from guest where venue_id = ${venue} and lower(name) = any(${names})
      union all
      select id from guest
       where venue_id = ${venue} and phone_key = any(${phones.flatMap(({ digits }) => suffixesOf(digits))})
      union all
      select g.id from unnest(${phones.map(({ digits }) => reversed(digits))}::text[]) as p (back)
        join guest g on g.venue_id = ${venue}
         and reverse(g.phone_key) ~>=~ p.back and reverse(g.phone_key) ~<~ (p.back || ':'))
     order by id
     limit ${mostKnown}`)

const lockedRow = { ...guestRow, staff_notes: 'text', allergies: 'text?', version: 'int4' } as const

/** A guest with the staff notes, the row locked: these values decide what is filled in and appended. */
export const guestForUpdate = (
  db: Queries,
  venue: VenueId,
  guest: number,
): Promise<RowOf<typeof lockedRow>> =>
  db.one(sql(lockedRow)`
    select ${columnsOf(lockedRow)} from guest where venue_id = ${venue} and id = ${guest} for update`)
