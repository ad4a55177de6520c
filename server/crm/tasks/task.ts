import { Task } from '@venue-data/contract/records/task.ts'
import { recordOf } from '../../platform/db/record-of.ts'
import type { RowOf } from '../../platform/db/sql.ts'
import { taskFields } from './fields.ts'

export const taskRow = {
  id: 'int8',
  title: 'text',
  due: 'date?',
  priority: 'text',
  category: 'text',
  client: 'text?',
  assigned_role: 'text?',
  external_id: 'text?',
  done: 'bool',
  revision: 'int4',
  /** What a form carries. */
  version: 'int4',
  done_at: 'timestamptz?',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const
export type TaskRow = RowOf<typeof taskRow>

export const taskRecord = recordOf(Task, taskRow, {
  written: [...taskFields.columns, 'external_id'],
})
/** Only integrators give it an id of their own. */
export type NewTask = Parameters<typeof taskRecord.values>[0]
export const presentTask = taskRecord.present
