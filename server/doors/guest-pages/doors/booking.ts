import { calendarFile, calendarType } from '../../../messages/guest-mail/calendar-file.ts'
import { isGuestLanguage } from '../../../platform/kernel/guest-language.ts'
import { guestBookingOf, markComing } from '../../../book/reservations/guest/guest-booking.ts'
import {
  addNoteByGuest,
  cancelByGuest,
  changeByGuest,
  mailAgain,
  refusalOfChange,
  withdrawByGuest,
} from '../../../book/reservations/change/change-by-guest.ts'
import type { LinkPage } from '../frame/serve-visits.ts'
import { type GuestAnswer, type GuestAnswerLater, typed } from '../frame/visit.ts'
import { namedNetworks } from '../frame/who.ts'
import { secureMine } from './asked/own-booking.ts'
import { lostPage } from './news.ts'
import { type Mine, mineOf } from './own-booking/mine.ts'
import { askPage, callPage, changePage, sizeIn, whenIn } from './own-booking/change.ts'
import { cancelPage, comingPage, entryOf, isForCalendar, viewPage } from './own-booking/view.ts'

/* `/r/{token}`: a guest's own booking. It works until the service day is over, even with the venue's doors off. */

const languageOf: LinkPage['languageOf'] = async ({ db, venue }, { record }) => {
  const kept = (await guestBookingOf(db, venue.id, record))?.language ?? ''
  return isGuestLanguage(kept) ? kept : null
}

const onMine =
  (answer: (mine: Mine) => Promise<GuestAnswer | GuestAnswerLater> | GuestAnswer): LinkPage['answer'] =>
  async (work, visit, link) => {
    const mine = await mineOf(work, visit, link)
    return mine ? answer(mine) : lostPage(visit)
  }

export const ownBookingPages: readonly LinkPage[] = [
  {
    method: 'GET',
    path: '/r/:token',
    purpose: 'booking',
    languageOf,
    answer: onMine((mine) => {
      switch (mine.visit.query.get('do')) {
        case 'cancel':
          return mine.isToCancel ? cancelPage(mine) : viewPage(mine)
        case 'coming':
          return mine.isOpen || mine.row.status === 'Confirmed' ? comingPage(mine) : viewPage(mine)
        case 'change':
          return mine.isOpen && !mine.change ? changePage(mine) : viewPage(mine)
        default:
          return viewPage(mine)
      }
    }),
  },
  {
    method: 'GET',
    path: '/r/:token/table.ics',
    purpose: 'booking',
    languageOf,
    answer: onMine((mine) => {
      const { visit } = mine
      const entry = entryOf(mine)
      if (!isForCalendar(entry)) return lostPage(visit)
      return { file: calendarFile(entry), type: calendarType(entry), name: 'table.ics' }
    }),
  },
  {
    method: 'POST',
    path: '/r/:token',
    purpose: 'booking',
    languageOf,
    answer: onMine(async (mine): Promise<GuestAnswer | GuestAnswerLater> => {
      const { work, visit, row } = mine
      const back = (done: string): GuestAnswer => ({ to: visit.link(`${visit.path}?done=${done}`) })
      switch (typed(visit, 'do')) {
        case 'cancel':
          await cancelByGuest(work, row.id)
          return back('cancel')
        case 'coming':
          if (row.status !== 'Requested' && row.status !== 'Confirmed') return viewPage(mine)
          await markComing(work.db, work.venue.id, row.id, visit.now)
          return back('coming')
        case 'note': {
          const note = typed(visit, 'note').slice(0, 2_000)
          // An empty one, or one for a booking that is no more, adds nothing and is not said to.
          if (note === '' || row.status === 'Cancelled') return viewPage(mine)
          await addNoteByGuest(work, row.id, note)
          return back('note')
        }
        case 'secure':
          return secureMine(mine)
        case 'resend':
          await mailAgain(work, row.id)
          return back('resend')
        case 'withdraw':
          await withdrawByGuest(work, row.id)
          return back('withdraw')
        case 'ask':
        case 'change': {
          const { size, mistake } = await sizeIn(mine)
          if (mistake !== undefined && mine.isOpen && !mine.change)
            return { ...(await changePage(mine)), status: 400 }
          const when = whenIn(visit, row)
          if (typed(visit, 'do') === 'ask') {
            // Nothing is offered to be asked for that the press would refuse.
            const asked = mine.isOpen && !mine.change
            return asked && (await refusalOfChange(work, row, { when, partySize: size }))
              ? { ...(await changePage(mine, true)), status: 409 }
              : askPage(mine, { when, size })
          }
          const networks = namedNetworks(visit)
          const changed = await changeByGuest(work, visit.settings, {
            ...{ id: row.id, when, partySize: size },
            ...{ country: visit.venue.country, networks },
          })
          return changed === 'call' ? callPage(mine) : back('change')
        }
        default:
          return viewPage(mine)
      }
    }),
    again: async (work, visit, _refusal, link) => {
      const mine = await mineOf(work, visit, link)
      if (!mine) return lostPage(visit)
      return {
        ...(await (mine.isOpen && !mine.change ? changePage(mine, true) : viewPage(mine))),
        status: 409,
      }
    },
  },
]
