import type { Context } from '../../../context.ts'
import { joinWaitlist } from '../../../book/waitlist/actions.ts'
import { longestQuoteMinutes } from '../../../book/waitlist/states.ts'
import { actorOf } from '../frame/actor.ts'
import { go, nothing, page, part } from '../frame/page.ts'
import { minuteMark } from '../parts/each-minute.ts'
import { minutesField, typedIn } from '../parts/forms/fields.ts'
import { partyIn, partySizeIn } from '../parts/forms/party-fields.ts'
import { once } from '../parts/once.ts'
import { leftUndo } from '../parts/undo.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { joinedAnswer } from './joined.ts'
import { linePart } from './line.ts'
import { moveParty, unreadMove } from './move.ts'
import { readLine } from './read-line.ts'
import { waitlistPage } from './waitlist.ts'

/** The parties at the door. */
export const waitlistPages = (context: Pick<Context, 'mail'>): readonly VenuePage[] => [
  {
    method: 'GET',
    path: '/office/waitlist',
    role: 'host',
    answer: async (work, { query, partOnly }) => {
      if (partOnly && query.get('seen') === (await minuteMark(work))) return nothing
      const asked = query.get('page') ?? ''
      const seen = await readLine(work, /^\d{1,3}$/.test(asked) ? Number(asked) : 0)
      return partOnly ? part(linePart(seen)) : page('Waitlist', waitlistPage(seen))
    },
  },
  {
    method: 'POST',
    path: '/office/waitlist',
    role: 'host',
    answer: async (work, { form }) => {
      const asked = {
        ...partyIn(form),
        partySize: partySizeIn(form),
        quotedMinutes: minutesField(form, 'quotedMinutes', longestQuoteMinutes) ?? ('estimated' as const),
      }
      const id = await once(work, 'waitlist', form, async () => {
        const joining = { ...asked, windowStart: null, windowEnd: null }
        return (await joinWaitlist(work, actorOf(work.me), joining)).id
      })
      const { sentence, undo } = await joinedAnswer(work, id, '/office/waitlist')
      return go(`/office/waitlist#w${id}`, sentence, undo && leftUndo(undo))
    },
    again: async (work, { form }, { message }) => {
      const join = { typed: typedIn(form), mistake: message }
      return page('Waitlist', waitlistPage(await readLine(work, 0), { join }))
    },
  },
  {
    method: 'POST',
    path: '/office/waitlist/:id/moves',
    role: 'host',
    answer: (work, asked) => moveParty(context, work, asked),
    again: unreadMove,
  },
]
