import type { Actor } from '../../../core/activity/actor.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Work } from '../../../context.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { type RowOf, sql } from '../../../platform/db/sql.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { allBookingRules } from '../../rules/rules-store.ts'
import { isServed } from '../../rules/stranded.ts'
import { keepGuestBooking, nothingSaid } from './guest-booking.ts'

/*
 * Bookings that a change of the rules left without a service. Cast: the change writes a row for each in its transaction
 * (book/rules/rules-change.ts). Staff press once for many: who is written to is marked and queued in one transaction, so of two hosts
 * at once one does it, and a crash leaves both or neither; the workers of mails and texts do the rest, each in its way. A
 * row stays; who is on the list is decided when it is read: not who was moved, cancelled or spoken to, nor whose time is
 * open again.
 */

const strandedRow = {
  id: 'int8',
  change_id: 'int8',
  guest_name: 'text?',
  phone: 'text?',
  email: 'text?',
  party_size: 'int4?',
  date: 'date',
  time: 'time',
  service_date: 'date',
  service_minute: 'int4',
  starts_at: 'timestamptz',
  written_at: 'timestamptz?',
  written_before: 'bool',
  mail_state: 'text?',
  text_state: 'text?',
} as const
export type StrandedRow = RowOf<typeof strandedRow>

/** The bookings that somebody still has to contact, or some of them: first who was not written to, soonest first. */
export const strandedBookings = async (
  { db, venue, now }: Work,
  only?: Iterable<number>,
): Promise<StrandedRow[]> => {
  const rows = await db.many(sql(strandedRow)`
    select r.id, s.change_id, r.guest_name, r.phone, r.email, r.party_size, s.date, s.time, r.service_date,
           r.service_minute, r.starts_at, s.written_at,
           exists (
             select from stranded_booking b
              where b.venue_id = ${venue.id} and b.reservation_id = s.reservation_id and b.change_id < s.change_id
                and b.date = s.date and b.time = s.time and b.written_at is not null) as written_before,
           (select m.state from guest_mail m
             where m.venue_id = ${venue.id} and m.kind = 'bookingStranded' and m.record_id = s.reservation_id
               and m.made_at >= s.written_at order by m.id desc limit 1) as mail_state,
           (select t.state from guest_text t
             where t.venue_id = ${venue.id} and t.kind = 'bookingStranded' and t.record_id = s.reservation_id
               and t.made_at >= s.written_at order by t.id desc limit 1) as text_state
      from stranded_booking s
      join reservation r on r.venue_id = s.venue_id and r.id = s.reservation_id
     where s.venue_id = ${venue.id} and s.spoken_at is null and r.starts_at >= ${now()}
       and r.status in ('Requested', 'Confirmed') and r.date = s.date and r.time = s.time
       and r.service_date is not null and r.service_minute is not null
       and (${only === undefined}::boolean or s.reservation_id = any(${[...(only ?? [])]}::bigint[]))
       and not exists (
         select from stranded_booking n
          where n.venue_id = ${venue.id} and n.reservation_id = s.reservation_id and n.change_id > s.change_id)
     order by (s.written_at is not null), r.starts_at, r.id`)
  if (rows.length === 0) return []
  const rules = await allBookingRules(db, venue.id)
  return rows.filter((row) => !isServed(rules, row))
}

const mostMessageCharacters = 2_000

/** What staff write to many. Refuses nothing, and too much. */
const readMessage = (typed: string): string => {
  const message = typed.normalize('NFC').replaceAll('\0', '').replaceAll('\r\n', '\n').trim()
  if (message === '') throw badRequest('Type what to write to these guests.')
  if (message.length > mostMessageCharacters || !message.isWellFormed())
    throw badRequest(`The message can have at most ${mostMessageCharacters} characters.`)
  return message
}

/**
 * Writes one message to the guests of some of these bookings, each once. `chosen` has the change for each, as it was seen:
 * who was stranded again since, by another closing, was written to before, has left the
 * list or cannot be reached is passed over. `text` queues a text besides, and says whether it did. Returns whom it wrote to.
 */
