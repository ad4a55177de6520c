import type { Context, Work } from '../../../context.ts'
import { recordActivity } from '../../../core/activity/record.ts'
import { isTakenByRemoved } from '../../../core/money/former-accounts.ts'
import { forEachVenue } from '../../../core/venue/each-venue.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, type RowOf, type Value, fragment, part, sql } from '../../../platform/db/sql.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { bookingRulesAround } from '../../rules/rules-store.ts'
import { endOfService } from '../../rules/service-now.ts'
import { bookedReservation } from '../../day/book-row.ts'
import { giveAllBack } from './give-back.ts'
import { askToHandBack } from './paid-otherwise.ts'
import { type GuaranteeRow, holdGuarantee } from './guarantee-store.ts'
import { isUnsent, refundsUnderWay } from './money-left.ts'

/**
 * Gives back what is behind requests that nobody confirmed until their service was over: the guest never had a table. Several
 * processes may run it at once: each booking is looked at again with its row held.
 */
export const giveBackUnanswered = async ({
  db,
  clock,
  log,
}: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> => {
  await forEachVenue({ db, log }, await venuesWithUnanswered(db, clock()), async (venue) => {
    for (const { id } of await unansweredOf(db.within(venue.id), venue.id, clock()))
      await db.transaction((queries) =>
        giveBackIfOver({ db: queries.within(venue.id), venue, now: clock }, id),
      )
  })
}

const giveBackIfOver = async (work: Work, id: number): Promise<void> => {
  const { db, venue, now } = work
  const row = await holdGuarantee(db, venue.id, id)
  const request = (await unansweredOf(db, venue.id, now())).find((one) => one.id === id)
  if (!row || !request) return
  const { service_date, service_minute, starts_at } = request
  const rules = await bookingRulesAround(db, venue, service_date)
  const end = endOfService(rules, service_date, service_minute) ?? toInstant(starts_at)
  if (Temporal.Instant.compare(end, now()) > 0) return
  await giveAllBack(work, row, now())
  await askForRest(work, row)
}

/** What was paid otherwise only the venue's own people can give back: they are asked to, once. */
const askForRest = async (work: Work, row: GuaranteeRow): Promise<void> => {
  const { db, venue, now } = work
  const booking =
    row.reservation_id === null ? undefined : await bookedReservation(db, venue.id, row.reservation_id)
  const { otherwise } = await refundsUnderWay(db, venue.id, row.id)
  if (!booking || !(await askToHandBack(work, booking, row, otherwise))) return
  await recordActivity(
    work,
    { kind: 'service' },
    { action: handedOver, record: { kind: 'reservation', id: booking.id }, before: {}, after: {} },
    now(),
  )
}

/** A card, or money that came in by the processor. */
const isHere = (venue: Value | Fragment): Fragment =>
  part`(g.status = 'held' or g.paid_cents > g.refunded_cents and exists (
  select from payment p
   where p.venue_id = ${venue} and p.guarantee_id = g.id and p.state = 'succeeded' and p.via = 'processor'))`

const handedOver = 'ask to give back by hand'

/** Money that came in otherwise, or through an account that was removed since, and that nobody was asked to give back. */
const isByHand = (venue: Value | Fragment): Fragment =>
  part`(g.paid_cents > g.refunded_cents and exists (
  select from payment p
   where p.venue_id = ${venue} and p.guarantee_id = g.id and p.state = 'succeeded'
     and (p.via = 'otherwise' or ${isTakenByRemoved(venue)}))
  and not exists (
    select from activity a
     where a.venue_id = ${venue} and a.record_kind = 'reservation' and a.record_id = g.reservation_id
       and a.action = ${handedOver}))`

const unansweredRow = {
  id: 'int8',
  service_date: 'date',
  service_minute: 'int4',
  starts_at: 'timestamptz',
} as const

/** What is behind requests whose time has come, and was neither sent back, whether that arrived or failed, nor asked for. */
const unansweredOf = (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<RowOf<typeof unansweredRow>[]> =>
  db.many(sql(unansweredRow)`
    select g.id, r.service_date, r.service_minute, r.starts_at
      from reservation r join guarantee g on g.venue_id = r.venue_id and g.reservation_id = r.id
     where r.venue_id = ${venue} and r.status = 'Requested' and r.starts_at <= ${now}
       and (${isByHand(venue)} or ${isHere(venue)} and (g.status = 'held' or ${isUnsent(venue)}))`)

/** Over all venues each row is tied to its own. */
const ofEach = fragment('g.venue_id')

const venuesWithUnanswered = async (db: Queries, now: Temporal.Instant): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct r.venue_id
      from reservation r join guarantee g on g.venue_id = r.venue_id and g.reservation_id = r.id
     where r.status = 'Requested' and r.starts_at <= ${now} and (${isHere(ofEach)} or ${isByHand(ofEach)})`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}
