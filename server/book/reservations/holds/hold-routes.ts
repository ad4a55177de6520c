import { randomBytes } from 'node:crypto'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { created, route } from '../../../platform/http/serve.ts'
import { refuse, refuseTable } from '../../../platform/kernel/refusal.ts'
import { holdIn } from './hold-reads.ts'
import { keyAsHolder, newHoldId, placeHold } from './holds.ts'
import { readWhen } from '../../day/when.ts'

export const holdRoutes = [
  route(endpoints.createHold, {
    read: ({ body, venue, caller, now }) => ({
      ...readWhen({ date: body.date, time: body.time, startsAt: body.startsAt }, venue.timezone, now),
      partySize: body.partySize,
      by: { holder: keyAsHolder(caller.key.id) },
      instead: holdIn(body),
    }),
    answer: async (work, asked) => {
      const outcome = await placeHold(work, { ...asked, id: newHoldId(randomBytes) })
      switch (outcome.kind) {
        case 'held':
          return created({ id: outcome.hold.id, expiresAt: outcome.hold.expires_at })
        case 'refused':
          throw refuseTable(outcome.refusal, outcome.table)
        case 'too many':
          throw refuse('too-many-holds', tooMany)
        default:
          return outcome satisfies never
      }
    },
  }),
]

const tooMany = `This key holds ${limits.holdsOfKey} times already; a hold ends after ${limits.holdMinutes} minutes.`
