import type { EventName } from '@venue-data/contract/webhooks/events.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { DeliveryInclude, DeliveryPayload } from '@venue-data/contract/webhooks/webhook-states.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type RowOf, fragment, sql } from '../../../platform/db/sql.ts'
import { later, toMoment } from '../../../platform/kernel/time/moment.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import type { EndpointKind } from '../reads.ts'
import { engineLimits } from './limits.ts'
import { openSince, paceSince } from './look.ts'

const leasedRow = {
  id: 'uuid',
  event_id: 'int8',
  /** Attempts that ended before this one. */
  tries: 'int4',
  occurred_at: 'timestamptz',
  /** The event name it is sent under. */
  name: 'text',
  data: 'text?',
  names: 'text[]?',
  record_kind: 'text?',
  record_id: 'int8?',
  revision: 'int4?',
  public_id: 'uuid?',
  answer: 'text?',
  endpoint_id: 'uuid',
  kind: 'text',
  address: 'text',
  secret_sealed: 'text?',
  key_id: 'int8',
  /** The scopes of the endpoint's key; null: the key is older than scopes. */
  key_scopes: 'text[]?',
  /** The scopes of the key that last set the address; null: the same key. */
  address_key_scopes: 'text[]?',
  /**
   * The endpoint's settings at the lease; an attempt does not start if the endpoint has changed since (last-look.ts).
   */
  settings_revision: 'int4',
  payload: 'text',
  include: 'text[]',
  signatures: 'text[]',
  previous_secret_sealed: 'text?',
  previous_until: 'timestamptz?',
  /** The previous values of the changed fields, if the endpoint asked for them. */
  previous: 'text?',
} as const

/** A delivery that only this process may send until the lease ends. */
export type Leased = Omit<
  RowOf<typeof leasedRow>,
  'name' | 'names' | 'record_kind' | 'kind' | 'payload' | 'include'
> & {
  readonly name: EventName
  readonly names: readonly EventName[] | null
  readonly record_kind: RecordKind | null
  readonly kind: EndpointKind
  readonly payload: DeliveryPayload
  readonly include: readonly DeliveryInclude[]
  readonly venueId: VenueId
  /** The id of this attempt. */
  readonly token: string
  /** When the pace counts its event as having left. Undefined: not with this attempt. */
  readonly leftAt: Temporal.Instant | undefined
}

export type Lease = {
  readonly venue: VenueId
  /** The version the choice was based on; another worker's turn since then voids it. */
  readonly turn: number
  readonly deliveries: readonly string[]
  /** The ones whose first attempt this is: their events leave. */
  readonly first: readonly string[]
  readonly token: string
}

/**
 * Takes deliveries of different venues for one attempt each, for a venue unless it had another turn since the look, and only
 * while the endpoint exists and is active. The pace counts the events of first attempts that were actually taken as
 * leaving now. A delivery whose lease expired is taken over; after a few takeovers each further one uses up an attempt.
 * What was taken, in the order of the leases. Goes through the venues by number, as `settleTries` does, so that two workers do
 * not wait for each other.
 */
export const leaseDeliveries = async (
  db: Queries,
  leases: readonly Lease[],
  now: Temporal.Instant,
  leaseMs: number = engineLimits.leaseMs,
): Promise<Leased[][]> => {
  const moment = toMoment(now)
  const sorted = leases.toSorted((a, b) => a.venue - b.venue)
  const venues = sorted.map(({ venue }) => venue)
  const first = new Set(leases.flatMap((lease) => lease.first))
  const asked = sorted.flatMap(({ venue, deliveries, token }) =>
    deliveries.map((id) => ({ venue, id, token })),
  )
  const rows = await db.many(sql({ venue_id: 'int8', ...leasedRow })`
    with turned as (
      update delivery_turn t set number = t.number + 1
        from unnest(${venues}::bigint[], ${sorted.map(({ turn }) => turn)}::bigint[]) as n (venue_id, number)
       where t.venue_id = any(${venues}::bigint[]) and t.venue_id = n.venue_id and t.number = n.number
      returning t.venue_id),
    leased as (
      update delivery d
         set due_at = ${toMoment(later(now, leaseMs))}, lease_token = a.token,
             takeovers = d.takeovers + case when d.lease_token is null then 0 else 1 end,
             tries = d.tries + case when d.lease_token is not null and d.takeovers >= ${freeTakeovers} then 1 else 0 end
        from unnest(${asked.map(({ venue }) => venue)}::bigint[], ${asked.map(({ id }) => id)}::uuid[],
                    ${asked.map(({ token }) => token)}::uuid[]) as a (venue_id, id, token)
        join turned on turned.venue_id = a.venue_id, webhook_endpoint e
       where d.venue_id = any(${venues}::bigint[]) and d.venue_id = a.venue_id and d.id = a.id and d.done_at is null
         and d.due_at <= ${moment} and d.occurred_at > ${toMoment(openSince(now))}
         and e.venue_id = any(${venues}::bigint[]) and e.venue_id = d.venue_id and e.id = d.endpoint_id and e.status = 'active'
      returning d.venue_id, d.id, d.event_id, d.tries, d.name, d.late, e.id as endpoint_id, e.kind, e.address, e.secret_sealed,
                e.key_id, e.key_scopes, e.address_key_scopes, e.revision as settings_revision, e.payload, e.include, e.signatures,
                e.previous_secret_sealed, e.previous_until),
    leaving as (
      update event v
         set left_at = ${moment}, left_late = l.late and (v.left_late or coalesce(v.left_at <= ${toMoment(paceSince(now))}, true))
        from (
          select venue_id, event_id, bool_and(late) as late from leased
           where id = any(${[...first]}::uuid[]) group by venue_id, event_id order by venue_id, event_id) l
       where v.venue_id = any(${venues}::bigint[]) and v.venue_id = l.venue_id and v.id = l.event_id
      returning v.id)
    select l.venue_id, l.id, l.event_id, l.tries, v.occurred_at, coalesce(l.name, v.name) as name, v.data, v.names, v.record_kind,
           v.record_id, v.revision, v.public_id, v.answer, l.endpoint_id, l.kind, l.address, l.secret_sealed,
           l.key_id, l.key_scopes, l.address_key_scopes, l.settings_revision, l.payload, l.include, l.signatures,
           l.previous_secret_sealed, l.previous_until,
           case when 'previous' = any(l.include) then v.previous end as previous
      from leased l join event v on v.venue_id = any(${venues}::bigint[]) and v.venue_id = l.venue_id and v.id = l.event_id`)
  const taken = Map.groupBy(rows, ({ venue_id }) => venue_id)
  return leases.map(({ venue, token }) =>
    (taken.get(venue) ?? []).map(
      (row) => ({ ...row, venueId: venue, token, leftAt: first.has(row.id) ? now : undefined }) as Leased,
    ),
  )
}

const freeTakeovers = fragment(String(engineLimits.freeTakeovers))
