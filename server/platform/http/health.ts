import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { sql } from '../db/sql.ts'
import { sendRefusal } from './answer-error.ts'
import { backgroundFails, faultyData, noRoomToWrite, stillPreparing } from './refusals.ts'
import { pageMethods } from './server.ts'

/** Polled every few seconds by monitoring, with GET or HEAD, so logged only at `debug`. */
const probe = { method: pageMethods('GET'), config: { isProbe: true } }

/**
 * `/healthz`: the process runs. `/readyz`: it is accepting requests, reaches its database, which has room to write, has
 * finished its startup work, and its background work succeeds.
 */
export const serveHealth = (
  app: FastifyInstance,
  { db, room }: Pick<Context, 'db' | 'room'>,
  isOpen: () => boolean,
  {
    isPrepared = async () => true,
    failing = () => [],
  }: {
    readonly isPrepared?: () => Promise<boolean>
    /** Background loops that have not succeeded for some minutes. */
    readonly failing?: () => readonly string[]
  } = {},
): void => {
  app.route({ ...probe, url: '/healthz', handler: async () => ({ ok: true }) })
  app.route({
    ...probe,
    url: '/readyz',
    handler: async (_request, reply) => {
      if (!isOpen()) return sendRefusal(reply, faultyData())
      try {
        await db.one(sql({ ready: 'int4' })`select 1 as ready`)
        if (await room.isLacking(db)) return sendRefusal(reply, noRoomToWrite())
        if (!(await isPrepared())) return sendRefusal(reply, stillPreparing())
        const loops = failing()
        return loops.length === 0 ? { ok: true } : sendRefusal(reply, backgroundFails(loops))
      } catch {
        return sendRefusal(reply, faultyData())
      }
    },
  })
}
