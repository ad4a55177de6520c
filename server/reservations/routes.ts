import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { isBookingReason } from '@venue-data/contract/reasons.ts'
import { readContactQuery } from '../http/contact-query.ts'
import { listRoute } from '../http/list-route.ts'
import { dateAsked, onlyValue } from '../http/query-words.ts'
import { created, ok, route } from '../http/serve.ts'
import { recordRoute } from '../http/single-record.ts'
import { toMoment } from '../kernel/moment.ts'
import { floorToMinute } from '../kernel/venue-clock.ts'
import { requestReservation } from './actions.ts'
import { presentWhen } from './availability-present.ts'
import { alternativesTo } from './availability.ts'
import { presentReservation } from './present.ts'
import { listedReservations } from './list.ts'
import { reservationById, reservationStands, reservationsOfContact, upcomingFirst } from './reads.ts'
import { readWhen } from './when.ts'

export const reservationRoutes = [
  listRoute(endpoints.listReservations, { source: listedReservations, present: presentReservation }),

  route(endpoints.findReservations, {
    read: ({ query }) => ({
      contact: readContactQuery(query),
      date: readDateQuery(onlyValue('date', query.date)),
    }),
    answer: async ({ db, venue, now }, { contact, date }) => {
      const rows = await reservationsOfContact(db, venue.id, contact, date)
      return ok(upcomingFirst(rows, toMoment(floorToMinute(now()))).map(presentReservation))
    },
  }),

  route(endpoints.createReservation, {
    read: ({ body, query, venue, now }) => ({
      request: {
        ...readWhen({ date: body.date, time: body.time, startsAt: body.startsAt }, venue.timezone, now),
        guestName: body.guestName,
        partySize: body.partySize,
        email: body.email?.trim() ?? null,
        phone: body.phone ?? null,
        notes: body.notes ?? null,
      },
      alternatives: alternativesAsked(query['alternatives']),
    }),
    answer: async (work, { request }) => created({ reservation: await requestReservation(work, request) }),
    besides: async (work, { request, alternatives }, { reason }) => {
      if (alternatives === undefined || !isBookingReason(reason)) return undefined
      const found = await alternativesTo(work, request, { reason }, alternatives)
      return { alternatives: found.map(presentWhen) }
    },
    keeps: { recordId: ({ reservation }) => reservation.id, stillStands: reservationStands },
  }),

  recordRoute(endpoints.getReservation, { byId: reservationById, present: presentReservation }),
]

/** A word that this address has ignored before: only a digit that fits counts, anything else is ignored still. */
const alternativesAsked = (text: unknown): number | undefined => {
  const number = typeof text === 'string' && /^[1-9]$/.test(text) ? Number(text) : undefined
  return number !== undefined && number <= limits.alternativesMost ? number : undefined
}

const readDateQuery = (text: string | undefined): string | undefined =>
  text ? dateAsked('date', text) : undefined
