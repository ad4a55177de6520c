import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { Served } from '../../platform/http/server.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import { openedAccount, textSenderOf } from '../../book/texts/sender-store.ts'
import { takeReply, takeStatus } from '../../book/texts/take-reply.ts'
import { isOfTwilio, twilioReply } from '../../book/texts/twilio.ts'
import { isSlug } from '../../core/venue/venue-fields.ts'
import { type VenueRow, venueBySlug } from '../../core/venue/venues.ts'

/*
 * Where the provider of texts reports how one ended, and hands over what guests text back. Every call is checked by
 * its signature with the venue's token; one that fails is 403 and changes nothing, and says the same for a
 * venue that has no texts or does not exist.
 */

const paths = ['/texts/:slug/status', '/texts/:slug/replies'] as const

type Fields = Readonly<Record<string, string>>

export const serveTextCallbacks = (
  app: FastifyInstance,
  context: Pick<Context, 'db' | 'secrets' | 'clock' | 'config'>,
): Served[] => {
  void app.register(async (callbacks) => {
    callbacks.removeAllContentTypeParsers()
    callbacks.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: bodyBytes },
      async (_request: FastifyRequest, bytes: Buffer) => bytes,
    )
    const take = (
      path: (typeof paths)[number],
      act: (venue: VenueRow, fields: Fields) => Promise<string | undefined>,
    ) =>
      callbacks.post(path, async (request, reply) => {
        const fields = fieldsOf(request.body)
        const words = await act(await checked(context, request, fields), fields)
        return reply.type('text/xml; charset=utf-8').send(twilioReply(words))
      })
    const within = <T>(venue: VenueRow, act: (work: Parameters<typeof takeReply>[0]) => Promise<T>) =>
      context.db.transaction((queries) => act({ db: queries.within(venue.id), venue, now: context.clock }))
    take(paths[0], async (venue, fields) => {
      await within(venue, (work) =>
        takeStatus(work, {
          providerId: fields['MessageSid'] ?? '',
          status: fields['MessageStatus'] ?? '',
          code: fields['ErrorCode'] ?? '',
        }),
      )
      return undefined
    })
    take(paths[1], (venue, fields) =>
      within(venue, (work) =>
        takeReply(work, {
          from: fields['From'] ?? '',
          body: fields['Body'] ?? '',
          providerId: fields['MessageSid'] ?? '',
        }),
      ),
    )
  })
  return [
    { method: 'POST', path: '/texts/{slug}/status' },
    { method: 'POST', path: '/texts/{slug}/replies' },
  ]
}

const bodyBytes = 65_536

const fieldsOf = (body: unknown): Fields =>
  Object.fromEntries(new URLSearchParams(Buffer.isBuffer(body) ? body.toString('utf8') : ''))

/** The venue of an address, if the provider really called it. */
const checked = async (
  { db, secrets, config }: Pick<Context, 'db' | 'secrets' | 'config'>,
  request: FastifyRequest,
  fields: Fields,
): Promise<VenueRow> => {
  const { slug } = request.params as { slug: string }
  // What cannot be a venue's address is not found; which of the others are venues is nobody's business.
  if (!isSlug(slug)) throw new Refusal(404, 'There is nothing at this address.')
  const venue = await venueBySlug(db, slug)
  const sender = venue && (await textSenderOf(db.within(venue.id), venue.id))
  const signature = String(request.headers['x-twilio-signature'] ?? '')
  const isTheirs =
    venue !== undefined &&
    sender !== undefined &&
    isOfTwilio(
      openedAccount(secrets, venue.id, sender).token,
      signature,
      `${config.publicUrl}${request.url}`,
      fields,
    )
  if (!venue || !isTheirs)
    throw new Refusal(403, 'This call is not signed as it must be, so nothing was done.')
  return venue
}
