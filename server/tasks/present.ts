import type { Task } from '@venue-data/contract/task.ts'
import type { TaskRow } from './reads.ts'

export const presentTask = ({
  id,
  title,
  due,
  priority,
  category,
  client,
  done,
  revision,
}: TaskRow): Task => ({
  id,
  title,
  due,
  priority,
  category,
  client,
  done,
  revision,
})
