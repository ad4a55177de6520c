import type { BodyFormat } from '@venue-data/contract/records/campaign.ts'

/** What the venue wrote. */
export type MailContent = {
  readonly subject: string
  readonly preheader: string
  readonly bodyHtml: string
  readonly bodyText: string
  readonly bodyFormat: BodyFormat
}

/** What the layout and the footer say of the venue. */
export type MailVenue = {
  readonly name: string
  readonly postalAddress: string | null
  readonly phone: string | null
}

/** What is different for each person. */
export type MailPerson = {
  readonly firstName: string | null
  readonly unsubscribeUrl: string
  readonly preferencesUrl: string
}

/** The header of one copy. */
export type MailHeader = {
  readonly from: { readonly name: string; readonly address: string }
  readonly to: string
  readonly date: Temporal.Instant
  /** With its angle brackets. */
  readonly messageId: string
  /** The one-click address (RFC 8058). */
  readonly unsubscribeUrl: string
  /** Where a mail asks for the same; null when the service takes no mail. */
  readonly unsubscribeMailbox: string | null
  /** Such as `<the-blue-door.data.example.com>` (RFC 2919). */
  readonly listId: string
  readonly feedbackId: string
}

/** A campaign rendered once; for each person only the slots are filled. */
export type MailTemplate = {
  readonly subjectFor: (person: MailPerson) => string
  readonly preheaderFor: (person: MailPerson) => string
  readonly htmlFor: (person: MailPerson) => string
  /** What the venue wrote alone, without layout, preheader and footer; the checklist judges it. */
  readonly bodyFor: (person: MailPerson) => string
  readonly textFor: (person: MailPerson) => string
  /** The whole message (RFC 5322), multipart/alternative, CRLF line ends, 7-bit. */
  readonly messageFor: (person: MailPerson, header: MailHeader) => Buffer
}
