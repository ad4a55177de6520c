/*
 * What identifies one copy of a campaign outside: its Message-ID, and the mailboxes that mail about it goes to. All three
 * carry the copy's link token with the purpose `bounce` (the unsubscribe mailbox: `unsubscribe`), so that anything that
 * comes back identifies its venue, person and campaign without a lookup.
 */

/** With its angle brackets; always the same for the same person and campaign. */
export const messageIdOf = (bounceToken: string, domain: string): string => `<${bounceToken}@${domain}>`

/** Envelope sender (VERP). */
export const bounceMailbox = (bounceToken: string, domain: string): string => `b+${bounceToken}@${domain}`

/** Where a mail asks for what the one-click address does. */
export const unsubscribeMailbox = (unsubscribeToken: string, domain: string): string =>
  `u+${unsubscribeToken}@${domain}`

/** Texts in a header or an envelope that may be tokens of copies; whether one is, `readLinkToken` says. */
export const bounceTokensIn = (text: string): string[] =>
  [...text.matchAll(/(?:\bb\+|<)([\w-]{25,62})@/g)].map(([, token]) => token as string)

export const unsubscribeTokensIn = (text: string): string[] =>
  [...text.matchAll(/\bu\+([\w-]{25,62})@/g)].map(([, token]) => token as string)
