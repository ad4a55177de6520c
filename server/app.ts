import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { keyCheck } from './integrations/access/key-check.ts'
import { accountRoutes } from './integrations/access/routes.ts'
import { fetchText } from './doors/callbacks/fetch-text.ts'
import { serveCallbacks } from './doors/callbacks/serve-callbacks.ts'
import { servePaymentCallbacks } from './doors/callbacks/serve-payment-callbacks.ts'
import { serveTextCallbacks } from './doors/callbacks/serve-text-callbacks.ts'
import { batchRoutes } from './integrations/batches/routes.ts'
import { campaignRoutes } from './marketing/campaigns/routes.ts'
import { eventRoutes } from './integrations/changes/events/routes.ts'
import { openPositions } from './integrations/changes/position.ts'
import { changeRoutes } from './integrations/changes/routes.ts'
import { type Waiting, openWaiting } from './integrations/changes/waiting.ts'
import type { Context } from './context.ts'
import { type Gate, openGate } from './platform/db/gate.ts'
import { dryRunRoutes } from './integrations/dry-run/routes.ts'
import { reportRoutes } from './data/reports/routes.ts'
import { erasureRoutes } from './data/erasure/receipts/routes.ts'
import { serveOAuth } from './doors/oauth/serve-oauth.ts'
import { serveGuestPages } from './doors/guest-pages/serve-guest-pages.ts'
import { guestRoutes } from './crm/guests/routes.ts'
import { whenStopping } from './platform/http/drain.ts'
import { serveSite } from './platform/http/site/serve-site.ts'
import { type Route, serve } from './platform/http/serve.ts'
import { answerUnknown, httpServer } from './platform/http/server.ts'
import { leadRoutes } from './crm/leads/routes.ts'
import { officePages } from './doors/office/frame/pages.ts'
import { servePages } from './doors/office/frame/serve-page.ts'
import { availabilityRoutes } from './book/reservations/availability/availability-routes.ts'
import { holdRoutes } from './book/reservations/holds/hold-routes.ts'
import { reservationRoutes } from './book/reservations/routes.ts'
import { subscriberRoutes } from './marketing/subscribers/routes.ts'
import { taskRoutes } from './crm/tasks/routes.ts'
import { checkoutRoutes } from './tickets/online/by-key/routes.ts'
import { checkoutWords } from './doors/guest-pages/checkout-words.ts'
import { ticketOrderRoutes } from './tickets/routes.ts'
import { waitlistRoutes } from './book/waitlist/routes.ts'
import { visitRoutes } from './book/visits/routes.ts'
import { searchRoutes } from './integrations/search/routes.ts'
import { deliveryRoutes } from './integrations/webhooks/deliveries/routes.ts'
import { webhookRoutes } from './integrations/webhooks/routes.ts'

/** Every route of the API, by slice. */
const routesOf = (context: Context, gate: Gate, waiting: Waiting): readonly Route[] => [
  ...accountRoutes(context),
  ...availabilityRoutes,
  ...holdRoutes,
  ...changeRoutes({ context, gate, waiting }),
  ...eventRoutes({ context, gate, waiting }),
  ...reservationRoutes,
  ...guestRoutes,
  ...searchRoutes,
  ...subscriberRoutes,
  ...ticketOrderRoutes,
  ...checkoutRoutes(context, checkoutWords),
  ...waitlistRoutes,
  ...visitRoutes,
  ...leadRoutes,
  ...taskRoutes,
  ...campaignRoutes(context),
  ...reportRoutes(gate),
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
 * of the database (platform/db/pool.ts).
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
  const oauth = serveOAuth(app, context)
  const callbacks = [
    ...serveCallbacks(app, { context, fetchText }),
    ...serveTextCallbacks(app, context),
    ...servePaymentCallbacks(app, context),
  ]
  answerUnknown(
    app,
    [...Object.values(endpoints), ...reference, ...office.served, ...guests.served, ...callbacks, ...oauth],
    [office.unknown, guests.unknown],
  )
  return app
}
