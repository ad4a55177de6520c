import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { sql } from '../db/sql.ts'
import { sendRefusal } from './answer-error.ts'
import { faultyData, stillPreparing } from './refusals.ts'

/** Asked every few seconds by whoever watches: in the log only at `debug`. */
const probe = { isProbe: true }

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
  app.get('/healthz', { config: probe }, async () => ({ ok: true }))
  app.get('/readyz', { config: probe }, async (_request, reply) => {
    if (!isOpen()) return sendRefusal(reply, faultyData())
    try {
      await db.one(sql({ ready: 'int4' })`select 1 as ready`)
      return (await isPrepared()) ? { ok: true } : sendRefusal(reply, stillPreparing())
    } catch {
      return sendRefusal(reply, faultyData())
    }
  })
}
