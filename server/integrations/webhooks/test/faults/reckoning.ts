import type { Database } from '../../../../platform/db/pool.ts'
import { engineLimits } from '../../engine/limits.ts'
import type { Entry } from './receiver.ts'

/** The client's and the receiver's books, and what the API's lists say. */
export type Books = {
  /** Guests whose creation was answered, by id, and when (own clock, ms). */
  readonly client: ReadonlyMap<number, number>
  readonly received: readonly Entry[]
  /** When the removal of an endpoint, or the revocation of its key, was answered. */
  readonly stopped: ReadonlyMap<string, number>
  /** Guests as the lists show them, by id. */
  readonly listed: ReadonlyMap<number, unknown>
  /** Repeats need no cause in the database, which may have lost it. */
  readonly databaseForgets: boolean
  /** How much too late a book may date an event, in milliseconds. */
  readonly readLateMs: number
}

export type Reckoning = { readonly problems: string[]; readonly figures: Record<string, number> }

type DeliveryRow = {
  id: string
  endpoint_id: string
  guest: number
  tries: number
  takeovers: number
  outcome: string | null
  attempts: number
  accepted: number
}

/**
 * Compares the four books: nothing is lost, nothing unrecorded is sent, nothing starts after a stop, repeats have the
 * same id and bytes and a known cause, and a delivery is settled once.
 */
export const reckon = async (db: Database, books: Books): Promise<Reckoning> => {
  const problems: string[] = []
  const complain = (what: string, of: readonly unknown[]): void => {
    if (of.length > 0) problems.push(`${of.length} × ${what}, such as ${JSON.stringify(of[0])}`)
  }
  const rows = async <Row>(text: string): Promise<Row[]> =>
    (await db.session((client) => client.query(text))).rows as Row[]

  const guests = await rows<{ id: number; events: number }>(`
    select g.id, (select count(*)::int from event e where e.venue_id = g.venue_id and e.name = 'guest.created'
                    and (e.data::jsonb ->> 'id')::bigint = g.id) as events from guest g`)
  const known = new Set(guests.map(({ id }) => id))
  complain(
    'answered to the client and not in the database',
    [...books.client.keys()].filter((id) => !known.has(id)),
  )
  complain(
    'a guest without exactly one event',
    guests.filter(({ events }) => events !== 1),
  )
  complain(
    'an event without its guest',
    // When an endpoint stops, the others are notified, too.
    await rows(`select id from event e where e.record_kind = 'guest' and not exists (
      select from guest g where g.venue_id = e.venue_id and g.id = (e.data::jsonb ->> 'id')::bigint)`),
  )

  const deliveries = await rows<DeliveryRow>(`
    select d.id, d.endpoint_id, (e.data::jsonb ->> 'id')::bigint as guest, d.tries, d.takeovers, d.outcome,
           (select count(*)::int from attempt a where a.venue_id = d.venue_id and a.delivery_id = d.id) as attempts,
           (select count(*)::int from attempt a where a.venue_id = d.venue_id and a.delivery_id = d.id
               and a.result like 'ok %') as accepted
      from delivery d join event e on e.venue_id = d.venue_id and e.id = d.event_id
     where e.record_kind = 'guest'`)
  const living = deliveries.filter(({ endpoint_id }) => !books.stopped.has(endpoint_id))
  complain(
    'a delivery that did not end as delivered',
    living.filter(({ outcome }) => outcome !== 'delivered'),
  )
  complain(
    'a delivery accepted more than once in the log, or never',
    living.filter(({ accepted }) => accepted !== 1),
  )
  complain(
    'a delivery whose tries are not those of its log',
    deliveries.filter(({ tries, attempts }) => tries !== attempts),
  )

  const arrivals = Map.groupBy(books.received, ({ id }) => id)
  complain(
    'a delivery the receiver never saw',
    living.filter(({ id }) => !arrivals.has(id)),
  )
  complain(
    'sent more often than tries and takeovers explain',
    deliveries.filter(({ id, attempts, takeovers, outcome }) => {
      // One more if a killed worker's attempt was the last because the endpoint was stopped in the meantime.
      const explained = attempts + takeovers + (outcome === 'delivered' ? 0 : 1)
      return !books.databaseForgets && (arrivals.get(id)?.length ?? 0) > explained
    }),
  )
  const ids = new Set(deliveries.map(({ id }) => id))
  complain(
    'received and not in the database',
    [...arrivals.keys()].filter((id) => !ids.has(id)),
  )
  complain(
    'a repeat with other bytes',
    [...arrivals.values()].filter((all) => new Set(all.map(({ sha256 }) => sha256)).size > 1),
  )
  complain(
    'a signature that does not verify',
    books.received.filter(({ verdict }) => verdict !== 'ok'),
  )
  complain(
    'a record that differs from the list',
    [...arrivals.values()].filter(
      ([first]) => JSON.stringify(books.listed.get(first?.data.id ?? 0)) !== JSON.stringify(first?.data),
    ),
  )
  const afterStop = books.received
    .map(({ endpoint, atMs }) => atMs - (books.stopped.get(endpoint) ?? Number.POSITIVE_INFINITY))
    .filter((late) => late > 0)
  // An attempt taken just before the stop was answered may still be in flight.
  complain(
    'sent after DELETE or revoke',
    afterStop.filter((late) => late > engineLimits.startWithinMs + books.readLateMs),
  )

  const firstArrival = new Map<number, number>()
  for (const { data, atMs } of books.received) if (!firstArrival.has(data.id)) firstArrival.set(data.id, atMs)
  const took = [...books.client]
    .flatMap(([guest, at]) =>
      firstArrival.has(guest) ? [Math.max(0, (firstArrival.get(guest) ?? 0) - at)] : [],
    )
    .toSorted((a, b) => a - b)
  const moments = books.received.map(({ atMs }) => atMs).toSorted((a, b) => a - b)
  const silences = moments.slice(1).map((at, n) => at - (moments[n] ?? at))
  return {
    problems,
    figures: {
      answered: books.client.size,
      deliveries: deliveries.length,
      arrivals: books.received.length,
      repeats: books.received.length - arrivals.size,
      takeovers: deliveries.reduce((sum, { takeovers }) => sum + takeovers, 0),
      stopped: books.stopped.size,
      afterStop: afterStop.length,
      readLateMs: Math.round(books.readLateMs),
      latestAfterStopMs: Math.round(Math.max(0, ...afterStop)),
      p50Ms: Math.round(took[Math.floor(took.length / 2)] ?? Number.NaN),
      p99Ms: Math.round(took[Math.floor(took.length * 0.99)] ?? Number.NaN),
      // The time from a kill until deliveries resumed.
      longestSilenceMs: Math.round(silences.reduce((most, one) => Math.max(most, one), 0)),
      longestMs: Math.round(took.at(-1) ?? Number.NaN),
    },
  }
}
