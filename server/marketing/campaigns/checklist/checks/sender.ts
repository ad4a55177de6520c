import type { Check } from '../check.ts'
import type { MailFacts } from '../mail-facts.ts'

const bounceShare = 0.05
const complaintShare = 0.003
/** One bad address among ten is bad luck, not a bad list. */
const bouncesLeast = 3
const complaintsLeast = 2

/** What is wrong with the sender. All but the last two apply only if a relay is configured. */
export const senderChecks: readonly Check[] = [
  {
    code: 'from-unverified',
    effect: 'block',
    when: 'Nobody confirmed the sender address by the link mailed there; or neither what signs the mail nor its return address belongs to the domain of the sender (DMARC alignment).',
    judge: ({ relay }) => {
      if (relay?.isFromVerified === false) {
        return `The sender ${relay.from} is not confirmed. Set the venue’s sender under Settings, Venue, and confirm it by the link that is mailed there.`
      }
      return relay?.isAligned === false
        ? `The mail relay is not set up for the domain ${domainOf(relay.from)}: neither its signature nor the return address belongs to it, so receivers take the mail for forged.`
        : null
    },
  },
  {
    code: 'from-free-mail',
    effect: 'block',
    when: 'The sender address is at a free mail provider, whose rules refuse mail from anywhere else.',
    judge: ({ relay }) =>
      relay !== null && freeMail.has(domainOf(relay.from))
        ? `The sender ${relay.from} is at a free mail provider, and receivers refuse its mail when it comes from elsewhere. Use an address of your own domain.`
        : null,
  },
  {
    code: 'sender-auth-missing',
    effect: 'block',
    when: "SPF, DKIM or DMARC was looked up for the sender's domain and not found.",
    judge: ({ relay }) => {
      const missing = relay === null ? [] : authorities(relay)
      return relay === null || missing.length === 0
        ? null
        : `Your DNS has no ${missing.join(' and no ')} that receivers would follow. Large mail providers refuse marketing mail without it.`
    },
  },
  {
    code: 'relay-down',
    effect: 'block',
    when: 'The mail relay did not answer when it was last tried.',
    judge: ({ relay }) =>
      relay?.isUp === false
        ? 'The mail relay did not answer when it was last tried. Try again in a few minutes.'
        : null,
  },
  {
    code: 'service-address',
    effect: 'block',
    when: 'The address of the service (`PUBLIC_URL`), where links to unsubscribe lead, is not `https` or only works inside one network.',
    judge: ({ relay }) =>
      relay?.isReachedFromOutside === false
        ? `Links to unsubscribe would lead to ${relay.publicUrl}, where nobody who gets the mail can unsubscribe. Whoever runs the service must set PUBLIC_URL to its https address on the web.`
        : null,
  },
  {
    code: 'bounce-rate',
    effect: 'block',
    when: `More than 5 % of the last 30 days' mail bounced, with at least ${bouncesLeast} bounces.`,
    judge: ({ lastMonth: { sent, bounced } }) =>
      bounced >= bouncesLeast && bounced > sent * bounceShare
        ? `${bounced} of ${sent} mails of the last 30 days came back. Above 5 % providers begin to refuse all of your mail. Write to people who came lately, or whose address you know to be good.`
        : null,
  },
  {
    code: 'complaint-rate',
    effect: 'block',
    when: `More than 0.3 % of the last 30 days' mail was reported as spam, with at least ${complaintsLeast} reports.`,
    judge: ({ lastMonth: { sent, complained } }) =>
      complained >= complaintsLeast && complained > sent * complaintShare
        ? `${complained} of ${sent} mails of the last 30 days were reported as spam. Above 0.3 % providers begin to refuse all of your mail.`
        : null,
  },
]

const authorities = ({ spf, dkim, dmarc, askedAt }: NonNullable<MailFacts['relay']>): string[] => [
  ...(spf === false ? [`SPF record at ${askedAt.spf}`] : []),
  ...(dkim === false ? [`DKIM key at ${askedAt.dkim}`] : []),
  ...(dmarc === false ? [`DMARC policy at ${askedAt.dmarc}`] : []),
]

const domainOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

const freeMail = new Set([
  ...[
    'gmail.com',
    'googlemail.com',
    'outlook.com',
    'hotmail.com',
    'live.com',
    'msn.com',
    'yahoo.com',
    'ymail.com',
  ],
  ...[
    'yahoo.co.uk',
    'yahoo.fr',
    'yahoo.de',
    'yahoo.es',
    'yahoo.it',
    'yahoo.co.jp',
    'hotmail.co.uk',
    'hotmail.fr',
  ],
  ...[
    'icloud.com',
    'me.com',
    'mac.com',
    'aol.com',
    'gmx.com',
    'gmx.net',
    'gmx.de',
    'gmx.at',
    'gmx.ch',
    'web.de',
  ],
  ...[
    't-online.de',
    'freenet.de',
    'proton.me',
    'protonmail.com',
    'pm.me',
    'tutanota.com',
    'tuta.com',
    'zoho.com',
  ],
  ...[
    'mail.com',
    'mail.ru',
    'yandex.ru',
    'yandex.com',
    'qq.com',
    '163.com',
    '126.com',
    'orange.fr',
    'free.fr',
  ],
  ...[
    'laposte.net',
    'wanadoo.fr',
    'libero.it',
    'btinternet.com',
    'comcast.net',
    'verizon.net',
    'att.net',
    'sbcglobal.net',
  ],
])
