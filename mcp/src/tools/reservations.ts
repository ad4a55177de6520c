import type { Reservation, VenueData } from '@venue-data/sdk'
import { z } from 'zod'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'
import { show, views } from '../views.ts'

/** The most reservations read for a day's book. */
const mostRead = 1000

/** Statuses of parties that are expected or have come. */
const expected: ReadonlySet<string | null> = new Set(['Requested', 'Confirmed', 'Seated', 'Completed'])

/** The time of day as reservations have it. */
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const reservationTools: readonly Tool[] = [
  tool({
    name: 'book_of_day',
    title: "Tonight's book",
    description:
      "The reservations of one date in order of arrival, with how many parties and covers that makes; today's without a date. Canceled bookings and no-shows are left out unless asked for. Arrivals after midnight are on the next date. With `complete` false there are too many to count them all.",
    needs: ['reservations:read'],
    job: 'service',
    input: input({
      date: say.date.optional(),
      timeFrom: clockTime.optional().describe('HH:MM, of the arrival.'),
      timeTo: clockTime.optional(),
      partySizeFrom: say.partySize.optional(),
      partySizeTo: say.partySize.optional(),
      everyStatus: z.boolean().default(false),
      limit: say.limitUpTo(200, 60),
      ...say.includes,
    }),
    run: async (
      { date: asked, timeFrom, timeTo, partySizeFrom, partySizeTo, everyStatus, limit, ...include },
      { venue, today },
    ) => {
      const date = asked ?? today()
      const { read, complete } = await readBook(venue, date, date)
      const wanted = read
        .filter(({ status }) => everyStatus || expected.has(status))
        .filter(({ time }) => isWithin(time, timeFrom, timeTo))
        .filter(({ partySize }) => isWithin(partySize, partySizeFrom, partySizeTo))
        .toSorted((a, b) => ((a.time ?? '') < (b.time ?? '') ? -1 : 1))
      return {
        date,
        ...tally(wanted),
        byStatus: tallyByStatus(wanted),
        reservations: wanted.slice(0, limit).map((one) => show(views.reservation, one, include)),
        more: wanted.length > limit || !complete,
        complete,
      }
    },
  }),

  tool({
    name: 'get_reservation',
    title: 'One reservation',
    description: 'One reservation by its id.',
    needs: ['reservations:read'],
    job: 'service',
    input: input({ id: say.recordId, ...say.includes }),
    run: async ({ id, ...include }, { venue }) => ({
      reservation: show(views.reservation, await venue.reservations.get(id), include),
    }),
  }),
]

/** Both ends included; an end that is not given does not matter, and what is not known is within no bounds. */
const isWithin = <Value extends string | number>(
  value: Value | null,
  from: Value | undefined,
  to: Value | undefined,
): boolean =>
  (from === undefined && to === undefined) ||
  (value !== null && (from === undefined || value >= from) && (to === undefined || value <= to))

/** The reservations of some dates, up to the most that one call of an assistant may read. */
export const readBook = async (venue: VenueData, dateFrom: string, dateTo: string) => {
  const read: Reservation[] = []
  for await (const page of venue.reservations.list({ dateFrom, dateTo, sort: 'date', limit: 100 }).pages()) {
    read.push(...page.items)
    if (read.length >= mostRead) return { read, complete: page.next === undefined }
  }
  return { read, complete: true }
}

/** How many parties and guests, for each status. */
export const tallyByStatus = (some: readonly Reservation[]) =>
  Object.fromEntries([...groupBy(some, ({ status }) => status)].map(([status, few]) => [status, tally(few)]))

/** Groups items by a word, in the order in which the words first appear. */
export const groupBy = (
  some: readonly Reservation[],
  wordOf: (one: Reservation) => string | null,
): Map<string, Reservation[]> => {
  const groups = new Map<string, Reservation[]>()
  for (const one of some) {
    const word = wordOf(one) ?? 'none'
    groups.set(word, [...(groups.get(word) ?? []), one])
  }
  return groups
}

/** How many parties and guests. */
const tally = (some: readonly Reservation[]) => ({
  parties: some.length,
  covers: some.reduce((sum, { partySize }) => sum + (partySize ?? 0), 0),
})
