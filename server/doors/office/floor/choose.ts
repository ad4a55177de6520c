import type { Reservation } from '@venue-data/contract/records/reservation.ts'
import { reservationStatuses } from '@venue-data/contract/records/reservation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { type BookRow, bookedReservation } from '../../../book/day/book-row.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import type { Outcome } from '../../../book/day/outcome.ts'
import { type StaffReason, unconfirmed } from '../../../book/reservations/staff-reasons.ts'
import { type TablesChosen, chooseTables, setPinned, swapTables } from '../../../book/tables/choose-tables.ts'
import { undoTableChoice } from '../../../book/reservations/undo-choice.ts'
import { labelsHeld, tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import { eveningFloor } from '../../../book/tables/reads.ts'
import { tablesForBooking } from '../../../book/tables/offered/for-party.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { serversSeen } from '../../../book/servers/seen.ts'
import { actorOf } from '../frame/actor.ts'
import { ownPath } from '../frame/own-path.ts'
import { type Form, type PageAnswer, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, hiddenFields, versionIn } from '../parts/forms/fields.ts'
import { answerPress, answerUndone } from '../parts/press.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { confirmedField } from '../parts/reasons.ts'
import {
  pressHidden,
  pressIn,
  stayIn,
  tablesField,
  tablesOf,
  tablesUntil,
} from '../parts/forms/table-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import { bookingOf, bookingPress, whoOf } from '../bookings/booking-press.ts'
import { moveForm } from '../bookings/move-form.ts'
import { movedSentences } from '../bookings/who-moved.ts'
import { stillServes } from '../servers/still-serves.ts'
import { sizeAtTables } from './size-at-tables.ts'
import { editAndSeat } from '../bookings/edit-and-seat.ts'
import { undoOfEdit } from '../bookings/undo-booking.ts'
import { minutesUntil } from '../../../book/day/short-stays.ts'
import { timeOf } from '../../../platform/kernel/time/in-words.ts'
import { turnsNow } from '../service/instead.ts'
import { offersOf } from './pick-offers.ts'
import { assignWord, pickPart } from './pick-table.ts'

/*
 * Choosing where a party sits: the choice, and one press of it. What the page showed comes along, so of two hosts the
 * second reads who was faster.
 */

const home = '/office/service'

export const pickTable = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const { db, venue } = work
  const row = await bookingOf(work, idIn(params.id))
  const { service_date, starts_at, seated_at } = row
  if (service_date === null || starts_at === null) throw badRequest('This booking has no time.')
  const rules = await bookingRulesAround(db, venue, service_date)
  const [open, evening, held, servers] = await Promise.all([
    tablesForBooking(work, row),
    eveningFloor(work, service_date),
    tablesHeld(db, venue.id, row.id),
    serversSeen(work, rules, service_date),
  ])
  if (!open) throw badRequest('Tables are off at this venue; a manager can turn them on.')
  const back = ownPath(query.get('back') ?? '') ?? home
  const from = toInstant(seated_at ?? starts_at)
  // A request holds no table before its time: nobody moves for it, and nothing is assigned to it.
  const isAhead = row.status === 'Requested' && !open.isTime
  const turns =
    open.isTime && row.status === 'Confirmed'
      ? await turnsNow(work, rules, service_date, { booking: row.id })
      : new Map()
  const offers = await offersOf(work, isAhead ? { ...open, moving: [], short: [] } : open, turns)
  const seen = { evening, held, servers, now: work.now(), timezone: venue.timezone }
  const over = overWords[row.status as keyof typeof overWords]
  const body = over
    ? overPart(row, over)
    : pickPart({
        row,
        from,
        partySize: row.party_size ?? 1,
        time: row.time,
        back,
        live: partOnly,
        ...offers,
        ...seen,
        swapWith: open.swapWith,
      })
  if (partOnly) return part(body)
  const name = row.guest_name ?? 'No name'
  return page(
    `Table for ${name}`,
    html`<div class="page-head"><h1>Table for ${name}</h1></div>
      <section class="card pick-page">${body}<a class="button" href="${back}">Never mind</a></section>`,
  )
}

const overWords = {
  Cancelled: 'cancelled',
  Completed: 'gone',
  'No-show': 'marked as a no-show',
} satisfies Partial<Record<NonNullable<Reservation['status']>, string>>

