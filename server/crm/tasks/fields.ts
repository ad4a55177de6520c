import { limits } from '@venue-data/contract/limits.ts'
import { priorities } from '@venue-data/contract/records/lead.ts'
import { type TaskRole, taskCategories } from '@venue-data/contract/records/task.ts'
import { date, fieldsOf, line, required, word, wordOrNone } from '../../platform/kernel/fields.ts'

/** What staff may type of a task. */
export const taskFields = fieldsOf({
  title: required(line('title', 'Task', { most: limits.titleCharacters, freeText: true })),
  due: date('due', 'Due date'),
  priority: word('priority', 'Priority', priorities, 'Medium'),
  category: word('category', 'Category', taskCategories, 'Other'),
  client: line('client', 'Client', { freeText: true }),
  assigned_role: wordOrNone(
    'assignedRole',
    'For',
    { host: 'Hosts', manager: 'Managers', owner: 'Owners' } satisfies Record<TaskRole, string>,
    'Anyone',
  ),
})
export type TypedTask = Parameters<typeof taskFields.read>[0]
