import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { floorToMinute, wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type BookRow, bookedReservation, presentReservation } from '../../../book/day/book-row.ts'
import { bookByStaff, walkIn } from '../../../book/reservations/bookings.ts'
import { deleteReservation } from '../../../book/reservations/delete-reservation.ts'
import { editReservation } from '../../../book/reservations/edits/edits.ts'
import type { ReservationChanges } from '../../../book/reservations/edits/held-edit.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import type { ReservationMoveName } from '../../../book/reservations/states.ts'
import type { When } from '../../../book/day/when.ts'
import { type Stage, type Trigger, insist, there } from './trigger.ts'

const on = 'reservation'
const updated = { on, emits: 'reservation.updated' } as const

const partyOf = ({ somebody }: Stage) => ({
  guestName: somebody.name,
  email: somebody.email,
  phone: somebody.phone,
  partySize: 2,
})

/** A number of minutes from now, in the venue's wall time; negative for earlier. */
const minutesFromNow = ({ work }: Stage, minutes: number): When => {
  const startsAt = floorToMinute(work.now().add({ minutes }))
  return { ...wallTimeOf(startsAt, work.venue.timezone), startsAt }
}

export const booked = (stage: Stage, minutes = 120): Promise<Reservation> =>
  insist((confirmed) =>
    bookByStaff(stage.work, stage.actor, {
      ...partyOf(stage),
      ...minutesFromNow(stage, minutes),
      confirmed,
    }),
  )

const moved = ({ work, actor }: Stage, id: number, move: ReservationMoveName): Promise<Reservation> =>
  insist((confirmed) => moveReservation(work, actor, { id, move, decidedBy: 'staff', confirmed }))

/** A move; a booking created for it first goes through those in `before`. */
const move =
  (name: ReservationMoveName, before: readonly ReservationMoveName[] = [], minutes = 120) =>
  async (stage: Stage, asked: number | undefined): Promise<Reservation> => {
    if (asked !== undefined) return moved(stage, asked, name)
    const { id } = await booked(stage, minutes)
    for (const one of before) await moved(stage, id, one)
    return moved(stage, id, name)
  }

export const rowOf = async ({ work }: Stage, id: number): Promise<BookRow> =>
  there(await bookedReservation(work.db, work.venue.id, id), on, id)

const edited =
  (changes: (row: BookRow, stage: Stage) => ReservationChanges) =>
  async (stage: Stage, asked: number | undefined): Promise<Reservation> => {
    const row = await rowOf(stage, asked ?? (await booked(stage)).id)
    return insist((confirmed) =>
      editReservation(stage.work, stage.actor, {
        id: row.id,
        seenVersion: row.version,
        changes: changes(row, stage),
        confirmed,
      }),
    )
  }

const anHourLater = edited((_row, stage) => ({ when: minutesFromNow(stage, 180) }))
const aSizeMore = edited(({ party_size }) => ({ partySize: (party_size ?? 1) + 1 }))

export const reservationTriggers = {
  'reservation.created': {
    about: 'staff book a table for two hours from now',
    emits: 'reservation.created',
    on: null,
    run: (stage) => booked(stage),
  },
  'reservation.walked_in': {
    about: 'staff seat a party that walks in',
    emits: 'reservation.created',
    on: null,
    run: (stage) => insist((confirmed) => walkIn(stage.work, stage.actor, { ...partyOf(stage), confirmed })),
  },
  'reservation.updated': { ...updated, about: 'staff add one guest to the party', run: aSizeMore },
  'reservation.resized': {
    on,
    emits: 'reservation.resized',
    about: 'staff add one guest to the party',
    run: aSizeMore,
  },
  'reservation.rescheduled': {
    on,
    emits: 'reservation.rescheduled',
    about: 'staff move the booking to three hours from now',
    run: anHourLater,
  },
  'reservation.moved': { ...updated, about: 'the same', run: anHourLater },
  'reservation.details_changed': {
    on,
    emits: 'reservation.details_changed',
    about: 'staff change the notes of the booking',
    run: edited(() => ({ notes: 'A booth, please' })),
  },
  'reservation.arrived': {
    on,
    emits: 'reservation.arrived',
    about: 'the party arrives',
    run: move('arrive'),
  },
  'reservation.seated': { on, emits: 'reservation.seated', about: 'staff seat the party', run: move('seat') },
  'reservation.completed': {
    on,
    emits: 'reservation.completed',
    about: 'the party leaves',
    run: move('complete', ['seat']),
  },
  'reservation.no_show': {
    on,
    emits: 'reservation.no_show',
    about: 'staff mark a party as a no-show',
    run: move('markNoShow', [], -15),
  },
  'reservation.confirmed': {
    on,
    emits: 'reservation.confirmed',
    about: 'staff confirm a request (needs --id: only the API makes requests)',
    run: move('confirm'),
  },
  'reservation.cancelled': {
    about: 'staff cancel the booking',
    emits: 'reservation.cancelled',
    on,
    run: move('cancel'),
  },
  'reservation.restored': {
    on,
    emits: 'reservation.restored',
    about: 'staff undo a cancellation',
    run: move('undoCancel', ['cancel']),
  },
  'reservation.deleted': {
    about: 'staff permanently delete the booking',
    emits: 'reservation.deleted',
    on,
    run: async (stage, asked) => {
      const row = await rowOf(stage, asked ?? (await booked(stage)).id)
      await deleteReservation(stage.work, stage.actor, row.id)
      return presentReservation(row)
    },
  },
} as const satisfies Record<string, Trigger>
