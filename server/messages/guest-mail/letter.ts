import type { Html } from '../../platform/html/html.ts'

/** A file that goes along with a mail. */
export type Attachment = {
  readonly name: string
  /** Such as `text/calendar; method=PUBLISH; charset=utf-8`. */
  readonly type: string
  readonly content: string | Buffer
}

/** Lines under a title. With `bar`, 0 to 1, each has a bar that long. */
export type LetterTable = {
  readonly title: string
  readonly rows: readonly { readonly label: string; readonly words: string; readonly bar?: number }[]
}

/** A mail as it is meant, before it has a layout. Every text is plain. */
export type Letter = {
  readonly to: string
  /** Where an answer goes; null: to the sender; absent: to the venue. */
  readonly replyTo?: string | null
  readonly subject: string
  /** What mail programs show next to the subject. */
  readonly preheader: string
  readonly state?: { readonly tone: 'good' | 'wait' | 'bad'; readonly words: string }
  readonly title: string
  /** The slip: guests, date, time. */
  readonly slip?: readonly (readonly [label: string, value: string])[]
  readonly paragraphs: readonly string[]
  readonly facts?: readonly (readonly [label: string, value: string])[]
  readonly tables?: readonly LetterTable[]
  readonly button?: { readonly words: string; readonly url: string }
  /** A second thing to press. */
  readonly link?: { readonly words: string; readonly url: string }
  /** Small print below the button. */
  readonly foot?: string
  /** All of why it came, at the very end; absent: `own`, and how to reach the venue. */
  readonly why?: string
  /** Why the address has it; absent: because it came with a booking or a request. */
  readonly own?: string
  /** Ends mail of this kind without signing in: a link at the end, and one click of the mail program (RFC 8058). `mailbox`: mail to it does the same. */
  readonly leave?: { readonly words: string; readonly url: string; readonly mailbox: string | null }
  readonly attachments?: readonly Attachment[]
  /** Facts for mail programs (schema.org). */
  readonly factsForMachines?: Html
}
