import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, fragment, sql } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/*
 * Texts of the service to one guest, at most once. Cast: paging a party writes a row in the same transaction. A
 * worker marks it as being sent, which commits, and then hands it to the provider and notes what came of it. A crash in
 * between leaves it as being sent: a minute later it is unknown whether it arrived, the row says so, and nobody but a
 * person presses again.
 */

/**
 * A table that is ready; that they wait again after that; what staff typed for a party in line or for a booking; a test of the settings, whose record is
 * nobody's.
 */
export const guestTextKinds = [
  'linePaged',
  'lineBack',
  'lineTyped',
  'bookingTyped',
  'bookingStranded',
  'test',
] as const
export type GuestTextKind = (typeof guestTextKinds)[number]

/** What a text, or the answer to one, is about. */
export type TextedRecord = { readonly kind: 'waitlist_entry' | 'reservation'; readonly id: number }

const kindsAbout = {
  waitlist_entry: ['linePaged', 'lineBack', 'lineTyped'],
  reservation: ['bookingTyped', 'bookingStranded'],
} as const satisfies Record<TextedRecord['kind'], readonly GuestTextKind[]>
export const lineTexts: readonly string[] = kindsAbout.waitlist_entry
const bookingTexts: readonly string[] = kindsAbout.reservation

/** What a text is about; undefined for a test. */
export const recordOfText = ({ kind, record_id: id }: TextAbout): TextedRecord | undefined => {
  if (lineTexts.includes(kind)) return { kind: 'waitlist_entry', id }
  return bookingTexts.includes(kind) ? { kind: 'reservation', id } : undefined
}
type TextAbout = Pick<GuestTextRow, 'kind' | 'record_id'>

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
    body = null,
  }: {
    readonly kind: GuestTextKind
    readonly record: number
    readonly until: Temporal.Instant
    /** What staff typed, as it goes out. */
    readonly body?: string | null
  },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into guest_text (venue_id, kind, record_id, made_at, until, body)
    values (${venue}, ${kind}, ${record}, ${now}, ${until}, ${body})`)

/** Has the text about a party's table not sent, where it still waits: the party waits again, and may be paged again. */
export const dropPageText = (
  db: Queries,
  venue: VenueId,
  entry: number,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_text set state = 'failed', answer = 'too late to be sent', ended_at = ${now}
     where venue_id = ${venue} and kind = 'linePaged' and record_id = ${entry} and state = 'waiting'`)

const guestTextRow = {
  id: 'int8',
  kind: 'text',
  record_id: 'int8',
  made_at: 'timestamptz',
  until: 'timestamptz',
  body: 'text?',
} as const
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

/**
 * Records what the provider says later. A text that is known to have arrived stays that way; undefined if it is not
 * ours.
 */
export const settleByProvider = (
  db: Queries,
  venue: VenueId,
  providerId: string,
  { state, answer }: Pick<TextResult, 'state' | 'answer'>,
): Promise<TextAbout | undefined> =>
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

/** Keeps an answer once, however often it is handed over; false: it was there. */
export const keepReply = async (
  db: Queries,
  venue: VenueId,
  {
    about,
    providerId,
    body,
  }: { readonly about: TextedRecord; readonly providerId: string; readonly body: string },
  now: Temporal.Instant,
): Promise<boolean> => {
  const of = (kind: TextedRecord['kind']): number | null => (about.kind === kind ? about.id : null)
  const kept = await db.run(sql()`
    insert into text_reply (venue_id, entry_id, reservation_id, provider_id, body, at)
    values (${venue}, ${of('waitlist_entry')}, ${of('reservation')}, ${providerId}, ${body}, ${now})
    on conflict (venue_id, provider_id) do nothing`)
  return kept === 1
}

const recordColumn = {
  waitlist_entry: fragment('entry_id'),
  reservation: fragment('reservation_id'),
} as const

const lastTextRow = {
  record_id: 'int8',
  kind: 'text?',
  state: 'text?',
  answer: 'text?',
  text_at: 'timestamptz?',
  reply: 'text?',
} as const
/** The last text about a party in line or a booking, and the last answer. */
export type LastText = RowOf<typeof lastTextRow>

/** Those of many parties or bookings that have any. */
export const lastTexts = async (
  db: Queries,
  venue: VenueId,
  kind: TextedRecord['kind'],
  ids: readonly number[],
): Promise<ReadonlyMap<number, LastText>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.many(sql(lastTextRow)`
    select coalesce(t.record_id, r.record_id) as record_id, t.kind, t.state, t.answer, t.text_at, r.body as reply
      from (select distinct on (record_id) record_id, kind, state, answer, coalesce(ended_at, made_at) as text_at
              from guest_text
             where venue_id = ${venue} and kind = any(${[...kindsAbout[kind]]}) and record_id = any(${[...ids]}::bigint[])
             order by record_id, id desc) t
      full join (select distinct on (${recordColumn[kind]}) ${recordColumn[kind]} as record_id, body
              from text_reply
             where venue_id = ${venue} and ${recordColumn[kind]} = any(${[...ids]}::bigint[])
             order by ${recordColumn[kind]}, id desc) r on r.record_id = t.record_id`)
  return new Map(rows.map((row) => [row.record_id, row]))
}

const saidRow = {
  kind: 'text?',
  state: 'text?',
  answer: 'text?',
  body: 'text?',
  at: 'timestamptz',
} as const
/** A text to somebody, or what they answered: that has no kind. */
export type SaidByText = RowOf<typeof saidRow>

const mostSaid = 30

/** What was texted about a party or a booking, both ways, oldest first. */
export const saidByText = async (
  db: Queries,
  venue: VenueId,
  { kind, id }: TextedRecord,
): Promise<SaidByText[]> => {
  const rows = await db.many(sql(saidRow)`
    select kind, state, answer, body, at from (
      select kind, state, answer, body, made_at as at, id from guest_text
       where venue_id = ${venue} and kind = any(${[...kindsAbout[kind]]}) and record_id = ${id}
      union all
      select null, null, null, body, at, id from text_reply
       where venue_id = ${venue} and ${recordColumn[kind]} = ${id}) said
     order by at desc, (kind is null) desc, id desc limit ${mostSaid}`)
  return rows.toReversed()
}

const textedRow = { kind: 'text', record_id: 'int8', phone: 'text?' } as const

/** Whom was texted since a moment, the last first. */
export const textedSince = (
  db: Queries,
  venue: VenueId,
  since: Temporal.Instant,
  most: number,
): Promise<RowOf<typeof textedRow>[]> =>
  db.many(sql(textedRow)`
    select t.kind, t.record_id, coalesce(e.phone, r.phone) as phone from guest_text t
      left join waitlist_entry e
        on e.venue_id = t.venue_id and e.id = t.record_id and t.kind = any(${[...kindsAbout.waitlist_entry]})
      left join reservation r
        on r.venue_id = t.venue_id and r.id = t.record_id and t.kind = any(${[...kindsAbout.reservation]})
     where t.venue_id = ${venue} and t.kind <> 'test' and t.made_at > ${since}
     order by t.id desc limit ${most}`)

const testTextRow = { state: 'text', answer: 'text?', at: 'timestamptz' } as const
/** The last test text and its state. */
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
