import type { Context, Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { emailKey } from '../../../platform/kernel/email.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { queueGuestMail } from '../../../mail/guest-mail-queue.ts'
import type { GuestSettings } from '../../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type GuestRequest, judgeAtDoor, makeByGuest } from './book-by-guest.ts'
import type { ReservationRow } from '../../day/book-row.ts'
import { type BookingNetwork, noteNetworks } from './booking-networks.ts'

/*
 * A booking that takes its network over what it may (booking-networks.ts) is made by its guest's press behind a link in a
 * mail, which proves the address. Cast: the form of a booking writes `unmade_booking` and its mail in one transaction; the
 * link's page makes the booking from it, once, as the form would have; what nobody presses is swept.
 */

export const proofMinutes = 15

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
  const as = { source: 'public' } as const
  const { passed, isOver } = await judgeAtDoor(work, settings, request, as, networks)
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
