/*
 * What a mail server or a mail service says about one copy, from any sender and in any form.
 *   hard         the mailbox does not exist: never again
 *   soft         not this time: full, too large, refused for now
 *   complaint    the person pressed "spam"
 *   unsubscribed the person asked the mail service to stop
 *   delivered    it arrived; of interest only where we did not know whether the relay took it
 */
export const reportKinds = ['hard', 'soft', 'complaint', 'unsubscribed', 'delivered'] as const
export type ReportKind = (typeof reportKinds)[number]

export const reportSources = ['relay', 'dsn', 'ses', 'postmark', 'sendgrid'] as const
export type ReportSource = (typeof reportSources)[number]

export type Report = {
  readonly kind: ReportKind
  readonly source: ReportSource
  /** Texts that may name the copy, the likeliest first: link tokens of purpose `bounce`. */
  readonly tokens: readonly string[]
  /** Enhanced status (RFC 3463), such as 5.1.1; null when none was given. */
  readonly statusCode: string | null
  /** The same for the same report, however often it comes. */
  readonly key: string
}

/**
 * `4.x.x` and `5.x.x`; null for anything else. A full mailbox is temporary, regardless of the first digit. So is a
 * complaint about the sender's address (5.1.7, 5.1.8): otherwise a mistake in our own DNS would put a whole list on the
 * do-not-email list.
 */
export const kindOfStatus = (status: string | null): 'hard' | 'soft' | null => {
  const [, first, rest] = /^([45])\.(\d{1,3}\.\d{1,3})$/.exec(status ?? '') ?? []
  if (first === undefined) return null
  return first === '5' && /^1\.(?![78]$)|^2\.1$/.test(rest as string) ? 'hard' : 'soft'
}
