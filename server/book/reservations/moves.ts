import type { CancelledBy, FloorStage, ReservationStatus } from '@venue-data/contract/records/reservation.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordPress } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { expectEvents, recordEvent } from '../../core/events/record.ts'
import { applyContribution } from '../../crm/guests/contributions.ts'
import { type Moment, toInstant, toMoment } from '../../platform/kernel/time/moment.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import type { SeenVersion } from '../../platform/kernel/running/seen-version.ts'
import { wallTimeOf } from '../../platform/kernel/time/venue-clock.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import { noteWhoServes } from '../servers/who-serves.ts'
import { fillDay, isWaitedFor } from '../tables/fill.ts'
import { giveTables } from '../tables/give-tables.ts'
import { isPaceAsBefore, takenBy } from '../tables/press-reads.ts'
import { type Press, holdPress } from '../tables/hold-press.ts'
import { type OwnBack, putBack } from '../tables/put-back.ts'
import { manyMove, ownRather } from '../tables/staff-choice.ts'
import { seat } from '../day/day-floor.ts'
import { type RulesRead, readRules } from '../rules/rules-store.ts'
import { partyRecalledFrom, partySeated, partyUnseated } from '../day/booked-party.ts'
import {
  type BookRow,
  bookedReservation,
  bookedReservationForUpdate,
  presentReservation,
} from '../day/book-row.ts'
import { writeMove } from './book-writes.ts'
import { choiceOn, stayUntil, whyElsewhere, withChoice } from './chosen-tables.ts'
import { markFreedByPress, undoUntil } from '../day/freed-by-press.ts'
import { markFreed } from '../day/freed-places.ts'
import { mailCancellation, mailGuest, mailRestored, remindGuest, saidAlready } from './guest/booking-mails.ts'
import { followCancellation, undoCancellation } from './guarantee/give-back.ts'
import { labelsHeld } from '../day/tables-of-booking-reads.ts'
import { daysOfBooking, holdDaysAndRead, openDayOf } from '../day/open-day.ts'
import { type ReservationOutcome, changedMeanwhile, done, refused, unchanged } from '../day/outcome.ts'
import { reopenChange, settleChange } from './change/pending-change.ts'
import type { Own } from '../day/own-place.ts'
import type { BookingRequest, Day } from '../day/facts.ts'
import { turnMinutes } from '../rules/turn-minutes.ts'
import { serviceDateAt } from '../rules/service-now.ts'
import {
  type StaffReason,
  type ConfirmedReason,
  anotherDay,
  returnAgainst,
  unconfirmed,
} from './staff-reasons.ts'
import { type ReservationMove, type ReservationMoveName, reservationMoves } from './states.ts'
import { placedStatuses } from '../day/arrivals-reads.ts'
import { canBeUndone, judgeMove, momentUndone, movedRow } from './transition.ts'

export type MoveRequest = {
  readonly id: number
  readonly move: ReservationMoveName
  /** The status the page showed. A booking whose status has changed since is not moved. */
  readonly seenStatus?: ReservationStatus
  /** The version the page showed: a booking that has changed since is not moved. A check refuses it by itself. */
  readonly seenVersion?: SeenVersion
  /** Reasons against it that staff saw and confirmed. */
  readonly confirmed?: readonly ConfirmedReason[]
  /** For `cancel` by staff or a key: who decided. A guest's own cancellation is always the guest's. */
  readonly decidedBy?: CancelledBy
  /** For `cancel`: a message to the staff from the person who cancels. */
  readonly message?: string | null | undefined
  /**
   * For a move to a table: those that staff chose, or that the page showed. Absent: those it holds if they are free, else
   * the best there are.
   */
  readonly tables?: readonly number[] | undefined
  /** The end of a short stay at them, as staff saw it; absent: the whole stay. */
  readonly until?: Temporal.Instant | undefined
  /**
   * The press that this undoes, by its rows of the activity log: everybody it moved goes back where it was, and the party
   * itself to its own table. Absent: a move like any other.
   */
  readonly press?: readonly number[] | undefined
  /** The caller offers no Undo of it, so machines need not wait for one. */
  readonly isFinal?: boolean
  /** For `setFloorStage`; null = not tracked. */
  readonly stage?: FloorStage | null
}

