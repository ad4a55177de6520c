import type { CountedFigure } from '../../../data/reports/figure-names.ts'
import { datesIn } from '../../../data/reports/days-to-count.ts'
import { total } from '../../../data/reports/in-words.ts'
import { isShutOn } from '../../../data/reports/open-days.ts'
import type { Picture, Shown } from './picture.ts'
import { arrivalsPicture } from './pictures/arrivals.ts'
import { byTablePicture } from './pictures/by-table.ts'
import { leadPicture, sizesPicture, sourcesPicture } from './pictures/bookings.ts'
import { bouncesPicture, campaignsPicture, leadsPicture, listPicture } from './pictures/business.ts'
import { ticketsPicture } from './pictures/tickets.ts'
import { answeredPicture } from './pictures/answered.ts'
import { cameBackPicture } from './pictures/came-back.ts'
import { codesPicture } from './pictures/codes.ts'
import { coversPicture } from './pictures/covers.ts'
import { refusedPicture } from './pictures/demand.ts'
import { funnelPicture } from './pictures/funnel.ts'
import { guaranteesPicture } from './pictures/guarantees.ts'
import { callsPicture } from './pictures/integrations.ts'
import { guestsPicture } from './pictures/guests.ts'
import { cancelledPicture } from './pictures/cancelled.ts'
import { noShowsPicture } from './pictures/no-shows.ts'
import { firstSourcesPicture } from './pictures/first-sources.ts'
import { staysPicture, tablesPicture, waitsPicture } from './pictures/stays.ts'
import { weekdaysPicture } from './pictures/weekdays.ts'

type Make = (shown: Shown) => Picture | undefined

/** The pictures of a report, in the order in which they are asked about, each with the figures it is made of. */
const order: Readonly<Record<string, readonly [make: Make, of: readonly CountedFigure[]]>> = {
  covers: [coversPicture, ['covers', 'parties', 'booked', 'open_ends']],
  arrivals: [arrivalsPicture, ['arrivals']],
  weekdays: [weekdaysPicture, ['covers', 'parties', 'open_ends']],
  'lead-days': [leadPicture, ['lead_days', 'days_ahead']],
  sizes: [sizesPicture, ['sizes']],
  sources: [sourcesPicture, ['sources']],
  refused: [refusedPicture, ['refused', 'refused_by_weekday', 'covers', 'booked']],
  funnel: [funnelPicture, ['funnel']],
  'no-shows': [noShowsPicture, ['no_shows', 'no_shows_by_source_and_size']],
  cancelled: [cancelledPicture, ['cancelled', 'no_shows', 'open_ends']],
  answered: [answeredPicture, ['answered']],
  stays: [staysPicture, ['stays', 'stays_by_size', 'stay_quarters']],
  tables: [tablesPicture, ['tables', 'parties', 'tables_known']],
  'by-table': [byTablePicture, ['guests_by_table', 'parties', 'tables_known']],
  waits: [waitsPicture, ['waits']],
  guests: [guestsPicture, ['guests']],
  'first-sources': [firstSourcesPicture, ['guests_by_first_source', 'guests']],
  'came-back': [cameBackPicture, ['came_back']],
  tickets: [ticketsPicture, ['ticket_money', 'code_discounts']],
  codes: [codesPicture, ['ticket_money', 'code_discounts']],
  guarantees: [guaranteesPicture, ['guarantee_money']],
  list: [listPicture, ['list']],
  bounces: [bouncesPicture, ['list']],
  campaigns: [campaignsPicture, ['campaigns']],
  leads: [leadsPicture, ['leads']],
  integrations: [callsPicture, ['calls']],
}

/** All of them; what a venue does not do has none. Of days that were closed, how many came, and what else there is to see. */
export const picturesOf = (shown: Shown): readonly Picture[] => {
  const all = Object.values(order).flatMap(([make]) => make(shown) ?? [])
  return isShut(shown) ? all.filter(({ id, drawn }) => id === 'covers' || drawn !== undefined) : all
}

/** Whether nobody could come on any of the days, and nobody did. */
const isShut = ({ figures, rows, rules }: Shown): boolean =>
  total(rows('parties')) === 0 && datesIn(figures).every((date) => isShutOn(rules, date))

/** One of them, which needs no other figures than its own. */
export const pictureOf = (id: string) => {
  const [make, of] = Object.hasOwn(order, id) ? (order[id] ?? []) : []
  return make && of ? { make, of } : undefined
}
