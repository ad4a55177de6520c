import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { pages } from '../../platform/db/pages.ts'
import { columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { mayMention } from './may-mention.ts'
import { type Ids, type Person, isOf } from './person.ts'
import { type Words, jsonScrubber } from './scrub.ts'

/* What is kept of what happened to a person's records: events, stored answers to requests, and the trail of changes. */

/** What was stored when these records changed: events whose bytes are still kept, and the trail. */
export const writtenOf = async ({ db, venue }: Pick<Work, 'db' | 'venue'>, ids: Ids) => {
  const [events, noteIds] = await Promise.all([
    eventsOf(db, venue.id, ids),
    noteIdsOf(db, venue.id, ids.lead),
  ])
  const trail = await trailOf(db, venue.id, [...Object.entries(ids), ['lead_note', noteIds]])
  return { events, trail }
}

/**
 * A person's reservations and leads that staff deleted: their content remains in the trail, and in the events that
 * connected software received or would receive.
 */
export const deletedOf = async (
  db: Queries,
  venue: VenueId,
  person: Person,
  guests: readonly number[],
): Promise<Readonly<Record<'reservation' | 'lead', number[]>>> => {
  const rows = await db.many(sql({
    kind: 'text',
    id: 'int8',
    guest_id: 'int8?',
    email: 'text?',
    phone: 'text?',
    name: 'text?',
  })`
    select record_kind as kind, record_id as id, (before ->> 'guest_id')::bigint as guest_id,
           coalesce(before ->> 'email', before ->> 'contact_email') as email,
           coalesce(before ->> 'phone', before ->> 'contact_phone') as phone,
           coalesce(before ->> 'guest_name', before ->> 'contact_name') as name
      from activity
     where venue_id = ${venue} and record_kind in ('reservation', 'lead') and action = 'delete'
     order by id`)
  const own = rows.filter(
    ({ guest_id: guestId, email, phone, name }) =>
      (guestId !== null && guests.includes(guestId)) || isOf({ guestId, email, phone, name }, person),
  )
  const idsOfKind = (kind: string): number[] => own.flatMap((row) => (row.kind === kind ? [row.id] : []))
  return { reservation: idsOfKind('reservation'), lead: idsOfKind('lead') }
}

/**
 * What the trail says of another guest from the merge with one of these until its undo: the other's texts held theirs, too.
 */
export const trailWhileMerged = ({ db, venue }: Pick<Work, 'db' | 'venue'>, guests: readonly number[]) =>
  db.many(sql(trailRow)`
    select ${columnsOf(trailRow)} from activity a
     where a.venue_id = ${venue.id} and a.record_kind = 'guest' and exists (
       select from guest_merge m
        where m.venue_id = ${venue.id} and m.gone_id = any(${guests}::bigint[]) and m.kept_id = a.record_id
          and a.at between m.merged_at and m.undone_at)
     order by a.id`)

/** The current and deleted notes of these leads, from the trail of their creation and deletion. */
const noteIdsOf = async (db: Queries, venue: VenueId, leads: readonly number[]): Promise<number[]> => {
  const rows = await db.many(sql({ id: 'int8' })`
    select id from lead_note where venue_id = ${venue} and lead_id = any(${leads}::bigint[])
    union
    select record_id from activity
     where venue_id = ${venue} and record_kind = 'lead_note'
       and (coalesce(before, after) ->> 'lead_id')::bigint = any(${leads}::bigint[])`)
  return rows.map(({ id }) => id)
}

const eventKinds: Readonly<Record<string, keyof Ids>> = {
  guest: 'guest',
  reservation: 'reservation',
  lead: 'lead',
  waitlist: 'waitlist_entry',
  ticket_order: 'ticket_order',
  subscriber: 'subscriber',
}

const eventRow = { id: 'int8', name: 'text', occurred_at: 'timestamptz', data: 'text?' } as const
const eventsOfPage = 20_000

/** The events of these records whose bytes are still kept. */
const eventsOf = async (db: Queries, venue: VenueId, ids: Ids) => {
  const keys = new Set(
    Object.entries(eventKinds).flatMap(([name, kind]) => ids[kind].map((id) => `${name}:${id}`)),
  )
  const found: number[] = []
  const read = (last?: { readonly id: number }) =>
    db.many(sql({ id: 'int8', name: 'text', record: 'text?' })`
      select id, split_part(name, '.', 1) as name, substring(data from '"id":([0-9]+)') as record from event
       where venue_id = ${venue} and id > ${last?.id ?? 0} and data is not null order by id limit ${eventsOfPage}`)
  for await (const rows of pages(read, eventsOfPage))
    for (const { id, name, record } of rows) if (keys.has(`${name}:${record}`)) found.push(id)
  return db.many(sql(eventRow)`
    select ${columnsOf(eventRow)} from event
     where venue_id = ${venue} and id = any(${found}::bigint[]) order by id`)
}

const answerRow = { endpoint: 'text', key: 'text', body: 'text?', claimed_at: 'timestamptz' } as const
type AnswerKey = { readonly endpoint: string; readonly key: string }
const answersOfPage = 1_000

/** Stored answers that contain one of these records or mention the person, oldest first. */
export const keptAnswersOf = async (db: Queries, venue: VenueId, ids: Ids, words: Words) => {
  const clean = jsonScrubber(words)
  const isTheirs = ({ own, key, body }: { own: boolean; key: string; body: string | null }): boolean => {
    if (own || body === null) return own
    const text = JSON.stringify([key, JSON.parse(body)])
    return JSON.stringify(clean(JSON.parse(text))) !== text
  }
  const found: Awaited<ReturnType<typeof answersThatMayBe>> = []
  const read = (last?: AnswerKey) =>
    answersThatMayBe(db, venue, ids, words, last ?? { endpoint: '', key: '' })
  for await (const rows of pages(read, answersOfPage)) found.push(...rows.filter(isTheirs))
  return found.toSorted((a, b) => Number(a.claimed_at > b.claimed_at) - Number(a.claimed_at < b.claimed_at))
}

/**
 * The next stored answers after one, each with its body if it is about these records or may mention the person (it
 * overmatches). A page at a time, so that a statement is quick however many are stored.
 */
const answersThatMayBe = (db: Queries, venue: VenueId, ids: Ids, words: Words, last: AnswerKey) =>
  db.many(sql({ ...answerRow, own: 'bool' })`
    select endpoint, key, case when own or ${mayMention(fragment('whole'), words)} then body end as body, claimed_at, own
      from (
       select endpoint, key, body, claimed_at, whole, coalesce(
         (said #>> '{guest,id}')::bigint = any(${ids.guest}::bigint[])
         or (said #>> '{reservation,id}')::bigint = any(${ids.reservation}::bigint[])
         or (said #>> '{lead,id}')::bigint = any(${ids.lead}::bigint[])
         or (said #>> '{waitlistEntry,id}')::bigint = any(${ids.waitlist_entry}::bigint[])
         or (said #>> '{ticketOrder,id}')::bigint = any(${ids.ticket_order}::bigint[])
         or (said #>> '{subscriber,id}')::bigint = any(${ids.subscriber}::bigint[]), false) as own
         from (
          select endpoint, key, body, claimed_at, body || ' ' || key as whole, body::jsonb as said from idempotency
           where venue_id = ${venue} and (endpoint, key) > (${last.endpoint}, ${last.key}) and body is not null
           order by endpoint, key limit ${answersOfPage}) page) kept
     order by endpoint, key`)

const trailRow = {
  id: 'int8',
  at: 'timestamptz',
  action: 'text',
  record_kind: 'text',
  record_id: 'int8',
  before: 'jsonb?',
  after: 'jsonb?',
} as const

const trailOf = async (
  db: Queries,
  venue: VenueId,
  kinds: readonly (readonly [string, readonly number[]])[],
) => {
  const rows = await Promise.all(
    kinds.map(([kind, ids]) =>
      db.many(sql(trailRow)`
        select ${columnsOf(trailRow)} from activity
         where venue_id = ${venue} and record_kind = ${kind} and record_id = any(${ids}::bigint[]) order by id`),
    ),
  )
  return rows.flat()
}
