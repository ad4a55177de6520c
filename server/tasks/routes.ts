import { endpoints } from '@venue-data/contract/endpoints.ts'
import { priorities } from '@venue-data/contract/lead.ts'
import { taskCategories } from '@venue-data/contract/task.ts'
import { listRoute } from '../http/list-route.ts'
import { readWord, wordOf } from '../http/read-body.ts'
import { created, route } from '../http/serve.ts'
import { recordRoute } from '../http/single-record.ts'
import { addTask } from './actions.ts'
import { listedTasks } from './list.ts'
import { presentTask } from './present.ts'
import { taskById } from './reads.ts'

export const taskRoutes = [
  listRoute(endpoints.listTasks, { source: listedTasks, present: presentTask }),

  route(endpoints.createTask, {
    read: ({ body: { title, due, priority, category, client } }) => ({
      title,
      due: due ?? null,
      priority: readWord('priority', priority, priorities) ?? 'Medium',
      category: wordOf(category ?? '', taskCategories) ?? 'Other',
      client: client ?? null,
    }),
    answer: async (work, task) => created({ task: presentTask(await addTask(work, task)) }),
  }),

  recordRoute(endpoints.getTask, { byId: taskById, present: presentTask }),
]
