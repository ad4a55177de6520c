import type { Task } from '@venue-data/contract/records/task.ts'
import type { TaskRow } from './reads.ts'

export const presentTask = (row: TaskRow): Task => ({
  id: row.id,
  title: row.title,
  due: row.due,
  priority: row.priority,
  category: row.category,
  client: row.client,
  assignedRole: row.assigned_role,
  done: row.done,
  doneAt: row.done_at,
  externalId: row.external_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
})
