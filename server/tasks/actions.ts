import type { Task } from '@venue-data/contract/task.ts'
import type { Work } from '../context.ts'
import { presentTask } from './present.ts'
import { type NewTaskRow, insertTask } from './writes.ts'

/** Puts a task on the list of the venue's staff. Nobody is told: there is no event for tasks. */
export const addTask = async ({ db, venue, now }: Work, task: NewTaskRow): Promise<Task> =>
  presentTask(await insertTask(db, venue.id, task, now()))
