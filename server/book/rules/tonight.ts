import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Block, DocumentRules, PacingException } from './booking-rules.ts'
import { type RulesDocument, printBlock, printPacingException } from './rules-document.ts'
import { changeRules, rulesVersion } from './rules-change.ts'
import { allBookingRules } from './rules-store.ts'

/*
 * What any host may change about the rules while the doors are open: what one slot takes, and whether guests may still
 * book tonight online. Both are the same rules that managers edit, changed by the same function and in its trail.
 */

type Slot = Pick<PacingException, 'serviceDate' | 'fromMinute'>

/** Sets what a slot takes in place of its hours' cap; null takes it back to what the hours say. */
export const setSlotCovers = (
  work: Work,
  actor: Actor,
  slot: Slot,
  maxCovers: number | null,
): Promise<void> =>
  change(work, actor, 'change what a slot takes', (document, rules) => {
    const others = rules.pacingExceptions.filter(
      ({ serviceDate, fromMinute }) => serviceDate !== slot.serviceDate || fromMinute !== slot.fromMinute,
    )
    const all = maxCovers === null ? others : [...others, { ...slot, maxCovers, maxParties: null }]
    return { ...document, pacingExceptions: all.map((one) => printPacingException(one, rules)) }
  })

type Span = Pick<Block, 'fromMinute' | 'toMinute'> & { readonly serviceDate: LocalDate }

/** Takes no more bookings online for a span of a service date; staff still book. */
export const closeOnline = (work: Work, actor: Actor, span: Span): Promise<void> =>
  change(work, actor, 'close online bookings', (document, rules) => ({
    ...document,
    blocks: [...document.blocks, printBlock({ ...span, scope: 'online', publicNote: null }, rules)],
  }))

/** Takes a span's closing back. */
export const openOnline = (work: Work, actor: Actor, span: Span): Promise<void> =>
  change(work, actor, 'open online bookings again', (document, rules) => ({
    ...document,
    blocks: rules.blocks.filter((block) => !isClosing(block, span)).map((block) => printBlock(block, rules)),
  }))

/** The closings of a date that are for guests alone and say nothing to them: those made by the press above. */
export const closingsOf = (rules: Pick<DocumentRules, 'blocks'>, serviceDate: LocalDate): readonly Block[] =>
  rules.blocks.filter(
    (block) => block.serviceDate === serviceDate && block.scope === 'online' && block.publicNote === null,
  )

const isClosing = (block: Block, span: Span): boolean =>
  block.scope === 'online' &&
  block.serviceDate === span.serviceDate &&
  block.fromMinute === span.fromMinute &&
  block.toMinute === span.toMinute

/** Strands nobody, so there is nothing to confirm. */
const change = async (
  work: Work,
  actor: Actor,
  action: string,
  edit: (document: RulesDocument, rules: DocumentRules) => object,
): Promise<void> => {
  const rules = await allBookingRules(work.db, work.venue.id)
  await changeRules(work, actor, {
    action,
    seen: rulesVersion(rules),
    edit: (document) => edit(document, rules),
    confirmed: true,
  })
}
