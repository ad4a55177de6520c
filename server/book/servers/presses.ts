import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { bookedReservationForUpdate } from '../day/book-row.ts'
import { followCuts } from './cut-tables.ts'
import { type InShift, holdShift, inLineUp } from './in-line-up.ts'
import { servedOn } from './reads.ts'
import { giveParties, giveSections, writeSkipped, writeWhoServes } from './writes.ts'

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
  await writeSkipped(work.db, work.venue.id, { shift, server }, isUndo ? null : toMoment(work.now()))
  await note(work, actor, isUndo ? 'undo a skip' : 'skip a server', { server: names.get(server) })
}

export type HandedOver = { readonly sections: readonly number[]; readonly parties: readonly number[] }

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
  await followCuts(work, shift)
  await note(work, actor, 'hand over a section', {
    from: names.get(from),
    to: names.get(to),
    sections: sections.join(', '),
    parties: theirs.length,
  })
  return { sections, parties: theirs }
}

/**
 * Gives one seated party to another server, as when it moved to somebody else's tables. Refuses who is not in the line-up and
 * a party that does not sit. Returns who had it.
 */
export const giveParty = async (
  work: Work,
  actor: Actor,
  { shift, server, party }: InShift & { readonly party: number },
): Promise<number | undefined> => {
  const { db, venue } = work
  const { names } = await inLineUp(work, shift, [server])
  const row = await bookedReservationForUpdate(db, venue.id, party)
  if (row?.status !== 'Seated' || row.service_date === null)
    throw badRequest('They no longer sit; open the page again.')
  const served = await servedOn(db, venue.id, row.service_date)
  const before = served.find(({ reservation_id }) => reservation_id === party)?.server_id
  await writeWhoServes(db, venue.id, party, server)
  await recordActivity(
    work,
    actor,
    {
      action: 'giveToServer',
      record: { kind: 'reservation', id: party },
      before: { server: before === undefined ? null : (names.get(before) ?? null) },
      after: { server: names.get(server) ?? null },
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