/** Of a booking that was closed while its row was still shown: no table is looked for, so nothing is said of them. */
const overPart = (row: BookRow, over: string): Html =>
  html`<h2>${whoOf(row)}</h2>
    <p>They are ${over} and need no table. <a href="/office/bookings/${row.id}">Open the booking</a></p>`

/** `seat 31 32`, `assign 31`, `assign` with ticked tables, `none`, `swap 17`, `unpin`; `undo` takes back one of the last four. */
export const choose = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, home)
  // The button next to the checkboxes names no table: "seat ".
  const [name = '', ...named] = form.text('do').trim().split(' ')
  const doing = doings.find((one) => one === name)
  if (!doing) throw badRequest('This button is unknown; reload the page.')
  const seen = form.has('seen') ? tablesOf(form.text('seen')) : undefined
  const isForTables = doing === 'seat' || doing === 'assign'
  const stay = named.length > 0 ? stayIn(form, named.join(' ')) : stayIn(form)
  // What else a button names is a party, and what is checked beside it is not pressed.
  const { tables = [], until } = isForTables ? stay : { until: undefined }
  const press = bookingPress(work, asked, row, back, {
    label:
      doing === 'undo' ? 'Undo' : doing === 'swap' ? 'Swap' : doing === 'assign' ? assignWord(row) : 'Seat',
    again: (confirm) =>
      doing === 'undo'
        ? undoAgain(row, back, form, asked, confirm)
        : doing === 'assign'
          ? tablesAgain(row, back, form, `assign ${tablesUntil(tables, until)}`, confirm, asked.partOnly)
          : doing === 'swap'
            ? tablesAgain(row, back, form, form.text('do'), confirm, asked.partOnly)
            : moveForm(
                row,
                back,
                html`${hiddenFields({ move: 'seat' })}${tablesField(tables, until)}${confirm}`,
                {
                  live: asked.partOnly,
                },
              ),
  })
  if (isForTables && tables.length === 0) return answerUndone(press, 'Check a table first. Nothing was done.')
  // Those that are offered fit, or are theirs; what is checked or dragged by hand is asked about once.
  const isNew = tables.length > 0 && !form.has('confirmed') && tables.join() !== seen?.join()
  const size = isNew ? await sizeAtTables(work, row, tables) : undefined
  if (size) return answerPress(press, { kind: 'needs override', reasons: [size] }, () => ({ words: '' }))
  const outcome = await make(work, form, { row, doing, tables, until, seen, other: idIn(named[0]) })
  const labels = await labelsHeld(work.db, work.venue.id, row.id)
  const moved =
    outcome.kind === 'done' && (isForTables || doing === 'swap')
      ? await movedSentences(work, row.id, outcome.press ?? [])
      : []
  const served = outcome.kind === 'done' && doing !== 'unpin' ? await stillServes(work, row) : []
  return answerPress(press, outcome, (done) => ({
    words: [`${wordsOf(doing, labels)}${endWords(work, doing, until)}`, ...moved, ...served].join('. '),
    ...(doing === 'assign' && until
      ? { undo: undoOfEdit(row, done, done.press ?? [], back) }
      : undoOf(doing, done, back)),
  }))
}

const doings = ['seat', 'assign', 'none', 'swap', 'unpin', 'undo'] as const
type Doing = (typeof doings)[number]

type Asked = {
  readonly row: BookRow
  readonly doing: Doing
  readonly tables: readonly number[]
  /** The end of a short stay at them. */
  readonly until: Temporal.Instant | undefined
  readonly seen: readonly number[] | undefined
  readonly other: number | undefined
}

const make = async (work: OfficeWork, form: Form, { row, doing, tables, until, seen, other }: Asked) => {
  const actor = actorOf(work.me)
  const chosen = { id: row.id, tables, seen }
  switch (doing) {
    case 'seat': {
      const seenStatus = reservationStatuses.find((known) => known === form.text('status'))
      if (!seenStatus) throw badRequest('This form is incomplete; open the page again.')
      return moveReservation(work, actor, {
        id: row.id,
        move: 'seat',
        seenStatus,
        seenVersion: versionIn(form),
        confirmed: confirmedField(form),
        tables,
        until,
      })
    }
    case 'assign': {
      const minutes = shortMinutes(row, until)
      return minutes === undefined
        ? chooseTables(work, actor, {
            ...chosen,
            pinned: !form.has('unpinned'),
            expected: whoIsExpected(row, form),
          })
        : editAndSeat(work, {
            ...{ id: row.id, seenVersion: versionIn(form), confirmed: confirmedField(form) },
            ...{ changes: { durationMinutes: minutes }, tables, pinned: true },
          })
    }
    case 'none':
      return chooseTables(work, actor, { ...chosen, tables: [] })
    case 'swap':
      if (other === undefined) throw badRequest('Choose the party to swap with.')
      return swapTables(work, actor, {
        ids: [row.id, other],
        seen,
        besides: unconfirmed(await sizesOfSwap(work, row, other), confirmedField(form)),
      })
    case 'unpin':
      return setPinned(work, actor, { id: row.id, pinned: false })
    case 'undo':
      return undoTableChoice(work, actor, {
        id: row.id,
        press: pressIn(form) ?? [],
        confirmed: confirmedField(form),
      })
    default:
      return doing satisfies never
  }
}

