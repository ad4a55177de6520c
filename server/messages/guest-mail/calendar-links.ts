import type { CalendarEntry } from './calendar-file.ts'

type Entry = Pick<CalendarEntry, 'startsAt' | 'minutes' | 'title' | 'place' | 'notes'>

/**
 * Addresses that open a new entry in the guest's own calendar on the web. They pass through other companies, so the
 * private link is not in them; nor is a zone, as both show a moment in the zone of who looks.
 */
export const calendarLinks = ({ startsAt, minutes, title, place, notes }: Entry) => {
  const from = startsAt.toString({ smallestUnit: 'second' })
  const to = startsAt.add({ minutes }).toString({ smallestUnit: 'second' })
  const compact = (moment: string): string => moment.replaceAll(/[-:]/g, '')
  return {
    google: address('https://calendar.google.com/calendar/render', {
      action: 'TEMPLATE',
      text: title,
      dates: `${compact(from)}/${compact(to)}`,
      location: place,
      details: notes,
    }),
    outlook: address('https://outlook.live.com/calendar/0/deeplink/compose', {
      path: '/calendar/action/compose',
      rru: 'addevent',
      subject: title,
      startdt: from,
      enddt: to,
      location: place,
      body: notes,
    }),
  }
}

/** With blanks as `%20`: Outlook shows a plus as a plus. */
const address = (base: string, query: Readonly<Record<string, string>>): string =>
  `${base}?${Object.entries(query)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
    .join('&')}`
