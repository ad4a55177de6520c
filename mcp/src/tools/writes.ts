import type { Scope } from '@venue-data/sdk'
import { z } from 'zod'
import { type Write, writes } from '../generated/writes.ts'
import { type Job, type Tool, input, recordId, tool } from '../tool.ts'
import { type Body, doWrite, readScopeOf, tryWrite } from './write-calls.ts'

/* The writes of the contract as tools. Each is two calls; confirmations.ts says what ties the second to the first. */

const confirm = z.string().max(64).optional().describe('What the first call gave.')

/** For whose work a record is; absent: for everybody's. */
const jobOf: Readonly<Partial<Record<Write['kind'], Job>>> = {
  reservation: 'service',
  waitlist_entry: 'service',
  lead: 'marketing',
}

/** Moves that end something. */
const ending: ReadonlySet<string> = new Set(['cancel_reservation', 'leave_waitlist'])

const toolOf = (name: string, write: Write): Tool => {
  const { kind, scope, title, description, method, reads, body } = write
  const fields = body ? (z.fromJSONSchema(body as never) as z.ZodObject).shape : {}
  return tool({
    name,
    title,
    description: `${description} Two calls: the first only shows what would come of it and gives \`confirm\`.`,
    needs: reads ? [scope as Scope, readScopeOf(write)] : [scope as Scope],
    job: jobOf[kind],
    writes: scope as Scope,
    destructive: method === 'PATCH' || ending.has(name),
    input: input({ ...(reads && { id: recordId }), ...fields, confirm }),
    run: async ({ confirm: token, ...rest }, session) => {
      const args = rest as Body
      return token === undefined
        ? tryWrite(name, write, args, session)
        : session.confirmations.use(token, name, args, (confirmed) =>
            doWrite(write, args, session, confirmed),
          )
    },
  })
}

export const writeTools: readonly Tool[] = Object.entries(writes).map(([name, write]) => toolOf(name, write))
