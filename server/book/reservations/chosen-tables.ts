import type { Work } from '../../context.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import { timeOf } from '../../platform/kernel/time/in-words.ts'
import { type FloorDay, type Wanted, floorWithoutLate, partyWanted } from '../day/day-floor.ts'
import { endOfStay, minutesUntil } from '../day/short-stays.ts'
import { labelsOfTables } from '../rules/floor/floor-reads.ts'
import { shortestStay, turnMinutes } from '../rules/turn-minutes.ts'
import { joinedLabels } from '../rules/floor/written-floor.ts'
import { laidAtTables, neededBy } from '../tables/offered/open-tables.ts'
import { type StaffChoice, givesWay, judgeChoice } from '../tables/staff-choice.ts'
import { knownOnly } from '../tables/taken-table.ts'
import type { Day } from '../day/facts.ts'
import type { StaffReason } from './staff-reasons.ts'

/** What speaks against the tables that staff chose; nothing if they chose none, or if tables decide nothing. */
export const choiceOn = (
  work: Pick<Work, 'db' | 'venue'>,
  { floor }: Pick<Day, 'floor'>,
  wanted: Wanted,
  tables: readonly number[] | undefined,
): Promise<StaffChoice> | StaffChoice =>
  floor && tables && tables.length > 0 ? judgeChoice(work, floor, wanted, tables) : { kind: 'free' }

/** Whether there is a table is no question where staff chose one; who is expected at it is. */
export const withChoice = (
  reasons: readonly StaffReason[],
  tables: readonly number[] | undefined,
  choice: StaffChoice,
): readonly StaffReason[] => [
  ...(tables === undefined ? reasons : reasons.filter(({ reason }) => reason !== 'tables-full')),
  ...(choice.kind === 'asked' ? choice.reasons : []),
]

/** The same in one step, for a party that is new to the book: a table where somebody sits refuses all of it. */
export const besidesChosen = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: Pick<Day, 'floor'>,
  wanted: Wanted,
  tables: readonly number[] | undefined,
  reasons: readonly StaffReason[],
): Promise<readonly StaffReason[]> => {
  const choice = await choiceOn(work, day, wanted, tables)
  if (choice.kind === 'taken') throw refuse('not-in-state', choice.sentence)
  return withChoice(reasons, tables, choice)
}

/** Why a party does not sit where it was to, in a sentence for staff; undefined where nothing speaks against it. */
export const whyElsewhere = async (
  work: Pick<Work, 'db' | 'venue'>,
  day: Pick<Day, 'floor'>,
  wanted: Wanted,
): Promise<string | undefined> => {
  const choice = await choiceOn(work, day, wanted, day.floor?.own?.party.tables)
  if (choice.kind === 'taken') return choice.sentence
  if (choice.kind === 'free') return undefined
  return choice.reasons.find(({ reason }) => reason !== 'many-moves')?.sentence.replace(givesWay, '')
}

/** Less than this is no stay: somebody is there. */
const leastMinutes = 5

/** Whether a stay of so many minutes is a short one. */
export const isShort = (minutes: number, usual: number): boolean => minutes >= leastMinutes && minutes < usual

/** Tables that are free for a while, as staff saw them. */
export type StaySeen = {
  readonly tables: readonly number[] | undefined
  /** The end of the stay; undefined: a whole one. */
  readonly until: Temporal.Instant | undefined
  /** Fewer minutes are asked about, even if nothing has changed. */
  readonly least?: number | undefined
}

/** How a party stays at them. */
export type Stay = {
  /** The end of its stay; undefined: it stays as long as it would. */
  readonly until: Temporal.Instant | undefined
  /** The same in minutes, from its start. */
  readonly durationMinutes: number | null | undefined
  /** That they are free for a shorter while than staff saw. */
  readonly reasons: readonly StaffReason[]
}

/**
 * The stay of a party until the end that staff saw, or until its tables are needed now, which they are asked about. `wanted`
 * is its whole stay, on the locked day. Where somebody is there by now, no stay is short: it is judged like any other.
 */
export const stayUntil = (
  { venue }: Pick<Work, 'venue'>,
  { floor }: Pick<Day, 'floor'>,
  wanted: Wanted,
  { tables, until: seen, least = 0 }: StaySeen,
): Stay => {
  const whole = { until: undefined, durationMinutes: wanted.durationMinutes, reasons: [] }
  if (!floor || !seen || !tables || tables.length === 0) return whole
  knownOnly(floor, tables)
  const end = endAsSeen(floor, wanted, { tables, until: seen })
  const isShorter = end !== undefined && Temporal.Instant.compare(end, seen) < 0
  const until = isShorter ? end : seen
  const durationMinutes = minutesUntil(wanted.startsAt, until)
  const most = wanted.durationMinutes ?? turnMinutes(floor.rules, wanted.partySize)
  if (!isShort(durationMinutes, most)) return whole
  const labels = joinedLabels(
    floor.floor.tables.filter(({ id }) => tables.includes(id)).map(({ label }) => label),
  )
  const sentence = `Table ${labels} is free until ${timeOf(until, venue.timezone)} only, ${durationMinutes} minutes.`
  return {
    until,
    durationMinutes,
    reasons:
      isShorter || durationMinutes < least
        ? // The button that confirms carries the end it says: an end that is sooner yet was not confirmed.
          [{ reason: 'short-stay', sentence, figure: null, until, isNew: isShorter }]
        : [],
  }
}

/**
 * That a table which was free for a while is so no longer for as long as it is worth to a party that sits: it would leave its
 * own for it now, whenever it sat down.
 */
export const endsTooSoon = async (
  { db, venue, now }: Pick<Work, 'db' | 'venue' | 'now'>,
  rules: Parameters<typeof shortestStay>[0],
  { partySize, tables, until }: Pick<Wanted, 'partySize'> & Required<Pick<StaySeen, 'tables' | 'until'>>,
): Promise<readonly StaffReason[]> => {
  if (!tables || !until) return []
  const left = minutesUntil(now(), until)
  if (left >= shortestStay(rules, partySize)) return []
  const labels = joinedLabels(await labelsOfTables(db, venue.id, tables))
  const end = timeOf(until, venue.timezone)
  const sentence =
    left > 0
      ? `Table ${labels} is free until ${end} only, ${left} minutes from now.`
      : `Table ${labels} was free until ${end} only.`
  return [{ reason: 'short-stay', sentence, figure: null }]
}

/**
 * When a stay there would have to end now. Who is booked without a table and could sit there was named beside it, and does not
 * end it; nor does who is late for it, which is asked about.
 */
const endAsSeen = (
  day: FloorDay,
  wanted: Wanted,
  { tables, until }: { readonly tables: readonly number[]; readonly until: Temporal.Instant },
): Temporal.Instant | undefined => {
  const floor = floorWithoutLate(day)
  const stay = { ...partyWanted(floor, wanted), until: until.epochMilliseconds }
  const isNamed = neededBy(floor, stay, tables)?.reservation !== undefined
  return endOfStay(floor, wanted, tables, { laid: isNamed ? laidAtTables(floor) : undefined })
}
