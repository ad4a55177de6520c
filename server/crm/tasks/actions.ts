import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { type SeenVersion, asSeen } from '../../platform/kernel/running/seen-version.ts'
import { type TypedTask, taskFields } from './fields.ts'
import { type NewTask, type TaskRow, presentTask } from './task.ts'
import { taskForUpdate } from './reads.ts'
import { insertTask, removeTask, writeDone, writeTask } from './writes.ts'

/** Puts a task on the list of the venue's staff. */
export const addTask = async (work: Work, task: NewTask): Promise<TaskRow> => {
  const now = work.now()
  const row = await insertTask(work.db, work.venue.id, task, now)
  await recordEvent(work, 'task.created', presentTask(row), now)
  return row
}

/** A task that staff write down. */
export const addTaskByStaff = async (work: Work, actor: Actor, typed: TypedTask): Promise<TaskRow> => {
  const after = await addTask(work, taskFields.read(typed))
  await recordActivity(
    work,
    actor,
    { action: 'make', record: { kind: 'task', id: after.id }, before: null, after },
    work.now(),
  )
  return after
}

export type SeenTask = { readonly id: number; readonly seenVersion: SeenVersion }

/** Changes a task; a column left out stays. */
export const editTask = async (
  work: Work,
  actor: Actor,
  { id, seenVersion, changes }: SeenTask & { readonly changes: Partial<TaskRow> },
): Promise<TaskRow> => {
  const { db, venue } = work
  const before = asSeen('task', await taskForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  const after = await writeTask(db, venue.id, { ...before, ...changes }, now)
  await recordEvent(work, 'task.updated', presentTask(after), now, { before: presentTask(before) })
  await recordActivity(work, actor, { action: 'edit', record: { kind: 'task', id }, before, after }, now)
  return after
}

/**
 * Ticks a task off, or on again. The office asks for no version: two people who tick one box mean the same, and the
 * second changes nothing.
 */
export const tickTask = async (
  work: Work,
  actor: Actor,
  { id, done, seenVersion = anyVersion }: Partial<SeenTask> & { readonly id: number; readonly done: boolean },
): Promise<TaskRow> => {
  const { db, venue } = work
  const before = asSeen('task', await taskForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  const after = await writeDone(db, venue.id, id, done, now)
  if (!after) return before
  await recordEvent(work, done ? 'task.completed' : 'task.reopened', presentTask(after), now, {
    before: presentTask(before),
  })
  const action = done ? 'done' : 'undone'
  await recordActivity(work, actor, { action, record: { kind: 'task', id }, before, after }, now)
  return after
}

const anyVersion = (): void => undefined

export const deleteTask = async (work: Work, actor: Actor, { id, seenVersion }: SeenTask): Promise<void> => {
  const { db, venue } = work
  const before = asSeen('task', await taskForUpdate(db, venue.id, id), seenVersion)
  const now = work.now()
  await removeTask(db, venue.id, id, now)
  const last = { ...before, revision: before.revision + 1, updated_at: toMoment(now) }
  await recordEvent(work, 'task.deleted', presentTask(last), now)
  await recordActivity(
    work,
    actor,
    { action: 'delete', record: { kind: 'task', id }, before, after: null },
    now,
  )
}
