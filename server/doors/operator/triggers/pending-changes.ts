import { Refusal } from '../../../platform/kernel/refusal.ts'
import { answerChange } from '../../../book/reservations/change/answer-change.ts'
import { alternativesToChange, changeByKey } from '../../../book/reservations/change/change-by-key.ts'
import { type ChangeRow, pendingChange } from '../../../book/reservations/change/pending-change.ts'
import { presentReservation } from '../../../book/day/book-row.ts'
import { keyOf } from './access.ts'
import { booked, rowOf } from './reservations.ts'
import { type Stage, type Trigger, insist } from './trigger.ts'

const on = 'reservation'

/** A key requests the nearest other time at which the venue accepts the party. */
const requested = async (stage: Stage, id: number): Promise<ChangeRow> => {
  const { work } = stage
  const { date, time, version } = await rowOf(stage, id)
  // The booking's own time may be one of them.
  const open = await alternativesToChange(work, id, {}, { reason: 'outside-hours' }, 2)
  const when = open.find((one) => one.date !== date || one.time !== time)
  if (!when) throw new Refusal(409, 'The venue has no other open time that could be asked for.')
  const actor = { kind: 'key', id: (await keyOf(stage, undefined)).id } as const
  const { change } = await changeByKey(work, actor, { id, seenVersion: version, changes: { when } })
  if (!change) throw new Refusal(409, 'The venue lets software change bookings without asking.')
  return change
}

const bookingOf = async (stage: Stage, asked: number | undefined): Promise<number> =>
  asked ?? (await booked(stage)).id

const answered =
  (answer: 'accept' | 'decline') =>
  async (stage: Stage, asked: number | undefined): Promise<object> => {
    const { work, actor } = stage
    const id = await bookingOf(stage, asked)
    const waiting = await pendingChange(work.db, work.venue.id, id, work.now())
    const change = (waiting ?? (await requested(stage, id))).id
    return insist((confirmed) => answerChange(work, actor, { id, change, answer, confirmed }))
  }

export const pendingChangeTriggers = {
  'reservation.change_requested': {
    on,
    emits: 'reservation.change_requested',
    about: 'a key asks for another time',
    run: async (stage, asked) => {
      const id = await bookingOf(stage, asked)
      await requested(stage, id)
      return presentReservation(await rowOf(stage, id))
    },
  },
  'reservation.change_answered': {
    on,
    emits: 'reservation.change_answered',
    about: 'staff decline the other time that a key asked for',
    run: answered('decline'),
  },
  'reservation.change_declined': {
    on,
    emits: 'reservation.change_answered',
    about: 'the same',
    run: answered('decline'),
  },
  'reservation.change_accepted': {
    on,
    emits: 'reservation.change_answered',
    about: 'staff accept the other time that a key asked for',
    run: answered('accept'),
  },
} as const satisfies Record<string, Trigger>
