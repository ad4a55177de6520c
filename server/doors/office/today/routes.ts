import { html } from '../../../platform/html/html.ts'
import { walkIn } from '../../../book/reservations/bookings.ts'
import { actorOf } from '../frame/actor.ts'
import { go, nothing, page, part } from '../frame/page.ts'
import { backField, typedIn } from '../parts/forms/fields.ts'
import { guestNameIn, partySizeIn } from '../parts/forms/party-fields.ts'
import { confirmedField } from '../parts/reasons.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { noSuchDay } from '../parts/no-such-day.ts'
import { once } from '../parts/once.ts'
import { guestsInWords } from '../parts/time-words.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { renewedBook } from './book.ts'
import { bookingPages } from '../bookings/booking-routes.ts'
import { answerAsked } from './answer-asked.ts'
import { archive } from './archive.ts'
import { makeMove } from '../bookings/move.ts'
import { bookQueryIn, bookQueryOf, readDay } from './read-day.ts'
import { todayPage } from './today.ts'
import { walkInQuestion } from './walk-in-question.ts'

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
  {
    method: 'POST',
    path: '/office/walk-ins',
    role: 'host',
    answer: async (work, { form }) => {
      const back = backField(form, '/office/today')
      const partySize = partySizeIn(form, form.text('partySize') === '' ? 'otherSize' : 'partySize')
      const guestName = guestNameIn(form)
      const party = { guestName, partySize }
      const made = await once(work, 'walk-in', form, async () => {
        const outcome = await walkIn(work, actorOf(work.me), { ...party, confirmed: confirmedField(form) })
        return outcome.kind === 'done' ? outcome.record.id : outcome
      })
      if (typeof made !== 'number')
        return walkInQuestion(party, made.reasons, { back, token: form.text('token') })
      return go(`${back}#b${made}`, `${guestName ?? 'A walk-in'}, ${guestsInWords(partySize)}: seated.`)
    },
    again: async (work, { form }, { message }) => {
      const day = await readDay(work, bookQueryIn(backField(form, '/office/today')))
      return page('Today', todayPage(work, day, { typed: typedIn(form), mistake: message }))
    },
  },
  ...bookingPages,
]
