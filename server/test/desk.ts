import { type EventName, firstEventNames } from '@venue-data/contract/webhooks/events.ts'
import type { Actor } from '../core/activity/actor.ts'
import type { StaffRole } from '../core/staff/roles.ts'
import type { Work } from '../context.ts'
import { openGate } from '../platform/db/gate.ts'
import type { Venue } from '../core/venue/venue.ts'
import type { TestService, TestVenue } from './service.ts'

/** Somebody of the venue's staff. */
export const staffOf = (role: StaffRole = 'manager'): Actor & { kind: 'staff' } => ({
  kind: 'staff',
  id: 7,
  email: `${role}@example.com`,
  role,
})

type Trail = { action: string; record_kind: string; record_id: number; before: unknown; after: unknown }

/** What tests of staff's actions use: a venue, transactions as the doors open them, and a look at the events and rows they left. */
export type Desk = {
  readonly venue: TestVenue
  /** Runs one unit of work in a transaction of its own, a few of the venue at a time. */
  act: <T>(work: (work: Work) => Promise<T>) => Promise<T>
  /** The events since the last look, oldest first. */
  /** The events since the last call, of those version 1 began with; `test/told` has them all. */
  told: () => Promise<{ name: string; data: { id: number; [field: string]: unknown } }[]>
  /** The activities since the last look, oldest first. */
  trail: () => Promise<readonly Trail[]>
  query: <Row = Record<string, unknown>>(text: string, values?: unknown[]) => Promise<Row[]>
}

export const openDesk = async (service: TestService): Promise<Desk> => {
  const venue = await service.venue({ slug: `blue-door-${crypto.randomUUID().slice(0, 8)}` })
  const gate = openGate({ places: 8, waitMs: 30_000 })
  const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    service.db.session(async (client) => (await client.query(text, values)).rows as Row[])
  let [lastEvent, lastActivity] = [0, 0]
  return {
    venue,
    query,
    act: (work) =>
      gate(venue.id, () =>
        service.db.transaction((db) =>
          work({ db: db.within(venue.id), venue: venue as unknown as Venue, now: service.context.clock }),
        ),
      ),
    told: async () => {
      const rows = await query<{ id: number; name: string; data: string }>(
        'select id, name, data from event where venue_id = $1 and id > $2 order by id',
        [venue.id, lastEvent],
      )
      lastEvent = rows.at(-1)?.id ?? lastEvent
      return rows
        .filter(({ name }) => firstEventNames.includes(name as EventName))
        .map(({ name, data }) => ({ name, data: JSON.parse(data) as { id: number } }))
    },
    trail: async () => {
      const rows = await query<Trail & { id: number }>(
        `select id, action, record_kind, record_id, before, after from activity
          where venue_id = $1 and id > $2 order by id`,
        [venue.id, lastActivity],
      )
      lastActivity = rows.at(-1)?.id ?? lastActivity
      return rows
    },
  }
}

/** The results of several tries: how many went through, and the sentences of those that did not. */
export const settled = async <T>(tries: readonly Promise<T>[]): Promise<{ done: T[]; refused: string[] }> => {
  const results = await Promise.allSettled(tries)
  return {
    done: results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : [])),
    refused: results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : [])),
  }
}

/** A refusal with a status, and what its sentence says. */
export const refusal = (status: number, sentence: RegExp) => (error: unknown) =>
  (error as { status?: number }).status === status && sentence.test((error as Error).message)
