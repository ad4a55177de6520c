import type { Context, Work } from '../../../../context.ts'
import { forEachDue } from '../../../../core/money/each-due.ts'
import type { Venue } from '../../../../core/venue/venue.ts'
import { addTask } from '../../../../crm/tasks/actions.ts'
import { taskFields } from '../../../../crm/tasks/fields.ts'
import { toInstant } from '../../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../../platform/kernel/time/venue-clock.ts'
import { type BookRow, bookedReservation } from '../../../day/book-row.ts'
import { holdDays } from '../../../day/open-day.ts'
import { bookingRulesAround } from '../../../rules/rules-store.ts'
import { moveReservation } from '../../moves.ts'
import { asksDue, noteNotSecured, releaseAsk, securingUntil } from './asked-store.ts'
import { deletionOf } from '../deletion-of.ts'
import { type GuaranteeRow, guaranteeById, holdGuarantee, lookAtGuarantee } from '../guarantee-store.ts'
import { showGuarantee } from '../show-guarantee.ts'

/**
 * Follows what was asked of guests: once the moment that was given has passed, staff get a task, for nobody has secured the
 * booking, or where the venue says so it is cancelled; once its evening is over, nothing is asked. The guest may do it at any time before that,
 * and whoever began in time is waited for.
 */
export const followAsks = (
  parts: Pick<Context, 'db' | 'clock' | 'hold' | 'log'>,
  signal: AbortSignal,
): Promise<void> =>
  forEachDue(parts, signal, {
    queue: asksDue,
    act: (venue, { id }) =>
      parts.db.transaction((queries) =>
        follow({ db: queries.within(venue.id), venue, now: parts.clock }, id),
      ),
    mistake: 'a booking that is not secured could not be followed',
  })

const follow = async (work: Work, id: number): Promise<void> => {
  const { db, venue, now } = work
  await holdEvening(work, id)
  const row = await holdGuarantee(db, venue.id, id)
  if (row?.status !== 'asked' || row.reservation_id === null) return
  const booking = await bookedReservation(db, venue.id, row.reservation_id)
  const over = booking && overOf(booking, venue)
  if (!booking || !over || Temporal.Instant.compare(over, now()) <= 0) {
    await releaseAsk(db, venue.id, id)
    return showGuarantee(work, row.reservation_id)
  }
  const until = await securingUntil(db, venue.id, row, now())
  if (until) return void (await lookAtGuarantee(db, venue.id, id, until))
  const { letGoUnsecured } = await bookingRulesAround(db, venue, booking.service_date ?? '')
  if (letGoUnsecured && isAhead(booking, now())) {
    const cancel = { id: booking.id, move: 'cancel', decidedBy: 'staff', isFinal: true } as const
    const { kind } = await moveReservation(work, { kind: 'service' }, cancel)
    if (kind === 'done') return
  }
  if (row.ask_over_at === null) await addTask(work, taskFor(booking, row, venue))
  await noteNotSecured(db, venue.id, id, { now: now(), lookAt: over })
}

/** Its day before the booking, as by everybody who moves one: what is let go leaves its place. */
const holdEvening = async (work: Work, id: number): Promise<void> => {
  const { db, venue } = work
  const seen = await guaranteeById(db, venue.id, id)
  const booking =
    seen?.reservation_id == null ? undefined : await bookedReservation(db, venue.id, seen.reservation_id)
  await holdDays(work, undefined, [booking?.service_date ?? null])
}

const isAhead = ({ status, starts_at }: BookRow, now: Temporal.Instant): boolean =>
  (status === 'Requested' || status === 'Confirmed') &&
  starts_at !== null &&
  Temporal.Instant.compare(now, toInstant(starts_at)) < 0

/** Four in the morning after its evening. */
const overOf = ({ service_date: date }: BookRow, { timezone }: Venue): Temporal.Instant | undefined =>
  date === null ? undefined : deletionOf(date, 0, timezone)

const taskFor = (
  { guest_name: name, date, id }: BookRow,
  { kind, ask_until }: GuaranteeRow,
  { timezone }: Venue,
) =>
  taskFields.read({
    title: `Not secured: ${kind === 'card' ? 'the card' : 'the deposit'} of ${name ?? 'no name'}, booking ${id} on ${date ?? ''}`,
    due: ask_until === null ? '' : wallTimeOf(toInstant(ask_until), timezone).date,
    priority: 'High',
    category: 'Finance',
    client: '',
    assignedRole: '',
  })
