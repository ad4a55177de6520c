import { leadRecord } from '../../crm/leads/lead.ts'
import { taskRecord } from '../../crm/tasks/task.ts'
import { contactKeys } from '../../platform/kernel/phone/contact-keys.ts'
import { type Tables, insertAll } from './bulk.ts'
import type { DemoGuest } from '../guest-book.ts'
import type { DemoLead } from '../leads.ts'
import type { DemoTask } from '../tasks.ts'

/** Writes the inquiries, each with its guest. */
export const writeLeads = (
  tables: Tables,
  leads: readonly DemoLead[],
  guestIds: ReadonlyMap<DemoGuest, number>,
): Promise<void> =>
  insertAll(tables, 'lead', leads, (one) => ({
    ...leadRecord.columns({ ...one, submittedAt: one.createdAt }),
    ...contactKeys(one.contactEmail, one.contactPhone),
    guest_id: guestIds.get(one.guest) as number,
    concept: one.concept,
  }))

export const writeTasks = (tables: Tables, tasks: readonly DemoTask[]): Promise<void> =>
  insertAll(tables, 'task', tasks, taskRecord.columns)
