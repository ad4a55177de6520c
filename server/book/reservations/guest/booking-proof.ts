import type { Context, Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { withCommit } from '../../../platform/db/kept/with-commit.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import { lastRulesAround } from '../../rules/rules-store.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type GuestRequest, judgeAtDoor, makeByGuest } from './book-by-guest.ts'
import type { ReservationRow } from '../../day/book-row.ts'
import { coversOfEvening } from '../rules/capacity.ts'
import { resolveService } from '../../rules/resolve-service.ts'

/*
 * Speculation: a program that books an evening full under invented addresses. What one network took of an evening, and
 * nobody has answered for yet, is bounded; beyond that a booking is made by its guest's press behind a link in a mail,
 * which proves the address. Cast: the form of a booking writes `unmade_booking` and its mail in one transaction; the
 * link's page makes the booking from it, once, as the form would have; what nobody presses is swept.
 *
 * Answered for is what staff confirmed and what was made by such a link. What the venue confirms by itself is not. A booking
 * that grows, or moves to another evening, is counted as a new one of that size (book/reservations/change/change-by-guest.ts); beyond the bound it
 * stays as it is, and its guest calls.
 */

export const proofMinutes = 15

/** What one network may take of an evening unanswered: so many covers, or a fifth of the evening where that is more. */
const leastCovers = 24

/** A network as the guest pages name it; `times` the bound is what it may take. */
export type BookingNetwork = {
  readonly names: readonly [current: string, ...others: string[]]
  readonly times: number
}

/**
 * Whether a booking takes one of its guest's networks over what it may, by the rules that the request read last. Called under
 * the lock of its day. `own`: the booking that would become this one.
 */
export const needsProof = async (
  { db, venue, now }: Work,
  networks: readonly BookingNetwork[],
  request: Pick<GuestRequest, 'date' | 'time' | 'partySize'>,
  own = 0,
): Promise<boolean> => {
  const rules = await lastRulesAround(db, venue, request.date)
  const { serviceDate } = resolveService(rules, request)
  const most = Math.max(leastCovers, Math.floor((coversOfEvening(rules, serviceDate) ?? 0) / 5))
  const since = now().subtract({ hours: 24 })
  const areOver = networks.map(async ({ names, times }) => {
    const { covers } = await db.one(sql({ covers: 'int4' })`
      select coalesce(sum(greatest(case when r.service_date = ${serviceDate} then r.party_size end,
                                   case when c.service_date = ${serviceDate} then c.party_size end)), 0)::integer as covers
        from (select distinct venue_id, reservation_id, status from booking_network
               where venue_id = ${venue.id} and network = any(${[...names]}) and made_at > ${since}) n
        join reservation r on r.venue_id = n.venue_id and r.id = n.reservation_id
        left join reservation_change c
          on c.venue_id = r.venue_id and c.reservation_id = r.id and c.status = 'pending' and c.expires_at > ${now()}
       where r.venue_id = ${venue.id} and r.status = n.status and r.id <> ${own}
         and (r.service_date = ${serviceDate} or c.service_date = ${serviceDate})`)
    return covers + request.partySize > most * times
  })
  return (await Promise.all(areOver)).includes(true)
}

/** Notes with the commit which networks a booking came from, as it was made or became larger. */
export const noteNetworks = (
  db: Queries,
  venue: VenueId,
  { id, status }: { readonly id: number; readonly status: string | null },
  networks: readonly BookingNetwork[],
  now: Temporal.Instant,
): void =>
  withCommit(db, () =>
    db.run(sql()`
    insert into booking_network (venue_id, network, reservation_id, status, made_at)
    select ${venue}, network, ${id}, ${status}, ${now} from unnest(${networks.map(({ names }) => names[0])}::text[]) as network
    on conflict (venue_id, network, reservation_id)
    do update set status = excluded.status, made_at = excluded.made_at`),
  )

/** Whether nobody has answered for a booking yet: it is a request, or the venue confirmed it by itself, lately. */
export const isUnanswered = async (
  db: Queries,
  venue: VenueId,
  { id, status }: { readonly id: number; readonly status: string | null },
): Promise<boolean> =>
  status === 'Requested' ||
  (await db.maybe(sql({ id: 'int8' })`
    select reservation_id as id from booking_network
     where venue_id = ${venue} and reservation_id = ${id} and status = ${status} limit 1`)) !== undefined

