import type { FastifyInstance } from 'fastify'
import type { Queries } from '../../../platform/db/pool.ts'
import { pageMethods } from '../../../platform/http/server.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { logoBytes } from '../../../core/venue/logo/logo-store.ts'
import { venueBySlug } from '../../../core/venue/venues.ts'
import { eventPictureBytes } from '../../../tickets/online/event-picture.ts'
import { nothingHere } from './serve-visits.ts'

type Kept = {
  readonly path: string
  readonly bytes: (
    db: Queries,
    venue: VenueId,
    named: { readonly tag: string; readonly type: string },
  ) => Promise<Buffer | undefined>
}

/** Where venues' logos and the pictures of events are. */
export const pictureRoutes: readonly Kept[] = [
  { path: '/v/:slug/logo/:name', bytes: logoBytes },
  { path: '/v/:slug/picture/:name', bytes: eventPictureBytes },
]

const types: Readonly<Record<string, string>> = { png: 'image/png', jpg: 'image/jpeg', svg: 'image/svg+xml' }

/**
 * Serves venues' pictures even with all doors off: private links show them, too. An address names a content, so who has none
 * learns nothing of which venues there are.
 */
export const serveLogos = (app: FastifyInstance, db: Queries): void => {
  for (const route of pictureRoutes) servePicture(app, db, route)
}

const servePicture = (app: FastifyInstance, db: Queries, { path, bytes: bytesOf }: Kept): void => {
  app.route({
    method: pageMethods('GET'),
    url: path,
    config: { isFile: true },
    handler: async (request, reply) => {
      const { slug = '', name = '' } = request.params as { slug?: string; name?: string }
      const [, tag, type] = /^([\w-]{16})\.(png|jpg|svg)$/.exec(name) ?? []
      if (tag === undefined || type === undefined) throw nothingHere()
      const venue = await venueBySlug(db, slug)
      const bytes = venue && (await bytesOf(db.within(venue.id), venue.id, { tag, type }))
      if (!bytes) throw nothingHere()
      return reply
        .headers(logoHeaders)
        .type(types[type] ?? '')
        .send(bytes)
    },
  })
}

/** Opened by itself, too, a picture is nothing but a picture. Mail programs may show it. */
const logoHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}
