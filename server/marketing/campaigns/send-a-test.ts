import type { CampaignTested } from '@venue-data/contract/records/campaign.ts'
import { limits } from '@venue-data/contract/limits.ts'
import type { Context } from '../../context.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { Refusal, notFound, refuse } from '../../platform/kernel/refusal.ts'
import { uuidFrom } from '../../platform/kernel/uuid.ts'
import { addressesOf, senderOf } from '../../mail/addressing.ts'
import { messageIdOf } from '../../mail/copy-address.ts'
import { domainOf } from '../../platform/kernel/mailbox.ts'
import type { Outcome } from '../../mail/mailer.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type VenueRow, venueOfId } from '../../core/venue/venues.ts'
import { compileAside } from './content/long-bodies.ts'
import { wireAddress } from '../../mail/mime/header-text.ts'
import { contentOf, mailVenueOf } from './content-of.ts'
import { type CampaignRow, campaign } from './reads.ts'
import { campaignClosed } from './rules.ts'
import { isSenderConfirmed } from './checklist/sender-facts.ts'
import { writeTested } from './writes.ts'

type Parts = Pick<Context, 'db' | 'config' | 'secrets' | 'clock' | 'random' | 'mail'>

/** Copies on their way at once. */
const atOnce = 5

/**
 * Sends one copy to each saved test address, while the caller waits and with nothing held. Only a copy that reached the
 * first address counts as a test of the content. Refuses an unknown or closed campaign and a venue without a test
 * address; 409 where the relay refuses the first copy, 503 where it cannot be reached or puts it off.
 */
export const testCampaign = async (
  parts: Parts,
  { id: venueId }: Venue,
  id: number,
): Promise<CampaignTested> => {
  const { db, clock } = parts
  const row = await campaign(db, venueId, id)
  if (!row) throw notFound('campaign')
  if (row.status === 'sent' || row.status === 'cancelled') throw campaignClosed(row)
  const venue = await venueOfId(db, venueId)
  const [first, ...others] = venue?.test_addresses ?? []
  if (!venue || first === undefined) throw noTestAddress()

  // Nobody gets mail in the name of an address that did not say yes; the test then comes from the service's own.
  const isConfirmed = await isSenderConfirmed(db, parts.config, venue, clock())
  const send = await copySender(parts, isConfirmed ? venue : { ...venue, mail_from: null }, row)
  const [reached, more] = await Promise.all([send(first), inTurns(others, atOnce - 1, send)])
  if (reached.outcome.kind !== 'accepted') throw notReached(reached.outcome)
  const now = clock()
  const tested = await db.transaction((queries) => writeTested(queries.within(venueId), venueId, row, now))
  if (!tested) {
    throw new Refusal(409, 'The campaign was changed while its test was on its way. Send a test again.')
  }
  const alsoReached = (one: Copy): boolean => one.outcome.kind === 'accepted'
  return {
    ok: true,
    to: first,
    testSentAt: toMoment(now),
    messageId: reached.messageId,
    alsoSent: more.filter(alsoReached).map(({ to }) => to),
    alsoFailed: more.filter((one) => !alsoReached(one)).map(({ to }) => to),
  }
}

type Copy = { readonly to: string; readonly messageId: string; readonly outcome: Outcome }

/** Its links belong to nobody, so that who opens a test takes no subscriber off the list. */
const copySender = async (parts: Parts, venue: VenueRow, row: CampaignRow) => {
  const template = await compileAside(venue.id, contentOf(row), mailVenueOf(venue))
  const domain = domainOf(senderOf(parts.config, venue).address)
  const until = performance.now() + (limits.campaignTestSeconds - 5) * 1000
  return async (address: string): Promise<Copy> => {
    const messageId = messageIdOf(uuidFrom(parts.random), domain)
    const to = wireAddress(address)
    if (to === null) return { to: address, messageId, outcome: notAnAddress }
    const about = { venue: venue.id, subscriber: 0, campaign: 0 }
    const { person, header, returnTo } = addressesOf(parts, venue, about, messageId)
    const message = template.messageFor(
      { firstName: null, ...person },
      { ...header, to: address, date: parts.clock() },
    )
    const outcome = await inTime(parts.mail.deliver({ from: returnTo, to, message }), until)
    return { to: address, messageId, outcome }
  }
}

const notAnAddress: Outcome = {
  kind: 'refused',
  phase: 'recipient',
  status: 553,
  code: '5.1.3',
  answer: 'no address that mail can go to',
}

/** A copy that takes longer than the caller waits counts as having no result. */
const inTime = async (delivery: Promise<Outcome>, until: number): Promise<Outcome> => {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const timer = setTimeout(
    () => resolve({ kind: 'unknown', answer: 'no answer in time' }),
    Math.max(0, until - performance.now()),
  )
  try {
    return await Promise.race([delivery, promise])
  } finally {
    clearTimeout(timer)
  }
}

/** In the order given, so many at a time. */
const inTurns = async <T, R>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> => {
  const results: R[] = []
  for (let at = 0; at < items.length; at += most) {
    results.push(...(await Promise.all(items.slice(at, at + most).map(work))))
  }
  return results
}

const noTestAddress = (): Refusal =>
  refuse('no-test-address', 'The venue has no test address; save one in its settings first.')

const notReached = (outcome: Exclude<Outcome, { kind: 'accepted' }>): Refusal =>
  outcome.kind === 'refused'
    ? new Refusal(
        409,
        outcome.phase === 'sender'
          ? 'The mail relay refuses the sender of this venue, so the test was not sent.'
          : 'The mail relay refused the copy for the first test address, so the test does not count.',
      )
    : new Refusal(
        503,
        'The first test address could not be reached just now, so the test does not count. Try again soon.',
        { headers: { 'retry-after': String(limits.retryAfterFaultSeconds) } },
      )
