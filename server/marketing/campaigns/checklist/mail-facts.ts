import type { MailView } from '../content/mail-view.ts'
import type { MailContent, MailTemplate, MailVenue } from '../content/mail-template.ts'

/** The input of the checklist; anything not known yet is null and is not checked. */
export type MailFacts = {
  readonly content: MailContent
  readonly venue: MailVenue
  /** The content compiled for the venue. */
  readonly mail: MailTemplate
  /** That mail as a person sees it. */
  readonly view: MailView
  /** A test reached the venue since subject, body or format last changed. */
  readonly isTested: boolean
  /** The list as it was last built; null before that. */
  readonly list: {
    readonly total: number
    readonly withoutFirstName: number
    readonly mailedInLastDay: number
    /** Compose's `reliable`. */
    readonly isReliable: boolean
  } | null
  /** Null where no relay is configured: mail is written to files then, and nobody judges the sender. */
  readonly relay: {
    /** PUBLIC_URL, where links to unsubscribe lead, and whether people who get mail can open it. */
    readonly publicUrl: string
    readonly isReachedFromOutside: boolean
    /** What the last probe said; null before the first. */
    readonly isUp: boolean | null
    /** The address in From. */
    readonly from: string
    /** Somebody who reads mail there agreed, or the operator set it; null when unknown. */
    readonly isFromVerified: boolean | null
    /** What signs or returns its mail belongs to its domain (DMARC alignment); null when unknown. */
    readonly isAligned: boolean | null
    /** Records of the sender's domain; null when they could not be looked up. */
    readonly spf: boolean | null
    readonly dkim: boolean | null
    readonly dmarc: boolean | null
    /** The names in the DNS at which they were looked for. */
    readonly askedAt: { readonly spf: string; readonly dkim: string | null; readonly dmarc: string }
  } | null
  /** Delivery results of the venue's mail over the last 30 days. */
  readonly lastMonth: { readonly sent: number; readonly bounced: number; readonly complained: number }
  /** How many people the previous campaign had; null if this is the first. */
  readonly lastRecipients: number | null
  /** Since the venue's last campaign; null if this is the first. */
  readonly daysSinceLast: number | null
  /** When the first mail would leave, in the venue's zone; null when that is not settled. */
  readonly leavesAt: Temporal.ZonedDateTime | null
}
