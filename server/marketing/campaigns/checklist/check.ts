import type { MailFacts } from './mail-facts.ts'
import type { MailView } from '../content/mail-view.ts'

/** One row of the checklist. The table in docs/campaigns.md is made from these rows. */
export type Check = {
  readonly code: string
  /** `block`: it cannot be sent. `advise`: the owner sees it and decides. */
  readonly effect: 'block' | 'advise'
  /** For the table: when it is found. */
  readonly when: string
  /** A sentence for the owner, or null when all is well. */
  readonly judge: (facts: MailFacts, view: MailView) => string | null
}
