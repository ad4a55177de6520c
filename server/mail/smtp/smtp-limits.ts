/** In milliseconds; the last number is a count. */
export const smtpLimits = {
  connectMs: 30_000,
  greetingMs: 30_000,
  /** From the first packet until the relay is ready for MAIL FROM, signed in. */
  readyMs: 90_000,
  /** From MAIL FROM until the relay takes the message's first byte. */
  envelopeMs: 60_000,
  /** From there to the final answer: a relay may still accept after minutes, and nobody is mailed twice. */
  finalMs: 600_000,
  idleMs: 30_000,
  closeMs: 2_000,
  mailsOfConnection: 500,
}
export type SmtpLimits = typeof smtpLimits
