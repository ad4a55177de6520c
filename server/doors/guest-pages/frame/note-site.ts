import type { FastifyRequest } from 'fastify'
import { causeOf } from '../../../platform/http/answer-error.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { remember } from '../../../platform/kernel/running/remember.ts'
import { noteFrameSite } from '../../../core/venue/frame-sites.ts'
import { isListed } from '../../../core/venue/guest-settings-rules.ts'
import type { Visit } from './visit.ts'
import { readFramed, framedWord } from './framed.ts'

/** A site's own visits keep its note this old at most; a site that is not listed is noted no sooner after another. */
const listedEveryMs = 600_000
const unlistedEveryMs = 1_000

/**
 * Notes which site asks for a door in a frame, so that the office can say whether a site's frames work, and offer to list
 * one that is refused. Browsers name the site with the request, also with one that they then refuse to show. It is no
 * change a guest could notice, so if the note fails, nothing is noted and the page is still served.
 */
export const siteNotes = ({ config, clock, log }: Pick<Context, 'config' | 'clock' | 'log'>) => {
  const own = new URL(config.publicUrl).origin
  const noted = remember<string, number>(5_000)
  return async (db: Queries, request: FastifyRequest, { venue, settings }: Visit): Promise<void> => {
    const site = siteAround(request)
    if (site === undefined || site === own) return
    const listed = isListed(settings, site)
    const key = `${venue.id} ${listed ? site : ''}`
    const now = clock()
    const age = now.epochMilliseconds - (noted.get(key) ?? -Infinity)
    if (age >= 0 && age < (listed ? listedEveryMs : unlistedEveryMs)) return
    noted.set(key, now.epochMilliseconds)
    try {
      await noteFrameSite(db.within(venue.id), venue.id, { site, listed }, now)
    } catch (error) {
      log.warn({ requestId: request.id, ...causeOf(error) }, 'the site of a frame was not noted')
    }
  }
}

/** The origin of the page around the frame that a request is for; undefined: not a frame, or its site is not given. */
export const siteAround = ({ method, headers, host, url }: FastifyRequest): string | undefined => {
  // Browsers of before 2023 do not say what they load it for; embed.js does.
  const purpose = headers['sec-fetch-dest']
  const isFrame =
    purpose === undefined
      ? readFramed(new URL(url, 'http://local').searchParams.get(framedWord)) !== null
      : purpose === 'iframe'
  if (method !== 'GET' || !isFrame || headers.referer === undefined) return undefined
  const page = URL.parse(headers.referer)
  const isSite = page !== null && /^https?:$/.test(page.protocol) && page.host !== host
  return isSite && page.origin.length <= mostSite ? page.origin : undefined
}

const mostSite = 200
