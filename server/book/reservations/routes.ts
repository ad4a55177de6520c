import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { isBookingReason } from '@venue-data/contract/reasons.ts'
import { cancelledBy } from '@venue-data/contract/records/reservation.ts'
import { readContactQuery } from '../../platform/http/contact-query.ts'
import { listRoute } from '../../platform/http/lists/list-route.ts'
import { dateAsked, onlyValue } from '../../platform/http/query-words.ts'
import { readWord } from '../../platform/http/read-body.ts'
import { recordWrite } from '../../platform/http/records/record-write.ts'
import { created, ok, route } from '../../platform/http/serve.ts'
import { orGone, recordRoute } from '../../platform/http/records/single-record.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import { floorToMinute } from '../../platform/kernel/time/venue-clock.ts'
import { requestReservation } from './request-reservation.ts'
import { presentWhen } from './availability/availability-present.ts'
import { alternativesTo } from './availability/availability.ts'
import { cancelByKey } from './cancel-by-key.ts'
import {
  alternativesToChange,
  changeByKey,
  changeOf,
  noneWaits,
  withdrawChange,
} from './change/change-by-key.ts'
import { presentChange } from './change/pending-change.ts'
import { holdIn } from './holds/hold-reads.ts'
import { presentReservation } from '../day/book-row.ts'
import { listedReservations } from './list.ts'
import { reservationById, reservationStands, reservationsOfContact, upcomingFirst } from './reads.ts'
import { readPartOfWhen, readWhen } from '../day/when.ts'

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
        externalId: body.externalId ?? null,
        hold: holdIn(body),
      },
      alternatives: alternativesAsked(query['alternatives']),
    }),
    answer: async (work, { request }) => created({ reservation: await requestReservation(work, request) }),
    refusalDetails: async (work, { request, alternatives }, { reason }) => {
      if (alternatives === undefined || !isBookingReason(reason)) return undefined
      const own = { hold: request.hold }
      const found = await alternativesTo(work, request, { reason }, alternatives, own)
      return { alternatives: found.map(presentWhen) }
    },
    keeps: { recordId: ({ reservation }) => reservation.id, stillStands: reservationStands },
  }),

  recordRoute(endpoints.getReservation, { byId: reservationById, present: presentReservation }),

  recordWrite(endpoints.updateReservation, {
    read: ({ body: { date, time, startsAt, email, ...words }, query, venue, now }) => ({
      changes: {
        ...words,
        ...(email !== undefined && { email: email?.trim() ?? null }),
        when: readPartOfWhen({ date, time, startsAt }, venue.timezone, now),
      },
      alternatives: alternativesAsked(query['alternatives']),
    }),
    write: async (work, { actor, input: { changes }, ...seen }) => {
      const { row, change } = await changeByKey(work, actor, { ...seen, changes })
      return { row, ...(change && { status: 202, extra: { change: presentChange(change) } }) }
    },
    refusalDetails: async (work, { id, input: { changes, alternatives } }, { reason }) => {
      if (alternatives === undefined || !isBookingReason(reason)) return undefined
      const found = await alternativesToChange(work, id, changes, { reason }, alternatives)
      return { alternatives: found.map(presentWhen) }
    },
    present: presentReservation,
  }),

  recordWrite(endpoints.cancelReservation, {
    read: ({ body: { by, message } }) => ({
      decidedBy: readWord('by', by, cancelledBy) ?? 'guest',
      message,
    }),
    write: (work, { actor, input, ...seen }) => cancelByKey(work, actor, { ...seen, ...input }),
    present: presentReservation,
  }),

  route(endpoints.getReservationChange, {
    read: ({ params }) => Number(params.id),
    answer: async (work, id) => {
      const change = await orGone(work, { kind: 'reservation', id }, changeOf(work, id))
      if (!change) throw noneWaits()
      return ok(presentChange(change))
    },
  }),

  recordWrite(endpoints.withdrawReservationChange, {
    write: async (work, { actor, ...seen }) => {
      const { row, change } = await withdrawChange(work, actor, seen)
      return { row, extra: { change: presentChange(change) } }
    },
    present: presentReservation,
  }),
]

/** A word that this address has ignored before: only a digit that fits counts, anything else is ignored still. */
const alternativesAsked = (text: unknown): number | undefined => {
  const number = typeof text === 'string' && /^[1-9]$/.test(text) ? Number(text) : undefined
  return number !== undefined && number <= limits.alternativesMost ? number : undefined
}

const readDateQuery = (text: string | undefined): string | undefined =>
  text ? dateAsked('date', text) : undefined
