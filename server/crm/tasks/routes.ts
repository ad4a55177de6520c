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
import { presentTask, taskRecord } from './task.ts'
import { taskById } from './reads.ts'

export const taskRoutes = [
  listRoute(endpoints.listTasks, { source: listedTasks, present: presentTask }),

  route(endpoints.createTask, {
    read: ({ body }) => ({ priority: 'Medium', category: 'Other', ...columnsOf(body) }),
    answer: async (work, task) => created({ task: presentTask(await addTask(work, task)) }),
  }),

  recordRoute(endpoints.getTask, { byId: taskById, present: presentTask }),

  recordWrite(endpoints.updateTask, {
    read: ({ body }) => columnsOf(body),
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

/** What a body says, its words as the contract spells them. */
const columnsOf = <Body extends TaskChanges>({ priority, category, assignedRole, ...others }: Body) =>
  taskRecord.columns({
    ...others,
    priority: readWord('priority', priority, priorities),
    category: category === undefined ? undefined : (wordOf(category, taskCategories) ?? 'Other'),
    assignedRole: assignedRole === null ? null : readWord('assignedRole', assignedRole, taskRoles),
  })
