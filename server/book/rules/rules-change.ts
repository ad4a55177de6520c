import { createHash } from 'node:crypto'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity, recordPress } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { type UpcomingBooking, keepStranded, strandedBy, upcomingBookings } from './stranded.ts'
import type { DocumentRules } from './booking-rules.ts'
import { type RulesDocument, printRulesDocument, readRulesDocument } from './rules-document.ts'
import { replaceBookingRules } from './replace-document.ts'
import { allBookingRules, holdRules } from './rules-store.ts'
import { replaceWholeRules } from './whole-document.ts'

/*
 * How the office changes booking rules: it edits the same document that the operator imports, so both are checked
 * by one reader with one set of sentences. A form carries the fingerprint of the document it showed; of two people
 * who change hours at once the first wins and the other gets a message.
 */

/** Identifies exactly these rules. */
export const rulesVersion = (rules: DocumentRules): string =>
  createHash('sha256')
    .update(JSON.stringify(printRulesDocument(rules)))
    .digest('base64url')
    .slice(0, 16)

export type RulesChange = {
  /** What is done, for the activity log: "change the hours". */
  readonly action: string
  /** The version of the rules that the form showed. */
  readonly seen: string
  /** From the current document to the new one; it may be invalid, the reader says why. */
  readonly edit: (document: RulesDocument) => object
  /** Why what the change comes to is refused; undefined: it is not. */
  readonly refuses?: ((after: DocumentRules) => string | undefined) | undefined
  /** Whether bookings left without a service, and what `asks` asks, were seen and accepted. */
  readonly confirmed: boolean
  /** Whether there is more to confirm, given the rules as they are. */
  readonly asks?: ((before: DocumentRules) => boolean) | undefined
}

export type RulesChanged =
  | {
      readonly done: true
      /** How many bookings it left without a service. */
      readonly stranded: number
    }
  | {
      readonly done: false
      readonly stranded: readonly UpcomingBooking[]
      /** The rules as they are. */
      readonly before: DocumentRules
    }

/**
 * Changes the rules. Refuses a document with mistakes, all of them in one answer, and a form that showed older rules.
 * Not done, with the list, when the change would strand bookings, or asks something else, and nobody has confirmed that.
 */
export const changeRules = async (
  work: Work,
  actor: Actor,
  { action, seen, edit, refuses, confirmed, asks }: RulesChange,
): Promise<RulesChanged> => {
  const { db, venue, now } = work
  await holdRules(db, venue.id)
  const before = await allBookingRules(db, venue.id)
  if (rulesVersion(before) !== seen) throw changedMeanwhile('page')
  const read = readRulesDocument(edit(printRulesDocument(before)))
  if (!read.ok) throw badRequest(read.mistakes.join(' '))
  const why = refuses?.(read.rules)
  if (why !== undefined) throw badRequest(why)

  const moment = now()
  const stranded = strandedBy(before, read.rules, await upcomingBookings(db, venue.id, moment))
  if (!confirmed && (stranded.length > 0 || asks?.(before))) return { done: false, stranded, before }
  await replaceBookingRules(db, venue.id, read.rules)
  const change = await recordPress(
    work,
    actor,
    { action, record: { kind: 'venue', id: venue.id }, ...documentsThatDiffer(before, read.rules) },
    moment,
  )
  if (stranded.length > 0) await keepStranded(db, venue.id, change, stranded)
  return { done: true, stranded: stranded.length }
}

/**
 * Puts what the operator imports in the place of all rules, with a trail for the venue's managers, which also knows the hours that
 * days had. The tables of a document are not in it.
 */
export const replaceRulesByOperator = async (
  work: Work,
  { tables, ...rules }: DocumentRules,
): Promise<void> => {
  const { db, venue, now } = work
  await holdRules(db, venue.id)
  const before = await allBookingRules(db, venue.id)
  await replaceWholeRules(db, venue.id, { ...rules, ...(tables && { tables }) }, now())
  const changed = documentsThatDiffer(before, rules)
  if (Object.keys(changed.after).length === 0) return
  const record = { kind: 'venue', id: venue.id } as const
  await recordActivity(work, { kind: 'service' }, { action: 'import the rules', record, ...changed }, now())
}

/** The parts of the document that changed, whole: hours read better side by side than minute by minute. */
const documentsThatDiffer = (before: DocumentRules, after: DocumentRules) => {
  const old: Record<string, unknown> = printRulesDocument(before)
  const fresh: Record<string, unknown> = printRulesDocument(after)
  const parts = [...new Set([...Object.keys(old), ...Object.keys(fresh)])].filter(
    (part) => JSON.stringify(old[part]) !== JSON.stringify(fresh[part]),
  )
  const only = (document: Record<string, unknown>) =>
    Object.fromEntries(parts.map((part) => [part, JSON.stringify(document[part] ?? null)]))
  return { before: only(old), after: only(fresh) }
}
