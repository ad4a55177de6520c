import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../../core/activity/actor.ts'
import type { Work } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Fragment, fragment, joined, part, seldom, sql } from '../../../platform/db/sql.ts'
import { openLane } from '../../../core/events/record.ts'
import { later, toInstant, toMoment } from '../../../platform/kernel/time/moment.ts'
import { Refusal, notFound, refuse } from '../../../platform/kernel/refusal.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { hostOf, record } from '../activity.ts'
import { openSince } from '../engine/look.ts'
import { isOffForGood, offForGood } from '../stays-off.ts'
import { heldEndpoint } from '../owner.ts'
import type { Reach } from '../reach.ts'

/*
 * Sends deliveries again: same id, same bytes, however they ended. Rows become due here, and the engine sends them.
 * Deliveries attempted before go out as retries, so they do not slow down new events. A delivery currently being sent
 * is left alone; one whose lease has expired is not being sent.
 */

/**
 * Sends one delivery again. Refuses one that is being sent, and one whose event is over two days old. `reach`: of the
 * key that asks; absent in the office.
 */
export const sendAgain = async (
  work: Work,
  actor: Actor,
  endpoint: string,
  delivery: string,
  reach?: Reach,
): Promise<void> => {
  const { db, venue, now } = work
  const { url } = await endpointThatReceives(db, venue.id, endpoint, reach)
  const moment = now()
  const found = await heldDelivery(db, venue.id, endpoint, delivery)
  if (!found) throw notFound('delivery')
  if (found.is_leased && isLater(toInstant(found.due_at), moment)) {
    throw refuse('delivery-underway', 'This delivery is on its way at this moment; wait for its result.')
  }
  if (!isLater(toInstant(found.occurred_at), openSince(moment))) throw tooOld()
  await makeDue(db, venue.id, [delivery], moment)
  await openLane(db, venue.id, moment)
  await record(work, actor, 'sendAgain', { endpoint: hostOf(url), deliveries: 1 })
}

export type Replay = {
  readonly since: Temporal.Instant
  readonly until?: Temporal.Instant | undefined
  /** Event names they are sent under; undefined: all. */
  readonly names?: readonly EventName[] | undefined
  readonly only: 'failed' | 'all'
  /** Only counts how many would be sent. */
  readonly isPreview?: boolean | undefined
}

/**
 * Sends the deliveries of a period again, in the order of their events. Returns how many. `all` includes those waiting
 * for their first attempt. Refuses too many at once.
 */
export const replay = async (work: Work, actor: Actor, endpoint: string, asked: Replay): Promise<number> => {
  const { db, venue, now } = work
  const { url } = await endpointThatReceives(db, venue.id, endpoint)
  const moment = now()
  const ids = await deliveriesToReplay(db, venue.id, endpoint, asked, moment)
  if (ids.length > limits.replayMost) {
    throw refuse(
      'too-many',
      `That would send more than ${limits.replayMost} deliveries again; ask for a shorter time, or for fewer events.`,
    )
  }
  if (asked.isPreview || ids.length === 0) return ids.length
  const count = await makeDue(db, venue.id, ids, moment)
  await openLane(db, venue.id, moment)
  await record(work, actor, 'sendAgain', { endpoint: hostOf(url), deliveries: count })
  return count
}

/** The same for a key: only of the last two days, and once a minute for each endpoint. */
export const replayByKey = async (
  work: Work,
  actor: Actor,
  endpoint: string,
  asked: Replay,
  reach: Reach,
): Promise<number> => {
  const { db, venue, now } = work
  await endpointThatReceives(db, venue.id, endpoint, reach)
  if (isLater(openSince(now()), asked.since)) throw tooOld()
  if (!asked.isPreview) await takeTurn(work, endpoint)
  return replay(work, actor, endpoint, asked)
}

