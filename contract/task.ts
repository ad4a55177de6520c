import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { priorities } from './lead.ts'
import {
  dateOrNull,
  inputDate,
  inputName,
  inputText,
  inputWord,
  openList,
  record,
  recordId,
  revision,
  textOrNull,
} from './shapes.ts'

export const taskCategories = ['Menu', 'Finance', 'Operations', 'POS', 'HR', 'Follow-Up', 'Other'] as const
export type TaskCategory = (typeof taskCategories)[number]

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
    done: false,
    revision: 1,
  },
  {
    id: recordId('task'),
    title: textOrNull('What is to be done.'),
    due: dateOrNull('When it is due.'),
    priority: openList('How urgent it is.', priorities),
    category: openList('What it belongs to.', taskCategories),
    client: textOrNull('Who it is about.'),
    done: Type.Boolean({ description: 'Whether it is done; always false for a new task.' }),
    revision,
  },
)
export type Task = Static<typeof Task>

export const NewTask = Type.Object(
  {
    title: inputName('What is to be done.', limits.titleCharacters),
    due: Type.Optional(inputDate('When it is due, YYYY-MM-DD; past or future.')),
    priority: Type.Optional(inputWord('How urgent it is. Left out, it is Medium.', priorities)),
    category: Type.Optional(
      inputText(`What it belongs to: ${taskCategories.join(', ')}. Any other value is filed as Other.`),
    ),
    client: Type.Optional(inputText('Who it is about.')),
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
