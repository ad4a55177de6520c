import type { MailHeader, MailPerson } from '../marketing/campaigns/content/mail-template.ts'
import type { Config } from '../config.ts'
import type { KeyRing } from '../platform/kernel/secrets.ts'
import { bounceMailbox, messageIdOf, unsubscribeMailbox } from './copy-address.ts'
import { type LinkFacts, makeLinkToken } from './link-token.ts'
import { type Mailbox, domainOf, readMailbox } from '../platform/kernel/mailbox.ts'

type AddressingParts = {
  readonly config: Pick<Config, 'publicUrl' | 'mailFrom' | 'mailBounceDomain'>
  readonly secrets: KeyRing
}
type Sending = { readonly slug: string; readonly name: string; readonly mail_from: string | null }

/**
 * Who a venue's mail comes from: its own sender, else MAIL_FROM, else an address of the service's own host, which a
 * relay on the open network will not take. The name is the venue's unless the sender has one.
 */
export const senderOf = (
  { publicUrl, mailFrom }: AddressingParts['config'],
  venue: Pick<Sending, 'name' | 'mail_from'>,
): Mailbox => {
  const own = venue.mail_from === null ? undefined : readMailbox(venue.mail_from)
  const { name, address } = own ?? mailFrom ?? { name: '', address: `mail@${new URL(publicUrl).hostname}` }
  return { name: name === '' || own === undefined ? venue.name : name, address }
}

/** Everything of one copy that names its person: links, header, envelope. Campaign 0 is a copy that belongs to none. */
export type CopyAddresses = {
  readonly person: Pick<MailPerson, 'unsubscribeUrl' | 'preferencesUrl'>
  readonly header: Omit<MailHeader, 'date' | 'to'>
  /** Envelope sender. */
  readonly returnTo: string
}

/** @param messageId the one the copy has had since its first try */
export const addressesOf = (
  { config, secrets }: AddressingParts,
  venue: Sending,
  about: LinkFacts,
  messageId?: string | null,
): CopyAddresses => {
  const from = senderOf(config, venue)
  const { mailBounceDomain: bounceDomain, publicUrl } = config
  const domain = bounceDomain ?? domainOf(from.address)
  const leave = makeLinkToken(secrets, 'unsubscribe', about)
  const bounce = makeLinkToken(secrets, 'bounce', about)
  const unsubscribeUrl = `${publicUrl}/u/${leave}`
  return {
    person: {
      unsubscribeUrl,
      preferencesUrl: `${publicUrl}/p/${makeLinkToken(secrets, 'preferences', about)}`,
    },
    header: {
      from,
      messageId: messageId ?? messageIdOf(bounce, domain),
      unsubscribeUrl,
      unsubscribeMailbox: bounceDomain === undefined ? null : unsubscribeMailbox(leave, bounceDomain),
      listId: `<${venue.slug}.${domain}>`,
      feedbackId: `${about.campaign}:${about.venue}:campaign:${venue.slug}`,
    },
    returnTo: bounceDomain === undefined ? from.address : bounceMailbox(bounce, bounceDomain),
  }
}
