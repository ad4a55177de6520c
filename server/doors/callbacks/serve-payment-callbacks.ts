import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { accountsOf, signingsOf } from '../../core/money/account-store.ts'
import { isStillHeard } from '../../core/money/former-accounts.ts'
import { keepCall } from '../../core/money/call-store.ts'
import { isSlug } from '../../core/venue/venue-fields.ts'
import { venueBySlug } from '../../core/venue/venues.ts'
import type { Served } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'

/*
 * Where the processor of payments says that something happened. A call must be signed for one of the venue's accounts, or
 * it is 403 and changes nothing, as for a venue that takes no payments or does not exist. What it says is written once and
 * believed by nobody: it only names what to look at.
 */

export const servePaymentCallbacks = (
  app: FastifyInstance,
  {
    db,
    secrets,
    clock,
    processors,
    paidBell,
  }: Pick<Context, 'db' | 'secrets' | 'clock' | 'processors' | 'paidBell'>,
): Served[] => {
  void app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    callbacks.post('/payments/:slug', async (request, reply) => {
      const { slug } = request.params as { slug: string }
      if (!isSlug(slug)) throw new Refusal(404, 'There is nothing at this address.')
      const venue = await venueBySlug(db, slug)
      const signature = String(request.headers['stripe-signature'] ?? '')
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!venue) throw notFromThem()
      const within = db.within(venue.id)
      for (const account of await accountsOf(within, venue.id)) {
        for (const signing of signingsOf(secrets, venue.id, account, clock())) {
          const call = processors.readCall(body, signature, signing)
          if (!call || call.live !== account.live) continue
          const isKept = await db.transaction(async (queries) => {
            const held = queries.within(venue.id)
            // Removed since its secrets were read: nobody looks at what it says.
            if (!(await isStillHeard(held, venue.id, account.id))) return false
            await keepCall(held, venue.id, account.id, call, clock())
            return true
          })
          if (!isKept) throw notFromThem()
          paidBell.ring()
          return reply.send({ ok: true })
        }
      }
      throw notFromThem()
    })
  })
  return [{ method: 'POST', path: '/payments/{slug}' }]
}

/** An event holds one object, of some kilobytes. */
const bodyBytes = 262_144

const notFromThem = (): Refusal =>
  new Refusal(403, 'This call is not signed as it must be, so nothing was done.')
