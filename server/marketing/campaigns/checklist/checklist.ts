import { checks } from './checks.ts'
import type { MailFacts } from './mail-facts.ts'

/*
 * The checklist before a send (docs/campaigns.md#checklist). It reads the message as rendered for a made-up person,
 * and facts looked up elsewhere. The table in `checks.ts` says what blocks and what is only advice.
 */

export type Finding = { readonly code: string; readonly message: string }
export type Checklist = { readonly blockers: readonly Finding[]; readonly advice: readonly Finding[] }

/** All findings, in the order of the table. An empty `blockers` means that it may be sent. */
export const checkMail = (facts: MailFacts): Checklist => {
  const found = checks.flatMap(({ code, effect, judge }) => {
    const message = judge(facts, facts.view)
    return message === null ? [] : [{ effect, code, message }]
  })
  const having = (effect: (typeof checks)[number]['effect']): Finding[] =>
    found.flatMap((one) => (one.effect === effect ? [{ code: one.code, message: one.message }] : []))
  return { blockers: having('block'), advice: having('advise') }
}
