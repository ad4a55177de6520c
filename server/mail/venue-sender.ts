import type { Actor } from '../core/activity/actor.ts'
import { recordActivity } from '../core/activity/record.ts'
import type { Config } from '../config.ts'
import type { Context, Work } from '../context.ts'
import type { Queries } from '../platform/db/pool.ts'
import { emailKey } from '../platform/kernel/email.ts'
import { type Moment, toInstant } from '../platform/kernel/time/moment.ts'
import { Refusal, badRequest } from '../platform/kernel/refusal.ts'
import { uuidFrom } from '../platform/kernel/uuid.ts'
import { type VenueRow, venueForUpdate, venueOfId } from '../core/venue/venues.ts'
import { wireAddress } from './mime/header-text.ts'
import { senderOf } from './addressing.ts'
import { messageIdOf } from './copy-address.ts'
import { domainOf } from '../platform/kernel/mailbox.ts'
import type { Outcome } from './mailer.ts'
import { plainMessage } from './plain-message.ts'
import { type SenderRow, keepLink, keepVerified, senderRowOf, senderRowOfLink } from './venue-sender-rows.ts'

/*
 * A venue's own sender address is trusted once somebody who reads its mail has said yes: a link is mailed there, and
 * only there. Otherwise anybody with a venue could send in anybody's name. An address the operator set needs no link,
 * and neither does MAIL_FROM, which is the operator's. A new address has to be confirmed again.
 */

/** How long a link is valid, how long until the next one, and how many per day. */
export const senderLinkLimits = { days: 7, againAfterSeconds: 60, linksOfDay: 10 } as const

export type SenderState =
  /** The service's own; `isSet` false: not even MAIL_FROM is set. */
  | { readonly kind: 'service'; readonly isSet: boolean }
  | { readonly kind: 'verified'; readonly at: Moment; readonly by: 'link' | 'operator' }
  /** A link was mailed to it and is still valid. */
  | { readonly kind: 'waits'; readonly sentAt: Moment }
  | { readonly kind: 'unverified' }

type OwnSender = Pick<VenueRow, 'id' | 'mail_from'>

/** Whether the venue may send from the address it sends from. */
export const senderStateOf = async (
  db: Queries,
  config: Pick<Config, 'mailFrom'>,
  { id, mail_from: address }: OwnSender,
  now: Temporal.Instant,
): Promise<SenderState> => {
  if (address === null) return { kind: 'service', isSet: config.mailFrom !== undefined }
  if (config.mailFrom && emailKey(config.mailFrom.address) === emailKey(address))
    return { kind: 'service', isSet: true }
  return stateOf(await senderRowOf(db, id), address, now)
}

/** The operator set the address, so they answer for it. */
export const verifyByOperator = (
  db: Queries,
  { id, mail_from: address }: OwnSender,
  now: Temporal.Instant,
): Promise<unknown> => (address === null ? Promise.resolve() : keepVerified(db, id, address, 'operator', now))

type Asking = Pick<Context, 'db' | 'config' | 'clock' | 'random' | 'mail'>

/**
 * Mails a link to the venue's own sender; an older link stops working. Returns the outcome of the mail. Refuses if there
 * is nothing to verify, and more links than a mailbox should get.
 */
export const mailSenderLink = async (
  { db, config, clock, random, mail }: Asking,
  actor: Actor,
  venue: Work['venue'],
): Promise<{ readonly address: string; readonly outcome: Outcome }> => {
  const token = random(32).toString('base64url')
  const address = await db.transaction(async (queries) => {
    const row = await venueForUpdate(queries, venue.id)
    const now = clock()
    const state = await senderStateOf(queries, config, row, now)
    const to = row.mail_from
    if (to === null || state.kind === 'service') throw badRequest('This venue uses the service’s own sender.')
    if (wireAddress(to) === null)
      throw badRequest(
        'No link can be mailed to this address, because it has non-English letters before the @.',
      )
    if (state.kind === 'verified') throw new Refusal(409, 'This sender is already confirmed.')
    const before = await senderRowOf(queries, venue.id)
    const window = windowOf(before, now)
    await keepLink(
      queries,
      venue.id,
      { address: to, token, links: window.links + 1 },
      { now, expiresAt: now.add({ hours: 24 * senderLinkLimits.days }), since: window.since },
    )
    await recordActivity(
      { db: queries.within(venue.id), venue, now: clock },
      actor,
      {
        action: 'mailSenderLink',
        record: { kind: 'venue', id: venue.id },
        before: null,
        after: null,
        more: { sender: to },
      },
      now,
    )
    return to
  })
  const from = senderOf(config, { name: config.mailFrom?.name ?? '', mail_from: null })
  const message = plainMessage({
    from,
    to: address,
    date: clock(),
    messageId: messageIdOf(uuidFrom(random), domainOf(from.address)),
    subject: `Confirm this address as the sender of ${venue.name}`,
    text: linkText(venue.name, address, `${config.publicUrl}/s/${token}`),
  })
  // Never from the address in question.
  return { address, outcome: await mail.deliver({ from: from.address, to: address, message }) }
}

