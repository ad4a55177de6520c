import { type RecordKind, recordKinds } from '@venue-data/contract/kinds.ts'
import { pages } from '../../platform/db/pages.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, type Statement, fragment, sql } from '../../platform/db/sql.ts'
import { markPast } from '../../core/events/mark-past.ts'
import { noteChange, noted } from '../../core/events/note-change.ts'
import { erasedKey } from '../../platform/kernel/erased-key.ts'
import { leadFields } from '../../crm/leads/fields.ts'
import { taskFields } from '../../crm/tasks/fields.ts'
import { noteShownEvent } from '../../tickets/shown-event.ts'
import { markRulesChanged } from '../../book/rules/rules-store.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import type { Ids } from './person.ts'
import { mayMention } from './may-mention.ts'
import type { Words } from './scrub.ts'

/*
 * The statements of an erasure, over all tables: the one place that knows where personal data is stored. Its test
 * (doors/office/erasure/person.test.ts) writes a person everywhere and greps every text in the database afterwards: a column
 * that the test writes and this file leaves fails there, so a new one is added to both.
 */

const written = { id: 'int8', revision: 'int4' } as const

/** Blanks a person's records; the rows stay, for the counts. */
export const blankRecords = async (
  db: Queries,
  venue: VenueId,
  ids: Ids,
  now: Temporal.Instant,
): Promise<void> => {
  const erased = async <Row extends RowOf<typeof written>>(
    kind: RecordKind,
    statement: Statement<Row>,
    also?: (row: Row) => void,
  ): Promise<void> => {
    for (const row of await db.many(statement)) {
      noteChange(db, venue, { kind, id: row.id, revision: row.revision, op: 'erased' }, now)
      also?.(row)
    }
  }
  await erased(
    'reservation',
    sql({ ...written, service_date: 'date?', guest_id: 'int8?' })`
    update reservation set
      guest_name = null, email = null, email_key = null, phone = null, phone_key = null, phone_international = false,
      notes = null, cancel_message = null, import_key = null, external_id = null, version = version + 1, revision = revision + 1, erased_at = coalesce(erased_at, ${now})
    where venue_id = ${venue} and id = any(${ids.reservation}::bigint[])
    returning id, revision, service_date, guest_id`,
    ({ service_date, guest_id }) => markPast(db, venue, { dates: [service_date], guests: [guest_id] }, now),
  )
  await erased(
    'guest',
    sql(written)`
    update guest set
      name = null, email = null, email_key = null, phone = null, phone_key = null, phone_international = false,
      seating_preference = null, referral_source = null, external_id = null, staff_notes = '', allergies = null,
      version = version + 1, revision = revision + 1, updated_at = greatest(updated_at, ${now}), erased_at = coalesce(erased_at, ${now})
    where venue_id = ${venue} and id = any(${ids.guest}::bigint[])
    returning id, revision`,
  )
  await erased(
    'lead',
    sql(written)`
    update lead set
      contact_name = null, contact_email = null, contact_phone = null, email_key = null, phone_key = null,
      phone_international = false, event_name = null, occasion = null,
      dining_style = null, dietary_needs = null, notes = null, external_id = null, version = version + 1, revision = revision + 1,
      updated_at = greatest(updated_at, ${now}), erased_at = coalesce(erased_at, ${now})
    where venue_id = ${venue} and id = any(${ids.lead}::bigint[])
    returning id, revision`,
  )
  await erased(
    'waitlist_entry',
    sql(written)`
    update waitlist_entry set
      guest_name = null, email = null, email_key = null, phone = null, phone_key = null, phone_international = false,
      notes = null, external_id = null, language = null, form_token = null, link_issue = link_issue + 1,
      version = version + 1, revision = revision + 1, erased_at = coalesce(erased_at, ${now})
    where venue_id = ${venue} and id = any(${ids.waitlist_entry}::bigint[])
    returning id, revision`,
  )
  await erased(
    'ticket_order',
    sql(written)`
    update ticket_order set
      buyer_first_name = null, buyer_last_name = null, buyer_email = null, buyer_email_key = null, buyer_phone = null,
      external_reference = null, language = null, link_issue = link_issue + 1,
      version = version + 1, revision = revision + 1, erased_at = coalesce(erased_at, ${now})
    where venue_id = ${venue} and id = any(${ids.ticket_order}::bigint[])
    returning id, revision`,
  )
}

