import {
  type Block,
  type DocumentRules,
  type PacingException,
  type SpecialDay,
  writtenBlock,
  writtenException,
  writtenRules,
} from './booking-rules.ts'
import { blockSpan, writtenSpan } from './block-span.ts'
import type { ValueOf } from './document-kinds.ts'
import { overlapMistakes } from './hours-overlap.ts'
import { endSentence } from '../../platform/kernel/sentence.ts'
import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'

export type ReadRulesDocument =
  | { readonly ok: true; readonly rules: DocumentRules }
  | { readonly ok: false; readonly mistakes: readonly string[] }

/**
 * Reads the operator's rules document (docs/operator.md#booking-rules), parsed from JSON. Everything but `periods` is
 * optional and defaults to `defaultRules`. A document with any mistake is refused as a whole, with one sentence for
 * each: unknown fields, values out of bounds, times outside their service, and services that overlap.
 */
export const readRulesDocument = (document: unknown): ReadRulesDocument => {
  const mistakes: string[] = []
  const written = writtenRules.read({ value: document, name: '', mistakes })
  if (!written) return { ok: false, mistakes }
  const { tables, ...others } = written
  const rules: DocumentRules = {
    ...others,
    blocks: written.blocks.map(({ from, to, nextDay, ...block }) => ({
      ...block,
      ...blockSpan({ from, to, nextDay }, block.serviceDate, written),
    })),
    pacingExceptions: written.pacingExceptions.map(({ at, nextDay, ...one }) => ({
      ...one,
      fromMinute: blockSpan({ from: at, to: at + 1, nextDay }, one.serviceDate, written).fromMinute,
    })),
    ...(tables && { tables }),
  }
  mistakes.push(
    ...overlapMistakes(rules),
    ...partyMistakes(rules),
    ...repeatedDays(rules.specialDays),
    ...repeatedSlots(rules),
    ...repeatedExperiences(rules),
  )
  return mistakes.length === 0 ? { ok: true, rules } : { ok: false, mistakes }
}

/** The rules document as `rules show` prints it. */
export type RulesDocument = ReturnType<typeof printRulesDocument>

/**
 * Writes rules as the document that `readRulesDocument` reads back to the same rules. The fields every
 * venue looks for are always there; overrides and rarely used fields only where they are set.
 */
export const printRulesDocument = (rules: DocumentRules) =>
  writtenRules.print({
    ...rules,
    blocks: rules.blocks.map((block) => asWritten(block, rules)),
    pacingExceptions: rules.pacingExceptions.map((one) => exceptionAsWritten(one, rules)),
    tables: rules.tables ?? null,
  })

type Hours = Pick<DocumentRules, 'periods' | 'specialDays'>

export const printBlock = (block: Block, hours: Hours) => writtenBlock.print(asWritten(block, hours))
export const printPacingException = (one: PacingException, hours: Hours) =>
  writtenException.print(exceptionAsWritten(one, hours))

const asWritten = (block: Block, hours: Hours): ValueOf<typeof writtenBlock> => ({
  ...block,
  ...writtenSpan(block, block.serviceDate, hours),
})

const exceptionAsWritten = (one: PacingException, hours: Hours): ValueOf<typeof writtenException> => {
  const { fromMinute, serviceDate } = one
  const { from: at, nextDay } = writtenSpan({ fromMinute, toMinute: fromMinute + 1 }, serviceDate, hours)
  return { ...one, at, nextDay }
}

/** A smallest party above the largest would refuse everybody, each service judged with what it inherits. */
const partyMistakes = (rules: DocumentRules): readonly string[] => {
  const all: readonly { minParty: number | null; maxParty: number | null; name: string | null }[] = [
    { minParty: rules.minParty, maxParty: rules.maxParty, name: 'the venue' },
    ...rules.periods,
    ...rules.specialDays.flatMap(({ periods }) => periods),
  ]
  const wrong = all.filter(
    (limits) => (limits.minParty ?? rules.minParty) > (limits.maxParty ?? rules.maxParty ?? Infinity),
  )
  // Where the venue's own are wrong, each service that says nothing of its own would be named for it, too.
  const named = rules.minParty > (rules.maxParty ?? Infinity) ? wrong.slice(0, 1) : wrong
  return [
    ...new Set(
      named.map(({ name }) => endSentence(`minParty must not be above maxParty, for ${name ?? 'a service'}`)),
    ),
  ]
}

const repeatedDays = (days: readonly SpecialDay[]): readonly string[] =>
  days
    .map(({ date }) => date)
    .filter((date, place, dates) => dates.indexOf(date) !== place)
    .map((date) => `specialDays has ${date} twice.`)

const repeatedSlots = ({ pacingExceptions }: DocumentRules): readonly string[] =>
  pacingExceptions
    .filter((one, place, all) => all.findIndex((other) => isSameSlot(one, other)) !== place)
    .map(
      ({ serviceDate, fromMinute }) =>
        `pacingExceptions has ${serviceDate} ${clockTimeAt(fromMinute)} twice.`,
    )

const repeatedExperiences = ({ experiences }: DocumentRules): readonly string[] =>
  experiences
    .map(({ key }) => key)
    .filter((key, place, keys) => keys.indexOf(key) !== place)
    .map((key) => `experiences has the key ${key} twice.`)

const isSameSlot = (a: PacingException, b: PacingException): boolean =>
  a.serviceDate === b.serviceDate && a.fromMinute === b.fromMinute
