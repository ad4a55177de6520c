import { limits } from '@venue-data/contract/limits.ts'
import { priorities } from '@venue-data/contract/lead.ts'
import { taskCategories } from '@venue-data/contract/task.ts'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Work } from '../context.ts'
import { notFound } from '../kernel/refusal.ts'
import { asSeen } from '../kernel/seen-version.ts'
import { needed, oneOf, typedDate, typedLine } from '../kernel/typed-fields.ts'
import { type StaffTaskRow, staffTask, staffTaskForUpdate } from './staff-reads.ts'
import { removeTask, writeDone, writeStaffTask } from './staff-writes.ts'
import { type NewTaskRow, insertTask } from './writes.ts'

/** A task, as typed. */
export type TypedTask = {
  readonly title: string
  readonly due: string | null
  readonly priority: string
  readonly category: string
  readonly client: string | null
}

export type SeenTask = { readonly id: number; readonly seenVersion: number }

/** A task that staff write down. */
export const addTaskByStaff = async (work: Work, actor: Actor, typed: TypedTask): Promise<StaffTaskRow> => {
  const { db, venue } = work
  const now = work.now()
  const { id } = await insertTask(db, venue.id, columnsOfTask(typed), now)
  const after = await staffTask(db, venue.id, id)
  if (!after) throw new Error('a task that was just made is not there')
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'task', id }, before: null, after },
    now,
  )
  return after
}

export const editTask = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, ...typed }: SeenTask & TypedTask,
): Promise<StaffTaskRow> => {
  const { db, venue } = work
  const before = asSeen('task', await staffTaskForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  const after = await writeStaffTask(db, venue.id, id, columnsOfTask(typed), now)
  await recordActivity(work, actor, { action: 'edit', record: { kind: 'task', id }, before, after }, now)
  return after
}

/**
 * Ticks a task off, or on again. Asks for no version: two people who tick one box mean the same, and the second
 * changes nothing.
 */
export const tickTask = async (
  work: Work,
  actor: Actor,
  { id, done }: { readonly id: number; readonly done: boolean },
): Promise<StaffTaskRow> => {
  const { db, venue } = work
  const before = await staffTaskForUpdate(db, venue.id, id)
  if (!before) throw notFound('task')
  const now = work.now()
  const after = await writeDone(db, venue.id, id, done, now)
  if (!after) return before
  const action = done ? 'done' : 'undone'
  await recordActivity(work, actor, { action, record: { kind: 'task', id }, before, after }, now)
  return after
}

export const deleteTask = async (work: Work, actor: Actor, { id, seenVersion }: SeenTask): Promise<void> => {
  const { db, venue } = work
  const before = asSeen('task', await staffTaskForUpdate(db, venue.id, id), seenVersion)
  await removeTask(db, venue.id, id)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'task', id }, before, after: null },
    work.now(),
  )
}

const columnsOfTask = (typed: TypedTask): NewTaskRow => ({
  title: needed('The title', typedLine('The title', typed.title, limits.titleCharacters)),
  due: typedDate('The due date', typed.due),
  priority: oneOf('The priority', typed.priority, priorities),
  category: oneOf('The category', typed.category, taskCategories),
  client: typedLine('The client', typed.client, limits.shortTextCharacters),
})
