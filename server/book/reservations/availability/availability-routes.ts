import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { countryOf } from '../../../core/venue/venues.ts'
import { tagOf } from '../../../platform/http/records/etag.ts'
import { dateAsked, onlyValue, wholeAsked, wordAsked } from '../../../platform/http/query-words.ts'
import { type Query, ok, route } from '../../../platform/http/serve.ts'
import { inQuery } from '../../../platform/kernel/problem.ts'
import { withPlus } from '../../../platform/kernel/time/written-time.ts'
import { presentAvailability, presentCheck } from './availability-present.ts'
import { checkTime, timesOfDays } from './availability.ts'
import { offersOfDays } from './times-for-guests.ts'
import { readTerms } from '../guarantee/terms-at.ts'
import { readWhen } from '../../day/when.ts'

export const availabilityRoutes = [
  route(endpoints.getAvailability, {
    read: ({ query }) => ({
      from: dateAsked('date', onlyValue('date', query.date)),
      partySize: readPartySize(query),
      days: wholeAsked('days', onlyValue('days', query.days) ?? '1', { to: limits.availabilityDays }),
      show: wordAsked('show', onlyValue('show', query.show) ?? 'open', ['open', 'all']),
    }),
    answer: async (work, asked) => {
      const found = await timesOfDays(work, asked)
      const offersOf = await offersOfDays(work, () => countryOf(work.db, work.venue.id), found, asked)
      const [slot] = found.days.flatMap(({ slots }) => slots)
      const termsAt = slot ? await readTerms(work, slot.day.rules) : () => undefined
      const body = presentAvailability(found, asked, work.venue.timezone, { offersOf, termsAt })
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
      return { ...readWhen(when, venue.timezone, now, inQuery), partySize: readPartySize(query) }
    },
    answer: async (work, asked) => {
      const body = presentCheck(await checkTime(work, asked))
      return { ...ok(body), etag: tagOf(body) }
    },
  }),
]

const readPartySize = (query: Query): number =>
  wholeAsked('partySize', onlyValue('partySize', query.partySize), { to: limits.partyGuests })
