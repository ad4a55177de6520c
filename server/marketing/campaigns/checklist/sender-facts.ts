import type { Config } from '../../../config.ts'
import type { Context } from '../../../context.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { domainOf } from '../../../platform/kernel/mailbox.ts'
import { senderOf } from '../../../mail/addressing.ts'
import { isReachedFromOutside } from '../../../mail/reached-from-outside.ts'
import { type SenderDomain, lookUpSender } from '../../../mail/sender-domain.ts'
import { senderStateOf } from '../../../mail/venue-sender.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { type VenueRow, venueOfId } from '../../../core/venue/venues.ts'
import type { MailFacts } from './mail-facts.ts'
import { isRelayUp } from '../sending/probe.ts'
import { readRelay, relayName } from '../sending/relay.ts'

/** Where the facts about a sender come from. */
export type SenderParts = Pick<Context, 'config' | 'lookUpTexts' | 'mail'>

/** Who the venue's mail comes from, and what is known against it; null where no relay is configured. */
export const senderFactsOf = async (
  db: Queries,
  parts: SenderParts,
  owner: VenueRow,
  now: Temporal.Instant,
): Promise<MailFacts['relay']> => {
  const { config } = parts
  if (!hasRelay(parts)) return null
  const state = await senderStateOf(db, config, owner, now)
  const relay = await readRelay(db, relayName(config))
  return {
    publicUrl: config.publicUrl,
    isReachedFromOutside: isReachedFromOutside(config.publicUrl),
    from: senderOf(config, owner).address,
    isFromVerified: state.kind === 'service' ? state.isSet : state.kind === 'verified',
    isUp: isRelayUp(relay, now.epochMilliseconds),
    ...(await domainFactsOf(parts, owner)),
  }
}

/**
 * Asks the DNS about the venue's sender, so that the checklist finds the answers kept: nothing remote happens inside a
 * transaction. Takes three seconds at most and never rejects for what the DNS does.
 */
export const askSender = async (parts: SenderParts, db: Queries, venue: VenueId): Promise<void> => {
  if (!hasRelay(parts)) return
  const owner = await venueOfId(db, venue)
  if (owner) await domainFactsOf(parts, owner)
}

/**
 * Whether mail may leave from the venue's own address. Always where none leaves at all, and for a venue without an
 * address of its own.
 */
export const isSenderConfirmed = async (
  db: Queries,
  config: Pick<Config, 'smtpUrl' | 'practice' | 'mailFrom'>,
  owner: VenueRow,
  now: Temporal.Instant,
): Promise<boolean> => {
  if (owner.mail_from === null || !hasRelay({ config })) return true
  const { kind } = await senderStateOf(db, config, owner, now)
  return kind === 'service' || kind === 'verified'
}

const hasRelay = ({ config }: { readonly config: Pick<Config, 'smtpUrl' | 'practice'> }): boolean =>
  config.smtpUrl !== undefined && !config.practice

const domainFactsOf = (
  { config, lookUpTexts, mail }: SenderParts,
  owner: VenueRow,
): Promise<SenderDomain> => {
  const from = domainOf(senderOf(config, owner).address)
  const { mailBounceDomain: envelope = from, mailDkim } = config
  const publicKey = mail.dkimKey
  const dkim = mailDkim && {
    domain: mailDkim.domain,
    selector: mailDkim.selector,
    ...(publicKey !== undefined && { publicKey }),
  }
  return lookUpSender(lookUpTexts, { from, envelope, dkim: dkim ?? null })
}