/** What a form asks for, as it is kept until its guest presses the button in the mail. */
export type UnmadeBooking = Omit<GuestRequest, 'startsAt' | 'email'> & {
  readonly startsAt: string
  readonly email: string
  /** The newsletter's sentence, if it was ticked, and the page it was on. */
  readonly news: { readonly statement: string; readonly pageUrl: string } | null
}

/**
 * Books what a form asks for. Undefined where it takes one of its guest's networks over what it may: then its link is mailed,
 * unless a rule refuses it, as no mail promises what no press could book.
 */
export const bookOrMailLink = async (
  work: Work,
  settings: GuestSettings,
  { news, ...request }: Omit<UnmadeBooking, 'startsAt'> & Pick<GuestRequest, 'startsAt'>,
  { networks, language }: { readonly networks: readonly BookingNetwork[]; readonly language: string },
): Promise<ReservationRow | undefined> => {
  const [passed, isOver] = await judgeAtDoor(work, settings, request, { source: 'public' }, () =>
    needsProof(work, networks, request),
  )
  if (isOver) {
    await keepUnmade(work, { ...request, startsAt: request.startsAt.toString(), news }, language)
    return undefined
  }
  const made = await makeByGuest(work, settings, passed, request.said)
  noteNetworks(work.db, work.venue.id, made, networks, work.now())
  return made
}

/** Keeps what a form asks for and mails its link; once, however often the form is sent. */
const keepUnmade = async (
  { db, venue, now }: Work,
  asked: UnmadeBooking,
  language: string,
): Promise<void> => {
  const at = now()
  const expiresAt = at.add({ minutes: proofMinutes })
  const row = await db.maybe(sql({ id: 'int8' })`
    insert into unmade_booking (venue_id, form_token, email_key, asked, language, expires_at)
    values (${venue.id}, ${asked.said.formToken}, ${emailKey(asked.email)}, ${JSON.stringify(asked)}::jsonb, ${language},
            ${expiresAt})
    on conflict (venue_id, form_token) do nothing
    returning id`)
  if (row) await queueGuestMail(db, venue.id, { kind: 'proofAsked', record: row.id, until: expiresAt }, at)
}

export type KeptUnmade = { readonly asked: UnmadeBooking; readonly language: string }

/** What is kept under an id; undefined once its quarter of an hour is over. */
export const unmadeBooking = async (
  db: Queries,
  venue: VenueId,
  id: number,
  now: Temporal.Instant,
): Promise<KeptUnmade | undefined> => {
  const row = await db.maybe(sql({ asked: 'jsonb', language: 'text', expires_at: 'timestamptz' })`
    select asked, language, expires_at from unmade_booking where venue_id = ${venue} and id = ${id}`)
  if (!row || Temporal.Instant.compare(toInstant(row.expires_at), now) <= 0) return undefined
  return { asked: row.asked as UnmadeBooking, language: row.language }
}

/** What is kept becomes a request again. */
export const requestOf = ({ news: _, startsAt, ...asked }: UnmadeBooking): GuestRequest => ({
  ...asked,
  startsAt: Temporal.Instant.from(startsAt),
})

/** Forgets what nobody pressed. */
export const forgetUnmade = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from unmade_booking where expires_at <= ${clock()}`)

/** Forgets which networks bookings came from, when no name of them is read anymore. */
export const forgetBookingNetworks = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from booking_network where made_at <= ${clock().subtract({ hours: 48 })}`)

/** What somebody's address asked for and nobody pressed, even if its time is over and it only waits to be swept. */
export const unmadeBookingsOf = async (
  db: Queries,
  venue: VenueId,
  key: string,
): Promise<readonly UnmadeBooking[]> =>
  (
    await db.many(sql({ asked: 'jsonb' })`
    select asked from unmade_booking where venue_id = ${venue} and email_key = ${key} order by id`)
  ).map(({ asked }) => asked as UnmadeBooking)

/** Forgets what somebody's address asked for: they are erased. */
export const forgetUnmadeOf = (db: Queries, venue: VenueId, key: string): Promise<number> =>
  db.run(sql()`delete from unmade_booking where venue_id = ${venue} and email_key = ${key}`)
