import { venueCurrency } from '../../../core/money/venue-currency.ts'
import { dollars } from '../../../platform/kernel/money.ts'
import { momentWallReaches, offsetFromUtc } from '../../../platform/kernel/time/venue-clock.ts'
import type { SoldOccurrence } from '../../../tickets/event-reads.ts'
import { type Visit, doorPath } from '../frame/visit.ts'
import { addressFacts } from './venue-facts.ts'

/** What search engines read of an event (schema.org): one for each of its dates. */
export const eventFacts = (
  visit: Visit,
  dates: readonly SoldOccurrence[],
  { text, pictureUrl }: { readonly text: string | null; readonly pictureUrl: string | undefined },
): object => {
  const { venue, publicUrl, path } = visit
  const currency = venueCurrency(venue)
  const url = `${publicUrl}${path}`
  const location = {
    '@type': 'Place',
    name: venue.name,
    url: `${publicUrl}${doorPath(venue)}`,
    ...addressFacts(visit),
  }
  return {
    '@context': 'https://schema.org',
    '@graph': dates.map((date) => ({
      '@type': 'Event',
      name: date.title === null ? date.event_name : `${date.event_name}: ${date.title}`,
      ...(text !== null && { description: text }),
      ...(pictureUrl !== undefined && { image: pictureUrl }),
      startDate: startOf(visit, date),
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
      location,
      url,
      ...(currency !== undefined && {
        offers: {
          '@type': 'Offer',
          url,
          price: dollars(date.price_cents),
          priceCurrency: currency,
          availability: `https://schema.org/${date.taken < date.capacity ? 'InStock' : 'SoldOut'}`,
        },
      }),
    })),
  }
}

const countInWords = ({ words: { sale }, formats }: Speaking, seats: number): string =>
  seats === 1 ? sale.one : sale.more(formats.number(seats))

/** What the processor's page calls it. */
export const ticketsInWords = (
  speaking: Speaking,
  { event_name, date }: SoldOccurrence,
  seats: number,
): string =>
  `${countInWords(speaking, seats)}: ${event_name}, ${speaking.formats.day(date)}`.slice(0, mostOfTitle)

type Speaking = Pick<Visit, 'words' | 'formats'>

const mostOfTitle = 200

/** With its distance from UTC on that day; without a time, the day. */
const startOf = ({ venue }: Visit, { date, start_time }: SoldOccurrence): string => {
  if (start_time === null) return date
  const wall = { date, time: start_time.slice(0, 5) }
  return `${date}T${wall.time}:00${offsetFromUtc(wall, momentWallReaches(wall, venue.timezone))}`
}
