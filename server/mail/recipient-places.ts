import type { Queries } from '../platform/db/pool.ts'
import { sql } from '../platform/db/sql.ts'
import { emailKey } from '../platform/kernel/email.ts'
import { toInstant } from '../platform/kernel/time/moment.ts'
import { type KeyRing, keyedHash } from '../platform/kernel/secrets.ts'
import type { VenueId } from '../core/venue/venue.ts'

/*
 * How many mails an address gets from a venue within an hour. Anybody can type anybody's address into a form, so without
 * a bound a venue's pages could be used to flood a stranger's mailbox. An address has a few places, as a holder of
 * tables does (book/reservations/holds/hold-writes.ts): a mail takes one for an hour, and if none is free it waits for the first. One
 * that is worthless soon, such as a link to press within a quarter of an hour, has places of its own, which no other mail
 * takes: it never waits behind what could.
 */

export const recipientLimits = { mails: 3, minutes: 60, soonWorthless: 3 } as const

const placesFrom = (first: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => first + n)
const places = placesFrom(1, recipientLimits.mails)
const placesInTime = [...placesFrom(recipientLimits.mails + 1, recipientLimits.soonWorthless), ...places]

/** A mail that would wait for most of the time that it is good for. */
const isSoonWorthless = (now: Temporal.Instant, until: Temporal.Instant): boolean =>
  until.since(now).total('minutes') < 2 * recipientLimits.minutes

/** An address as the places know it. */
export const recipientOf = (ring: KeyRing, address: string): string =>
  keyedHash(emailKey(address), keyedHash('mail recipient', ring[0].link)).toString('base64url')

/** A place for a mail that is about to go; or, where all are taken, when the first of them is free again. */
export type RecipientPlace = { readonly place: number } | { readonly freeAt: Temporal.Instant }

/** Takes a place for a mail that is worthless from `until` on. Two senders at once wait for each other here, so together they get no more than there are. */
export const takeRecipientPlace = async (
  db: Queries,
  venue: VenueId,
  recipient: string,
  { now, until }: { readonly now: Temporal.Instant; readonly until: Temporal.Instant },
): Promise<RecipientPlace> => {
  const since = now.subtract({ minutes: recipientLimits.minutes })
  const allowed = isSoonWorthless(now, until) ? placesInTime : places
  for (const place of allowed) {
    const taken = await db.run(sql()`
      insert into recipient_place as p (venue_id, recipient, place, used_at)
      values (${venue}, ${recipient}, ${place}, ${now})
      on conflict (venue_id, recipient, place) do update set used_at = excluded.used_at
       where p.used_at <= ${since}`)
    if (taken === 1) return { place }
  }
  const first = await db.maybe(sql({ used_at: 'timestamptz' })`
    select used_at from recipient_place
     where venue_id = ${venue} and recipient = ${recipient} and place = any(${[...allowed]})
     order by used_at limit 1`)
  return { freeAt: (first ? toInstant(first.used_at) : now).add({ minutes: recipientLimits.minutes }) }
}

/** Gives a place back: nothing has arrived. */
export const giveRecipientPlace = (
  db: Queries,
  venue: VenueId,
  recipient: string,
  place: number,
): Promise<number> =>
  db.run(sql()`
    delete from recipient_place where venue_id = ${venue} and recipient = ${recipient} and place = ${place}`)

/** Forgets places that are free. */
export const forgetRecipientPlaces = (db: Queries, now: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    delete from recipient_place where used_at <= ${now.subtract({ minutes: recipientLimits.minutes })}`)