/** Deletes what is only about the person: what they wrote, notes, evidence of consent, merges and their place on the email list. */
export const removeRecords = async (
  db: Queries,
  venue: VenueId,
  ids: Ids,
  now: Temporal.Instant,
): Promise<void> => {
  await db.run(sql()`
    update refund_request set reason = null
     where venue_id = ${venue} and order_id = any(${ids.ticket_order}::bigint[])`)
  await db.run(sql()`
    delete from guest_booking
     where venue_id = ${venue} and reservation_id = any(${ids.reservation}::bigint[])`)
  await db.run(sql()`
    delete from stranded_booking
     where venue_id = ${venue} and reservation_id = any(${ids.reservation}::bigint[])`)
  await forgetProfile(db, venue, ids)
  await db.run(sql()`
    update import_record set filled = '{}'
     where venue_id = ${venue}
       and (kind = 'guest' and record_id = any(${ids.guest}::bigint[])
         or kind = 'reservation' and record_id = any(${ids.reservation}::bigint[]))`)
  await db.run(sql()`
    delete from text_reply
     where venue_id = ${venue}
       and (entry_id = any(${ids.waitlist_entry}::bigint[]) or reservation_id = any(${ids.reservation}::bigint[]))`)
  // What was just done with its undo, of which a sentence may name them: all of the venue's, since no column says of whom.
  await db.run(sql()`
    update session set notice = null
     where notice is not null and staff_id in (select id from staff where venue_id = ${venue})`)
  // Who is forgotten has no card anywhere; money and the sentence that was agreed on stay.
  await db.run(sql()`
    update guarantee set
      delete_at = ${now}, look_at = ${now},
      status = case when status in ('held', 'charge_failed') then 'released' else status end
     where venue_id = ${venue} and reservation_id = any(${ids.reservation}::bigint[]) and customer_ref is not null`)
  await forgetWordsOfAsks(db, venue, ids.reservation)
  await db.run(sql()`
    update guarantee set
      ask_note = null, asked_cents = 0, ask_until = null,
      look_at = case when status = 'asked' then null else look_at end,
      status = case when status = 'asked' then 'released' else status end
     where venue_id = ${venue} and reservation_id = any(${ids.reservation}::bigint[])`)
  // What was texted is counted for its cost; what it said goes.
  for (const [kind, about] of [
    ['lineTyped', ids.waitlist_entry],
    ['bookingTyped', ids.reservation],
    ['bookingStranded', ids.reservation],
  ] as const)
    await db.run(sql()`
      update guest_text set body = null
       where venue_id = ${venue} and kind = ${kind} and record_id = any(${about}::bigint[])`)
  await db.run(sql()`
    delete from lead_note where venue_id = ${venue} and lead_id = any(${ids.lead}::bigint[])`)
  await db.run(sql()`
    delete from guest_merge
     where venue_id = ${venue} and (kept_id = any(${ids.guest}::bigint[]) or gone_id = any(${ids.guest}::bigint[]))`)
  const gone = await db.many(sql(written)`
    delete from subscriber where venue_id = ${venue} and id = any(${ids.subscriber}::bigint[])
    returning id, revision`)
  for (const { id, revision } of gone)
    noteChange(db, venue, { kind: 'subscriber', id, revision: revision + 1, op: 'erased', gone: true }, now)
}

/**
 * Staff's words to the person came before the sentence that was agreed on: the sentence stays without them. A refused
 * payment has its sentence beside no booking, so it is found by its checkout; of that the words are not told apart any more.
 */
const forgetWordsOfAsks = async (
  db: Queries,
  venue: VenueId,
  reservations: readonly number[],
): Promise<void> => {
  await db.run(sql()`
    update guarantee set sentence = ''
     where venue_id = ${venue} and reservation_id is null and (sentence, agreed_at) in (
       select sentence, made_at from checkout
        where venue_id = ${venue} and reservation_id = any(${reservations}::bigint[]) and kind = 'ask')`)
  await db.run(sql()`
    update checkout set sentence = null
     where venue_id = ${venue} and reservation_id = any(${reservations}::bigint[]) and kind in ('ask', 'fee')`)
  await db.run(sql()`
    update guarantee set sentence = ltrim(replace(sentence, ask_note, ''))
     where venue_id = ${venue} and reservation_id = any(${reservations}::bigint[]) and ask_note <> ''`)
}

