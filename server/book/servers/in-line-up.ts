import type { Work } from '../../context.ts'
import { badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { holdDays } from '../day/open-day.ts'
import { type LineUpRow, lineUpOf, serversOf, shiftById } from './reads.ts'

export type InShift = { readonly shift: number; readonly server: number }

/** Locks the days of a service, so that who sits down meanwhile and two presses see each other's outcome. */
export const holdService = async (work: Work, date: LocalDate): Promise<void> => {
  await holdDays(work, undefined, [date, addDays(date, 1)])
}

export const holdShift = async (work: Work, shift: number): Promise<void> => {
  const row = await shiftById(work.db, work.venue.id, shift)
  if (!row) throw notFound('line-up')
  await holdService(work, row.service_date)
}

/** The line-up of a shift that these are in. */
export const inLineUp = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  shift: number,
  servers: readonly number[],
): Promise<{
  readonly date: string
  readonly fromMinute: number
  readonly toMinute: number
  readonly plan: number
  readonly lineUp: readonly LineUpRow[]
  readonly names: ReadonlyMap<number, string>
}> => {
  const [row, lineUp, all] = await Promise.all([
    shiftById(db, venue.id, shift),
    lineUpOf(db, venue.id, shift),
    serversOf(db, venue.id),
  ])
  if (!row) throw notFound('line-up')
  if (servers.some((id) => !lineUp.some(({ server_id }) => server_id === id)))
    throw badRequest('They are not in this line-up; open the page again.')
  const names = new Map(all.map(({ id, name }) => [id, name]))
  const { service_date: date, from_minute: fromMinute, to_minute: toMinute, plan_id: plan } = row
  return { date, fromMinute, toMinute, plan, lineUp, names }
}
