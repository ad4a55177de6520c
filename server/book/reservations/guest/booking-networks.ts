import type { Context, Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { sql } from '../../../platform/db/sql.ts'
import { withCommit } from '../../../platform/db/kept/with-commit.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { lastRulesAround } from '../../rules/rules-store.ts'
import { resolveService } from '../../rules/resolve-service.ts'
import type { ReservationRequest } from '../request-reservation.ts'
import { coversOfEvening } from '../rules/capacity.ts'

/*
 * Speculation: a program that books an evening full under invented addresses. What one network took of an evening, and
 * nobody has answered for yet, is bounded; beyond that a guest proves their address first (booking-proof.ts).
 *
 * Answered for is what staff confirmed and what was made by the link that proves it. What the venue confirms by itself is
 * not. A booking that grows, or moves to another evening, is counted as a new one of that size
 * (book/reservations/change/change-by-guest.ts); beyond the bound it stays as it is, and its guest calls.
 */

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
  request: Pick<ReservationRequest, 'date' | 'time' | 'partySize'>,
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

/** Forgets which networks bookings came from, when no name of them is read anymore. */
export const forgetBookingNetworks = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from booking_network where made_at <= ${clock().subtract({ hours: 48 })}`)
