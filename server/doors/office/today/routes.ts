import { html } from '../../../platform/html/html.ts'
import { nothing, page, part } from '../frame/page.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { noSuchDay } from '../parts/no-such-day.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { renewedBook } from './book.ts'
import { bookingPages } from '../bookings/booking-routes.ts'
import { answerAsked } from './answer-asked.ts'
import { archive } from './archive.ts'
import { makeMove } from '../bookings/move.ts'
import { bookQueryOf, readDay } from './read-day.ts'
import { todayPage } from './today.ts'

/** An evening's book and everything done with it. For every role; deleting is for managers. */
export const todayPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: '/office/today',
    role: 'host',
    answer: async (work, { query, partOnly }) => {
      // Requested once a second by every screen: only one small statement while nothing changes.
      if (partOnly && query.get('seen') === (await minuteMark(work))) return nothing
      const day = await readDay(work, bookQueryOf(query))
      return partOnly
        ? part(renewedBook(work, day))
        : page('Today', html`${noSuchDay(query)}${todayPage(work, day)}`)
    },
  },
  { method: 'POST', path: '/office/bookings/:id/moves', role: 'host', answer: makeMove },
  { method: 'POST', path: '/office/bookings/:id/change', role: 'host', answer: answerAsked },
  { method: 'POST', path: '/office/bookings/:id/archive', role: 'host', answer: archive },
  ...bookingPages,
]
