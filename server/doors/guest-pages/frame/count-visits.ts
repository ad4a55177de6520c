import type { FastifyRequest } from 'fastify'
import type { Context } from '../../../context.ts'
import { nothingOpen } from '../../../data/reports/demand/demand.ts'
import { networkOf } from '../../../platform/kernel/network.ts'
import { isBookingReason } from '@venue-data/contract/reasons.ts'
import type { Refusal } from '../../../platform/kernel/refusal.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { cookieName } from '../../office/frame/cookies.ts'
import type { GuestAnswer, Visit } from './visit.ts'

/*
 * Counts which pages of the doors were shown (docs/operator.md): in memory, once a page is made, so that a visit costs no
 * statement. Only what somebody sees counts: a page that a browser loads to show it, not one it fetches beforehand, not a
 * program's, not one of staff who are signed in. Nothing of who it was is read but whether their browser is a phone's.
 */

type Counting = Pick<Context, 'demand' | 'config'>

/** A page that was made; not one that says what is wrong. */
export const countShown = (
  { demand, config }: Counting,
  request: FastifyRequest,
  { venue, origin, language, now, from, path }: Visit,
  { counts, ...answer }: Pick<GuestAnswer, 'counts'>,
): void => {
  const isMistake = 'status' in answer && Number(answer.status) >= 400
  if (!counts || isMistake || !isSeen(request, config.publicUrl)) return
  const { door, steps, nothingOn } = counts
  // Who comes back from the processor's page has no form of ours with them.
  const isKnown = path.startsWith('/v/')
  const by = {
    language,
    device: isPhone(request) ? 'phone' : 'other',
    ...(isKnown && { from: origin.from }),
    ...(isKnown && origin.campaign !== null && { campaign: origin.campaign }),
    ...(isKnown && origin.site !== null && { site: origin.site }),
  }
  const { date: day } = wallTimeOf(now, venue.timezone)
  for (const step of steps) demand.shown({ venue: venue.id, day, door, step, by })
  if (nothingOn)
    demand.refused({
      ...{ venue: venue.id, asker: askerOf(from), table: nothingOn, reason: nothingOpen, door: 'book' },
    })
}

/** A form that a booking rule refused, once its work was undone. */
export const countRefused = (
  { demand, config }: Counting,
  request: FastifyRequest,
  { venue, from }: Pick<Visit, 'venue' | 'from'>,
  { table, reason }: Pick<Refusal, 'table' | 'reason'>,
): void => {
  if (!table || !isBookingReason(reason) || isStaff(request, config.publicUrl)) return
  demand.refused({ venue: venue.id, asker: askerOf(from), table, reason, door: 'book' })
}

const askerOf = (address: string): string => `network ${networkOf(address)}`

/** Whether a page is loaded by a browser that shows it to a guest. */
const isSeen = (request: FastifyRequest, publicUrl: string): boolean => {
  const { method, headers } = request
  const mode = headers['sec-fetch-mode']
  return (
    ['GET', 'POST'].includes(method) &&
    (mode === undefined || mode === 'navigate') &&
    headers['sec-purpose'] === undefined &&
    headers['purpose'] === undefined &&
    !isRobot(headers['user-agent']) &&
    !isStaff(request, publicUrl)
  )
}

/** Programs that say what they are; a browser always says something. */
const isRobot = (agent: string | undefined): boolean =>
  agent === undefined ||
  /bot\b|crawl|spider|slurp|preview|facebookexternalhit|embedly|monitor|archiver|curl|wget|python|scan|^whatsapp\//i.test(
    agent,
  )

const isPhone = ({ headers }: FastifyRequest): boolean =>
  headers['sec-ch-ua-mobile'] === '?1' || /\bMobi|iPhone/i.test(headers['user-agent'] ?? '')

/** Somebody signed in at the office has its cookie. Whether it still counts is not asked: that would be a statement more. */
const isStaff = ({ headers }: FastifyRequest, publicUrl: string): boolean =>
  (headers.cookie ?? '').split(/;\s*/).some((one) => one.startsWith(`${cookieName(publicUrl)}=`))
