import { z } from 'zod'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'
import { cleanText } from '../untrusted.ts'
import { show, views } from '../views.ts'

const priority = z.enum(['High', 'Medium', 'Low']).optional()

export const listTools: readonly Tool[] = [
  tool({
    name: 'waitlist',
    title: 'The waitlist',
    description: 'Who waits for a table on a date, in the order in which they joined; today without a date.',
    needs: ['waitlist:read'],
    job: 'service',
    input: input({
      date: say.date.optional(),
      everyStatus: z.boolean().default(false).describe('Also those who were seated or left.'),
      limit: say.limitUpTo(100, 50),
      after: say.cursor,
      ...say.includes,
    }),
    run: async ({ date: asked, everyStatus, limit, after, ...include }, { venue, today }) => {
      const date = asked ?? today()
      const status = everyStatus ? undefined : ['waiting', 'offered']
      const query = { dateFrom: date, dateTo: date, status, sort: 'createdAt', limit, after } as const
      const { items, next } = await venue.waitlist.list(query).page()
      return { parties: items.map((one) => show(views.waitlist_entry, one, include)), ...say.pageOf(next) }
    },
  }),

  tool({
    name: 'visits',
    title: 'Whose bookings are, and at which tables',
    description:
      'The visits of a guest, a table or a day, latest first, under the ids of their reservations. Tables are named in `tables`.',
    needs: ['visits:read'],
    job: 'service',
    input: input({
      date: say.date.optional(),
      guestId: say.recordId.optional(),
      tableId: say.recordId.optional(),
      limit: say.limitUpTo(100, 25),
      after: say.cursor,
    }),
    run: async ({ date, guestId, tableId, limit, after }, { venue }) => {
      const of = { guest: guestId, table: tableId, dateFrom: date, dateTo: date }
      const [{ items, next }, rooms] = await Promise.all([
        venue.visits.list({ ...of, sort: '-date', limit, after }).page(),
        venue.rooms.list(),
      ])
      const named = new Set(items.flatMap(({ tableIds }) => tableIds ?? []))
      const tables = rooms
        .flatMap((room) => room.tables ?? [])
        .filter(({ id }) => named.has(id))
        .map(({ id, label }) => [id, cleanText(label ?? '')])
      return {
        visits: items.map((one) => show(views.visit, one)),
        tables: Object.fromEntries(tables),
        ...say.pageOf(next),
      }
    },
  }),

  tool({
    name: 'leads',
    title: 'Private-event inquiries',
    description: 'Inquiries about private events, newest first.',
    needs: ['leads:read'],
    job: 'marketing',
    input: input({
      stage: z.string().min(1).max(200).optional().describe('Such as Inquiry.'),
      priority,
      guestId: say.recordId.optional(),
      limit: say.limitUpTo(50, 10),
      after: say.cursor,
      ...say.includes,
    }),
    run: async ({ stage, priority: urgency, guestId, limit, after, ...include }, { venue }) => {
      const query = { stage, priority: urgency, guest: guestId, limit, after }
      const { items, next } = await venue.leads.list(query).page()
      return { leads: items.map((one) => show(views.lead, one, include)), ...say.pageOf(next) }
    },
  }),

  tool({
    name: 'tasks',
    title: 'Tasks of the staff',
    description: 'What the staff have to do, by due date; only open tasks unless asked otherwise.',
    needs: ['tasks:read'],
    input: input({
      done: z.boolean().default(false).describe('Those that are done instead.'),
      priority,
      dueBy: say.date.optional().describe('Only those due by this date.'),
      limit: say.limitUpTo(100, 25),
      after: say.cursor,
    }),
    run: async ({ done, priority: urgency, dueBy, limit, after }, { venue }) => {
      const query = { done, priority: urgency, dateTo: dueBy, sort: 'date', limit, after } as const
      const { items, next } = await venue.tasks.list(query).page()
      return { tasks: items.map((one) => show(views.task, one)), ...say.pageOf(next) }
    },
  }),
]