const takeTurn = async ({ db, venue, now }: Work, endpoint: string): Promise<void> => {
  const moment = now()
  const { replayed_at } = await db.one(sql({ replayed_at: 'timestamptz?' })`
    select replayed_at from webhook_endpoint where venue_id = ${venue.id} and id = ${endpoint}`)
  const nextAt = replayed_at && toInstant(replayed_at).add({ seconds: limits.replayEverySeconds })
  if (nextAt && isLater(nextAt, moment)) {
    const seconds = Math.ceil(moment.until(nextAt).total('seconds'))
    throw new Refusal(
      429,
      `Deliveries of this endpoint were replayed less than a minute ago; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
      { problem: { reason: 'rate-limited' }, headers: { 'retry-after': String(seconds) } },
    )
  }
  await db.run(sql()`
    update webhook_endpoint set replayed_at = ${moment} where venue_id = ${venue.id} and id = ${endpoint}`)
}

/**
 * Locked until the transaction ends, so that it is not disabled or deleted in the meantime. A permanently disabled
 * endpoint receives nothing.
 */
const endpointThatReceives = async (db: Queries, venue: VenueId, endpoint: string, reach?: Reach) => {
  const found = await heldEndpoint(db, venue, endpoint)
  reach?.(found)
  if (isOffForGood(found)) throw offForGood()
  return found
}

const heldDelivery = (db: Queries, venue: VenueId, endpoint: string, id: string) =>
  db.maybe(sql({ occurred_at: 'timestamptz', due_at: 'timestamptz', is_leased: 'bool' })`
    select occurred_at, due_at, lease_token is not null as is_leased from delivery
     where venue_id = ${venue} and endpoint_id = ${endpoint} and id = ${id} for update`)

/** Up to one more than the limit, by event time. */
const deliveriesToReplay = async (
  db: Queries,
  venue: VenueId,
  endpoint: string,
  { since, until, names, only }: Replay,
  now: Temporal.Instant,
): Promise<readonly string[]> => {
  const ended = only === 'failed' ? ['failed', 'dropped'] : ['delivered', 'failed', 'dropped']
  const lines: Fragment[] = [
    ...ended.map((outcome) => part`done_at is not null and outcome = ${outcome}`),
    part`done_at is null and tries > 0 and (lease_token is null or due_at <= ${now})`,
    ...(only === 'all' ? [part`done_at is null and tries = 0 and due_at <= ${now}`] : []),
  ]
  const before = until ? part`and occurred_at < ${until}` : fragment('')
  const under = names
    ? part`and coalesce(name, (select v.name from event v where v.venue_id = ${venue} and v.id = event_id)) = any(${names})`
    : fragment('')
  const parts = lines.map(
    (line) => part`
    (select id, occurred_at, event_id from delivery
      where venue_id = ${venue} and endpoint_id = ${endpoint} and ${line}
        and occurred_at >= ${since} and occurred_at > ${openSince(now)} ${before} ${under}
      order by occurred_at, event_id
      limit ${replayMost})`,
  )
  const rows = await db.many(
    seldom(sql({ id: 'uuid' })`
    select d.id from (${joined(parts, ' union all ')}) as d order by d.occurred_at, d.event_id limit ${replayMost}`),
  )
  return rows.map(({ id }) => id)
}

/** Written into the statement, because a generic plan would not fit this number. */
const replayMost = fragment(String(limits.replayMost + 1))

/** Makes all of them due now, a millisecond apart to keep their order. Returns how many there were. */
const makeDue = (
  db: Queries,
  venue: VenueId,
  ids: readonly string[],
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update delivery d
       set done_at = null, outcome = null, tries = least(d.tries, 1), takeovers = 0, lease_token = null, due_at = a.due_at
      from unnest(${ids}::uuid[], ${ids.map((_, place) => toMoment(later(now, place + 1 - ids.length)))}::timestamptz[])
        as a (id, due_at)
     where d.venue_id = ${venue} and d.id = a.id and (d.lease_token is null or d.due_at <= ${now})`)

const isLater = (one: Temporal.Instant, other: Temporal.Instant): boolean =>
  Temporal.Instant.compare(one, other) > 0

const tooOld = (): Refusal =>
  refuse(
    'too-old',
    `Nothing is sent again more than ${limits.deliveryHours} hours after it happened; read /events.`,
  )
