import {
  type Closure,
  type DocumentRules,
  type PacingException,
  type SpecialDay,
  type TurnTime,
  type WeeklyPeriod,
  defaultRules,
} from './booking-rules.ts'
import { overlapMistakes } from './hours-overlap.ts'
import { readBlock, readPacingException } from './rules-document-blocks.ts'
import { documentBounds } from './rules-document-bounds.ts'
import {
  type Field,
  date,
  entries,
  fieldsOf,
  integer,
  mistake,
  required,
  text,
  time,
  trueOrFalse,
} from './rules-document-fields.ts'
import { periodFields, readPacing, readPeriod } from './rules-document-hours.ts'
import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import { readTables } from './rules-document-tables.ts'
import { endSentence } from '../../platform/kernel/sentence.ts'

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
  const rules = readRules({ value: document, name: '', mistakes })
  return mistakes.length === 0 ? { ok: true, rules } : { ok: false, mistakes }
}

const readRules = (root: Field): DocumentRules => {
  const fields = fieldsOf(root, documentFields)
  const pacing = readPacing(fields.pacing)
  const periods = entries(required(fields.periods), documentBounds.periods).flatMap(readWeeklyPeriod)
  const specialDays = entries(fields.specialDays, documentBounds.specialDays).flatMap(readSpecialDay)
  const tables = readTables(fields.tables)
  const rules: DocumentRules = {
    onlinePaused: trueOrFalse(fields.onlinePaused) ?? defaultRules.onlinePaused,
    minParty: integer(fields.minParty, documentBounds.party) ?? defaultRules.minParty,
    maxParty: integer(fields.maxParty, documentBounds.party),
    minNoticeMinutes:
      integer(fields.minNoticeMinutes, documentBounds.noticeMinutes) ?? defaultRules.minNoticeMinutes,
    maxDaysAhead: integer(fields.maxDaysAhead, documentBounds.daysAhead),
    sameDayCutoffMinute: time(fields.sameDayCutoff),
    pacing: { ...pacing, intervalMinutes: pacing.intervalMinutes ?? defaultRules.pacing.intervalMinutes },
    slotStepMinutes:
      integer(fields.slotStepMinutes, documentBounds.intervalMinutes) ?? defaultRules.slotStepMinutes,
    turnTimes: readTurnTimes(fields.turnMinutes),
    periods,
    specialDays,
    closures: entries(fields.closures, documentBounds.closures).flatMap(readClosure),
    blocks: entries(fields.blocks, documentBounds.blocks).flatMap(
      (entry) => readBlock(entry, { periods, specialDays }) ?? [],
    ),
    pacingExceptions: entries(fields.pacingExceptions, documentBounds.blocks).flatMap(
      (entry) => readPacingException(entry, { periods, specialDays }) ?? [],
    ),
    ...(tables && { tables }),
  }
  root.mistakes.push(
    ...overlapMistakes(rules),
    ...partyMistakes(rules),
    ...repeatedDays(specialDays),
    ...repeatedSlots(rules),
  )
  return rules
}

const documentFields = [
  'minParty',
  'maxParty',
  'minNoticeMinutes',
  'maxDaysAhead',
  'sameDayCutoff',
  'pacing',
  'turnMinutes',
  'slotStepMinutes',
  'onlinePaused',
  'periods',
  'specialDays',
  'closures',
  'blocks',
  'pacingExceptions',
  'tables',
] as const

const readWeeklyPeriod = (entry: Field): readonly WeeklyPeriod[] => {
  const fields = fieldsOf(entry, ['weekday', ...periodFields])
  const weekday = integer(required(fields.weekday), documentBounds.weekday)
  const period = readPeriod(fields)
  return weekday !== null && period ? [{ weekday, ...period }] : []
}

const readSpecialDay = (entry: Field): readonly SpecialDay[] => {
  const fields = fieldsOf(entry, ['date', 'name', 'periods'])
  const day = date(required(fields.date))
  const name = text(fields.name, documentBounds.name)
  const periods = entries(required(fields.periods), documentBounds.periodsOfDay).flatMap(
    (period) => readPeriod(fieldsOf(period, periodFields)) ?? [],
  )
  return day === null ? [] : [{ date: day, name, periods }]
}

const readClosure = (entry: Field): readonly Closure[] => {
  const fields = fieldsOf(entry, ['from', 'to', 'name'])
  const from = date(required(fields.from))
  const to = date(required(fields.to))
  const name = text(required(fields.name), documentBounds.name)
  if (from === null || to === null || name === null) return []
  if (to < from) mistake(fields.to, 'must not be before from')
  return [{ from, to, name }]
}

const readTurnTimes = (field: Field): readonly TurnTime[] => {
  const rows: TurnTime[] = []
  for (const entry of entries(field, documentBounds.turnTimes)) {
    const fields = fieldsOf(entry, ['upTo', 'minutes'])
    const upTo = integer(required(fields.upTo), documentBounds.party)
    const minutes = integer(required(fields.minutes), documentBounds.turnMinutes)
    if (upTo === null || minutes === null) continue
    if (rows.some((row) => row.upTo === upTo)) mistake(fields.upTo, 'is listed twice')
    rows.push({ upTo, minutes })
  }
  return rows.toSorted((a, b) => a.upTo - b.upTo)
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

const isSameSlot = (a: PacingException, b: PacingException): boolean =>
  a.serviceDate === b.serviceDate && a.fromMinute === b.fromMinute
