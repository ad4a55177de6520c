import type { Task } from '@venue-data/contract/records/task.ts'
import { addTaskByStaff, deleteTask, editTask, tickTask } from '../../../crm/tasks/actions.ts'
import { type TaskRow, presentTask } from '../../../crm/tasks/task.ts'
import { taskForUpdate } from '../../../crm/tasks/reads.ts'
import { type Stage, type Trigger, there } from './trigger.ts'

const on = 'task'
const typed = { title: 'Order napkins', due: null, priority: 'Medium', category: null, client: null }

const taskOf = async (stage: Stage, asked: number | undefined): Promise<TaskRow> =>
  asked === undefined
    ? addTaskByStaff(stage.work, stage.actor, typed)
    : there(await taskForUpdate(stage.work.db, stage.work.venue.id, asked), on, asked)

const ticked = async ({ work, actor }: Stage, { id }: TaskRow, done: boolean): Promise<Task> =>
  presentTask(await tickTask(work, actor, { id, done }))

export const taskTriggers = {
  'task.created': {
    about: 'staff write down a task',
    emits: 'task.created',
    on: null,
    run: async (stage) => presentTask(await taskOf(stage, undefined)),
  },
  'task.updated': {
    about: 'staff edit the task',
    emits: 'task.updated',
    on,
    run: async (stage, asked) => {
      const { id, version } = await taskOf(stage, asked)
      const edit = { id, seenVersion: version, changes: { priority: 'High' } } as const
      return presentTask(await editTask(stage.work, stage.actor, edit))
    },
  },
  'task.completed': {
    about: 'staff tick the task off',
    emits: 'task.completed',
    on,
    run: async (stage, asked) => ticked(stage, await taskOf(stage, asked), true),
  },
  'task.reopened': {
    about: 'staff tick the task off and on again',
    emits: 'task.reopened',
    on,
    run: async (stage, asked) => {
      const task = await taskOf(stage, asked)
      await ticked(stage, task, true)
      return ticked(stage, task, false)
    },
  },
  'task.deleted': {
    about: 'staff delete the task',
    emits: 'task.deleted',
    on,
    run: async (stage, asked) => {
      const task = await taskOf(stage, asked)
      await deleteTask(stage.work, stage.actor, { id: task.id, seenVersion: task.version })
      return presentTask(task)
    },
  },
} as const satisfies Record<string, Trigger>
