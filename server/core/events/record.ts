import {
  type EventData,
  type EventName,
  events,
  firstEventNames,
  nameAskedFor,
  namesWith,
} from '@venue-data/contract/webhooks/events.ts'
import type { RecordKind } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import type { ChangeAnswer } from '@venue-data/contract/records/reservation.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type Fragment, type RowOf, columnsOf, part, sql } from '../../platform/db/sql.ts'
import { gatheredWithCommit } from '../../platform/db/kept/with-commit.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import { changedFields } from './changed-fields.ts'
import { mayReceive } from './may-receive.ts'
import { noteEvent } from './watch-events.ts'

/*
 * The outbox. Cast: the code that changes a record calls `recordEvent` in the same transaction; what a transaction recorded is
 * written in one statement that travels with its commit, so the events and their deliveries exist exactly if the change
 * does; the delivery engine (webhooks/engine) sends them. The lane only shows the engine where to look: it is local and may
 * be lost in a crash; the delivery rows are the source of truth. Only endpoints that existed when the event happened get
 * it; deliveries to a disabled one are held.
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
  /** An endpoint whose keys have none of these does not get the event; if nobody does, it did not happen. */
  readonly anyOf?: readonly Scope[]
  /** What an event of no record is about. */
  readonly about?: RecordKind | undefined
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
  { before, gather, except, anyOf, about, answer }: Told<Name> = {},
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
  const recording = recordingOf(db, venue.id)
  const event: NewEvent = {
    publicId: crypto.randomUUID(),
    name,
    names,
    data,
    occurredAt,
    answer: answer ?? null,
    isGathered: gather === true,
    kind: kind ?? about ?? null,
    record: kind && 'id' in data ? (data.id as number) : null,
    revision: kind && 'revision' in data ? data.revision : null,
    changed: change?.changed ?? null,
    previous: change?.previous ?? null,
    deliveries: [],
    waiting: [],
  }
  const endpoints = (await recording.endpoints).flatMap((one) => {
    const under = nameAskedFor(one.events, names)
    const mayHear = anyOf === undefined || anyOf.some((any) => mayReceive(any, one))
    return under && one.created_at <= toMoment(occurredAt) && mayReceive(scope, one) && mayHear
      ? [{ id: one.id, name: under }]
      : []
  })
  if (anyOf && endpoints.length === 0) return
  const told =
    gather && endpoints.length > 0
      ? await takeWaiting(db, venue.id, event, recording.events, anyOf && endpoints.map(({ id }) => id))
      : nobody
  const asking = endpoints.filter(({ id }) => id !== except && !told.has(id))
  const soonest = gather && event.record !== null ? occurredAt.add(gatheredFor) : occurredAt
  const dueAt = asking.length === 0 ? soonest : latest(earliestSend?.() ?? soonest, soonest)
  event.deliveries.push(...asking.map(({ id, name }) => ({ endpoint: id, name, dueAt })))
  recording.events.push(event)
}

const isFirst = (name: EventName): boolean => firstEventNames.includes(name)

const isLaterUpdate = (name: EventName): boolean => name.endsWith('.updated') && !isFirst(name)

const latest = (one: Temporal.Instant, other: Temporal.Instant): Temporal.Instant =>
  Temporal.Instant.compare(one, other) < 0 ? other : one

type NewEvent = {
  readonly publicId: string
  readonly name: EventName
  readonly data: object
  readonly occurredAt: Temporal.Instant
  readonly names: readonly EventName[]
  readonly kind: RecordKind | null
  readonly record: number | null
  readonly revision: number | null
  readonly changed: readonly string[] | null
  previous: Readonly<Record<string, unknown>> | null
  readonly answer: ChangeAnswer | null
  readonly isGathered: boolean
  deliveries: NewDelivery[]
  /** Deliveries of older events that go out with this one instead. */
  waiting: readonly string[]
}

type NewDelivery = {
  readonly endpoint: string
  /** The name it goes under. */
  readonly name: EventName
  readonly dueAt: Temporal.Instant
}

type Recording = { readonly endpoints: Promise<readonly EndpointRow[]>; readonly events: NewEvent[] }

const recordingOf = gatheredWithCommit(
  (db, venue: VenueId): Recording => {
    const endpoints = endpointsOf(db, venue)
    // Who waits for them hears of it; so does the transaction, which fails.
    endpoints.catch(() => undefined)
    return { endpoints, events: [] }
  },
  (db, venue, { events }) => writeEvents(db, venue, events),
)

/**
 * Asks now who may be sent events: called where statements are sent anyway, it spares an action that will record an event
 * a trip of its own. Behind the lock, if there is one, so that who subscribed while it was waited for is known.
 */
export const expectEvents = (db: Queries, venue: VenueId): void => void recordingOf(db, venue)

const nobody: ReadonlySet<string> = new Set()

/** Lets gathered deliveries that still wait tell of a newer event; returns their endpoints. */
const takeWaiting = async (
  db: Queries,
  venue: VenueId,
  event: NewEvent,
  recorded: readonly NewEvent[],
  /** Whose; absent: everybody's. */
  only?: readonly string[],
): Promise<ReadonlySet<string>> => {
  const waiting = await waitingDeliveries(db, venue, event)
  const rows = only ? waiting.filter((one) => only.includes(one.endpoint_id)) : waiting
  const older = recorded.filter((one) => one.isGathered && isOfSame(one, event)).toReversed()
  event.waiting = rows.map(({ id }) => id)
  event.deliveries = older.flatMap(({ deliveries }) => deliveries)
  const previous = [
    ...[event, ...older].map((one) => one.previous ?? {}),
    ...rows.map((row): object => JSON.parse(row.previous ?? '{}')),
  ]
  for (const one of older) Object.assign(one, { deliveries: [], waiting: [] })
  // What became as it was did not change.
  if (event.record !== null && previous.length > 1)
    event.previous = changedFields(Object.assign({}, ...previous), event.data).previous
  return new Set([...rows.map((row) => row.endpoint_id), ...event.deliveries.map(({ endpoint }) => endpoint)])
}