/** Forgets what the person typed before paying; rows of money stay. */
export const forgetForms = (
  db: Queries,
  venue: VenueId,
  {
    checkouts,
    reservations,
  }: { readonly checkouts: readonly number[]; readonly reservations: readonly number[] },
): Promise<number> =>
  db.run(sql()`
    update checkout set form = null, buyer_email_key = null
     where venue_id = ${venue} and (id = any(${checkouts}::bigint[]) or reservation_id = any(${reservations}::bigint[]))`)

/** Deletes what the house knew about the person and their bookings. */
const forgetProfile = async (db: Queries, venue: VenueId, { guest, reservation }: Ids): Promise<void> => {
  await db.run(sql()`
    delete from guest_house where venue_id = ${venue} and id = any(${guest}::bigint[])`)
  await db.run(sql()`
    delete from guest_regular where venue_id = ${venue} and id = any(${guest}::bigint[])`)
  await db.run(sql()`
    delete from guest_house_tag where venue_id = ${venue} and guest_id = any(${guest}::bigint[])`)
  await db.run(sql()`
    delete from reservation_house where venue_id = ${venue} and id = any(${reservation}::bigint[])`)
  await db.run(sql()`
    delete from reservation_house_tag where venue_id = ${venue} and reservation_id = any(${reservation}::bigint[])`)
}

/**
 * Removes the person from campaigns' recipient lists and from returned mail. Their rows stay, so that all totals
 * still add up; a pending one is skipped when its turn comes, since nobody has that address. Open campaigns are locked
 * first: a list being built would otherwise write the address again.
 */
export const forgetMails = async (
  db: Queries,
  venue: VenueId,
  subscribers: readonly number[],
  bounces: readonly number[],
): Promise<void> => {
  await db.many(sql({ id: 'int8' })`
    select id from campaign
     where venue_id = ${venue} and status in ('draft', 'scheduled', 'sending') order by id for no key update`)
  await db.run(sql()`
    update recipient set email_key = 'erased:' || subscriber_id, message_id = null, answer = null
     where venue_id = ${venue} and subscriber_id = any(${subscribers}::bigint[])
       and campaign_id in (select id from campaign where venue_id = ${venue})`)
  await db.run(sql()`
    update mail_bounce set email_key = 'erased:' || id, report_key = 'erased:' || id, subscriber_id = null
     where venue_id = ${venue} and id = any(${bounces}::bigint[])`)
}

/** Replaces an address on the do-not-email list with its fingerprint; returns whether it was on it. */
export const disguiseSuppression = async (
  db: Queries,
  venue: VenueId,
  key: string,
  disguise: string,
): Promise<boolean> => {
  const row = await db.maybe(sql({ reason: 'text', created_at: 'timestamptz' })`
    select reason, created_at from suppression where venue_id = ${venue} and email_key = ${key} for update`)
  if (!row) return false
  await db.run(sql()`delete from suppression where venue_id = ${venue} and email_key = ${key}`)
  await keepSuppressed(db, venue, disguise, row.reason, row.created_at)
  return true
}

export const keepSuppressed = (
  db: Queries,
  venue: VenueId,
  disguise: string,
  reason: string,
  since: string,
): Promise<number> =>
  db.run(sql()`
    insert into suppression (venue_id, email_key, reason, created_at)
    values (${venue}, ${disguise}, ${reason}, ${since}) on conflict (venue_id, email_key) do nothing`)

/**
 * Deletes the bytes of events and their deliveries: pending ones are not sent, and nothing can be resent. The
 * attempts stay in the log, without the responses.
 */
export const forgetEvents = async (db: Queries, venue: VenueId, events: readonly number[]): Promise<void> => {
  await db.run(sql()`
    update attempt set answer = null
     where venue_id = ${venue} and answer is not null and delivery_id in (
       select id from delivery where venue_id = ${venue} and event_id = any(${events}::bigint[]))`)
  await db.run(sql()`
    delete from delivery where venue_id = ${venue} and event_id = any(${events}::bigint[])`)
  await db.run(sql()`
    update event set data = null, previous = null where venue_id = ${venue} and id = any(${events}::bigint[])`)
}

