import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { sendRefusal } from './answer-error.ts'
import { faultyData, stillPreparing } from './refusals.ts'
import { pageMethods } from './server.ts'

/** Asked every few seconds by whoever watches, with GET or HEAD: in the log only at `debug`. */
const probe = { method: pageMethods('GET'), config: { isProbe: true } }

/**
 * `/healthz`: the process runs. `/readyz`: it should be sent requests, because it is open, reaches its database and has
 * what its start is to make.
 */
export const serveHealth = (
  app: FastifyInstance,
  { db }: Pick<Context, 'db'>,
  isOpen: () => boolean,
  isPrepared: () => Promise<boolean> = async () => true,
): void => {
  app.route({ ...probe, url: '/healthz', handler: async () => ({ ok: true }) })
  app.route({
    ...probe,
    url: '/readyz',
    handler: async (_request, reply) => {
      if (!isOpen()) return sendRefusal(reply, faultyData())
      try {
        await db.one(sql({ ready: 'int4' })`select 1 as ready`)
        return (await isPrepared()) ? { ok: true } : sendRefusal(reply, stillPreparing())
      } catch {
        return sendRefusal(reply, faultyData())
      }
    },
  })
}