/**
 * Makes a move from the table of moves: the status, its timestamps, the guest's counters, the activity and one event,
 * or none of them. Repeating a move changes nothing and emits nothing. Refuses, as a value, what the table does not
 * allow and a page that shows an old state; throws 404 for a missing booking.
 *
 * The booking's row is locked, so of two hosts seating one party the second learns that it is Seated. A move that
 * adds to the day's load locks the day first and is checked against the slot's cap; one that says a party is here
 * asks for confirmation if they are expected on another day. Staff may confirm either.
 */
export const moveReservation = async (
  work: Work,
  actor: Actor,
  request: MoveRequest,
): Promise<ReservationOutcome> => {
  const { db, venue } = work
  const move: ReservationMove = reservationMoves[request.move]
  if (request.move === 'cancel' && (actor.kind === 'staff' || actor.kind === 'key') && !request.decidedBy) {
    throw new TypeError('who cancels says who decided')
  }

  const mayHold = move.addsLoad || takesTable.has(request.move)
  const [known, seen] = await Promise.all([
    readRules(db, venue),
    mayHold ? bookedReservation(db, venue.id, request.id) : undefined,
  ])
  const { hasTables } = known
  const holds = move.addsLoad || (takesTable.has(request.move) && hasTables)
  const press = holds && request.press ? await holdPress(work, request.id, request.press) : undefined
  const placed = holds ? seen : undefined
  if (holds && !placed) throw notFound('booking')
  const read = () => {
    const locked = bookedReservationForUpdate(db, venue.id, request.id)
    // Under the day's lock once more: they may have been saved while it was waited for.
    const current = holds ? readRules(db, venue) : known
    expectEvents(db, venue.id)
    return Promise.all([locked, current])
  }
  // Who sits down late has the table later than it was booked, maybe into the next day.
  const at = toMoment(work.now())
  const isLate = move.stamps.includes('seated_at') && placed && (placed.starts_at ?? at) < at
  const sitting = isLate ? { ...placed, starts_at: at } : undefined
  const days = [placed, sitting].flatMap((row) => (row ? daysOfBooking(known, row) : []))
  const [held, [row, rules]] = await holdDaysAndRead(work, days, read)
  if (!row) throw notFound('booking')
  const { seenVersion } = request
  if (typeof seenVersion === 'function') seenVersion(row as never)
  if (placed && row.service_date !== placed.service_date) return refused(row, movedMeanwhile)
  const now = work.now()
  const asBefore = request.press && (await takenBy(db, venue.id, request.move, request.id, request.press))
  const arrives = actor.kind === 'staff' && move.stamps.includes('checked_in_at') && !asBefore
  const today = businessDay(work, rules, now)
  const judgement = judgeMove(request.move, row, {
    ...request,
    seenVersion: typeof seenVersion === 'number' ? seenVersion : undefined,
    actor,
    now,
    serviceDateNow: today,
  })
  if (judgement.kind === 'unchanged') return unchanged(row, judgement.sentence)
  if (judgement.kind === 'refused') return refused(row, judgement.sentence, judgement.reason)

  const party =
    request.move === 'undoCancel' && row.source === 'waitlist'
      ? await partyRecalledFrom(work, row.id)
      : undefined
  if (party) return refused(row, countedTwice(party))

  const decidedBy = actor.kind === 'guest' ? 'guest' : (request.decidedBy ?? 'staff')
  const moved = movedRow(request.move, row, { ...request, now, decidedBy, asBefore })
  const whole = holds ? await placeToReturnTo(work, rules, row, moved, now) : undefined
  const undone = press && whole && (await putBack(work, press, backTo(row, moved, whole.request)))
  const tables =
    whole && moved.status === 'Seated' && !undone
      ? (request.tables ?? (sitsDown(move) ? ownTablesRather(whole) : undefined))
      : undefined
  const stay = whole && stayUntil(work, whole.day, whole.request, { tables, until: request.until })
  const back = whole && {
    ...whole,
    request: { ...whole.request, durationMinutes: stay?.durationMinutes },
  }
  const to = stay?.until
    ? {
        ...moved,
        duration_minutes: stay.durationMinutes ?? null,
        minutes_before_seating: row.duration_minutes ?? 0,
      }
    : moved
  const choice = back ? await choiceOn(work, back.day, back.request, tables) : free
  if (choice.kind === 'taken') return refused(row, choice.sentence)
  const isOwnLoad = press !== undefined && (await isAsPaced(work, press, back?.day, row.updated_at))
  const reasons = [
    ...(arrives ? anotherDay(row.service_date, today) : []),
    ...withChoice(
      back
        ? returnAgainst(back.day, now, back.request, {
            ...{ addsLoad: move.addsLoad, isOwnLoad },
            takesTable:
              !undone && needsTable(to) && !isToBeWithout(back.day, to) && !sitsWithout(back.day, row),
          })
        : [],
      tables,
      choice,
    ),
    ...(undone?.reasons ?? []),
    ...(back && to.status === 'Seated' && tables === undefined && !undone ? manyMoveFor(back) : []),
    ...(stay?.reasons ?? []),
  ]
  if (unconfirmed(reasons, request.confirmed).length > 0) return { kind: 'needs override', reasons }

  const whyThere =
    back && request.move === 'seat' && tables === undefined
      ? await whyElsewhere(work, back.day, back.request)
      : undefined
  const covers = counts(row) && !counts(to) ? (row.party_size ?? 0) : 0
  const offersUndo = canBeUndone(request.move, row, { now, serviceDateNow: today })
  const byStaff = actor.kind === 'staff'
  const isPress = byStaff && !request.isFinal && offersUndo
  const [after] = await Promise.all([
    writeMove(db, venue.id, row.id, move, to, now, {
      isAnswer: byStaff && row.status === 'Requested' && to.status !== 'Requested',
    }),
    (covers > 0 || (hasTables && leavesTable(row, to))) &&
      (isPress
        ? markFreedByPress(work, row, { now, covers, tables: back?.day.floor?.own?.party.tables })
        : markFreed(db, venue.id, row.service_date)),
  ])
  if (!after) return refused(row, changedMeanwhile(row))
  const lapses = after.status !== row.status && row.status === 'Confirmed'
  const lapsedAt = after.status === 'Confirmed' ? momentUndone(move, row) : null
  const [changed, lapsed, isAskedAgain] = await Promise.all([
    undone?.write() ??
      (back && needsTable(after)
        ? giveTables(work, back.day.floor, { ...back.request, id: row.id, status: after.status, tables })
        : []),
    lapses ? settleChange(db, venue.id, row.id, 'lapsed', now) : undefined,
    lapsedAt !== null && reopenChange(db, venue.id, row.id, { lapsedAt, now }),
    applyContribution(work, row, after),
  ])
  const elsewhere = undone?.givesWay === undefined ? whyThere : await whereNow(work, undone.givesWay)
  if (after.seated_at !== row.seated_at) await noteWhoServes(work, back?.day.floor, after, changed)
  const isLapsed = lapsed !== undefined
  if (request.move === 'confirm') {
    await saidAlready(work, row.id, now)
    await mailGuest(work, after, 'bookingConfirmed', now, { byStaff })
    await remindGuest(work, after, now)
  }
  if (request.move === 'cancel')
    await mailCancellation(work, { before: row, after }, now, isPress ? undoUntil(now) : undefined)
  const hears =
    request.move === 'undoCancel'
      ? await mailRestored(work, { before: row, after }, now, { byStaff })
      : undefined
  const names = [
    ...move.names,
    ...(isLapsed ? (['reservation.change_answered'] as const) : []),
    ...(isAskedAgain ? (['reservation.change_requested'] as const) : []),
  ] as const
  await recordEvent(work, names, asEmitted(after, now), now, {
    before: presentReservation(row),
    ...(isLapsed && { answer: 'lapsed' }),
  })
  const asked =
    request.move === 'cancel'
      ? await followCancellation(work, after, now, isPress ? undoUntil(now) : undefined)
      : undefined
  if (request.move === 'undoCancel') await undoCancellation(work, row)
  if (after.source === 'waitlist' && after.seated_at !== row.seated_at) {
    await (after.seated_at === null ? partyUnseated(work, row.id, now) : partySeated(work, row.id, now))
  }
  const id = await recordPress(
    work,
    actor,
    {
      action: request.move,
      record: { kind: 'reservation', id: row.id },
      before: { ...row, asked },
      after: { ...after, asked: undefined },
      ...overrides(reasons),
      tables: changed,
    },
    now,
  )
  if (placed?.service_date && back?.day.floor && isWaitedFor(back.day.floor, row.id))
    await fillDay(work, placed.service_date, held)
  return done(after, { overridden: reasons, elsewhere, press: [id], offersUndo, hears })
}

