import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { tagOf } from '../http/etag.ts'
import { onlyValue } from '../http/list-window.ts'
import { type Query, ok, route } from '../http/serve.ts'
import { badRequest } from '../kernel/refusal.ts'
import { type LocalDate, readDate, withPlus } from '../kernel/written-time.ts'
import { presentAvailability, presentCheck } from './availability-present.ts'
import { checkTime, timesOfDays } from './availability.ts'
import { readWhen } from './when.ts'

export const availabilityRoutes = [
  route(endpoints.getAvailability, {
    read: ({ query }) => ({
      from: readFirstDate(onlyValue('date', query.date)),
      partySize: readPartySize(query),
      days: readWhole('days', onlyValue('days', query.days) ?? '1', limits.availabilityDays),
      show: readShow(onlyValue('show', query.show)),
    }),
    answer: async (work, asked) => {
      const body = presentAvailability(await timesOfDays(work, asked), asked, work.venue.timezone)
      return { ...ok(body), etag: tagOf({ ...body, asOf: undefined }) }
    },
  }),

  route(endpoints.checkAvailability, {
    read: ({ query, venue, now }) => {
      const startsAt = onlyValue('startsAt', query.startsAt)
      const when = {
        date: onlyValue('date', query.date),
        time: onlyValue('time', query.time),
        startsAt: startsAt && withPlus(startsAt),
      }
      return { ...readWhen(when, venue.timezone, now), partySize: readPartySize(query) }
    },
    answer: async (work, asked) => {
      const body = presentCheck(await checkTime(work, asked))
      return { ...ok(body), etag: tagOf(body) }
    },
  }),
]

const readFirstDate = (text: string | undefined): LocalDate => {
  const date = text && readDate(text)
  if (!date) throw badRequest('date must be a real date, written YYYY-MM-DD.')
  return date
}

const readPartySize = (query: Query): number =>
  readWhole('partySize', onlyValue('partySize', query.partySize) ?? '', limits.partyGuests)

const readShow = (text = 'open'): 'open' | 'all' => {
  if (text !== 'open' && text !== 'all') throw badRequest('show must be open or all.')
  return text
}

/** Digits and nothing else, from 1 to a most. */
const readWhole = (name: string, text: string, most: number): number => {
  const number = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw badRequest(`${name} must be a whole number from 1 to ${most}.`)
  return number
}
