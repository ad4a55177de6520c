import type { Work } from '../../context.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import { badRequest, notFound } from '../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../platform/kernel/running/seen-version.ts'
import { needed, typedLine } from '../../platform/kernel/typed-fields.ts'
import { addDays } from '../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { tablesByLabel } from '../rules/floor/floor-reads.ts'
import { markRulesChanged } from '../rules/rules-store.ts'
import { holdService } from './in-line-up.ts'
import { type MovedByCut, moveFromCuts } from './move-from-cuts.ts'
import { hasServed, cutShiftsOf, mostServers, sectionPlansOf, sectionsOf, serversOf } from './reads.ts'
import { type ServerRow, initialsOf, serverColors } from './server.ts'
import { labelsIn, typedLabels } from './typed-labels.ts'
import { deleteServer, insertServer, updateServer, writePlan, writeSections } from './writes.ts'

/*
 * What a manager keeps for the line-ups: the servers, and which tables are a section. Each is in the trail of the venue.
 */

/** More than anybody walks between. */
export const mostSections = 20
export const mostPlans = 20
const mostName = 60
const mostInitials = 3

export type TypedServer = {
  readonly name: string
  /** Empty: from the name. */
  readonly initials: string
  /** Empty: one that nobody else has, if there is one. */
  readonly color: string
  readonly account: number | null
  readonly isOn: boolean
}

/** Adds a server. Refuses initials that another one has who is on. */
export const addServer = async (work: Work, actor: Actor, typed: TypedServer): Promise<ServerRow> => {
  const servers = await serversOf(work.db, work.venue.id)
  if (servers.length >= mostServers) throw badRequest(`There are ${mostServers} servers; delete one first.`)
  const row = await insertServer(work.db, work.venue.id, read(typed, servers))
  await note(work, actor, 'add a server', null, row)
  return row
}

/** Changes one; off, they are in no new line-up, and what they served stays theirs. Refuses an old page. */
export const changeServer = async (
  work: Work,
  actor: Actor,
  { id, version, ...typed }: TypedServer & { readonly id: number; readonly version: number },
): Promise<void> => {
  const servers = await serversOf(work.db, work.venue.id)
  const before = servers.find((one) => one.id === id)
  if (!before) throw notFound('server')
  const others = servers.filter((one) => one.id !== id)
  const after = await updateServer(work.db, work.venue.id, { id, version }, read(typed, others))
  if (!after) throw changedMeanwhile('server')
  await note(work, actor, 'change a server', before, after)
}

/** Deletes one who was never in a shift; anybody else is only turned off. */
export const removeServer = async (work: Work, actor: Actor, id: number): Promise<void> => {
  const { db, venue } = work
  const before = (await serversOf(db, venue.id)).find((one) => one.id === id)
  if (!before) throw notFound('server')
  if (await hasServed(db, venue.id, id))
    throw badRequest(`${before.name} is in a line-up or served somebody, so they can only be turned off.`)
  await deleteServer(db, venue.id, id)
  await note(work, actor, 'delete a server', before, null)
}

const read = (
  { name: typedName, initials: typedInitials, color: typedColor, account, isOn }: TypedServer,
  others: readonly ServerRow[],
) => {
  const name = needed('The name', typedLine('The name', typedName, mostName))
  const initials = typedLine('The initials', typedInitials, mostInitials) ?? initialsOf(name)
  const same = others.find((one) => one.is_on && one.initials.toLowerCase() === initials.toLowerCase())
  if (isOn && same) throw badRequest(`${same.name} has the initials ${initials}; choose others.`)
  const free = serverColors.find((color) => !others.some((one) => one.is_on && one.color === color))
  const color =
    typedColor === ''
      ? (free ?? serverColors[others.length % serverColors.length] ?? serverColors[0])
      : serverColors.find((known) => known === typedColor)
  if (color === undefined) throw badRequest('Choose a color from the list.')
  return { name, initials, color, account, is_on: isOn }
}

const note = (
  work: Work,
  actor: Actor,
  action: string,
  before: ServerRow | null,
  after: ServerRow | null,
): Promise<void> =>
  recordActivity(
    work,
    actor,
    { action, record: { kind: 'venue', id: work.venue.id }, before: shown(before), after: shown(after) },
    work.now(),
  )