const sitsDown = ({ stamps }: ReservationMove): boolean => stamps.includes('seated_at')

/** Where a page named no table: its own, unless fewer others would have to move for another one. */
const ownTablesRather = ({
  day: { floor },
  request,
}: {
  readonly day: Day
  readonly request: BookingRequest
}) => floor && ownRather(floor, request)

/** That many others would move for a party that sits down where a machine puts it. */
const manyMoveFor = ({
  day: { floor },
  request,
}: {
  readonly day: Day
  readonly request: BookingRequest
}) => {
  const seating = floor && seat(floor, request)
  return seating?.seated ? manyMove(seating.moves) : []
}

/** Whether the slot holds what it held before the press; what is held online may have come once machines went by it. */
const isAsPaced = async (
  { db, venue, now }: Work,
  press: Press,
  day: Day | undefined,
  pressedAt: Moment,
): Promise<boolean> => {
  if (
    !day?.bucket ||
    (day.load.held && undoUntil(toInstant(pressedAt)).epochMilliseconds < now().epochMilliseconds)
  )
    return false
  return isPaceAsBefore(db, venue.id, { press, pressedAt, bucket: day.bucket })
}

/** A request holds no table, and who is no longer expected needs none. */
const needsTable = ({ status }: Pick<BookRow, 'status'>): boolean =>
  status === 'Confirmed' || status === 'Seated'

