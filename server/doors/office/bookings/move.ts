import {
  type FloorStage,
  type Reservation,
  floorStages,
  reservationStatuses,
} from '@venue-data/contract/records/reservation.ts'
import { html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type Outcome, done } from '../../../book/day/outcome.ts'
import {
  type ReservationMove,
  type ReservationMoveName,
  reservationMoves,
} from '../../../book/reservations/states.ts'
import { labelsHeld, tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { actorOf } from '../frame/actor.ts'
import type { Form, PageAnswer } from '../frame/page.ts'
import { stageDone } from '../parts/stages.ts'
import { backField, hiddenFields, versionIn } from '../parts/forms/fields.ts'
import { ownPress } from '../parts/own-press.ts'
import { answerPress } from '../parts/press.ts'
import type { Undo } from '../parts/undo.ts'
import { confirmedField } from '../parts/reasons.ts'
import { pressHidden, pressIn, stayIn, tablesField, tablesIn } from '../parts/forms/table-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { bookingOf, bookingPress, placeWords } from './booking-press.ts'
import { guaranteeOf } from '../../../book/reservations/guarantee/guarantee-store.ts'
import { refundsUnderWay } from '../../../book/reservations/guarantee/money-left.ts'
import { moveForm } from './move-form.ts'
import { movedSentences } from './who-moved.ts'
import { numberToCall } from '../../../platform/kernel/phone/shown-phone.ts'

/*
 * One press of a button on a booking. What the page showed comes along: a booking that has changed since is left
 * alone, and the person who pressed sees its current state.
 */

export const makeMove = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, '/office/today')
  const status = reservationStatuses.find((known) => known === form.text('status'))
  if (!status) throw badRequest('This form is incomplete; open the page again.')
  const pressed = pressedIn(form)
  const undone = pressIn(form)
  const stay = stayIn(form)
  const label = undone ? 'Undo' : reservationMoves[pressed.move].label
  const before = await tablesHeld(work.db, work.venue.id, row.id)
  const made = await moveReservation(work, actorOf(work.me), {
    id: row.id,
    seenStatus: status,
    seenVersion: versionIn(form),
    confirmed: confirmedField(form),
    ...stay,
    press: undone,
    ...pressed,
  })
  const again =
    made.kind === 'refused' || made.kind === 'unchanged'
      ? await sentAgain(work, form, pressed, row.id)
      : undefined
  const outcome = again ? done(again.row, { press: [again.press], offersUndo: true }) : made
  const press = bookingPress(work, asked, row, back, {
    label,
    again: (confirm) => {
      const move = hiddenFields({ move: form.text('move') })
      const tables = [tablesField(stay.tables, stay.until), undone && hiddenFields(pressHidden(undone))]
      return moveForm(row, back, html`${move}${tables}${confirm}`, { live: asked.partOnly })
    },
  })
  const table = pressed.move in toTable ? await labelsHeld(work.db, work.venue.id, row.id) : ''
  // It cannot be undone: the guest has been notified.
  const place = pressed.move === 'confirm' ? ` for ${await placeWords(work, row)}` : ''
  const { tables: at } = await tablesHeld(work.db, work.venue.id, row.id)
  const isElsewhere = before.tables.length > 0 && before.tables.join() !== at.join()
  const moved =
    outcome.kind === 'done' && pressed.move in toTable && !undone
      ? await movedSentences(work, row.id, outcome.press ?? [])
      : []
  const unsecured =
    pressed.move === 'undoCancel' && outcome.kind === 'done' ? await unsecuredWords(work, row) : ''
  return answerPress(press, outcome, (made) => ({
    words: `${madeWords(pressed)}${place}${table && ` at ${table}`}${moved.map((one) => `. ${one}`).join('')}${made.elsewhere && (isElsewhere || pressed.move === 'undoComplete') ? `. ${made.elsewhere.replace(/\.$/, '')}` : ''}${unsecured}${hearsWords(made.hears, row)}`,
    ...undoOf(made, pressed, { back, before: { ...row, ...again?.earlier } }),
  }))
}

/**
 * The booking as this very press left it, if it is sent again: its answer was lost, or it is a double tap. `earlier` has
 * what it changed, `press` is the row of the first.
 */
const sentAgain = async (
  work: OfficeWork,
  form: Form,
  { move, stage, decidedBy }: Pressed,
  id: number,
): Promise<
  | { readonly row: BookRow; readonly press: number; readonly earlier: Pick<BookRow, 'floor_stage'> }
  | undefined
