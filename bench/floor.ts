import { endpoints, records } from '@venue-data/contract/endpoints.ts'
import { recordKinds } from '@venue-data/contract/kinds.ts'
import { fastify } from 'fastify'
import { lookUpAndCount } from '../server/integrations/access/key-check.ts'
import { buildApp } from '../server/app.ts'
import { readCursor, writeCursor } from '../server/integrations/changes/cursor.ts'
import { readPage } from '../server/integrations/changes/read-page.ts'
import { readConfig } from '../server/config.ts'
import type { Context } from '../server/context.ts'
import { openGate } from '../server/platform/db/gate.ts'
import type { Statement } from '../server/platform/db/sql.ts'
import { openLog, openProgram } from '../server/program.ts'
import { readListAsked } from '../server/platform/http/lists/list-asked.ts'
import { readListPage } from '../server/platform/http/lists/list-page.ts'
import { fingerprints } from '../server/platform/kernel/secrets.ts'
import { presentReservation } from '../server/book/day/book-row.ts'
import { listedReservations } from '../server/book/reservations/list.ts'
import { reservationById } from '../server/book/reservations/reads.ts'
import type { VenueId } from '../server/core/venue/venue.ts'
import { type Recording, recordingDatabase, replay } from './recorded-writes.ts'

/*
 * The floors, in their own process (forked by main.ts): the least that any program could do to give the same answer.
 * Reads: a bare Fastify with the same pool, statement and JSON, without key, rate or validation; `/me` runs the key
 * statement. Writes: the SQL of a request alone, from one script.
 */

export type FloorOrder =
  | { readonly kind: 'serve'; readonly venue: number; readonly keys: readonly string[] }
  | {
      /** `locks`: only its locks, its row and the commit. */
      readonly kind: 'write' | 'locks'
      /** Requests to take the statements from, one per venue, and how to fill in their markers. */
      readonly samples: readonly {
        readonly key: string
        readonly body: string
        readonly idempotencyKey: string
      }[]
      readonly fillings: readonly { readonly marker: string; readonly values: readonly string[] }[]
      readonly concurrency: number
      readonly seconds: number
    }

const serve = async (
  context: Context,
  { venue, keys }: FloorOrder & { kind: 'serve' },
): Promise<{ port: number }> => {
  const app = fastify({ logger: false })
  for (const record of records) app.addSchema(record)
  const newest = readListAsked(endpoints.listReservations, { query: {}, venue })
  app.get('/reservations', { schema: { response: endpoints.listReservations.replies } }, async () =>
    (
      await readListPage(context.db, newest, await listedReservations(context.db, venue as VenueId, newest))
    ).rows.map(presentReservation),
  )
  const asked = keys.map((key) => ({
    fingerprint: fingerprints(context.secrets, key)[0] as Buffer,
    times: 1,
  }))
  app.get('/me/:key', { schema: { response: endpoints.me.replies } }, async (request) => {
    const { key } = request.params as { key: string }
    const row = await context.db.one(
      lookUpAndCount([asked[Number(key)] as (typeof asked)[number]], context.clock()),
    )
    return {
      venue: { slug: row.slug, name: row.name, timezone: row.timezone },
      plan: row.plan,
      key: { kind: row.kind, scope: row.scope },
    }
  })
  app.get('/reservation/:id', { schema: { response: endpoints.getReservation.replies } }, async (request) => {
    const { id } = request.params as { id: string }
    return presentReservation((await reservationById(context.db, venue as VenueId, Number(id))) as never)
  })
  const parts = { context, gate: openGate({ places: context.config.poolSize, waitMs: 1_000 }) }
  app.get('/changes', { schema: { response: endpoints.listChanges.replies } }, async (request) => {
    const { after, limit } = request.query as { after: string; limit: string }
    const asked = {
      after: readCursor('changes', after),
      limit: Number(limit),
      kinds: recordKinds,
      areNamed: false,
      withData: true,
    }
    const its = { id: venue, slug: 'floor', timezone: 'America/New_York' }
    const page = await readPage(parts, its as never, asked)
    return { changes: page.items, next: writeCursor('changes', its, page.next), more: page.more }
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  return { port: (app.server.address() as { port: number }).port }
}

const write = async (
  context: Context,
  { kind, samples, fillings, concurrency, seconds }: FloorOrder & { kind: 'write' | 'locks' },
): Promise<{ perSecond: number }> => {
  const recordings: Recording[] = []
  for (const sample of samples) {
    const recording = await record(context, sample)
    recordings.push(kind === 'locks' ? locksOf(recording) : recording)
  }
  const start = performance.now()
  const end = start + seconds * 1000
  let done = 0
  const loop = async (place: number): Promise<void> => {
    while (performance.now() < end) {
      const turn = done++
      await replay(context.db, recordings[place % recordings.length] as Recording, (text) =>
        fillings.reduce(
          (filled, { marker, values }) => filled.replaceAll(marker, values[turn % values.length] as string),
          text,
        ),
      )
    }
  }
  // Without a connection a request would wait and time out after a second, so requests wait at the venue's gate
  // instead.
  const writers = Math.min(concurrency, context.config.poolSize)
  await Promise.all(Array.from({ length: writers }, (_, place) => loop(place)))
  return { perSecond: done / ((performance.now() - start) / 1000) }
}

/** Lets the service itself handle one request, and records its SQL without the key check's statement. */
const record = async (
  context: Context,
  { key, body, idempotencyKey }: { key: string; body: string; idempotencyKey: string },
): Promise<Recording> => {
  const { database, recording } = recordingDatabase(context.db)
  const app = buildApp({ ...context, db: database })
  const { statusCode, payload } = await app.inject({
    method: 'POST',
    url: endpoints.createReservation.path,
    headers: { 'x-service-key': key, 'idempotency-key': idempotencyKey, 'content-type': 'application/json' },
    payload: body,
  })
  await app.close()
  if (statusCode !== 201) throw new Error(`the sample was answered ${statusCode}: ${payload}`)
  recording.before.shift()
  return recording
}

/** The day's lock, the guest book's lock and the row, one after the other. */
const locksOf = ({ inTransaction }: Recording): Recording => ({
  before: [],
  inTransaction: inTransaction
    .flat()
    .filter(({ text }) =>
      /booking_day .*for update|guest_book .*for update|^insert into reservation /.test(text),
    )
    .map((statement) => [ofNobody(statement)]),
})

/** The booking without its guest, who is not written here. */
const ofNobody = (statement: Statement<unknown>): Statement<unknown> => ({
  ...statement,
  name: `${statement.name} of nobody`,
  text: statement.text.replace(`currval('guest_id_seq')`, 'null'),
})

const program = await openProgram(readConfig(), 'command', openLog('warn', 'stderr'))
process.on('message', (order: FloorOrder) => {
  void (order.kind === 'serve' ? serve(program.context, order) : write(program.context, order)).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => void program.close().then(() => process.exit(0)))
process.send?.({ ready: true })