const isOfSame = (one: NewEvent, other: NewEvent): boolean =>
  other.record === null ? one.name === other.name : one.kind === other.kind && one.record === other.record

/** Locked, from the newest event to the oldest. */
const waitingDeliveries = (db: Queries, venue: VenueId, { name, kind, record, occurredAt }: NewEvent) =>
  db.many(sql({ id: 'uuid', endpoint_id: 'uuid', previous: 'text?' })`
    select d.id, d.endpoint_id, v.previous
      from delivery d join event v on v.venue_id = ${venue} and v.id = d.event_id
     where d.venue_id = ${venue} and v.gathered
       and ${
         record === null
           ? part`d.name = ${name}`
           : part`v.record_kind = ${kind} and v.record_id = ${record} and d.due_at > ${occurredAt}`
       }
       and d.done_at is null and d.tries = 0 and d.lease_token is null
     order by v.id desc
       for update of d`)

/** All that a transaction recorded of a venue: with its commit, and so in few statements. */
const writeEvents = async (db: Queries, venue: VenueId, recorded: readonly NewEvent[]): Promise<void> => {
  if (recorded.length === 0) return
  const events = newEvents(venue, recorded)
  const deliveries = recorded.flatMap((event) => event.deliveries.map((one) => ({ ...one, event })))
  const waiting = recorded.flatMap((event) => event.waiting.map((id) => ({ id, event })))
  if (deliveries.length + waiting.length === 0) return void (await db.run(sql()`${events}`))
  const first = deliveries.toSorted((a, b) => Temporal.Instant.compare(a.dueAt, b.dueAt)).at(0)
  await Promise.all([
    db.run(sql()`
      with made as (${events} returning id, public_id, occurred_at),
      newer as (
        update delivery d set event_id = m.id, occurred_at = m.occurred_at
          from unnest(${waiting.map(({ id }) => id)}::uuid[], ${waiting.map(({ event }) => event.publicId)}::uuid[]) as w (id, event)
          join made m on m.public_id = w.event
         where d.venue_id = ${venue} and d.id = w.id)
      insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, name, late)
      select ${venue}, d.id, m.id, d.endpoint_id, m.occurred_at, d.due_at, d.name, d.late
        from unnest(
          ${deliveries.map(() => crypto.randomUUID())}::uuid[], ${deliveries.map(({ event }) => event.publicId)}::uuid[],
          ${deliveries.map(({ endpoint }) => endpoint)}::uuid[], ${deliveries.map((one) => toMoment(one.dueAt))}::timestamptz[],
          ${deliveries.map(({ name }) => name)}::text[], ${deliveries.map(({ name }) => String(!isFirst(name)))}::boolean[]
        ) as d (id, event, endpoint_id, due_at, name, late)
        join made m on m.public_id = d.event`),
    first && openLane(db, venue, first.dueAt),
  ])
}

const newEvents = (venue: VenueId, recorded: readonly NewEvent[]): Fragment => part`
  insert into event (
    venue_id, name, data, occurred_at, names, record_kind, record_id, revision, changed, previous, public_id, gathered, answer)
  select ${venue}, e.name, e.data, e.occurred_at, string_to_array(e.names, ','), e.record_kind, e.record_id, e.revision,
         string_to_array(e.changed, ','), e.previous, e.public_id, e.gathered, e.answer
    from unnest(
      ${recorded.map(({ name }) => name)}::text[], ${recorded.map(({ data }) => JSON.stringify(data))}::text[],
      ${recorded.map(({ occurredAt }) => toMoment(occurredAt))}::timestamptz[], ${recorded.map(({ names }) => names.join())}::text[],
      ${recorded.map(({ kind }) => kind)}::text[], ${recorded.map(({ record }) => record)}::bigint[],
      ${recorded.map(({ revision }) => revision)}::integer[], ${recorded.map(({ changed }) => changed?.join() ?? null)}::text[],
      ${recorded.map(({ previous }) => previous && JSON.stringify(previous))}::text[], ${recorded.map(({ publicId }) => publicId)}::uuid[],
      ${recorded.map(({ isGathered }) => String(isGathered))}::boolean[], ${recorded.map(({ answer }) => answer)}::text[]
    ) as e (name, data, occurred_at, names, record_kind, record_id, revision, changed, previous, public_id, gathered, answer)`

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

const endpointRow = {
  id: 'uuid',
  kind: 'text',
  events: 'text[]',
  key_scopes: 'text[]?',
  address_key_scopes: 'text[]?',
  created_at: 'timestamptz',
} as const
type EndpointRow = RowOf<typeof endpointRow>

/** The venue's endpoints, whatever they asked for, but for those that are off for good: they get nothing. */
const endpointsOf = (db: Queries, venue: VenueId): Promise<EndpointRow[]> =>
  db.many(sql(endpointRow)`
    select ${columnsOf(endpointRow)} from webhook_endpoint
     where venue_id = ${venue} and coalesce(disabled_reason, '') not in ('key-revoked', 'access-withdrawn')
     order by id`)
