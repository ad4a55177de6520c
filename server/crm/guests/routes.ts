import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { readContactQuery } from '../../platform/http/contact-query.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { recordRoute } from '../../platform/http/records/single-record.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { matchOrMakeGuest, soughtKeys } from './actions.ts'
import { editGuestByKey } from './edit-by-key.ts'
import { listedGuests } from './list.ts'
import { presentGuest } from './guest.ts'
import { guestById, guestsThatMayMatch } from './reads.ts'
import { chooseMatch } from './rules.ts'

export const guestRoutes = [
  listRoute(endpoints.listGuests, { source: listedGuests, present: presentGuest }),

  route(endpoints.findGuest, {
    read: ({ query }) => readContactQuery(query),
    answer: async ({ db, venue }, sought) => {
      const found = chooseMatch(await guestsThatMayMatch(db, venue.id, sought), sought)
      return ok(found ? [presentGuest(found.row)] : [])
    },
  }),

  route(endpoints.createGuest, {
    read: ({ body }) => {
      const { emailKey, phone } = soughtKeys(body)
      if (!emailKey && !phone) {
        throw badRequest(
          `Send an email, or a phone with at least ${limits.phoneDigitsLeast} digits.`,
          inBody('email', 'missing', 'no-contact'),
        )
      }
      return body
    },
    answer: async (work, supplied) => {
      const matched = await matchOrMakeGuest(work, supplied, 'automation')
      if (!matched) throw new Error('a guest without a way to know them came through')
      const guest = presentGuest(matched.guest)
      if (matched.created) return created({ created: true, guest })
      const { conflicting } = matched
      return ok({ created: false, guest, ...(Object.keys(conflicting).length > 0 && { conflicting }) })
    },
  }),

  recordRoute(endpoints.getGuest, { byId: guestById, present: presentGuest }),

  recordWrite(endpoints.updateGuest, {
    read: ({ body }) => body,
    write: (work, { actor, input, ...seen }) => editGuestByKey(work, actor, { ...seen, changes: input }),
    present: presentGuest,
  }),
]
