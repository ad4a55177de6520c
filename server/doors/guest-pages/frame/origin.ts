import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { type GuestDoor, isGuestDoor } from '../../../core/venue/guest-settings-rules.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { type KeyRing, keyedHash } from '../../../platform/kernel/secrets.ts'

/*
 * Where somebody came from, which travels with the forms of a door, signed for its venue, so that the page at their end
 * counts for the link at their beginning. It names a site and a campaign, nobody; it is in no row of a booking, and after a
 * day it says nothing.
 */

export type Origin = {
  /** The door whose pages it has been through; null: it has just arrived. */
  readonly door: GuestDoor | null
  /** The host of the page with the link, or of the site around the frame; `direct` without. */
  readonly from: string
  readonly campaign: string | null
  /** The origin of the site around the frame. */
  readonly site: string | null
}

/** The field of a form, and the word of an address. */
export const originWord = 'came'

export const direct = 'direct'

/** Goes into each form of a door. */
export const originPart = ({ came }: { readonly came: (door: GuestDoor) => string }, door: GuestDoor): Html =>
  html`<input type="hidden" name="${originWord}" value="${came(door)}" />`

const mostCampaign = 60
const mostHours = 24

/** What the browser and the address say of a page that nobody of this venue's led to. `site`: around a frame. */
export const originOf = ({ headers, host, url }: FastifyRequest, site: string | undefined): Origin => {
  const { searchParams } = new URL(url, 'http://local')
  const page = headers.referer === undefined ? null : URL.parse(site ?? headers.referer)
  const isElsewhere = page !== null && /^https?:$/.test(page.protocol) && page.host !== host
  const named = searchParams.get('utm_campaign') || searchParams.get('utm_source') || ''
  return {
    door: null,
    from: isElsewhere ? page.host : direct,
    campaign: campaignNamed(named),
    site: site ?? null,
  }
}

/** One line of 60 characters at most. What may be somebody's address is nobody's campaign. */
const campaignNamed = (text: string): string | null => {
  const line = text.replaceAll(/[\p{Cc}\p{White_Space}]+/gu, ' ').trim()
  if (line === '' || line.includes('@')) return null
  return Array.from(line).slice(0, mostCampaign).join('').trim()
}

export const writeOrigin = (
  ring: KeyRing,
  venue: VenueId,
  { door, from, campaign, site }: Origin,
  now: Temporal.Instant,
): string => {
  const minute = Math.floor(now.epochMilliseconds / 60_000)
  const said = Buffer.from(JSON.stringify([minute, door ?? '', from, campaign ?? '', site ?? ''])).toString(
    'base64url',
  )
  return `${said}.${macOf(ring[0], venue, said).toString('base64url')}`
}

/** What a value says; undefined for what was not written here, for another venue, or a day ago. */
export const readOrigin = (
  ring: KeyRing,
  venue: VenueId,
  text: string,
  now: Temporal.Instant,
): Origin | undefined => {
  const [, said = '', mac = ''] = /^([\w-]{1,2000})\.([\w-]{22})$/.exec(text) ?? []
  const given = Buffer.from(mac, 'base64url')
  if (given.length !== macBytes) return undefined
  if (!ring.some((entry) => timingSafeEqual(macOf(entry, venue, said), given))) return undefined
  const [minute, door, from, campaign, site] = JSON.parse(Buffer.from(said, 'base64url').toString()) as [
    number,
    string,
    string,
    string,
    string,
  ]
  if (Math.abs(now.epochMilliseconds / 60_000 - minute) > mostHours * 60) return undefined
  return {
    door: isGuestDoor(door) ? door : null,
    from,
    campaign: campaign === '' ? null : campaign,
    site: site === '' ? null : site,
  }
}

const macBytes = 16

const macOf = ({ link }: KeyRing[number], venue: VenueId, said: string): Buffer =>
  keyedHash(`${venue} ${said}`, keyedHash('guest origin', link)).subarray(0, macBytes)