const shown = (row: ServerRow | null) =>
  row && { server: row.name, initials: row.initials, color: row.color, is_on: row.is_on }

export type TypedPlan = {
  /** Absent: a new one. */
  readonly id: number | undefined
  readonly version: number
  readonly name: string
  readonly isOn: boolean
  /** For each section, from the first, the labels of its tables as they were typed: "11 12, 13". */
  readonly sections: readonly string[]
}

export type PlanSaved = {
  readonly id: number
  /** Somebody of a shift with this plan is cut, so its tables may have changed. */
  readonly isCut: boolean
  readonly moved: readonly MovedByCut[]
}

/**
 * Makes or changes a section plan. Refuses a label that the venue has no table with, a table in two sections, and an old
 * page. A shift that runs takes its new sections at once, and so do the cuts in it: who is booked at a table that is cut now
 * is moved. Who sits keeps their server.
 */
export const savePlan = async (work: Work, actor: Actor, typed: TypedPlan): Promise<PlanSaved> => {
  const { db, venue } = work
  const name = needed('The name', typedLine('The name', typed.name, mostName))
  const cut = typed.id === undefined ? [] : await cutShiftsOf(db, venue.id, typed.id, yesterday(work))
  for (const { service_date } of cut) await holdService(work, service_date)
  const plans = await sectionPlansOf(db, venue.id)
  if (typed.id === undefined && plans.length >= mostPlans)
    throw badRequest(`There are ${mostPlans} section plans; change one of them.`)
  if (plans.some((one) => one.id !== typed.id && one.name.toLowerCase() === name.toLowerCase()))
    throw badRequest(`There is a section plan called ${name}; choose another name.`)
  if (typed.id !== undefined && !plans.some(({ id }) => id === typed.id)) throw notFound('section plan')
  const tables = await tablesTyped(work, typed.sections)
  if (tables.length === 0) throw badRequest('Give at least one section its tables.')
  const before =
    typed.id === undefined
      ? null
      : await planShown(work, plans.find(({ id }) => id === typed.id)?.name ?? '', typed.id)
  const id = await writePlan(db, venue.id, typed, { name, isOn: typed.isOn })
  if (id === undefined) throw changedMeanwhile('section plan')
  await writeSections(db, venue.id, id, tables)
  await markRulesChanged(db, venue.id)
  const moved: MovedByCut[] = []
  for (const shift of cut) moved.push(...(await moveFromCuts(work, actor, shift.id)))
  await recordActivity(
    work,
    actor,
    {
      action: 'change the sections',
      record: { kind: 'venue', id: venue.id },
      before,
      after: await planShown(work, name, id),
    },
    work.now(),
  )
  return { id, isCut: cut.length > 0, moved }
}

/** The earliest date of a service that may still run. */
const yesterday = ({ venue, now }: Work): LocalDate => addDays(wallTimeOf(now(), venue.timezone).date, -1)

const tablesTyped = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  sections: readonly string[],
): Promise<readonly { readonly table: number; readonly section: number }[]> => {
  if (sections.length > mostSections) throw badRequest(`A plan has at most ${mostSections} sections.`)
  const known = await tablesByLabel(db, venue.id)
  const found = new Map<number, number>()
  for (const [place, text] of sections.entries()) {
    for (const label of labelsIn(text, known.keys())) {
      const table = known.get(label.toLowerCase())
      if (table === undefined) throw badRequest(`There is no table ${label}.`)
      const other = found.get(table)
      if (other !== undefined && other !== place + 1)
        throw badRequest(`Table ${label} is in sections ${other} and ${place + 1}; a table has one.`)
      found.set(table, place + 1)
    }
  }
  return [...found].map(([table, section]) => ({ table, section }))
}

const planShown = async ({ db, venue }: Work, name: string, id: number) => {
  const sections = (await sectionsOf(db, venue.id)).filter(({ plan_id }) => plan_id === id)
  const words = Map.groupBy(sections, ({ section }) => section)
  return {
    section_plan: name,
    sections: [...words]
      .map(([section, tables]) => `${section}: ${typedLabels(tables.map(({ label }) => label))}`)
      .join('; '),
  }
}
