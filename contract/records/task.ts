import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { priorities } from './lead.ts'
import {
  came,
  clearable,
  dateOrNull,
  externalId,
  inputDate,
  inputExternalId,
  laterExternalId,
  inputName,
  inputText,
  inputWord,
  moment,
  momentOrNull,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
} from '../shapes.ts'

export const taskCategories = ['Menu', 'Finance', 'Operations', 'POS', 'HR', 'Follow-Up', 'Other'] as const
export type TaskCategory = (typeof taskCategories)[number]

/** Who a task may be assigned to: a role, never a person. */
export const taskRoles = ['host', 'manager', 'owner'] as const
export type TaskRole = (typeof taskRoles)[number]

export const Task = record(
  'Task',
  "Something for the venue's staff to do.",
  {
    id: 1204,
    title: 'Call Maya about the garden room',
    due: '2026-10-08',
    priority: 'High',
    category: 'Follow-Up',
    client: 'Maya Okafor',
    assignedRole: 'manager',
    done: false,
    doneAt: null,
    externalId: null,
    createdAt: '2026-10-06T15:04:05.120Z',
    updatedAt: '2026-10-06T15:04:05.120Z',
    revision: 1,
  },
  {
    id: recordId('task'),
    title: textOrNull('What is to be done.'),
    due: dateOrNull('When it is due.'),
    priority: openList('How urgent it is.', priorities),
    category: openList('What it belongs to.', taskCategories),
    client: textOrNull('Who it is about.'),
    assignedRole: came('2026-11-23', openList('Which staff should do it; `null` for anyone.', taskRoles)),
    done: Type.Boolean({ description: 'Whether it is done; always false for a new task.' }),
    doneAt: came('2026-11-23', momentOrNull('When it was done.')),
    externalId,
    createdAt: came('2026-11-23', moment('When it was added.')),
    updatedAt: came('2026-11-23', moment('When it was last changed.')),
    revision,
  },
)
export type Task = Static<typeof Task>

const fields = {
  title: inputName('What is to be done.', limits.titleCharacters),
  due: inputDate('When it is due, YYYY-MM-DD; past or future.'),
  priority: inputWord('How urgent it is. Left out, it is Medium.', priorities),
  category: inputText(`What it belongs to: ${taskCategories.join(', ')}. Any other value is filed as Other.`),
  client: inputText('Who it is about.'),
  assignedRole: inputWord('Which staff should do it.', taskRoles),
  externalId: inputExternalId,
}

export const NewTask = Type.Object(
  {
    title: fields.title,
    due: Type.Optional(fields.due),
    priority: Type.Optional(fields.priority),
    category: Type.Optional(fields.category),
    client: Type.Optional(fields.client),
    assignedRole: Type.Optional(fields.assignedRole),
    externalId: laterExternalId,
  },
  {
    title: 'NewTask',
    description: "A task for the venue's staff.",
    examples: [
      {
        title: 'Call Maya about the garden room',
        due: '2026-10-08',
        priority: 'High',
        category: 'Follow-Up',
      },
    ],
  },
)
export type NewTask = Static<typeof NewTask>

export const TaskChanges = Type.Object(
  {
    title: Type.Optional(fields.title),
    due: clearable(fields.due),
    priority: Type.Optional(inputWord('How urgent it is.', priorities)),
    category: Type.Optional(fields.category),
    client: clearable(fields.client),
    assignedRole: clearable(fields.assignedRole),
    externalId: clearable(fields.externalId),
  },
  {
    title: 'TaskChanges',
    description: 'Changes to a task.',
    examples: [{ due: '2026-10-09', assignedRole: 'manager' }],
  },
)
export type TaskChanges = Static<typeof TaskChanges>
