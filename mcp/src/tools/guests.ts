import type { Guest, SearchResult } from '@venue-data/sdk'
import { z } from 'zod'
import { Refusal } from '../refusals.ts'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'
import { type Include, type ViewedKind, show, views } from '../views.ts'

/** The most records in one answer. */
const mostFound = 25

export const guestTools: readonly Tool[] = [
  tool({
    name: 'find',
    title: 'Find people and bookings',
    description:
      "Guests and bookings by what somebody says: the start of any word of a name, the start of an email address, or three digits or more of a phone number. Bookings from yesterday to 14 days ahead, or of the given dates. Also a guest by your own software's `externalId`, or by the `reservationId` that is theirs.",
    needs: ['guests:read', 'reservations:read'],
    anyOfThem: true,
    input: input({
      q: z.string().min(2).max(100).optional().describe('Name, email or phone.'),
      kinds: z.array(z.enum(['guest', 'reservation'])).optional(),
      dateFrom: say.date.optional(),
      dateTo: say.date.optional().describe('At most 30 days after dateFrom.'),
      externalId: z.string().min(1).max(100).optional(),
      reservationId: say.recordId.optional(),
      limit: say.limitUpTo(mostFound, 10),
      ...say.includes,
    }),
    run: async ({ q, kinds, dateFrom, dateTo, externalId, reservationId, limit, ...include }, { venue }) => {
      const isById = externalId !== undefined || reservationId !== undefined
      if (isById === (q !== undefined))
        throw new Refusal('Say whom to look for: `q` with a name, email or phone, or else one of the ids.')
      if (isById) {
        const asked = { externalId, reservation: reservationId, limit }
        const { items, next } = await venue.guests.list(asked).page()
        return { results: items.map((guest) => guestFound(guest, include)), more: next !== undefined }
      }
      const { results } = await venue.search({ q: q ?? '', kinds, from: dateFrom, to: dateTo, limit })
      // The search has no pages: as many as were asked for may not be all.
      return { results: results.map((one) => found(one, include)), more: results.length >= limit }
    },
  }),

  tool({
    name: 'guest_history',
    title: "A guest's history",
    description: 'One guest with their visits so far, and their reservations, latest date first.',
    needs: ['guests:read', 'reservations:read'],
    input: input({
      guestId: say.recordId,
      limit: say.limitUpTo(50, 10),
      after: say.cursor,
      ...say.includes,
    }),
    run: async ({ guestId, limit, after, ...include }, { venue }) => {
      const guest = await venue.guests.get(guestId)
      const list = venue.reservations.list({ guest: guestId, sort: '-date', limit, after })
      const { items, next } = await list.page()
      return {
        guest: show(views.guest, guest, include),
        reservations: items.map((one) => show(views.reservation, one, include)),
        ...say.pageOf(next),
      }
    },
  }),
]

const found = ({ kind, why, record }: SearchResult, include: Include) => ({
  ...{ kind, why },
  record: kind in views ? show(views[kind as ViewedKind], record, include) : null,
})

const guestFound = (guest: Guest, include: Include) => ({
  ...{ kind: 'guest', why: 'id' },
  record: show(views.guest, guest, include),
})