const attemptsOfPage = 5_000

/** Deletes receivers' responses that mention the person; a page at a time, as a month's log may be long. */
export const forgetAnswers = async (db: Queries, venue: VenueId, words: readonly string[]): Promise<void> => {
  const bytes = words.map((word) => Buffer.from(word))
  const lowest = '00000000-0000-0000-0000-000000000000'
  const read = ({ delivery_id, token }: AttemptKey = { delivery_id: lowest, token: lowest }) =>
    db.many(sql({ delivery_id: 'uuid', token: 'uuid', mentions: 'bool' })`
      select delivery_id, token, exists (
               select from unnest(${bytes}::bytea[]) n (word) where position(n.word in answer) > 0) as mentions
        from (
         select delivery_id, token, answer from attempt
          where venue_id = ${venue} and (delivery_id, token) > (${delivery_id}, ${token})
            and answer is not null
          order by delivery_id, token limit ${attemptsOfPage}) page
       order by delivery_id, token`)
  for await (const rows of pages(read)) {
    const theirs = rows.filter(({ mentions }) => mentions)
    if (theirs.length > 0) {
      await db.run(sql()`
        update attempt set answer = null
         where venue_id = ${venue} and (delivery_id, token) in (
           select delivery_id, token
             from unnest(${theirs.map((one) => one.delivery_id)}::uuid[], ${theirs.map((one) => one.token)}::uuid[])
               as theirs (delivery_id, token))`)
    }
  }
}

type AttemptKey = { readonly delivery_id: string; readonly token: string }

/**
 * Blanks stored answers but keeps the fingerprints of their key and body, so that a retry of the request does not create
 * the person again.
 */
export const forgetKeptAnswers = async (
  db: Queries,
  venue: VenueId,
  answers: readonly { readonly endpoint: string; readonly key: string }[],
): Promise<void> => {
  for (const { endpoint, key } of answers) {
    const fingerprint = erasedKey(venue, endpoint, key)
    // An answer to the same key that was erased before, if there is one.
    await db.run(sql()`
      delete from idempotency where venue_id = ${venue} and endpoint = ${endpoint} and key = ${fingerprint}`)
    await db.run(sql()`
      update idempotency set key = ${fingerprint}, body = '{}', status = null, record_id = null
       where venue_id = ${venue} and endpoint = ${endpoint} and key = ${key}`)
  }
}

export const writeTrail = (
  db: Queries,
  venue: VenueId,
  id: number,
  before: unknown,
  after: unknown,
): Promise<number> =>
  db.run(sql()`
    update activity set
      before = ${before === null ? null : JSON.stringify(before)}, after = ${after === null ? null : JSON.stringify(after)}
     where venue_id = ${venue} and id = ${id}`)

/** Texts in other people's records in which somebody may be mentioned, and whether they are JSON. */
export const freeTexts: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  {
    table: 'guest',
    columns: ['staff_notes', 'allergies', 'seating_preference', 'referral_source', 'external_id'],
  },
  { table: 'reservation', columns: ['notes', 'cancel_message', 'external_id'] },
  { table: 'reservation_house', columns: ['occasion', 'seating', 'note'] },
  { table: 'house_tag', columns: ['name'] },
  { table: 'waitlist_entry', columns: ['notes', 'external_id'] },
  { table: 'text_reply', columns: ['body'] },
  { table: 'guest_text', columns: ['body'] },
  { table: 'shift_note', columns: ['text'] },
  { table: 'lead', columns: [...leadFields.freeTexts, 'external_id'] },
  { table: 'lead_note', columns: ['text'] },
  { table: 'task', columns: [...taskFields.freeTexts, 'external_id'] },
  { table: 'block', columns: ['public_note', 'staff_note'] },
  { table: 'closure', columns: ['name'] },
  { table: 'table_outage', columns: ['why'] },
  { table: 'ticketed_event', columns: ['name', 'text'] },
  { table: 'occurrence', columns: ['title'] },
  { table: 'refund', columns: ['answer'] },
  { table: 'refund_request', columns: ['reason'] },
  { table: 'consent', columns: ['source', 'statement', 'page_url'] },
  { table: 'data_import', columns: ['file_name'] },
  { table: 'batch_item', columns: ['ref'] },
  {
    table: 'campaign',
    columns: ['name', 'subject', 'preheader', 'body_html', 'body_text', 'last_error'],
  },
  { table: 'event', columns: ['data', 'previous'] },
]
export const jsonTexts: readonly { readonly table: string; readonly columns: readonly string[] }[] = [
  { table: 'activity', columns: ['before', 'after'] },
  { table: 'guest_merge', columns: ['record'] },
  { table: 'unmade_booking', columns: ['asked'] },
  { table: 'checkout', columns: ['form'] },
]

