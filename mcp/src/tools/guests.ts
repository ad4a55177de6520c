import { z } from 'zod'
import { Refusal } from '../refusals.ts'
import * as say from '../tool.ts'
import { type Tool, input, tool } from '../tool.ts'
import { show, views } from '../views.ts'

/** The most guests in one answer. */
const mostFound = 25

export const guestTools: readonly Tool[] = [
  tool({
    name: 'find_guests',
    title: 'Find a guest',
    description:
      'Finds guests by email, phone, the id in your own software, or the reservation they made. The service does not search by name.',
    needs: ['guests:read'],
    input: input({
      email: say.email,
      phone: say.phone,
      externalId: z.string().min(1).max(100).optional().describe('The id of the guest in your own software.'),
      reservationId: say.recordId.optional().describe('Whose reservation it is.'),
      ...say.includeContact,
    }),
    output: z.object({ guests: say.listOf(views.guest), more: z.boolean() }),
    run: async ({ includeContact, reservationId, ...by }, { venue }) => {
      if (reservationId === undefined && Object.values(by).every((one) => one === undefined))
        throw new Refusal('Say whom to look for: an email, a phone, an externalId or a reservationId.')
      const query = { ...by, reservation: reservationId, limit: mostFound }
      const { items, next } = await venue.guests.list(query).page()
      return {
        guests: items.map((guest) => show(views.guest, guest, { includeContact })),
        more: next !== undefined,
      }
    },
  }),

  tool({
    name: 'guest_history',
    title: "A guest's history",
    description: 'One guest with their visits so far, and their reservations, latest date first.',
    needs: ['guests:read', 'reservations:read'],
    input: input({
      guestId: say.recordId.describe('The id of the guest, as find_guests gives it.'),
      limit: say.limitUpTo(50, 10),
      after: say.cursor,
      ...say.includes,
    }),
    output: z.object({
      guest: views.guest.shape,
      reservations: say.listOf(views.reservation),
      ...say.pageShape,
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