> => {
  const row = await bookingOf(work, id)
  const own = await ownPress(work, { kind: 'reservation', id }, row, {
    action: move,
    seenVersion: versionIn(form),
  })
  const [asked, held] = [tablesIn(form), (await tablesHeld(work.db, work.venue.id, id)).tables]
  const isSame =
    (stage === undefined || row.floor_stage === stage) &&
    (decidedBy === undefined || row.cancelled_by === decidedBy) &&
    (asked === undefined || !(move in toTable) || asked.join() === held.join())
  const stageBefore = (own?.before as { readonly floor_stage?: unknown } | null | undefined)?.floor_stage
  return own && isSame
    ? { row, press: own.id, earlier: { floor_stage: typeof stageBefore === 'string' ? stageBefore : null } }
    : undefined
}

type Pressed = {
  readonly move: ReservationMoveName
  readonly decidedBy?: 'guest' | 'staff'
  readonly stage?: FloorStage
}

/** A button's move: its name and, after a colon, what it chose. */
const pressedIn = (form: Form): Pressed => {
  const [name = '', choice = ''] = form.text('move').split(':')
  if (!Object.hasOwn(reservationMoves, name)) throw badRequest('This button is unknown; reload the page.')
  const move = name as ReservationMoveName
  if (move === 'cancel') {
    if (choice !== 'guest' && choice !== 'staff') throw badRequest('Choose who decided to cancel.')
    return { move, decidedBy: choice }
  }
  if (move === 'setFloorStage') {
    const stage = floorStages.find((known) => known === choice)
    if (!stage) throw badRequest('Choose a stage from the list.')
    return { move, stage }
  }
  return { move }
}

/** The button that undoes the move, while it is still on screen; none where it would be refused. */
const undoOf = (
  { record, version, press, offersUndo }: Extract<Outcome<Reservation>, { kind: 'done' }>,
  { move }: Pressed,
  {
    back,
    before,
  }: {
    readonly back: string
    readonly before: Pick<BookRow, 'floor_stage'>
  },
) => {
  const { id, status } = record
  const of = (move: string): { readonly undo: Undo } => ({
    undo: {
      to: `/office/bookings/${id}/moves`,
      hidden: { version, status: status ?? '', back, ...pressHidden(press) },
      press: ['move', move],
      id: `u${id}-${move.split(':', 1)[0]}`,
    },
  })
  if (move === 'setFloorStage')
    return before.floor_stage === null ? {} : of(`setFloorStage:${before.floor_stage}`)
  // Who is not here after all may be: a press on the wrong row is taken back like any other, and they have waited as long.
  if (move === 'undoArrive') return of('arrive')
  if (!offersUndo) return {}
  const undo = (Object.keys(reservationMoves) as ReservationMoveName[]).find((name) =>
    (reservationMoves[name] as ReservationMove).undoes?.includes(move),
  )
  return undo ? of(undo) : {}
}

/** A booking that is restored has lost what was behind it, if a worker has sent that back meanwhile. */
const unsecuredWords = async ({ db, venue }: OfficeWork, { id }: BookRow): Promise<string> => {
  const behind = await guaranteeOf(db, venue.id, id)
  if (!behind || behind.sentence === '') return ''
  const { pending } = await refundsUnderWay(db, venue.id, behind.id)
  const isGone =
    behind.kind === 'card'
      ? behind.status === 'released'
      : behind.paid_cents > 0 && behind.paid_cents - behind.refunded_cents - pending <= 0
  if (!isGone) return ''
  return `. Nothing secures it anymore, as ${behind.kind === 'card' ? 'the card was deleted' : 'the money was refunded'}: ask again on its page`
}

/** How a guest who was told that the booking is cancelled hears that it is not. */
const hearsWords = (
  hears: Extract<Outcome<Reservation>, { kind: 'done' }>['hears'],
  { phone }: Pick<BookRow, 'phone'>,
): string => {
  if (hears === undefined) return ''
  const heard = '. They were told that it is cancelled: '
  if (hears === 'mail') return `${heard}an email now says that it is on`
  const number = numberToCall(phone)
  return `${heard}call them${number === undefined ? '' : ` at ${number}`}`
}

const madeWords = ({ move, decidedBy, stage }: Pressed): string => {
  if (move === 'cancel') return decidedBy === 'guest' ? 'cancelled for the guest' : 'cancelled by the venue'
  if (move === 'setFloorStage') return stageDone[stage as FloorStage]
  return words[move]
}

const words: Record<Exclude<ReservationMoveName, 'cancel' | 'setFloorStage'>, string> = {
  confirm: 'confirmed',
  arrive: 'here',
  seat: 'seated',
  complete: 'left',
  markNoShow: 'marked as a no-show',
  undoArrive: 'not here yet',
  undoSeat: 'seating undone',
  undoComplete: 'back at the table',
  undoNoShow: 'expected again',
  seatLate: 'seated late',
  undoCancel: 'back in the book',
}

/** Moves after which a party sits at a table. */
const toTable: Partial<Record<ReservationMoveName, true>> = { seat: true, seatLate: true, undoComplete: true }
