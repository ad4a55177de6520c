import { endpoints } from '@venue-data/contract/endpoints.ts'
import { priorities } from '@venue-data/contract/records/lead.ts'
import { type TaskChanges, taskCategories, taskRoles } from '@venue-data/contract/records/task.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, route } from '../../platform/http/serve.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { wordOf } from '../../platform/http/wrong-fields.ts'
import { addTask, editTask, tickTask } from './actions.ts'
import { listedTasks } from './list.ts'
import { presentTask } from './present.ts'
import { taskById } from './reads.ts'

export const taskRoutes = [
  listRoute(endpoints.listTasks, { source: listedTasks, present: presentTask }),

  route(endpoints.createTask, {
    read: ({ body: { title, due, client, externalId, ...words } }) => ({
      title,
      due: due ?? null,
      client: client ?? null,
      priority: 'Medium' as const,
      category: 'Other' as const,
      assigned_role: null,
      external_id: externalId ?? null,
      ...columnsOfWords(words),
    }),
    answer: async (work, task) => created({ task: presentTask(await addTask(work, task)) }),
  }),

  recordRoute(endpoints.getTask, { byId: taskById, present: presentTask }),

  recordWrite(endpoints.updateTask, {
    read: ({ body: { title, due, client, externalId, ...words } }) => ({
      ...(title !== undefined && { title }),
      ...(due !== undefined && { due }),
      ...(client !== undefined && { client }),
      ...(externalId !== undefined && { external_id: externalId }),
      ...columnsOfWords(words),
    }),
    write: (work, { actor, input, ...seen }) => editTask(work, actor, { ...seen, changes: input }),
    present: presentTask,
  }),

  recordWrite(endpoints.completeTask, {
    write: (work, { actor, ...seen }) => tickTask(work, actor, { ...seen, done: true }),
    present: presentTask,
  }),

  recordWrite(endpoints.reopenTask, {
    write: (work, { actor, ...seen }) => tickTask(work, actor, { ...seen, done: false }),
    present: presentTask,
  }),
]

/** What was said of the fields that are words. */
const columnsOfWords = ({
  priority,
  category,
  assignedRole,
}: Pick<TaskChanges, 'priority' | 'category' | 'assignedRole'>) => ({
  ...(priority !== undefined && { priority: readWord('priority', priority, priorities) }),
  ...(category !== undefined && { category: wordOf(category, taskCategories) ?? 'Other' }),
  ...(assignedRole !== undefined && {
    assigned_role: assignedRole === null ? null : readWord('assignedRole', assignedRole, taskRoles),
  }),
})