const linkText = (venue: string, address: string, link: string): string =>
  `${venue} would like to send its email from this address, ${address}.

If that is right, open this page within ${senderLinkLimits.days} days and click the button:

${link}

If you did not expect this, do nothing: unless you click the button, nothing will be sent in your name.
`

/** What a link is about; undefined: it expired, was replaced by a newer one, or the venue now has a different sender. */
export const linkedSender = async (
  db: Queries,
  token: string,
  now: Temporal.Instant,
): Promise<
  { readonly venue: VenueRow; readonly address: string; readonly isVerified: boolean } | undefined
> => {
  const row = await senderRowOfLink(db, token, now)
  const venue = row && (await venueOfId(db, row.venue_id))
  if (!row || !venue || venue.mail_from === null) return undefined
  const { kind } = stateOf(row, venue.mail_from, now)
  if (kind !== 'waits' && kind !== 'verified') return undefined
  return { venue, address: venue.mail_from, isVerified: kind === 'verified' }
}

/** Clicking the button. A link verifies once; a second click changes nothing. False: there is no such link. */
export const verifyByLink = ({ db, clock }: Pick<Context, 'db' | 'clock'>, token: string): Promise<boolean> =>
  db.transaction(async (queries) => {
    const seen = await senderRowOfLink(queries, token, clock())
    if (!seen) return false
    // The venue first, as everywhere: its address may be changing, and a newer link may be made.
    await venueForUpdate(queries, seen.venue_id)
    const now = clock()
    const linked = await linkedSender(queries, token, now)
    if (!linked || linked.isVerified) return linked !== undefined
    await keepVerified(queries, linked.venue.id, linked.address, 'link', now)
    await recordActivity(
      { db: queries.within(linked.venue.id), venue: linked.venue as Work['venue'], now: clock },
      { kind: 'service' },
      {
        action: 'verifySender',
        record: { kind: 'venue', id: linked.venue.id },
        before: null,
        after: null,
        more: { sender: linked.address },
      },
      now,
    )
    return true
  })

const stateOf = (row: SenderRow | undefined, address: string, now: Temporal.Instant): SenderState => {
  if (!row || row.address !== emailKey(address)) return { kind: 'unverified' }
  if (row.verified_at !== null)
    return { kind: 'verified', at: row.verified_at, by: row.verified_by as 'link' | 'operator' }
  const isGood = row.expires_at !== null && Temporal.Instant.compare(toInstant(row.expires_at), now) > 0
  return isGood && row.sent_at !== null ? { kind: 'waits', sentAt: row.sent_at } : { kind: 'unverified' }
}

const windowOf = (
  row: SenderRow | undefined,
  now: Temporal.Instant,
): { readonly links: number; readonly since: Temporal.Instant } => {
  const ago = (moment: Moment): number => now.since(toInstant(moment)).total('seconds')
  if (!row || row.links_since === null) return { links: 0, since: now }
  if (row.sent_at !== null && ago(row.sent_at) < senderLinkLimits.againAfterSeconds)
    throw new Refusal(409, 'A link was mailed a moment ago. Look for it, or try again in a minute.')
  if (ago(row.links_since) >= 24 * 3_600) return { links: 0, since: now }
  if (row.links >= senderLinkLimits.linksOfDay)
    throw new Refusal(
      409,
      `Only ${senderLinkLimits.linksOfDay} links are mailed in a day. Try again tomorrow.`,
    )
  return { links: row.links, since: toInstant(row.links_since) }
}
