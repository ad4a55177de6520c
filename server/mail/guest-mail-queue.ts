import type { Queries } from '../platform/db/pool.ts'
import { type Fragment, type RowOf, part, sql } from '../platform/db/sql.ts'
import { leasedRows } from '../core/venue/leased-rows.ts'
import type { VenueId } from '../core/venue/venue.ts'
import type { Moment } from '../platform/kernel/time/moment.ts'
import type { LocalDate } from '../platform/kernel/time/written-time.ts'
import type { GuestMailKind } from './guest-mail-kinds.ts'

/*
 * Mails of the service to one guest about what they did themselves, and to the venue's staff about the same. Cast: the
 * code that makes a change writes a row in the same transaction, so there is no change without its mail and no mail
 * without its change. A worker leases one row after the other, renders it from the record as it is at that moment, and
 * hands it to the relay. Whatever a crash leaves behind comes due again and goes out once more with the same
 * Message-ID: at least once, where campaigns are at most once. The letter about each week is the exception: it goes out at
 * most once, and there is one for each person and week (`guest_mail_of_week`).
 */

export const guestMailLimits = {
  /** How long a mail waits for a connection to the relay while campaigns have them all; then it is tried again later. */
  placeSeconds: 60,
  /** How much later a mail leaves whose worker crashed with it: a table that is ready does not wait for long. */
  leaseSeconds: 120,
  /** While a relay takes its time, which may be many minutes, the lease is renewed: a guest gets no mail twice. */
  renewSeconds: 30,
  /** A mail is tried this long. */
  hours: 24,
  /** Sent in a row of one venue, while others wait. */
  inARow: 20,
  /** Rows of mails that are done are kept this long, for people looking up a booking. */
  keptDays: 90,
} as const

export type NewGuestMail = {
  readonly kind: GuestMailKind
  /** The number of the record it is about: `guestMails` says of what, by its kind. */
  readonly record: number
  /** Not before; absent: at once. */
  readonly at?: Temporal.Instant
  /** Pointless from here on, such as a booking's start. At most a day after it is due in any case. */
  readonly until?: Temporal.Instant
  /** Staff press it just now, maybe with the guest on the phone: however many mails the address had lately, it does not wait. */
  readonly byStaff?: boolean
}

/** Has a mail sent, with the transaction it is called in. */
export const queueGuestMail = async (
  db: Queries,
  venue: VenueId,
  { kind, record, at, until, byStaff = false }: NewGuestMail,
  now: Temporal.Instant,
): Promise<void> => {
  const { due, end } = dueAndEnd({ at, until }, now)
  await db.run(sql()`
    insert into guest_mail (venue_id, kind, record_id, message_id, made_at, due_at, until, by_staff)
    values (${venue}, ${kind}, ${record}, gen_random_uuid(), ${now}, ${due}, ${end}, ${byStaff})`)
}

const dueAndEnd = (
  { at, until }: { readonly [name in 'at' | 'until']: Temporal.Instant | undefined },
  now: Temporal.Instant,
) => {
  const due = at ?? now
  const longest = due.add({ hours: guestMailLimits.hours })
  return { due, end: until !== undefined && Temporal.Instant.compare(until, longest) < 0 ? until : longest }
}

/**
 * Has the letter of a week sent to somebody, with their account's id as its record: once, however many processes ask for
 * it and however often. Pointless from `until` on.
 */
export const queueWeeklyLetter = (
  db: Queries,
  venue: VenueId,
  {
    record,
    week,
    until,
  }: { readonly record: number; readonly week: LocalDate; readonly until: Temporal.Instant },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    insert into guest_mail (venue_id, kind, record_id, message_id, made_at, due_at, until, week)
    values (${venue}, 'weeklyLetter', ${record}, gen_random_uuid(), ${now}, ${now}, ${until}, ${week})
    on conflict do nothing`)

/** Who has their letter of a week, sent or waiting. */
export const letterOfWeekFor = async (
  db: Queries,
  venue: VenueId,
  week: LocalDate,
): Promise<ReadonlySet<number>> => {
  const rows = await db.many(sql({ record_id: 'int8' })`
    select record_id from guest_mail
     where venue_id = ${venue} and kind = 'weeklyLetter' and week = ${week}`)
  return new Set(rows.map(({ record_id }) => record_id))
}

const guestMailRow = {
  id: 'int8',
  kind: 'text',
  record_id: 'int8',
  message_id: 'uuid',
  made_at: 'timestamptz',
  until: 'timestamptz',
  tries: 'int4',
  week: 'date?',
  by_staff: 'bool',
} as const
export type GuestMailRow = Omit<RowOf<typeof guestMailRow>, 'kind'> & { readonly kind: GuestMailKind }

export const guestMailsDue = leasedRows('guest_mail', guestMailRow, {
  due: 'due_at',
  leaseSeconds: guestMailLimits.leaseSeconds,
  taken: () => part`, tries = tries + 1`,
})

/** Takes the mail of a venue that has been due for longest. */
export const takeGuestMail = async (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<GuestMailRow | undefined> => (await guestMailsDue.take(db, venue, now)) as GuestMailRow | undefined

export type GuestMailResult =
  | { readonly state: 'sent' | 'failed' | 'dropped'; readonly answer: string }
  | { readonly state: 'waiting'; readonly answer: string; readonly dueAt: Temporal.Instant }

type TakenMail = Pick<GuestMailRow, 'id' | 'tries'>

/** `tries` says whose try it is: what comes of one whose lease ended in between is not kept. */
const stillTaken = ({ id, tries }: TakenMail): Fragment =>
  part`id = ${id} and tries = ${tries} and state = 'waiting'`

/** Keeps what came of a mail. */
export const settleGuestMail = (
  db: Queries,
  venue: VenueId,
  mail: TakenMail,
  result: GuestMailResult,
  now: Temporal.Instant,
): Promise<number> => {
  const dueAt = result.state === 'waiting' ? result.dueAt : null
  return db.run(sql()`
    update guest_mail set
      state = ${result.state}, answer = ${result.answer}, due_at = ${dueAt},
      ended_at = case when ${dueAt}::timestamptz is null then ${now}::timestamptz end
     where venue_id = ${venue} and ${stillTaken(mail)}`)
}

/** Keeps a mail that was taken for another lease, or for as long as it is kept from others in any case. */
export const renewGuestMail = (
  db: Queries,
  venue: VenueId,
  mail: TakenMail,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_mail set due_at = greatest(due_at, ${guestMailsDue.until(now)})
     where venue_id = ${venue} and ${stillTaken(mail)}`)

