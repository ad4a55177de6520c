import { refuse } from '../../../platform/kernel/refusal.ts'
import { mailFactsOf } from './facts.ts'
import { checkMail } from './checklist.ts'
import type { CheckContent } from '../send.ts'
import type { SenderParts } from './sender-facts.ts'

/** The pre-send checklist as a send asks it: refuses with every blocker, the first one in the sentence. */
export const checkContent =
  (parts: SenderParts): CheckContent =>
  async ({ db, venue, now }, row, due) => {
    const { blockers } = checkMail(await mailFactsOf(db, parts, venue, row, { now: now(), leavesAt: due }))
    const [first, ...more] = blockers
    if (!first) return undefined
    const others =
      more.length === 0
        ? ''
        : ` ${more.length} more ${more.length === 1 ? 'thing is' : 'things are'} in blockers.`
    return refuse('checklist-blocked', `This campaign cannot be sent yet. ${first.message}${others}`, {
      blockers: blockers.map(({ code, message }) => ({ code, message })),
    })
  }
