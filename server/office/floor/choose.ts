import type { Reservation } from '@venue-data/contract/reservation.ts'
import { reservationStatuses } from '@venue-data/contract/reservation.ts'
import { html } from '../../html/html.ts'
import { toInstant } from '../../kernel/moment.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { type BookRow, bookedReservation } from '../../reservations/book-row.ts'
import { moveReservation } from '../../reservations/moves.ts'
import type { Outcome } from '../../reservations/outcome.ts'
import { chooseTables, setPinned, swapTables } from '../../tables/choose-tables.ts'
import { labelsHeld, tablesHeld } from '../../tables/holding-reads.ts'
import { eveningFloor, tablesForBooking } from '../../tables/reads.ts'
import { actorOf } from '../frame/actor.ts'
import { ownPath } from '../frame/own-path.ts'
import { type Form, type PageAnswer, page, part } from '../frame/page.ts'
import type { OfficeRequest, OfficeWork } from '../frame/serve-page.ts'
import { backField, hiddenFields, versionIn } from '../parts/fields.ts'
import { answerPress, answerUndone } from '../parts/press.ts'
import { confirmedField } from '../parts/reasons.ts'
import { type TablesBefore, beforeHidden, tablesField, tablesIn, tablesOf } from '../parts/table-fields.ts'
import { idIn } from '../parts/time-words.ts'
import type { Undo } from '../parts/undo.ts'
import { bookingOf, bookingPress } from '../today/booking-press.ts'
import { moveForm } from '../today/move-form.ts'
import { pickPart } from './pick-table.ts'

/*
 * Choosing where a party sits: the choice, and one press of it. What the page showed comes along, so of two hosts the
 * second is told who was faster.
 */

/** Free tables that are offered first. */
const mostOffered = 6

const home = '/office/service'

export const pickTable = async (
  work: OfficeWork,
  { params, query, partOnly }: OfficeRequest,
): Promise<PageAnswer> => {
  const { db, venue } = work
  const row = await bookingOf(work, idIn(params.id))
  const { service_date, starts_at, seated_at } = row
  if (service_date === null || starts_at === null) throw badRequest('This booking has no time.')
  const [free, evening, held] = await Promise.all([
    tablesForBooking(work, row, mostOffered),
    eveningFloor(work, service_date),
    tablesHeld(db, venue.id, row.id),
  ])
  if (!free) throw badRequest('Tables are off at this venue; a manager can turn them on.')
  const back = ownPath(query.get('back') ?? '') ?? home
  const from = toInstant(seated_at ?? starts_at)
  const body = pickPart({ row, from, free, evening, held, back, now: work.now(), timezone: venue.timezone })
  if (partOnly) return part(body)
  const name = row.guest_name ?? 'No name'
  return page(
    `Table for ${name}`,
    html`<div class="page-head"><h1>Table for ${name}</h1></div>
      <section class="card pick-page">${body}<a class="button" href="${back}">Never mind</a></section>`,
  )
}

/** `seat 31 32`, `assign 31`, `assign` with ticked tables, `none`, `swap 17`, `unpin`. */
export const choose = async (work: OfficeWork, asked: OfficeRequest): Promise<PageAnswer> => {
  const { form, params } = asked
  const row = await bookingOf(work, idIn(params.id))
  const back = backField(form, home)
  // The button beside the ticks names no table: "seat ".
  const [name = '', ...named] = form.text('do').trim().split(' ')
  const doing = doings.find((one) => one === name)
  if (!doing) throw badRequest('This button is unknown; reload the page.')
  const seen = form.has('seen') ? tablesOf(form.text('seen')) : undefined
  const tables = named.length > 0 ? tablesOf(named.join(' ')) : (tablesIn(form) ?? [])
  const press = bookingPress(work, asked, row, back, {
    label: 'Seat',
    again: (confirm) =>
      moveForm(row, back, html`${hiddenFields({ move: 'seat' })}${tablesField(tables)}${confirm}`, {
        live: asked.partOnly,
      }),
  })
  if ((doing === 'seat' || doing === 'assign') && tables.length === 0)
    return answerUndone(press, 'Check a table first. Nothing was done.')
  const before = await tablesHeld(work.db, work.venue.id, row.id)
  const outcome = await make(work, form, { row, doing, tables, seen, other: idIn(named[0]) })
  const after = await tablesHeld(work.db, work.venue.id, row.id)
  const labels = await labelsHeld(work.db, work.venue.id, row.id)
  const other = doing === 'swap' ? await otherWords(work, idIn(named[0])) : ''
  return answerPress(press, outcome, (done) => ({
    words: `${wordsOf(doing, labels)}${other}`,
    ...undoOf(doing, done, { back, seen, before, after, other: idIn(named[0]) }),
  }))
}

const doings = ['seat', 'assign', 'none', 'swap', 'unpin'] as const
type Doing = (typeof doings)[number]

type Asked = {
  readonly row: BookRow
  readonly doing: Doing
  readonly tables: readonly number[]
  readonly seen: readonly number[] | undefined
  readonly other: number | undefined
}

const make = (work: OfficeWork, form: Form, { row, doing, tables, seen, other }: Asked) => {
  const actor = actorOf(work.me)
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
      })
    }
    case 'assign':
      return chooseTables(work, actor, { id: row.id, tables, seen, pinned: !form.has('unpinned') })
    case 'none':
      return chooseTables(work, actor, { id: row.id, tables: [], seen })
    case 'swap':
      if (other === undefined) throw badRequest('Choose the party to swap with.')
      return swapTables(work, actor, { ids: [row.id, other], seen })
    case 'unpin':
      return setPinned(work, actor, { id: row.id, pinned: false })
    default:
      return doing satisfies never
  }
}

/** Of a swap both are told: the other party moved as well. */
const otherWords = async (work: OfficeWork, id: number | undefined): Promise<string> => {
  const row = id === undefined ? undefined : await bookedReservation(work.db, work.venue.id, id)
  if (!row) return ''
  return `, ${row.guest_name ?? 'No name'} at ${await labelsHeld(work.db, work.venue.id, row.id)}`
}

const wordsOf = (doing: Doing, labels: string): string => {
  switch (doing) {
    case 'seat':
      return `seated at ${labels}`
    case 'none':
      return 'waits for a table'
    case 'unpin':
      return `the system may move them from ${labels}`
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
  { record: { id, status }, version }: Extract<Outcome<Reservation>, { kind: 'done' }>,
  {
    back,
    seen,
    before,
    after,
    other,
  }: { back: string; before: TablesBefore; after: TablesBefore } & Pick<Asked, 'seen' | 'other'>,
) => {
  const row = { id, status: status ?? '', version }
  if (doing === 'seat') {
    const undo: Undo = {
      to: `/office/bookings/${id}/moves`,
      hidden: { version, status: row.status, back, ...beforeHidden(before) },
      press: ['move', 'undoSeat'],
      id: `u${id}-undoSeat`,
    }
    return { undo }
  }
  if (doing === 'swap') return { undo: chooseAgain(row, back, `swap ${other}`, after.tables) }
  if (!seen || doing === 'unpin') return {}
  const again = seen.length === 0 ? 'none' : `assign ${seen.join(' ')}`
  return { undo: chooseAgain(row, back, again, after.tables) }
}

const chooseAgain = (
  { id, version, status }: Pick<BookRow, 'id' | 'version' | 'status'>,
  back: string,
  doing: string,
  seen?: readonly number[],
): Undo => ({
  to: `/office/bookings/${id}/table`,
  hidden: { version, status, back, seen: seen?.join(' ') },
  press: ['do', doing],
  id: `u${id}-table`,
})
