import { html } from '../../../platform/html/html.ts'
import { badRequest, notFound } from '../../../platform/kernel/refusal.ts'
import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { ReservationOutcome } from '../../../book/day/outcome.ts'
import { labelsOfTables, wholeFloor } from '../../../book/rules/floor/floor-reads.ts'
import { labelsHeld, tablesHeld } from '../../../book/day/tables-of-booking-reads.ts'
import type { ConfirmedReason, StaffReason } from '../../../book/reservations/staff-reasons.ts'
import { eveningFloor } from '../../../book/tables/reads.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import type { Form, PageAnswer } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, versionIn, wholeNumberIn } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { type Press, answerPress, answerUndone } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { pressHidden, pressIn } from '../parts/forms/table-fields.ts'
import { movedSentences } from '../bookings/who-moved.ts'
import { idIn, minutesInWords } from '../parts/time-words.ts'
import { sizeAtTables } from '../floor/size-at-tables.ts'
import { stillServes } from '../servers/still-serves.ts'
import { bookingOf, whoOf } from '../bookings/booking-press.ts'
import { editAndSeat, undoEditAndSeat } from '../bookings/edit-and-seat.ts'
import { gridPart } from './grid.ts'
import { readGrid } from './read-grid.ts'

/*
 * A block of the grid that was dragged: earlier or later, longer or shorter, to another table. What the page showed comes
 * along, so a booking that has changed since is left alone; what speaks against it is asked about in the last line.
 */

/** The shortest time that a table is held, in minutes. */
const leastMinutes = 15
/** The longest a table is held, and the farthest a block is dragged, in minutes. */
const mostMinutes = 1_440

const moves = '/office/grid/moves'

type Dragged = {
  readonly id: number
  readonly version: number
  /** Minutes later; negative: earlier. */
  readonly shift: number
  /** Minutes longer; negative: shorter. */
  readonly longer: number
  /** The table it was dropped at; absent: it stays at its own. */
  readonly to: number | undefined
  /** The drag that this undoes. */
  readonly undone: readonly number[] | undefined
  /** For an undo: how long they had their table before it; null: nobody had said. Absent: the drag left that alone. */
  readonly minutes: number | null | undefined
}

export const makeGridMove = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form } = asked
  const dragged = draggedIn(form)
  const row = await bookingOf(work, dragged.id)
  if (row.status === 'Seated' && dragged.shift !== 0)
    throw badRequest('This party is already seated; you can only change the table or the length.')
  const before = await tablesHeld(work.db, work.venue.id, row.id)
  const tables = await tablesWanted(work, row, dragged, before.tables)
  const isElsewhere = dragged.to !== undefined && dragged.undone === undefined && tables !== before.tables
  const size = isElsewhere ? await sizeAtTables(work, row, tables) : undefined
  const confirmed = confirmedField(form)
  const outcome = await move(work, row, dragged, { tables, before, confirmed, besides: size ? [size] : [] })
  const press = await pressOf(work, asked, row, dragged, tables)
  const done = outcome.kind === 'done' ? await doneWords(work, row, dragged, outcome.press ?? []) : ''
  const told = outcome.kind === 'done' ? { ...press, who: whoOf(row) } : press
  return answerPress(told, outcome, ({ version, press: made }) => ({
    words: done,
    undo: {
      to: moves,
      hidden: {
        ...{ id: row.id, version, back: press.where },
        ...{ shift: -dragged.shift, longer: -dragged.longer },
        ...(dragged.longer !== 0 && { minutes: row.duration_minutes }),
        ...pressHidden(made),
      },
    },
  }))
}

/** A move that was refused: nothing was done, and the grid is as it is. */
export const refusedGridMove = async (
  work: OfficeWork,
  asked: OfficeRequest,
  { message }: { readonly message: string },
): Promise<PageAnswer> => {
  const dragged = draggedIn(asked.form)
  const press = await pressOf(work, asked, await bookingOf(work, dragged.id), dragged)
  return answerUndone(press, `${message} Nothing was done.`)
}

const draggedIn = (form: Form): Dragged => {
  const id = idIn(form.text('id'))
  if (id === undefined) throw badRequest('This form is incomplete; open the page again.')
  return {
    id,
    version: versionIn(form),
    shift: minutesIn(form, 'shift'),
    longer: minutesIn(form, 'longer'),
    to: idIn(form.text('to')),
    undone: pressIn(form),
    minutes: form.has('minutes') ? (wholeNumberIn(form.text('minutes')) ?? null) : undefined,
  }
}

const minutesIn = (form: Form, name: string): number => {
  const text = form.text(name) || '0'
  const minutes = Number(text)
  if (!/^-?\d{1,4}$/.test(text) || Math.abs(minutes) > mostMinutes)
    throw badRequest('This form is incomplete; open the page again.')
  return minutes
}