export const writeToStranded = async (
  work: Work,
  actor: Actor,
  chosen: ReadonlyMap<number, number>,
  {
    typed,
    text,
  }: { readonly typed: string; readonly text?: ((row: StrandedRow) => Promise<boolean>) | undefined },
): Promise<StrandedRow[]> => {
  const { db, venue } = work
  const message = readMessage(typed)
  // In one order, so that two who press at once wait for each other.
  await db.many(sql({ reservation_id: 'int8' })`
    select reservation_id from stranded_booking
     where venue_id = ${venue.id} and reservation_id = any(${[...chosen.keys()]}::bigint[]) and written_at is null
     order by reservation_id, change_id for update`)
  const now = work.now()
  const written: StrandedRow[] = []
  for (const row of await strandedBookings(work, chosen.keys())) {
    if (chosen.get(row.id) !== row.change_id || row.written_at !== null) continue
    const isTexted = (await text?.(row)) ?? false
    if (row.email === null && !isTexted) continue
    await db.run(sql()`
      update stranded_booking set written_at = ${now}, message = ${message}
       where venue_id = ${venue.id} and reservation_id = ${row.id} and change_id = ${row.change_id}`)
    await keepGuestBooking(db, venue.id, row.id, nothingSaid)
    if (row.email !== null)
      await queueGuestMail(
        db,
        venue.id,
        { kind: 'bookingStranded', record: row.id, until: toInstant(row.starts_at) },
        now,
      )
    const record = { kind: 'reservation', id: row.id } as const
    await recordActivity(work, actor, { action: 'writeStranded', record, before: {}, after: {} }, now)
    written.push(row)
  }
  return written
}

/** Ticks that somebody spoke to the guest, or takes that back. */
export const tickSpoken = async (
  work: Work,
  actor: Actor,
  id: number,
  isSpoken: boolean,
): Promise<{ readonly guestName: string | null } | undefined> => {
  const { db, venue } = work
  const now = work.now()
  const ticked = await db.run(sql()`
    update stranded_booking set spoken_at = ${isSpoken ? now : null}::timestamptz
     where venue_id = ${venue.id} and reservation_id = ${id} and (spoken_at is null) = ${isSpoken}`)
  const row = await db.maybe(sql({ guest_name: 'text?' })`
    select guest_name from reservation where venue_id = ${venue.id} and id = ${id}`)
  if (ticked > 0)
    await recordActivity(
      work,
      actor,
      {
        action: isSpoken ? 'tickSpoken' : 'untickSpoken',
        record: { kind: 'reservation', id },
        before: {},
        after: {},
      },
      now,
    )
  return row && { guestName: row.guest_name }
}

/**
 * The words of the message that a mail or a text was queued with, judged again as it goes out; null when the guest need
 * not read it any more: the booking was moved, ended or began, somebody spoke to them, or its time is open again.
 */
export const messageToStranded = async (
  { db, venue, now }: Work,
  id: number,
  queuedAt: Temporal.Instant,
): Promise<string | null> => {
  const row = await db.maybe(sql({
    message: 'text?',
    date: 'date',
    time: 'time',
    service_date: 'date',
    service_minute: 'int4',
  })`
    select s.message, s.date, s.time, r.service_date, r.service_minute
      from stranded_booking s
      join reservation r on r.venue_id = s.venue_id and r.id = s.reservation_id
     where s.venue_id = ${venue.id} and s.reservation_id = ${id} and s.written_at <= ${queuedAt}
       and s.spoken_at is null and r.date = s.date and r.time = s.time and r.starts_at > ${now()}
       and r.status in ('Requested', 'Confirmed') and r.service_date is not null and r.service_minute is not null
     order by s.written_at desc limit 1`)
  if (!row || isServed(await allBookingRules(db, venue.id), row)) return null
  return row.message
}
