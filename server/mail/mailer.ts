import type { Readable } from 'node:stream'

/** A finished message and its envelope. */
export type OutgoingMail = {
  /** Envelope sender, where bounces go. */
  readonly from: string
  /** The one recipient. */
  readonly to: string
  /** The whole message, header and body, with CRLF line ends; read at most once. */
  readonly message: Buffer | Readable
  /** How long it may wait for a connection, in milliseconds: then it is `relay-trouble`. Absent: as long as it takes. */
  readonly placeMs?: number
}

/**
 * The result of handing a message to the relay, judged by the phase it happened in and never by the text of an error:
 * whether it may be sent again depends on nothing else.
 */
export type Outcome =
  /** A 2xx to the message: the relay has it. */
  | { readonly kind: 'accepted'; readonly answer: string }
  /** A 5xx: never again. `code` is the enhanced status (RFC 3463), where the relay gave one. */
  | {
      readonly kind: 'refused'
      readonly phase: 'sender' | 'recipient' | 'message'
      readonly status: number
      readonly code: string | null
      readonly answer: string
    }
  /** A 4xx: not accepted for sure; again later. */
  | {
      readonly kind: 'later'
      readonly phase: 'sender' | 'recipient' | 'message'
      readonly status: number
      readonly code: string | null
      readonly answer: string
    }
  /** The relay could not be used, and nothing of the message left: again as soon as the relay is well. */
  | {
      readonly kind: 'relay-trouble'
      readonly phase: 'connect' | 'greeting' | 'tls' | 'sign-in' | 'session'
      readonly answer: string
    }
  /** The connection was lost after bytes of the message had been read: it may have been accepted. Never again by itself. */
  | { readonly kind: 'unknown'; readonly answer: string }

/** Hands messages to the mail relay of SMTP_URL, or writes them as files if no relay is set. */
export type Mailer = {
  readonly kind: 'relay' | 'files'
  /** The public half of the key it signs with, base64 of its SPKI form; absent where it does not sign. */
  readonly dkimKey?: string
  /** Answers what came of it; throws only for a mistake of ours. */
  readonly deliver: (mail: OutgoingMail) => Promise<Outcome>
  /** Ends: what is under way may finish for some seconds. */
  readonly close: () => Promise<void>
}
