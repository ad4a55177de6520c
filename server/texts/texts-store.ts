import type { Queries } from '../db/pool.ts'
import { type RowOf, columnsOf, sql } from '../db/sql.ts'
import type { VenueId } from '../venue/venue.ts'

/*
 * Texts of the service to one guest, at most once. Cast: whoever pages writes a row in the transaction of the page. A
 * worker marks it as being sent, which commits, and then hands it to the provider and notes what came of it. A crash in
 * between leaves it as being sent: a minute later it is unknown whether it arrived, the row says so, and nobody but a
 * person presses again.
 */

/** A table that is ready; a test of the settings, whose record is nobody's. */
export const guestTextKinds = ['linePaged', 'test'] as const
export type GuestTextKind = (typeof guestTextKinds)[number]

export const guestTextLimits = {
  /** One that is being sent for longer was left behind. */
  sendingSeconds: 60,
  /** Taken at once of one venue: with ten seconds for each, all are tried before one counts as left behind. */
  taken: 4,
} as const

export const queueGuestText = (
  db: Queries,
  venue: VenueId,
  {
    kind,
    record,
    until,
  }: { readonly kind: GuestTextKind; readonly record: number; readonly until: Temporal.Instant },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into guest_text (venue_id, kind, record_id, made_at, until)
    values (${venue}, ${kind}, ${record}, ${now}, ${until})`)

const guestTextRow = { id: 'int8', kind: 'text', record_id: 'int8', until: 'timestamptz' } as const
export type GuestTextRow = RowOf<typeof guestTextRow>

/** The venues that have texts to send or to give up. */
export const venuesWithTexts = async (db: Queries): Promise<VenueId[]> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from guest_text where state in ('waiting', 'sending') limit 200`)
  return rows.map(({ venue_id }) => venue_id as VenueId)
}

/** Marks some as being sent: from here on each is sent once or not at all. */
export const takeGuestTexts = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<GuestTextRow[]> =>
  db.many(sql(guestTextRow)`
    update guest_text set state = 'sending', taken_at = ${now}
     where venue_id = ${venue} and id in (
       select id from guest_text
        where venue_id = ${venue} and state = 'waiting'
        order by id limit ${guestTextLimits.taken} for update skip locked)
    returning ${columnsOf(guestTextRow)}`)

/** Those that somebody left behind while they were being sent. */
export const giveUpTexts = (db: Queries, venue: VenueId, now: Temporal.Instant): Promise<GuestTextRow[]> =>
  db.many(sql(guestTextRow)`
    update guest_text set state = 'unknown', ended_at = ${now}, answer = 'the service stopped while it was sent'
     where venue_id = ${venue} and state = 'sending'
       and taken_at < ${now.subtract({ seconds: guestTextLimits.sendingSeconds })}
    returning ${columnsOf(guestTextRow)}`)

export type TextState = 'waiting' | 'sending' | 'sent' | 'delivered' | 'failed' | 'unknown'

export type TextResult = {
  readonly state: TextState
  readonly answer: string | null
  readonly providerId?: string
  readonly segments?: number
}

/** Notes what came of one that is being sent; one that was given up in between stays so. */
export const settleGuestText = (
  db: Queries,
  venue: VenueId,
  text: number,
  { state, answer, providerId, segments }: TextResult,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_text set
      state = ${state}, answer = ${answer}, provider_id = ${providerId ?? null}, segments = ${segments ?? null},
      ended_at = case when ${state}::text = 'waiting' then null else ${now}::timestamptz end
     where venue_id = ${venue} and id = ${text} and state = 'sending'`)

/** What the provider says later. A text that is known to have arrived stays so; undefined when it is none of ours. */
export const settleByProvider = (
  db: Queries,
  venue: VenueId,
  providerId: string,
  { state, answer }: Pick<TextResult, 'state' | 'answer'>,
): Promise<{ readonly kind: string; readonly record_id: number } | undefined> =>
  db.maybe(sql({ kind: 'text', record_id: 'int8' })`
    update guest_text set state = ${state}, answer = ${answer}
     where venue_id = ${venue} and provider_id = ${providerId} and state not in ('delivered', ${state})
    returning kind, record_id`)

export const hasStopped = async (db: Queries, venue: VenueId, key: string): Promise<boolean> =>
  (await db.maybe(sql({ number_key: 'text' })`
    select number_key from text_stop where venue_id = ${venue} and number_key = ${key}`)) !== undefined

export const keepStop = (db: Queries, venue: VenueId, key: string, now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    insert into text_stop (venue_id, number_key, stopped_at) values (${venue}, ${key}, ${now})
    on conflict (venue_id, number_key) do nothing`)

export const endStop = (db: Queries, venue: VenueId, key: string): Promise<number> =>
  db.run(sql()`delete from text_stop where venue_id = ${venue} and number_key = ${key}`)

/** Keeps an answer of a party once, however often it is handed over; false: it was there. */
export const keepReply = async (
  db: Queries,
  venue: VenueId,
  { entry, providerId, body }: { readonly entry: number; readonly providerId: string; readonly body: string },
  now: Temporal.Instant,
): Promise<boolean> =>
  (await db.run(sql()`
    insert into text_reply (venue_id, entry_id, provider_id, body, at)
    values (${venue}, ${entry}, ${providerId}, ${body}, ${now})
    on conflict (venue_id, provider_id) do nothing`)) === 1

const partyTextRow = {
  entry_id: 'int8',
  state: 'text?',
  answer: 'text?',
  text_at: 'timestamptz?',
  reply: 'text?',
} as const
/** The last text to a party, and its last answer. */
export type PartyText = RowOf<typeof partyTextRow>

export const textsOfParties = async (
  db: Queries,
  venue: VenueId,
  entries: readonly number[],
): Promise<ReadonlyMap<number, PartyText>> => {
  const rows = await db.many(sql(partyTextRow)`
    select e.id as entry_id, t.state, t.answer, coalesce(t.ended_at, t.made_at) as text_at,
           (select r.body from text_reply r where r.venue_id = ${venue} and r.entry_id = e.id order by r.id desc limit 1)
             as reply
      from unnest(${[...entries]}::bigint[]) as e (id)
      left join lateral (
        select state, answer, ended_at, made_at from guest_text t
         where t.venue_id = ${venue} and t.kind = 'linePaged' and t.record_id = e.id
         order by t.id desc limit 1) t on true`)
  return new Map(rows.map((row) => [row.entry_id, row]))
}

const testTextRow = { state: 'text', answer: 'text?', at: 'timestamptz' } as const
/** What became of the last test. */
export type TestText = RowOf<typeof testTextRow>

export const lastTestText = (db: Queries, venue: VenueId): Promise<TestText | undefined> =>
  db.maybe(sql(testTextRow)`
    select state, answer, coalesce(ended_at, made_at) as at from guest_text
     where venue_id = ${venue} and kind = 'test' order by id desc limit 1`)

/** Texts and their segments since a moment: what the provider charges for. */
export const textsSince = (
  db: Queries,
  venue: VenueId,
  since: Temporal.Instant,
): Promise<{ readonly texts: number; readonly segments: number }> =>
  db.one(sql({ texts: 'int8', segments: 'int8' })`
    select count(*) as texts, coalesce(sum(segments), 0) as segments from guest_text
     where venue_id = ${venue} and state in ('sent', 'delivered', 'unknown') and made_at >= ${since}`)