/**
 * Keeps a mail from being taken once more, whatever comes of this try: for one that may be lost and must not come twice. What
 * is kept of the try says when it is due again, if it is.
 */
export const keepFromOthers = (db: Queries, venue: VenueId, mail: TakenMail): Promise<number> =>
  db.run(sql()`
    update guest_mail set due_at = until
     where venue_id = ${venue} and ${stillTaken(mail)}`)

/** Hands a mail back that was taken and not tried, to be taken again from a moment on. */
export const giveBackGuestMail = (
  db: Queries,
  venue: VenueId,
  mail: TakenMail,
  dueAt: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_mail set due_at = ${dueAt}, tries = tries - 1
     where venue_id = ${venue} and ${stillTaken(mail)}`)

type Waiting = { readonly kinds: readonly GuestMailKind[]; readonly record: number }

/** Nobody has begun to send it. */
const stillUntried = ({ kinds, record }: Waiting): Fragment =>
  part`kind = any(${[...kinds]}) and record_id = ${record} and state = 'waiting' and tries = 0`

/** Has mails about a record not sent, of those that nobody has tried to send yet. Answers with how many. */
export const dropGuestMails = (
  db: Queries,
  venue: VenueId,
  { answer, ...about }: Waiting & { readonly answer: string },
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update guest_mail set state = 'dropped', answer = ${answer}, due_at = null, ended_at = ${now}
     where venue_id = ${venue} and ${stillUntried(about)}`)

/** When the first of those mails about a record was queued that are not due yet; undefined where there are none. */
export const notDueSince = async (
  db: Queries,
  venue: VenueId,
  about: Waiting,
  now: Temporal.Instant,
): Promise<Moment | undefined> =>
  (
    await db.maybe(sql({ made_at: 'timestamptz' })`
      select made_at from guest_mail
       where venue_id = ${venue} and ${stillUntried(about)} and due_at > ${now}
       order by id limit 1`)
  )?.made_at

/** Has mails that are not due yet wait until `at`. Answers with how many. */
export const putOffGuestMails = (
  db: Queries,
  venue: VenueId,
  { at, until, ...about }: Waiting & Pick<NewGuestMail, 'at' | 'until'>,
  now: Temporal.Instant,
): Promise<number> => {
  const { due, end } = dueAndEnd({ at, until }, now)
  return db.run(sql()`
    update guest_mail set due_at = ${due}, until = ${end}
     where venue_id = ${venue} and ${stillUntried(about)} and due_at > ${now}`)
}

/** Whether a mail of these kinds about a record, queued at `since` or later, went out, or may have: somebody has begun to send it. */
export const hasLeft = async (
  db: Queries,
  venue: VenueId,
  { kinds, record, since }: Waiting & { readonly since: Moment },
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from guest_mail
     where venue_id = ${venue} and kind = any(${[...kinds]}) and record_id = ${record} and made_at >= ${since}
       and (state = 'sent' or (state = 'waiting' and tries > 0))
     limit 1`)) !== undefined

/** Deletes what has been over for long. */
export const forgetOldGuestMails = (db: Queries, before: Temporal.Instant): Promise<number> =>
  db.run(sql()`delete from guest_mail where ended_at < ${before}`)

/**
 * Of the mails `f` of a venue, those of these kinds that failed, with none about the same record sent since: their
 * recipients have heard nothing.
 */
export const failedLast = (venue: VenueId, kinds: readonly GuestMailKind[]): Fragment => part`
  f.state = 'failed' and f.kind = any(${kinds})
  and not exists (
    select from guest_mail n
     where n.venue_id = ${venue} and n.kind = any(${kinds}) and n.record_id = f.record_id
       and n.id > f.id and n.state = 'sent')`

/** Whether a later mail of the same kind is about the same record: only the last reminder counts. */
export const hasLaterGuestMail = async (
  db: Queries,
  venue: VenueId,
  { id, kind, record_id }: Pick<GuestMailRow, 'id' | 'kind' | 'record_id'>,
): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`
    select id from guest_mail
     where venue_id = ${venue} and kind = ${kind} and record_id = ${record_id} and id > ${id} limit 1`)) !==
  undefined
