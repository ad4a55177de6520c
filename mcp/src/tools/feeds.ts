import type { Scope } from '@venue-data/sdk'
import { z } from 'zod'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'
import { type ViewedKind, show, views } from '../views.ts'

const kinds = Object.keys(views) as ViewedKind[]
const scopeOf: Readonly<Record<ViewedKind, Scope>> = {
  reservation: 'reservations:read',
  guest: 'guests:read',
  waitlist_entry: 'waitlist:read',
  lead: 'leads:read',
  task: 'tasks:read',
  visit: 'visits:read',
}
const needs = Object.values(scopeOf)

export const feedTools: readonly Tool[] = [
  tool({
    name: 'changes_since',
    title: 'What changed',
    description:
      'The records that came, changed or went since a cursor, each as it is now. The first call, without a cursor, gives that of now. For what happened since a moment, use events_since.',
    needs,
    anyOfThem: true,
    input: input({
      after: say.cursor.describe('The `next` of an earlier answer.'),
      kinds: z
        .array(z.enum(kinds as [ViewedKind, ...ViewedKind[]]))
        .max(kinds.length)
        .optional(),
      limit: say.limitUpTo(100, 50),
      ...say.includes,
    }),
    run: async ({ after = 'latest', kinds: asked, limit, ...include }, { venue, account }) => {
      const readable = kinds.filter((kind) => account.key.scopes.includes(scopeOf[kind]))
      const page = await venue.changes.list({ after, kinds: asked?.length ? asked : readable, limit })
      return {
        changes: page.changes.map(({ kind, id, change: word, at, mergedInto, data }) => ({
          ...{ kind, id, change: word, at: at ?? null, mergedInto: mergedInto ?? null },
          record: data === null || !(kind in views) ? null : show(views[kind as ViewedKind], data, include),
        })),
        next: page.next,
        more: page.more,
      }
    },
  }),

  tool({
    name: 'events_since',
    title: 'What happened',
    description:
      'What happened since a moment, or to one record, in order, for up to 30 days back. It names records and no person; read those that matter by their id.',
    needs,
    anyOfThem: true,
    input: input({
      since: z.iso.datetime({ offset: true }).optional().describe('Such as 2026-10-06T15:00:00Z.'),
      record: z
        .string()
        .regex(/^[a-z_]{1,20}:\d{1,15}$/)
        .optional()
        .describe('Such as reservation:48213.'),
      after: say.cursor.describe('The `next` of an earlier answer.'),
      limit: say.limitUpTo(100, 50),
    }),
    run: async (query, { venue }) => {
      const page = await venue.events.list(query)
      return {
        events: page.items.map(({ event: name, occurredAt, record, changed }) => ({
          ...{ event: name, occurredAt, kind: record?.kind ?? null, id: record?.id ?? null },
          changed: changed ?? null,
        })),
        next: page.next,
        more: page.more,
      }
    },
  }),
]