/** Where somebody is who made room. */
const whereNow = async ({ db, venue }: Work, reservation: number | string): Promise<string> => {
  // Paged, or about to book online.
  if (typeof reservation === 'string') return 'Somebody was offered this table'
  const [row, label] = await Promise.all([
    bookedReservation(db, venue.id, reservation),
    labelsHeld(db, venue.id, reservation),
  ])
  return `${row?.guest_name ?? 'Another party'} ${label === '' ? 'now waits for a table' : `is now at table ${label}`}`
}

const countedTwice = ({
  guest_name,
  status,
}: {
  readonly guest_name: string | null
  readonly status: string
}) =>
  status === 'booked'
    ? `${guest_name ?? 'This party'} went back on the waitlist and has another table since.`
    : `${guest_name ?? 'This party'} is back on the waitlist: seat them, or book a table for later, from there.`

const counts = ({ status }: Pick<BookRow, 'status'>): boolean =>
  placedStatuses.some((placed) => placed === status)

/** A booking as an event carries it: its `updatedAt` is the moment of the change. */
export const asEmitted = (row: BookRow, moment: Temporal.Instant) =>
  presentReservation({ ...row, updated_at: toMoment(moment) })

/** For the activity log: the rules that were overridden. */
export const overrides = (reasons: readonly StaffReason[]) =>
  reasons.length > 0
    ? { more: { overridden: reasons.map(({ reason, figure }) => ({ reason, figure })) } }
    : {}

