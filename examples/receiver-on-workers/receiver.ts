/*
 * Receives webhooks on Cloudflare Workers and keeps tonight's book in D1, for a screen in the kitchen:
 *
 *   GET /2026-11-27   the reservations of a day, as JSON, with `Authorization: Bearer SCREEN_TOKEN`
 *
 *   npm install http://127.0.0.1:8080/docs/tools/sdk.tgz
 *   wrangler d1 create book
 *   wrangler d1 execute book --file schema.sql
 *   wrangler secret put WEBHOOK_SECRET   # of the endpoint at this Worker, for reservation.* and person.erased
 *   wrangler secret put SCREEN_TOKEN
 *   wrangler deploy
 */
import { type Delivery, type SeenStore, fetchHandler } from '@venue-data/sdk/webhooks'

type Statement = {
  bind(...values: (string | number | null)[]): Statement
  run(): Promise<{ meta: { changes: number } }>
  first<T>(): Promise<T | null>
  all(): Promise<{ results: Record<string, unknown>[] }>
}
export type Env = {
  readonly DB: { prepare(sql: string): Statement }
  readonly WEBHOOK_SECRET: string
  readonly SCREEN_TOKEN: string
}

/**
 * Deliveries by id, across all locations where this Worker runs. One that was interrupted may be handled again after a
 * minute.
 */
const seenIn = (db: Env['DB']): SeenStore => ({
  begin: async (id) => {
    // None comes again after three days.
    await db.prepare('delete from delivery where begun < unixepoch() - 259200').bind().run()
    const { meta } = await db
      .prepare(
        `insert into delivery (id, begun) values (?1, unixepoch()) on conflict (id) do update
           set begun = unixepoch() where not done and begun < unixepoch() - 60`,
      )
      .bind(id)
      .run()
    if (meta.changes > 0) return 'new'
    const there = await db
      .prepare('select done from delivery where id = ?1')
      .bind(id)
      .first<{ done: number }>()
    return there?.done ? 'done' : 'busy'
  },
  end: async (id, isDone) => {
    const sql = isDone ? 'update delivery set done = 1 where id = ?1' : 'delete from delivery where id = ?1'
    await db.prepare(sql).bind(id).run()
  },
})

/** Nothing of an erased person stays, even when a delivery comes late. */
const forget = async (db: Env['DB'], reservations: readonly number[]): Promise<void> => {
  const sql = `insert or replace into reservation (id, revision, data) values (?1, ${Number.MAX_SAFE_INTEGER}, '{}')`
  for (const id of reservations) await db.prepare(sql).bind(id).run()
}

/**
 * Deliveries may come in any order: the `revision` says which version is newer. A deleted reservation is kept, marked
 * as deleted.
 */
const keep = async (db: Env['DB'], { event, data, record }: Delivery): Promise<void> => {
  if (event === 'person.erased') return forget(db, data.reservations)
  if (record?.kind !== 'reservation') return
  const isGone = event === 'reservation.deleted'
  const shown = data as { date?: string | null; time?: string | null }
  await db
    .prepare(
      `insert into reservation (id, revision, date, time, data) values (?1, ?2, ?3, ?4, ?5)
         on conflict (id) do update
           set revision = excluded.revision, date = excluded.date, time = excluded.time, data = excluded.data
           where excluded.revision > reservation.revision`,
    )
    .bind(
      ...[record.id, record.revision, isGone ? null : (shown.date ?? null)],
      ...[shown.time ?? null, isGone ? '{}' : JSON.stringify(data)],
    )
    .run()
}

const screen = async (request: Request, env: Env): Promise<Response> => {
  if (request.headers.get('authorization') !== `Bearer ${env.SCREEN_TOKEN}`)
    return new Response('Wrong token.', { status: 401 })
  const date = new URL(request.url).pathname.slice(1)
  const { results } = await env.DB.prepare('select data from reservation where date = ?1 order by time, id')
    .bind(date)
    .all()
  return Response.json(results.map(({ data }) => JSON.parse(String(data)) as unknown))
}

// oxlint-disable-next-line import/no-default-export -- this is how Workers take a program
export default {
  fetch: (request: Request, env: Env): Promise<Response> => {
    if (request.method === 'GET') return screen(request, env)
    const receive = fetchHandler({
      secret: env.WEBHOOK_SECRET,
      seen: seenIn(env.DB),
      onEvent: (delivery) => keep(env.DB, delivery),
      onError: (error) => console.error(error),
    })
    return receive(request)
  },
}
