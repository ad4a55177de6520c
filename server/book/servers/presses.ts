import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { type InShift, holdShift, inLineUp } from './in-line-up.ts'
import { type MovedByCut, moveFromCuts } from './move-from-cuts.ts'
import { servedOn } from './reads.ts'
import { giveParties, giveSections, writeOutOfTurn, writeWhoServes } from './writes.ts'

/*
 * What is pressed while a shift runs. Each can be taken back: the presses that do are here, too.
 */

/** Passes a server over: last in turn until the next party sits. `isUndo`: they are in turn again. */
export const skipServer = async (
  work: Work,
  actor: Actor,
  { shift, server, isUndo = false }: InShift & { readonly isUndo?: boolean },
): Promise<void> => {
  const { names } = await inLineUp(work, shift, [server])
  const at = isUndo ? null : toMoment(work.now())
  await writeOutOfTurn(work.db, work.venue.id, { shift, server }, { as: 'skipped', at })
  await note(work, actor, isUndo ? 'undo a skip' : 'skip a server', { server: names.get(server) })
}

export type HandedOver = {
  readonly sections: readonly number[]
  readonly parties: readonly number[]
  readonly moved: readonly MovedByCut[]
}

/**
 * Gives a server's sections to another, and those of the seated parties that go along; the others stay with who served them.
 * Tables of who was cut are in use again with somebody who was not. `only`: just these sections, as an undo gives back what was handed over. Refuses who is not in the line-up. Returns what
 * went over.
 */
export const handOver = async (
  work: Work,
  actor: Actor,
  {
    shift,
    from,
    to,
    parties,
    only,
  }: {
    readonly shift: number
    readonly from: number
    readonly to: number
    readonly parties: readonly number[]
    readonly only?: readonly number[]
  },
): Promise<HandedOver> => {
  const { db, venue } = work
  if (from === to) throw badRequest('Choose who takes over.')
  await holdShift(work, shift)
  const { names, lineUp, date } = await inLineUp(work, shift, [from, to])
  const own = lineUp.find(({ server_id }) => server_id === from)?.sections ?? []
  const sections = only ? own.filter((section) => only.includes(section)) : own
  const theirs = (await servedOn(db, venue.id, date))
    .filter(({ server_id, status }) => server_id === from && status === 'Seated')
    .map(({ reservation_id }) => reservation_id)
    .filter((id) => parties.includes(id))
  await giveSections(db, venue.id, { shift, sections, from, to })
  await giveParties(db, venue.id, { parties: theirs, from, to })
  const moved = await moveFromCuts(work, actor, shift)
  await note(work, actor, 'hand over a section', {
    from: names.get(from),
    to: names.get(to),
    sections: sections.join(', '),
    parties: theirs.length,
    shift,
    handed: { from, to, sections },
  })
  return { sections, parties: theirs, moved }
}

/**
 * Gives one seated party to another server, as when it moved to somebody else's tables. `was`: takes back that it was given to
 * `server`, for whoever had it, which may be nobody or somebody of no line-up. Refuses who is not in the line-up, a party of
 * another day or one that does not sit, and taking back what changed since. Returns who had it.
 */
export const giveParty = async (
  work: Work,
  actor: Actor,
  {
    shift,
    server,
    party,
    was,
  }: InShift & { readonly party: number; readonly was?: number | null | undefined },
): Promise<number | null> => {
  const { db, venue } = work
  const { names, date } = await inLineUp(work, shift, was === undefined ? [server] : [])
  const row = await bookedReservationForUpdate(db, venue.id, party)
  if (row?.status !== 'Seated') throw badRequest('They no longer sit; open the page again.')
  if (row.service_date !== date) throw badRequest('They are of another day; open the page again.')
  const served = await servedOn(db, venue.id, date)
  const before = served.find(({ reservation_id }) => reservation_id === party)?.server_id ?? null
  if (was !== undefined && before !== server)
    throw badRequest('Their server was changed again; open the page again.')
  const after = was === undefined ? server : was
  if (after !== null && !names.has(after)) throw badRequest('There is no such server.')
  await writeWhoServes(db, venue.id, party, after ?? undefined)
  const nameOf = (id: number | null): string | null => (id === null ? null : (names.get(id) ?? null))
  await recordActivity(
    work,
    actor,
    {
      action: 'giveToServer',
      record: { kind: 'reservation', id: party },
      before: { server: nameOf(before) },
      after: { server: nameOf(after) },
    },
    work.now(),
  )
  return before
}

export const note = (
  work: Work,
  actor: Actor,
  action: string,
  after: Readonly<Record<string, unknown>>,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    { action, record: { kind: 'venue', id: work.venue.id }, before: null, after },
    work.now(),
  )