/** Where it goes: the table it was dropped at, or those it may be joined with where that one alone is too small. */
const tablesWanted = async (
  work: OfficeWork,
  { id: booking, party_size, starts_at, service_date }: BookRow,
  { to, shift }: Dragged,
  held: readonly number[],
): Promise<readonly number[]> => {
  if (to === undefined || held.includes(to)) return held
  const { db, venue } = work
  const floor = await wholeFloor(db, venue.id)
  const table = floor?.tables.find(({ id }) => id === to)
  if (!floor || !table) throw notFound('table')
  const size = party_size ?? 1
  const joined = floor.combinations
    .filter((one) => one.tables.includes(to) && one.least <= size && size <= one.most)
    .toSorted((a, b) => a.tables.length - b.tables.length || a.most - b.most)
  if (size <= table.most || joined.length === 0 || service_date === null || starts_at === null) return [to]
  // Nobody is asked about a table that nobody dropped it at: a joined one that others have is none to take along.
  const evening = await eveningFloor(work, service_date)
  const at = toInstant(starts_at).add({ minutes: shift })
  const isTaken = (one: number): boolean =>
    (evening.tables.find(({ id }) => id === one)?.parties ?? []).some(
      ({ id, status, from, until }) =>
        id !== booking &&
        (status === 'Confirmed' || status === 'Seated') &&
        Temporal.Instant.compare(from, at) <= 0 &&
        Temporal.Instant.compare(at, until) < 0,
    )
  return joined.find(({ tables }) => !tables.some((one) => one !== to && isTaken(one)))?.tables ?? [to]
}

/** "30 min later, now at 33. Stern is now at table 12": what a drag did, and to whom else. */
const doneWords = async (
  work: OfficeWork,
  row: BookRow,
  dragged: Dragged,
  press: readonly number[],
): Promise<string> => {
  const { db, venue } = work
  const at = await labelsHeld(db, venue.id, row.id)
  const sentences = [...(await movedSentences(work, row.id, press)), ...(await stillServes(work, row))]
  const isAt = dragged.to !== undefined || dragged.undone !== undefined
  const words = [...timeWords(dragged), ...(isAt ? [at === '' ? 'without a table' : `now at ${at}`] : [])]
  return [words.join(', '), ...sentences].join('. ')
}

const timeWords = ({ shift, longer }: Dragged): readonly string[] => [
  ...(shift === 0 ? [] : [`${minutesInWords(Math.abs(shift))} ${shift > 0 ? 'later' : 'earlier'}`]),
  ...(longer === 0 ? [] : [`${minutesInWords(Math.abs(longer))} ${longer > 0 ? 'longer' : 'shorter'}`]),
]

const move = async (
  work: OfficeWork,
  row: BookRow,
  { id, version, shift, longer, to, undone, minutes: earlier }: Dragged,
  {
    tables,
    before,
    confirmed,
    besides,
  }: {
    readonly tables: readonly number[]
    readonly before: { readonly pinned: boolean }
    readonly confirmed: readonly ConfirmedReason[]
    readonly besides: readonly StaffReason[]
  },
): Promise<ReservationOutcome> => {
  const { venue } = work
  const { starts_at, service_date } = row
  if (starts_at === null || service_date === null) throw badRequest('This booking has no time.')
  // Where nobody chose a table, a machine may go on moving them.
  const isPinned = to !== undefined || before.pinned
  const startsAt = toInstant(starts_at).add({ minutes: shift })
  const minutes =
    earlier === undefined
      ? longer === 0
        ? undefined
        : (await lengthOf(work, row, service_date)) + longer
      : earlier
  if (typeof minutes === 'number' && (minutes < leastMinutes || minutes > mostMinutes))
    throw badRequest(`A table is held for at least ${leastMinutes} minutes and at most a day.`)
  const edit = {
    id,
    seenVersion: version,
    changes: {
      ...(shift !== 0 && { when: { ...wallTimeOf(startsAt, venue.timezone), startsAt } }),
      ...(minutes !== undefined && { durationMinutes: minutes }),
    },
    confirmed,
  }
  return undone
    ? undoEditAndSeat(work, { ...edit, press: undone })
    : editAndSeat(work, { ...edit, besides, tables, pinned: isPinned })
}

const lengthOf = async ({ db, venue }: OfficeWork, row: BookRow, date: LocalDate): Promise<number> =>
  row.duration_minutes ?? turnMinutes(await bookingRulesAround(db, venue, date), row.party_size ?? 1)

const pressOf = async (
  work: OfficeWork,
  { form, partOnly }: OfficeRequest,
  row: BookRow,
  dragged: Dragged,
  tables?: readonly number[],
): Promise<Press> => {
  const { shift, longer, to, undone, minutes } = dragged
  const where = backField(form, '/office/grid')
  const changed = [
    ...timeWords(dragged),
    ...(to === undefined && undone === undefined ? [] : [await tableWords(work, row.id, tables)]),
  ]
  return {
    partOnly,
    where,
    list: async () => {
      const seen = await readGrid(
        work,
        readDate(new URL(where, 'http://office').searchParams.get('date') ?? ''),
      )
      return seen ? gridPart(seen) : html``
    },
    who: `${whoOf(row)}${changed.length > 0 ? ` (${changed.join(', ')})` : ''}`,
    label: undone ? 'Undo' : 'Change',
    again: (confirm) =>
      listForm(
        moves,
        {
          ...{ id: row.id, version: row.version, back: where, shift, longer, to, minutes },
          ...pressHidden(undone),
        },
        confirm,
      ),
  }
}

const tableWords = async (
  { db, venue }: OfficeWork,
  id: number,
  wanted?: readonly number[],
): Promise<string> => {
  const tables = wanted ?? (await tablesHeld(db, venue.id, id)).tables
  return tables.length === 0
    ? 'no table'
    : `table ${joinedLabels([...(await labelsOfTables(db, venue.id, tables))])}`
}
