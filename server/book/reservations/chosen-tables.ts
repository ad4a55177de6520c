import type { Work } from '../../context.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import type { Wanted } from '../day/day-floor.ts'
import { type StaffChoice, givesWay, judgeChoice } from '../tables/staff-choice.ts'
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
  return choice.kind === 'asked' ? choice.reasons[0]?.sentence.replace(givesWay, '') : undefined
}
