import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { presentAt, sectionsIn, serverOf, shiftAt } from '../day/who-serves.ts'
import { bookingRulesAround } from '../rules/rules-store.ts'
import {
  lineUpOf,
  seatedWithoutServer,
  sectionPlansOf,
  sectionsOf,
  serversOf,
  shiftOfService,
} from './reads.ts'
import { holdService } from './in-line-up.ts'
import { type TypedInLineUp, withSections } from './line-up.ts'
import { type MovedByCut, moveFromCuts } from './move-from-cuts.ts'
import { type ShiftWritten, writeLineUp, writeShift, writeWhoServes } from './writes.ts'

/**
 * Saves who works a service and with which sections. Who sits keeps their server, and gets one if the line-up comes late. Refuses an empty line-up, a server
 * or a plan that is off or not the venue's, sections as `withSections` does, and a page that shows an old line-up. Returns who was moved from tables that are cut now.
 */
export const saveLineUp = async (
  work: Work,
  actor: Actor,
  {
    shift,
    seenVersion,
    lineUp,
  }: {
    readonly shift: ShiftWritten
    readonly seenVersion: number
    readonly lineUp: readonly Omit<TypedInLineUp, 'name'>[]
  },
): Promise<readonly MovedByCut[]> => {
  const { db, venue } = work
  await holdService(work, shift.date)
  const [servers, plans, sections, known] = await Promise.all([
    serversOf(db, venue.id),
    sectionPlansOf(db, venue.id),
    sectionsOf(db, venue.id),
    shiftOfService(db, venue.id, shift.date, shift.fromMinute),
  ])
  if (!plans.some(({ id, is_on }) => id === shift.plan && (is_on || known?.plan_id === id)))
    throw badRequest('Choose a section plan from the list.')
  if (lineUp.length === 0) throw badRequest('Check who works this service.')
  const before = known && (await lineUpOf(db, venue.id, known.id))
  const named = lineUp.map((one) => {
    const server = servers.find(({ id }) => id === one.server)
    const wasIn = before?.some(({ server_id }) => server_id === one.server)
    if (!server || !(server.is_on || wasIn)) throw badRequest('There is no such server.')
    if (one.untilMinute <= one.fromMinute) throw badRequest(`${server.name} must leave after they come.`)
    return { ...one, name: server.name }
  })
  const ofPlan = [
    ...new Set(sections.filter(({ plan_id }) => plan_id === shift.plan).map(({ section }) => section)),
  ]
  const given = withSections(named, ofPlan)
  if ((known?.version ?? 0) !== seenVersion) throw savedMeanwhile
  const id = await writeShift(db, venue.id, shift, seenVersion)
  if (id === undefined) throw savedMeanwhile
  await writeLineUp(db, venue.id, id, given)
  const moved = await moveFromCuts(work, actor, id)
  await giveWhoSits(work, id, shift.date)
  const names = new Map(servers.map(({ id, name }) => [id, name]))
  await recordActivity(
    work,
    actor,
    {
      action: 'change the line-up',
      record: { kind: 'venue', id: venue.id },
      before: {
        line_up: (before ?? [])
          .map(({ server_id, sections }) => shown(names, server_id, sections ?? []))
          .join('; '),
      },
      after: {
        service_date: shift.date,
        shift: id,
        line_up: given.map((one) => shown(names, one.server, one.sections)).join('; '),
      },
    },
    work.now(),
  )
  return moved
}

/** Who sits already in this shift and has nobody gets the one who has their tables. */
const giveWhoSits = async ({ db, venue }: Work, shift: number, date: LocalDate): Promise<void> => {
  const rules = await bookingRulesAround(db, venue, date)
  const { floor } = rules
  if (!floor) return
  for (const party of await seatedWithoutServer(db, venue.id, date)) {
    const satDown = toInstant(party.seated_at)
    const theirs = shiftAt(floor, rules, date, satDown)
    if (theirs?.id !== shift) continue
    const sections = sectionsIn(floor, theirs, presentAt(theirs, rules.timezone, satDown))
    const server = serverOf(sections, party.tables.map(Number))
    if (server !== undefined) await writeWhoServes(db, venue.id, party.id, server)
  }
}

const savedMeanwhile = new Refusal(
  409,
  'The line-up was just saved by someone else, so nothing was saved; look at it below and save again.',
)

const shown = (names: ReadonlyMap<number, string>, server: number, sections: readonly number[]): string =>
  `${names.get(server) ?? ''} ${sections.join(', ')}`.trim()
