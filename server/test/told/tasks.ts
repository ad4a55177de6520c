import { addTaskByStaff, deleteTask, editTask, tickTask } from '../../crm/tasks/actions.ts'
import { type Scene, type Stage, manager, post } from './stage.ts'

/** Every doing of the table with a task, played for real. */

const typed = { title: 'Order napkins', due: null, priority: 'Low', category: null, client: null }

const aTask = async (stage: Stage) => (await stage.act((work) => addTaskByStaff(work, manager, typed))).id

const tick = (stage: Stage, id: number, done: boolean) =>
  stage.act((work) => tickTask(work, manager, { id, done }))

const ticks =
  (before: readonly boolean[], done: boolean): Scene =>
  async (stage) => {
    const id = await aTask(stage)
    for (const one of before) await tick(stage, id, one)
    return () => tick(stage, id, done)
  }

export const taskScenes = {
  'add a task by API': [async (stage) => () => post(stage, 'tasks', { title: 'Order napkins' })],
  'add a task by staff': [async (stage) => () => aTask(stage)],
  'edit a task': [
    async (stage) => {
      const id = await aTask(stage)
      const changes = { priority: 'High' } as const
      return () => stage.act((work) => editTask(work, manager, { id, seenVersion: 1, changes }))
    },
  ],
  'do a task': [ticks([], true)],
  'do a task again': [ticks([true], true)],
  'reopen a task': [ticks([true], false)],
  'delete a task': [
    async (stage) => {
      const id = await aTask(stage)
      return () => stage.act((work) => deleteTask(work, manager, { id, seenVersion: 1 }))
    },
  ],
} as const satisfies Record<string, readonly Scene[]>
