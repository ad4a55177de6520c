import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { readContactQuery } from '../http/contact-query.ts'
import { readListWindow } from '../http/list-window.ts'
import { created, ok, route } from '../http/serve.ts'
import { badRequest } from '../kernel/refusal.ts'
import { matchOrMakeGuest, soughtKeys } from './actions.ts'
import { presentGuest } from './present.ts'
import { guestsThatMayMatch, newestGuests } from './reads.ts'
import { chooseMatch } from './rules.ts'

export const guestRoutes = [
  route(endpoints.listGuests, {
    read: ({ query }) => readListWindow(query),
    answer: async ({ db, venue }, window) => ok((await newestGuests(db, venue.id, window)).map(presentGuest)),
  }),

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
        throw badRequest(`Send an email, or a phone with at least ${limits.phoneDigitsLeast} digits.`)
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
]
