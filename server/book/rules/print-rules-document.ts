import { clockTimeAt } from '../../platform/kernel/time/written-time.ts'
import { type DocumentRules, type ServicePeriod, defaultRules } from './booking-rules.ts'
import { printBlock, printPacingException } from './rules-document-blocks.ts'
import { printTables } from './rules-document-tables.ts'

/** The rules document as `rules show` prints it. */
export type RulesDocument = ReturnType<typeof printRulesDocument>

/**
 * Writes rules as the document that `readRulesDocument` reads back to the same rules. The fields every
 * venue looks for are always there; overrides and rarely used fields only where they are set.
 */
export const printRulesDocument = (rules: DocumentRules) => ({
  minParty: rules.minParty,
  maxParty: rules.maxParty,
  minNoticeMinutes: rules.minNoticeMinutes,
  maxDaysAhead: rules.maxDaysAhead,
  sameDayCutoff: printTime(rules.sameDayCutoffMinute),
  pacing: printPacing(rules.pacing),
  ...(rules.slotStepMinutes !== defaultRules.slotStepMinutes && { slotStepMinutes: rules.slotStepMinutes }),
  ...(rules.onlinePaused && { onlinePaused: true }),
  turnMinutes: rules.turnTimes.map(({ upTo, minutes }) => ({ upTo, minutes })),
  periods: rules.periods.map(({ weekday, ...period }) => ({ weekday, ...printPeriod(period) })),
  specialDays: rules.specialDays.map(({ date, name, periods }) => ({
    date,
    name,
    periods: periods.map(printPeriod),
  })),
  closures: rules.closures.map(({ from, to, name }) => ({ from, to, name })),
  blocks: rules.blocks.map((block) => printBlock(block, rules)),
  ...(rules.pacingExceptions.length > 0 && {
    pacingExceptions: rules.pacingExceptions.map((one) => printPacingException(one, rules)),
  }),
  ...(rules.tables && { tables: printTables(rules.tables) }),
})

const printPeriod = (period: ServicePeriod) => ({
  ...whereSet({ name: period.name }),
  opens: clockTimeAt(period.startMinute),
  closes: clockTimeAt(period.endMinute),
  ...whereSet({ lastArrival: printTime(period.lastArrivalMinute) }),
  ...(period.seatingMinutes.length > 0 && { seatings: period.seatingMinutes.map(clockTimeAt) }),
  ...whereSet({
    minParty: period.minParty,
    maxParty: period.maxParty,
    sameDayCutoff: printTime(period.sameDayCutoffMinute),
  }),
  ...(Object.values(period.pacing).some((part) => part !== null) && {
    pacing: whereSet(printPacing(period.pacing)),
  }),
})

/** In the order of the published document: rules from the database come with their fields in any order. */
const printPacing = ({ intervalMinutes, maxCovers, maxParties }: ServicePeriod['pacing']) => ({
  intervalMinutes,
  maxCovers,
  maxParties,
})

const printTime = (minute: number | null): string | null => (minute === null ? null : clockTimeAt(minute))

const whereSet = <T extends Record<string, string | number | null>>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)) as Partial<T>