/** A party that sits goes where staff put it, as one does that sits down, once they saw who is expected there. */
const whoIsExpected = ({ status }: BookRow, form: Form): TablesChosen['expected'] =>
  status !== 'Seated' ? undefined : confirmedField(form).includes('table-kept') ? 'gives way' : 'asked'

/** How long a booking that is ahead has a table that is free for a while; undefined for one that is whole. */
const shortMinutes = (
  { starts_at, status }: Pick<BookRow, 'starts_at' | 'status'>,
  until: Temporal.Instant | undefined,
): number | undefined =>
  until && starts_at !== null && status === 'Confirmed'
    ? minutesUntil(toInstant(starts_at), until)
    : undefined

/** Which of two parties would be too many or too few for the table of the other one. */
const sizesOfSwap = async (work: OfficeWork, row: BookRow, id: number): Promise<readonly StaffReason[]> => {
  const { db, venue } = work
  const other = await bookedReservation(db, venue.id, id)
  if (!other) return []
  const [mine, theirs] = [await tablesHeld(db, venue.id, row.id), await tablesHeld(db, venue.id, id)]
  const sizes = [
    await sizeAtTables(work, row, theirs.tables),
    await sizeAtTables(work, other, mine.tables, other.guest_name ?? 'the other'),
  ]
  return sizes.filter((size) => size !== undefined)
}

const endWords = ({ venue }: OfficeWork, doing: Doing, until: Temporal.Instant | undefined): string =>
  doing === 'assign' && until ? ` until ${timeOf(until, venue.timezone)}` : ''

const wordsOf = (doing: Doing, labels: string): string => {
  switch (doing) {
    case 'seat':
      return `seated at ${labels}`
    case 'none':
      return 'waits for a table'
    case 'unpin':
      return `the system may move them from ${labels}`
    case 'undo':
      return labels === '' ? 'without a table again' : `back at ${labels}`
    case 'assign':
    case 'swap':
      return `now at ${labels}`
    default:
      return doing satisfies never
  }
}

/** The button that takes it back, while it is on screen. */
const undoOf = (
  doing: Doing,
  { record: { id, status }, version, press }: Extract<Outcome<Reservation>, { kind: 'done' }>,
  back: string,
): { readonly undo?: Undo } => {
  if (doing === 'undo') return {}
  const hidden = { version, status: status ?? '', back, ...pressHidden(press) }
  return {
    undo:
      doing === 'seat'
        ? { to: `/office/bookings/${id}/moves`, hidden, press: ['move', 'undoSeat'], id: `u${id}-undoSeat` }
        : { to: `/office/bookings/${id}/table`, hidden, press: ['do', 'undo'], id: `u${id}-table` },
  }
}

/** The same choice of tables, around the button that confirms it. */
const tablesAgain = (
  { id, version, status }: Pick<BookRow, 'id' | 'version' | 'status'>,
  back: string,
  form: Form,
  what: string,
  confirm: Html,
  live: boolean,
): Html =>
  listForm(
    `/office/bookings/${id}/table`,
    { version, status, back, seen: form.text('seen'), do: what },
    confirm,
    { live },
  )

/** The same undo, around the button that confirms it. */
const undoAgain = (
  { id }: Pick<BookRow, 'id'>,
  back: string,
  form: Form,
  { partOnly }: Pick<OfficeRequest, 'partOnly'>,
  confirm: Html,
): Html =>
  listForm(`/office/bookings/${id}/table`, { do: 'undo', back, ...pressHidden(pressIn(form)) }, confirm, {
    live: partOnly,
  })