const rowsOfPage = 2_000

/**
 * The next rows of a table after an id, each with its text if that may mention somebody (it overmatches), otherwise
 * null. A page at a time, so that a statement is quick at any table size.
 */
export const mentionsIn = (
  db: Queries,
  venue: VenueId,
  table: string,
  column: string,
  words: Words,
  last: number,
): Promise<{ id: number; text: string | null }[]> =>
  db.many(sql({ id: 'int8', text: 'text?' })`
    select id, case when ${mayMention(fragment('page.text'), words)} then page.text end as text
      from (
       select id, ${fragment(column)}::text as text from ${fragment(table)}
        where venue_id = ${venue} and id > ${last} and ${fragment(column)} is not null
          and ${fragment(column)}::text <> ''
        order by id limit ${rowsOfPage}) page
     order by id`)

/** One text as it is now, with its row locked. */
export const textForUpdate = (
  db: Queries,
  venue: VenueId,
  table: string,
  column: string,
  id: number,
): Promise<{ text: string | null } | undefined> =>
  db.maybe(sql({ text: 'text?' })`
    select ${fragment(column)}::text as text from ${fragment(table)}
     where venue_id = ${venue} and id = ${id} for update`)

export const writeText = async (
  db: Queries,
  venue: VenueId,
  table: string,
  column: string,
  id: number,
  text: string,
  now: Temporal.Instant,
): Promise<void> => {
  // Two tags must not become the same text, so a tag that names the person is removed from everybody.
  if (table === 'house_tag') {
    await db.run(sql()`delete from house_tag where venue_id = ${venue} and id = ${id}`)
    return
  }
  const write = fragment(`update ${table} set ${column} =`)
  const kind = recordKinds.find((one) => one === table)
  if (!kind || unseen.has(`${table}.${column}`)) {
    await db.run(sql()`${write} ${text} where venue_id = ${venue} and id = ${id}`)
  } else {
    await noted(
      db,
      venue,
      kind,
      now,
      db.many(sql(written)`
        ${write} ${text}, revision = revision + 1 where venue_id = ${venue} and id = ${id} returning id, revision`),
    )
  }
  if (partsOfRules.has(table)) await markRulesChanged(db, venue)
  if (table === 'ticketed_event') await noteShownEvent(db, venue, { event: id }, now)
  if (table === 'occurrence') await noteShownEvent(db, venue, { occurrence: id }, now)
}

/** Tables whose texts every process keeps with the booking rules. */
const partsOfRules: ReadonlySet<string> = new Set(['block', 'closure', 'table_outage'])

/** Fields that only staff see. */
const unseen: ReadonlySet<string> = new Set(['guest.staff_notes', 'guest.allergies'])

/** Whether an import is running: its file may still contain the person. */
export const isImporting = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from data_import where venue_id = ${venue} and state in ('running', 'undoing') limit 1`)) !==
  undefined

/** Whether a batch is in progress: its items may be about the person. */
export const isBatchUnderWay = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (await db.maybe(sql({ id: 'uuid' })`
    select id from batch where venue_id = ${venue} and next_at is not null`)) !== undefined

/** Discards the files waiting to be imported. */
export const forgetFiles = async (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<number> => {
  await db.run(sql()`
    update data_import set state = 'cancelled', ended_at = ${now}
     where venue_id = ${venue} and state in ('ready', 'failed')`)
  return db.run(sql()`delete from data_import_part where venue_id = ${venue}`)
}
