import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { type LocalDate, clockTimeAt, minutesPerDay } from '../../../platform/kernel/time/written-time.ts'
import type { BookingRules, ServicePeriod } from '../../../book/rules/booking-rules.ts'
import { type Visit, doorPath } from '../frame/visit.ts'
import { addressLine, pictureOf } from '../frame/whole-page.ts'

/** What search engines read of the venue (schema.org): what the page says, and what the venue added for them. */
export const restaurantFacts = (visit: Visit, rules: BookingRules, today: LocalDate): object => {
  const { venue, publicUrl, settings } = visit
  const hours = [...weeklyHours(rules), ...otherHours(rules, today)]
  const picture = pictureOf(visit)
  return {
    '@context': 'https://schema.org',
    '@type': 'Restaurant',
    '@id': `${publicUrl}${doorPath(venue)}`,
    name: venue.name,
    url: `${publicUrl}${doorPath(venue)}`,
    ...(venue.phone !== null && { telephone: venue.phone }),
    ...addressFacts(visit),
    ...(hours.length > 0 && { openingHoursSpecification: hours }),
    ...(picture !== undefined && { image: picture }),
    ...(settings.menuUrl !== null && { hasMenu: settings.menuUrl }),
    ...(settings.cuisines.length > 0 && { servesCuisine: settings.cuisines }),
    ...(settings.doors.includes('book') && {
      acceptsReservations: true,
      potentialAction: {
        '@type': 'ReserveAction',
        target: {
          '@type': 'EntryPoint',
          urlTemplate: `${publicUrl}${doorPath(venue, 'book')}`,
          inLanguage: settings.language,
          actionPlatform: ['https://schema.org/DesktopWebPlatform', 'https://schema.org/MobileWebPlatform'],
        },
        result: { '@type': 'FoodEstablishmentReservation', name: visit.words.book.title },
      },
    }),
  }
}

/** In parts where the venue gave them, else as it is written on the page. */
export const addressFacts = ({ venue, settings }: Visit): object => {
  const { street, city, region, postalCode } = settings.address
  if ([street, city, region, postalCode].some((part) => part !== null))
    return {
      address: {
        '@type': 'PostalAddress',
        ...(street !== null && { streetAddress: street }),
        ...(city !== null && { addressLocality: city }),
        ...(region !== null && { addressRegion: region }),
        ...(postalCode !== null && { postalCode }),
        addressCountry: venue.country,
      },
    }
  return venue.postal_address === null ? {} : { address: addressLine(venue.postal_address) }
}

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The services of each week; days with the same hours together. */
const weeklyHours = ({ periods }: BookingRules): object[] =>
  [...Map.groupBy(periods, ({ startMinute, endMinute }) => `${startMinute} ${endMinute}`).values()].map(
    (same) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: same.map(({ weekday }) => weekdays[weekday - 1]),
      ...(same[0] && hoursOf(same[0])),
    }),
  )

/** Special days and closures of the weeks that were read. */
const otherHours = ({ specialDays, closures }: BookingRules, today: LocalDate): object[] => {
  const from = addDays(today, -1)
  const during = (first: LocalDate, last: LocalDate) => ({ validFrom: first, validThrough: last })
  // As much as a search engine's own documentation gives a whole day without hours.
  const shut = { '@type': 'OpeningHoursSpecification', opens: '00:00', closes: '00:00' }
  return [
    ...specialDays
      .filter(({ date }) => date >= from)
      .flatMap(({ date, periods }) =>
        periods.length === 0
          ? [{ ...shut, ...during(date, date) }]
          : periods.map((period) => ({
              '@type': 'OpeningHoursSpecification',
              ...hoursOf(period),
              ...during(date, date),
            })),
      ),
    ...closures.filter(({ to }) => to >= from).map((one) => ({ ...shut, ...during(one.from, one.to) })),
  ]
}

/** Hours that end after midnight close before they open; a whole day ends at its last minute. */
const hoursOf = ({ startMinute, endMinute }: Pick<ServicePeriod, 'startMinute' | 'endMinute'>) => ({
  opens: clockTimeAt(startMinute),
  closes: endMinute - startMinute >= minutesPerDay ? '23:59' : clockTimeAt(endMinute),
})
