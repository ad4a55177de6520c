import {
  type EventData,
  type EventName,
  asksFor,
  events,
  firstEventNames,
  nameAskedFor,
  namesWith,
} from '@venue-data/contract/webhooks/events.ts'
import type { ChangeAnswer } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { part, sql } from '../../platform/db/sql.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import { changedFields } from './changed-fields.ts'
import { endpointsAsking } from './endpoints-asking.ts'
import { noteEvent } from './watch-events.ts'

/*
 * The outbox. Cast: the code that changes a record calls `recordEvent` in the same transaction, so the event and its
 * deliveries exist exactly if the change does; the delivery engine (webhooks/engine) sends them. The lane only shows
 * the engine where to look: it is local and may be lost in a crash; the delivery rows are the source of truth. Only
 * endpoints that existed when the event happened get it; deliveries to a disabled one are held.
 */

type Told<Name extends EventName> = {
  /**
   * The record before the change, in its public shape. An update that changes nothing the API shows is not an event.
   */
  readonly before?: EventData[Name]
  /**
   * What still waits of such an event is replaced by this: of a record for a minute, for which each waits; of no record
   * until it has left.
   */
  readonly gather?: true
  /** An endpoint that does not get the event. */
  readonly except?: string
  /** How a requested change of a booking ended: required of `reservation.change_answered`, and of nothing else. */
  readonly answer?: ChangeAnswer | undefined
}

/** How long a gathered event waits for the next one. */
const gatheredFor = { seconds: 60 }

/**
 * Records that something happened, under the most specific names that fit; the contract adds the more general ones.
 * Each endpoint gets it once. The record's bytes are fixed here: every attempt sends exactly these.
 */
export const recordEvent = async <Name extends EventName>(
  { db, venue, earliestSend }: Pick<Work, 'db' | 'earliestSend'> & { readonly venue: Pick<Venue, 'id'> },
  telling: Name | readonly Name[],
  data: EventData[Name],
  occurredAt: Temporal.Instant,
  { before, gather, except, answer }: Told<Name> = {},
): Promise<void> => {
  const names = namesWith([telling].flat() as Name[])
  const [mostTelling] = names
  if (mostTelling === undefined) return
  if (names.some((one) => one === 'reservation.change_answered') !== (answer !== undefined))
    throw new Error('An answered change is recorded with its answer.')
  const first = names.find(isFirst)
  const name = first ?? mostTelling
  const change = before && changedFields(before, data)
  if (change?.changed.length === 0 && names.every(isLaterUpdate)) return

  noteEvent(db, { event: mostTelling, data })
  const { kind, scope } = events[name]
  const [{ id }, endpoints] = await Promise.all([
    db.one(sql({ id: 'int8' })`
      insert into event (
        venue_id, name, data, occurred_at, names, record_kind, record_id, revision, changed, previous, public_id, gathered, answer)
      values (
        ${venue.id}, ${name}, ${JSON.stringify(data)}, ${occurredAt}, ${names}, ${kind},
        ${kind && 'id' in data ? data.id : null}, ${kind && 'revision' in data ? data.revision : null},
        ${change?.changed ?? null}, ${change ? JSON.stringify(change.previous) : null}, gen_random_uuid(), ${gather === true},
        ${answer ?? null})
      returning id`),
    endpointsAsking(db, venue.id, asksFor(names), scope, occurredAt),
  ])
  if (endpoints.length === 0) return
  const record = kind && 'id' in data ? { kind, id: data.id as number } : undefined
  const previous = change?.previous ?? {}
  const waiting = gather
    ? await replaceWaiting(db, venue.id, { id, name, record, data, previous }, occurredAt)
    : nobody
  const soonest = gather && record ? occurredAt.add(gatheredFor) : occurredAt
  const deliveries = endpoints.flatMap(({ id: endpoint, events: asked }) => {
    const under = nameAskedFor(asked, names)
    return under && endpoint !== except && !waiting.has(endpoint) ? [{ endpoint, name: under }] : []
  })
  if (deliveries.length === 0) return
  const dueAt = latest(earliestSend?.() ?? soonest, soonest)
  await Promise.all([
    ...deliveries.map((one) => insertDelivery(db, venue.id, { ...one, event: id, occurredAt, dueAt })),
    openLane(db, venue.id, dueAt),
  ])
}

const isFirst = (name: EventName): boolean => firstEventNames.includes(name)

const isLaterUpdate = (name: EventName): boolean => name.endsWith('.updated') && !isFirst(name)

const latest = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? other : one

type NewDelivery = {
  readonly endpoint: string
  /** The name it goes under. */
  readonly name: EventName
  readonly event: number
  readonly occurredAt: Temporal.Instant
  readonly dueAt: Temporal.Instant
}

const insertDelivery = (
  db: Queries,
  venue: VenueId,
  { event, endpoint, name, occurredAt, dueAt }: NewDelivery,
) =>
  db.run(sql()`
    insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, name, late)
    values (${venue}, gen_random_uuid(), ${event}, ${endpoint}, ${occurredAt}, ${dueAt}, ${name}, ${!isFirst(name)})`)

const nobody: ReadonlySet<string> = new Set()

type Newer = {
  readonly id: number
  readonly name: EventName
  readonly record: { readonly kind: string; readonly id: number } | undefined
  readonly data: object
  readonly previous: Readonly<Record<string, unknown>>
}

/** Lets gathered deliveries that still wait tell of a newer event; returns their endpoints. */
const replaceWaiting = async (
  db: Queries,
  venue: VenueId,
  { id, name, record, data, previous }: Newer,
  now: Temporal.Instant,
): Promise<ReadonlySet<string>> => {
  const isOlder = record
    ? part`v.record_kind = ${record.kind} and v.record_id = ${record.id} and d.due_at > ${now}`
    : part`d.name = ${name}`
  const rows = await db.many(sql({ endpoint_id: 'uuid', event_id: 'int8', previous: 'text?' })`
    update delivery d set event_id = ${id}, occurred_at = ${now}
      from event v
     where d.venue_id = ${venue} and v.venue_id = ${venue} and v.id = d.event_id
       and v.gathered and ${isOlder} and d.done_at is null and d.tries = 0 and d.lease_token is null
    returning d.endpoint_id, v.id as event_id, v.previous`)
  const told = rows.toSorted((one, other) => other.event_id - one.event_id)
  const before = Object.assign({}, previous, ...told.map((one) => JSON.parse(one.previous ?? '{}')))
  // What became as it was did not change.
  if (record && rows.length > 0) await writePrevious(db, venue, id, changedFields(before, data).previous)
  return new Set(rows.map(({ endpoint_id }) => endpoint_id))
}

const writePrevious = (db: Queries, venue: VenueId, event: number, previous: object): Promise<number> =>
  db.run(sql()`
    update event set previous = ${JSON.stringify(previous)} where venue_id = ${venue} and id = ${event}`)

/**
 * A venue over its pace has no first try before the pace allows: its lane is not opened earlier. A worker that has the
 * lane now gives it back for the moment it was opened for, or an earlier one.
 */
export const openLane = (db: Queries, venue: VenueId, dueAt: Temporal.Instant) =>
  db.run(sql()`
    insert into lane (venue_id, due_at) values (${venue}, ${dueAt})
    on conflict (venue_id) do update
      set due_at = least(lane.due_at, greatest(excluded.due_at, lane.paced_until)),
          opened_for = least(lane.opened_for, greatest(excluded.due_at, lane.paced_until))`)