/** Staff said that it is to be without a table: it comes back to none, and is not asked about one. */
const isToBeWithout = ({ floor }: Day, { status }: Pick<BookRow, 'status'>): boolean =>
  status === 'Confirmed' && floor?.own?.row.no_table === true

const movedMeanwhile = 'This booking was just moved to another day; check it again.'

/** A booking that had a table has none from now on, or from another moment: who sits down leaves what it was to have later. */
const leavesTable = (before: Pick<BookRow, 'status'>, after: Pick<BookRow, 'status'>): boolean =>
  before.status !== after.status && (before.status === 'Confirmed' || before.status === 'Seated')

const businessDay = ({ venue }: Work, { around }: RulesRead, now: Temporal.Instant): LocalDate =>
  serviceDateAt(around(wallTimeOf(now, venue.timezone).date), now)

/**
 * Where a booking that counts again, or takes its table, is judged: in its slot, and for its table from when the party
 * sits. One without a time has neither.
 */
const placeToReturnTo = async (
  work: Work,
  rules: RulesRead,
  row: BookRow,
  to: Pick<BookRow, 'status' | 'seated_at' | 'duration_minutes'>,
  now: Temporal.Instant,
): Promise<{ readonly day: Day; readonly request: BookingRequest } | undefined> => {
  const { service_date, service_minute, date, time, starts_at } = row
  if (!service_date || service_minute === null || !date || !time || !starts_at) return undefined
  const placed = { serviceDate: service_date, serviceMinute: service_minute }
  // What it was promised with its place, if only for as many as may have it.
  const experience = row.experience === null ? undefined : { key: row.experience, isAgreed: true }
  const own = { reservation: row.id, turns: turnOf(row, to), experience }
  const day = await openDayOf(work, rules, own, placed)
  const partySize = row.party_size ?? 0
  const sits = to.status === 'Seated' ? toInstant(to.seated_at ?? starts_at) : undefined
  const turn = to.duration_minutes ?? turnMinutes(day.rules, partySize)
  const sat = sits ? Math.ceil((now.epochMilliseconds - sits.epochMilliseconds) / 60_000) : 0
  return {
    day,
    request: {
      date,
      time,
      startsAt: sits ?? toInstant(starts_at),
      partySize,
      durationMinutes: Math.max(turn, sat),
      door: 'staff',
    },
  }
}

/** Where and when a party of a press that is undone needs its own table again; a request needs none. */
const backTo = (
  { guest_name, service_date }: BookRow,
  { status }: Pick<BookRow, 'status'>,
  { startsAt, partySize, durationMinutes }: BookingRequest,
): OwnBack | undefined =>
  service_date !== null && status !== 'Requested'
    ? { name: guest_name, serviceDate: service_date, status, startsAt, partySize, durationMinutes }
    : undefined

/** A party that sits down where it was expected, gets up again, or comes back to the book; undefined for a request. */
const turnOf = (before: Pick<BookRow, 'status'>, to: Pick<BookRow, 'status'>): Own['turns'] => {
  switch (before.status) {
    case 'Requested':
      return undefined
    case 'Confirmed':
      return to.status === 'Seated' ? 'down' : undefined
    case 'Seated':
      return to.status === 'Seated' ? undefined : 'up'
    default:
      return 'back'
  }
}

/** Whether it sits without a table: getting up takes none from anybody. */
const sitsWithout = ({ floor }: Day, { status }: Pick<BookRow, 'status'>): boolean =>
  status === 'Seated' && floor?.own?.party.tables.length === 0

const free = { kind: 'free' } as const

/** Moves after which a booking holds a table that it may have lost, or never had. */
const takesTable: ReadonlySet<ReservationMoveName> = new Set([
  'confirm',
  'seat',
  'undoSeat',
  'undoComplete',
  'undoNoShow',
  'seatLate',
  'undoCancel',
])
