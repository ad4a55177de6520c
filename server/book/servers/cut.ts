import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { instantOfMinute } from '../day/day-span.ts'
import { followCuts } from './cut-tables.ts'
import { type InShift, holdShift, inLineUp } from './in-line-up.ts'
import { type MovedByCut, moveFromCuts } from './move-from-cuts.ts'
import { note } from './presses.ts'
import { sectionsOf } from './reads.ts'
import { deletePastCuts, writeOutOfTurn } from './writes.ts'

/**
 * Sends a server home: their tables are out of use for machines until the service ends, and who is booked there is moved
 * where a machine may move them and finds a table; everybody else stays, and the pages list them. Staff may still choose
 * the tables. Who sits there stays theirs. Returns who was moved, with the row of the activity log by which an undo puts them
 * back. Refuses who has no table, and a service that is over.
 */
export const cutServer = async (
  work: Work,
  actor: Actor,
  { shift, server }: InShift,
): Promise<readonly MovedByCut[]> => {
  const { db, venue } = work
  await holdShift(work, shift)
  const { names, lineUp, date, plan, toMinute } = await inLineUp(work, shift, [server])
  const name = names.get(server) ?? ''
  const own = lineUp.find(({ server_id }) => server_id === server)
  // Of two who press at once the second finds it done.
  if (!own || own.cut_at !== null) return []
  const tables = (await sectionsOf(db, venue.id))
    .filter(({ plan_id, section }) => plan_id === plan && own.sections?.includes(section))
    .map(({ table_id }) => table_id)
  if (tables.length === 0) throw badRequest(`${name} has no tables in this service.`)
  const now = work.now()
  if (instantOfMinute(venue.timezone, date, toMinute) <= now.epochMilliseconds)
    throw badRequest('This service is over.')
  await writeOutOfTurn(db, venue.id, { shift, server }, { as: 'cut', at: toMoment(now) })
  await deletePastCuts(db, venue.id, addDays(date, -1))
  await note(work, actor, 'cut a server', { server: name })
  return moveFromCuts(work, actor, shift)
}

/**
 * Takes a cut back: the tables are in use again. The caller puts back who was moved. Returns whether it was cut at all: of
 * two who press at once the second has nothing to take back.
 */
export const undoCut = async (work: Work, actor: Actor, { shift, server }: InShift): Promise<boolean> => {
  const { db, venue } = work
  await holdShift(work, shift)
  const { names, lineUp } = await inLineUp(work, shift, [server])
  if (lineUp.every((one) => one.server_id !== server || one.cut_at === null)) return false
  await writeOutOfTurn(db, venue.id, { shift, server }, { as: 'cut', at: null })
  await followCuts(work, shift)
  await note(work, actor, 'undo a cut', { server: names.get(server) ?? '' })
  return true
}
