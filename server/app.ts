import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { keyCheck } from './access/key-check.ts'
import { accountRoutes } from './access/routes.ts'
import { fetchText } from './callbacks/fetch-text.ts'
import { serveCallbacks } from './callbacks/serve-callbacks.ts'
import { serveTextCallbacks } from './callbacks/serve-text-callbacks.ts'
import { batchRoutes } from './batches/routes.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { eventRoutes } from './changes/events/routes.ts'
import { openPositions } from './changes/position.ts'
import { changeRoutes } from './changes/routes.ts'
import { type Waiting, openWaiting } from './changes/waiting.ts'
import type { Context } from './context.ts'
import { type Gate, openGate } from './db/gate.ts'
import { dryRunRoutes } from './dry-run/routes.ts'
import { erasureRoutes } from './erasure/receipts/routes.ts'
import { serveGuestPages } from './guest-pages/serve-guest-pages.ts'
import { guestRoutes } from './guests/routes.ts'
import { whenStopping } from './http/drain.ts'
import { serveSite } from './http/site/serve-site.ts'
import { type Route, serve } from './http/serve.ts'
import { answerUnknown, httpServer } from './http/server.ts'
import { leadRoutes } from './leads/routes.ts'
import { officePages } from './office/frame/pages.ts'
import { servePages } from './office/frame/serve-page.ts'
import { availabilityRoutes } from './reservations/availability-routes.ts'
import { holdRoutes } from './reservations/hold-routes.ts'
import { reservationRoutes } from './reservations/routes.ts'
import { subscriberRoutes } from './subscribers/routes.ts'
import { taskRoutes } from './tasks/routes.ts'
import { ticketOrderRoutes } from './ticket-orders/routes.ts'
import { waitlistRoutes } from './waitlist/routes.ts'
import { deliveryRoutes } from './webhooks/deliveries/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'

/** Every route of the API, by slice. */
const routesOf = (context: Context, gate: Gate, waiting: Waiting): readonly Route[] => [
  ...accountRoutes(context),
  ...availabilityRoutes,
  ...holdRoutes,
  ...changeRoutes({ context, gate, waiting }),
  ...eventRoutes({ context, gate, waiting }),
  ...reservationRoutes,
  ...guestRoutes,
  ...subscriberRoutes,
  ...ticketOrderRoutes,
  ...waitlistRoutes,
  ...leadRoutes,
  ...taskRoutes,
  ...campaignRoutes(context),
  ...batchRoutes(context),
  ...erasureRoutes,
  ...webhookRoutes(context),
  ...deliveryRoutes,
]

/** Write transactions of one venue that run at once in this process; a quarter of the pool by default. */
const writersOfVenue = 4
/** How long a writer waits for its turn: with the work itself it stays below the whole request's limit. */
const writerWaitMs = 5_000

/**
 * Builds the program's HTTP side; listening is `main.ts`'s. A mere worker answers only whether it is well. `patience`: as
 * of the database (db/pool.ts).
 */
export const buildApp = (context: Context, patience = 1): FastifyInstance => {
  const { log, config, clock } = context
  const app = httpServer(log, { ...config, dateBy: config.practice ? clock : undefined, patience })
  if (context.config.role === 'worker') {
    answerUnknown(app, [])
    return app
  }
  const parts = {
    context,
    checkKey: keyCheck(context),
    gate: openGate({ places: writersOfVenue, waitMs: writerWaitMs * patience }),
    detailsMs: limits.alternativesMs * patience,
    positionOf: openPositions(context),
  }
  const waiting = openWaiting(context)
  whenStopping(app, waiting.end)
  const routes = routesOf(context, parts.gate, waiting)
  for (const route of [...routes, ...dryRunRoutes(parts, routes)]) serve(app, parts, route)
  const reference = serveSite(app, context.config.publicUrl)
  const office = servePages(app, parts, officePages(context))
  const guests = serveGuestPages(app, parts)
  const callbacks = [...serveCallbacks(app, { context, fetchText }), ...serveTextCallbacks(app, context)]
  answerUnknown(
    app,
    [...Object.values(endpoints), ...reference, ...office.served, ...guests.served, ...callbacks],
    [office.unknown, guests.unknown],
  )
  return app
}
