import { Type } from 'typebox'
import { body64, type Endpoint, keyClash, list, move, patch, single } from '../webhooks/endpoint.ts'
import { priorities } from '../records/lead.ts'
import { ref } from '../shapes.ts'
import { NewTask, Task, TaskChanges, taskCategories } from '../records/task.ts'

export const taskEndpoints = {
  listTasks: list(
    'listTasks',
    '/api/v1/tasks',
    'Tasks',
    Task,
    { summary: 'List tasks', description: 'The newest tasks, open and done.', since: '2026-11-23' },
    {
      filters: {
        done: true,
        category: { closed: taskCategories },
        priority: { closed: priorities },
        dateFrom: true,
        dateTo: true,
        externalId: true,
      },
      sorts: ['-createdAt', 'createdAt', 'date', 'changed'],
      date: 'due date',
    },
  ),

  createTask: {
    id: 'createTask',
    method: 'POST',
    path: '/api/v1/tasks',
    group: 'Tasks',
    summary: "Add a task for the venue's staff",
    description:
      'It is on the venue’s list of tasks at once, not done. Without an Idempotency-Key a repeat makes a second task.',
    access: 'write',
    scope: 'tasks:create',
    body: NewTask,
    bodyLimit: body64,
    dryRun: true,
    idempotency: 'outcome-unknown',
    replies: {
      201: Type.Object({ task: ref(Task) }, { title: 'TaskReply', description: 'The task was made.' }),
    },
    badRequest: 'The title is missing, or a field cannot be read.',
    reasons: [...keyClash, 'outcome-unknown'],
  },

  getTask: single('getTask', 'task', 'Tasks', 'task'),

  updateTask: patch(
    'updateTask',
    'task',
    'Tasks',
    {
      summary: 'Change a task',
      description: 'A field that is left out stays as it is; `null` empties it.',
    },
    TaskChanges,
  ),

  completeTask: move('completeTask', 'task', 'complete', 'Tasks', {
    summary: 'Complete a task',
    description: 'Takes no body. A task that is already done stays as it is.',
  }),

  reopenTask: move('reopenTask', 'task', 'reopen', 'Tasks', {
    summary: 'Reopen a task',
    description: 'Takes no body. A task that is already open stays as it is.',
  }),
} as const satisfies Record<string, Endpoint>
