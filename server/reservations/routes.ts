import { endpoints } from '@venue-data/contract/endpoints.ts'
import { readContactQuery } from '../http/contact-query.ts'
import { onlyValue, readListWindow } from '../http/list-window.ts'
import { created, ok, route } from '../http/serve.ts'
import { toMoment } from '../kernel/moment.ts'
import { badRequest } from '../kernel/refusal.ts'
import { floorToMinute } from '../kernel/venue-clock.ts'
import { readDate } from '../kernel/written-time.ts'
import { requestReservation } from './actions.ts'
import { presentReservation } from './present.ts'
import { newestReservations, reservationStands, reservationsOfContact, upcomingFirst } from './reads.ts'
import { readWhen } from './when.ts'

export const reservationRoutes = [
  route(endpoints.listReservations, {
    read: ({ query }) => readListWindow(query),
    answer: async ({ db, venue }, window) =>
      ok((await newestReservations(db, venue.id, window)).map(presentReservation)),
  }),

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
    read: ({ body, venue, now }) => ({
      ...readWhen({ date: body.date, time: body.time, startsAt: body.startsAt }, venue.timezone, now),
      guestName: body.guestName,
      partySize: body.partySize,
      email: body.email?.trim() ?? null,
      phone: body.phone ?? null,
      notes: body.notes ?? null,
    }),
    answer: async (work, request) => created({ reservation: await requestReservation(work, request) }),
    keeps: { recordId: ({ reservation }) => reservation.id, stillStands: reservationStands },
  }),
]

const readDateQuery = (text: string | undefined): string | undefined => {
  if (text === undefined || text === '') return undefined
  const date = readDate(text)
  if (!date) throw badRequest('date must be a real date, written YYYY-MM-DD.')
  return date
}
