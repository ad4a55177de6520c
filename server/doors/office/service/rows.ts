import type { FloorStage } from '@venue-data/contract/records/reservation.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { ReservationMoveName } from '../../../book/reservations/states.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import { minuteOf, toInstant } from '../../../platform/kernel/time/moment.ts'
import { turnMinutes } from '../../../book/rules/turn-minutes.ts'
import { endMinute, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { type TablesShown, pickLink } from '../parts/table-cell.ts'
import { inMinutes, leftInWords, minutesSince, overMinutes } from '../parts/time-words.ts'
import { cancelButtons, moveButton } from '../bookings/move-form.ts'
import { isLate, minutesLate, offeredMoves } from '../bookings/offered-moves.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { chipsAfterAllergies } from './chips.ts'
import { partyRow } from './party-row.ts'
import { eachMinute } from '../parts/each-minute.ts'
import { counted } from '../parts/pager.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { nextStage, stageNames, stagePresses } from '../parts/stages.ts'

/*
 * What each of the three lists says of a party in it, and what comes next for it.
 */

/** This many minutes before its time a party may be seated without anybody asking why; then the button is filled. */
const soonMinutes = 15

/** "in 20", "25 late", "now". */
const untilWords = (minutes: number): string =>
  minutes < 0 ? inMinutes(-minutes) : minutes === 0 ? 'now' : `${minutes} late`

/** A party that is expected. */
export const arrivingRow = (row: DayRow, place: RowPlace, isFirst: boolean): Html => {
  const offered = offeredMoves(row, place)
  const minutes = minutesLate(row, place.now)
  const late = isLate(row, place.now)
  const asked = row.status === 'Requested'
  const table = place.tables?.get(row.id)
  const isTime = minutes >= -soonMinutes && (table === undefined || isReady(table))
  const main = asked ? 'confirm' : isTime ? 'seat' : 'arrive'
  return partyRow(row, place, {
    state: late ? 'late' : asked ? 'asked' : 'expected',
    isFirst,
    under: row.starts_at === null ? '' : eachMinute(place.now, (at) => untilWords(minutesLate(row, at))),
    isBad: late,
    says: eachMinute(place.now, (at) =>
      isLate(row, at) ? `${minutesLate(row, at)} minutes late` : asked ? 'not confirmed yet' : 'expected',
    ),
    server: serverThen(row, place, table),
    chips: [...(asked ? [html`<span class="badge asked">Not confirmed</span>`] : []), ...chipsOf(row)],
    table,
    main: offered.has(main)
      ? moveButton(row, main, { primary: main !== 'arrive', label: labels[main] })
      : undefined,
    menu: [
      ...(main !== 'arrive' && offered.has('arrive')
        ? [moveButton(row, 'arrive', { label: labels.arrive })]
        : []),
      ...(main !== 'seat' && offered.has('seat') ? [seatPress(row, place, table, false)] : []),
      ...harmfulMoves(row, offered, place),
    ],
  })
}

/** A party that is here and has no table yet. */
export const hereRow = (row: DayRow, place: RowPlace, isFirst: boolean): Html => {
  const offered = offeredMoves(row, place)
  const since = (at: Temporal.Instant) =>
    row.checked_in_at === null ? 0 : Math.max(0, minutesSince(row.checked_in_at, at))
  const over = (at: Temporal.Instant) => minutesLate(row, at)
  const table = place.tables?.get(row.id)
  return partyRow(row, place, {
    state: 'here',
    isFirst,
    under: eachMinute(place.now, (at) => (over(at) > 0 ? overMinutes(over(at)) : untilWords(over(at)))),
    isBad: over(place.now) > 0,
    says: eachMinute(place.now, (at) => `here for ${counted(since(at), 'minute')}`),
    server: serverThen(row, place, table),
    chips: [
      ...(table
        ? []
        : [
            html`<span class="row-fact">Here since ${timeOf(row.checked_in_at ?? row.created_at, place.timezone)}</span>`,
          ]),
      ...chipsOf(row),
    ],
    table,
    main: offered.has('seat')
      ? seatPress(row, place, table, table === undefined || isReady(table))
      : undefined,
    menu: [
      ...(offered.has('undoArrive') ? [moveButton(row, 'undoArrive')] : []),
      ...harmfulMoves(row, offered, place),
    ],
  })
}

/** A party at its table. */
export const seatedRow = (row: DayRow, place: RowPlace, isFirst: boolean): Html => {
  const offered = offeredMoves(row, place)
  const left = minutesLeft(row, place.now)
  const paid = row.floor_stage === 'Paid'
  const over = left !== null && left < 0
  const next = nextStage(row)
  const leftWords = (words: (left: number) => string) =>
    eachMinute(place.now, (at) => words(minutesLeft(row, at) ?? 0))
  const under = left === null ? '' : leftWords(leftInWords)
  const table = place.tables?.get(row.id)
  const ends = endPart(row, table, place)
  const time =
    table && under !== ''
      ? [html`<span class="row-fact ${over && !paid ? 'bad' : 'good'}">${under}</span>`]
      : []
  const stage = stageNames[row.floor_stage as FloorStage] ?? 'Seated'
  return partyRow(row, place, {
    state: paid ? 'paid' : over ? 'over' : 'seated',
    share: left === null || row.duration_minutes === null ? 0 : 1 - left / row.duration_minutes,
    isFirst,
    under,
    isBad: over && !paid,
    cell: table,
    says:
      left === null
        ? 'seated'
        : leftWords((left) =>
            left === 0
              ? 'due now'
              : left < 0
                ? `${counted(-left, 'minute')} over time`
                : `${counted(left, 'minute')} left`,
          ),
    server: place.servers?.of(row.id),
    chips: [
      // One line that ends where the row does, the time first; before it who needs the table soon, which the minutes follow from.
      html`<span class="row-facts ${ends?.isNear && 'two-lines'}">${[
        ...(ends?.isNear ? [ends.fact, ...time] : [...time, ...(ends ? [ends.fact] : [])]),
        html`<span class="row-fact stage">${stage}</span>`,
      ].map((fact, n) => (n === 0 ? fact : html` ${fact}`))}</span>`,
      ...chipsOf(row),
    ],
    more: [
      ...(under === '' ? [] : [['Time', under] as const]),
      ['Stage', stage],
      ...(ends && !ends.isNear ? [['Table', ends.fact] as const] : []),
    ],
    ends: ends?.isNear ? ends.fact : undefined,
    main:
      paid || next === undefined
        ? moveButton(row, 'complete', { primary: true, label: 'Done' })
        : html`<button id="b${row.id}-next" name="move" value="setFloorStage:${next}">${stagePresses[next]}</button>`,
    menu: [
      ...(paid ? [] : [moveButton(row, 'complete')]),
      ...(offered.has('undoSeat') ? [moveButton(row, 'undoSeat')] : []),
    ],
  })
}

/** Its name is marked as that of a VIP. */
const chipsOf = (row: DayRow): Html[] => chipsAfterAllergies({ ...row, vip: false })

/** Who has their table when they come, which may be another shift than the one that runs. */
const serverThen = (
  { starts_at: at }: DayRow,
  { servers, now }: RowPlace,
  table: TablesShown | undefined,
): ServerRow | undefined => servers?.at(table?.ids ?? [], at === null ? now : toInstant(at))

/** Seats them; while others are at their table, or it is off, the choice of another: a press there seats them, too. */
const seatPress = (row: DayRow, place: RowPlace, table: TablesShown | undefined, primary: boolean): Html =>
  table && (table.takenBy !== undefined || table.off)
    ? html`<a id="b${row.id}-seat" class="button" ${pickLink(row.id, place.back)}>${labels.seat}</a>`
    : moveButton(row, 'seat', { primary, label: labels.seat })

/** From so many minutes before the end of a short stay the row says who is next; and from so many, in red. */
const [amberMinutes, redMinutes] = [15, 5]

/** "until 8:00 PM", or "can stay until 9:45 PM" since the next party moved: of a party whose stay is shorter than usual. */
const endPart = (
  row: DayRow,
  table: TablesShown | undefined,
  { stays, now, timezone }: RowPlace,
): { readonly fact: Html; readonly isNear: boolean } | undefined => {
  const { seated_at, duration_minutes: minutes } = row
  const usual = stays && turnMinutes(stays.rules, row.party_size ?? 1)
  if (!usual || !table || seated_at === null || minutes === null || minutes >= usual) return undefined
  const since = minuteOf(toInstant(seated_at))
  // A length is whole minutes from when they sat down; its end was said to the minute.
  const end = endMinute(since.add({ minutes }))
  const whole = since.add({ minutes: usual }).round({ smallestUnit: 'minute', roundingMode: 'floor' })
  const free = stays.to({ id: row.id, partySize: row.party_size ?? 1, tables: table.ids }, whole)
  if (end.until(free).total('minutes') >= redMinutes && Temporal.Instant.compare(free, now) > 0)
    return {
      fact: html`<span class="row-fact good">can stay until ${timeOf(free, timezone)}</span>`,
      isNear: false,
    }
  const left = now.until(end).total('minutes')
  const tone = left <= redMinutes ? 'bad' : left <= amberMinutes ? 'warn' : ''
  const { next } = table
  const after =
    next && tone !== '' ? `, then ${next.guestName ?? 'somebody'}, party of ${next.partySize}` : ''
  return {
    fact: html`<span class="row-fact ${tone}">until ${timeOf(end, timezone)}${after}</span>`,
    isNear: tone !== '',
  }
}

/** A party that is finished for the evening: what happened, and the way back. */
export const doneRow = (row: DayRow, place: RowPlace): Html => {
  const offered = offeredMoves(row, place)
  const back = (['undoComplete', 'seatLate', 'undoNoShow', 'undoCancel'] as const).filter((name) =>
    offered.has(name),
  )
  return partyRow(row, place, {
    state: row.status === 'Completed' ? 'paid' : 'asked',
    isFirst: false,
    under: row.status === 'Completed' ? 'left' : row.status.toLowerCase(),
    isBad: false,
    says: row.status,
    chips: [html`<span class="row-fact">${row.status}</span>`],
    main: back[0] && moveButton(row, back[0]),
    menu: back.slice(1).map((name) => moveButton(row, name)),
  })
}

/** Whole minutes until a seated party's table is due; null where nobody knows. */
export const minutesLeft = ({ seated_at, duration_minutes }: DayRow, now: Temporal.Instant): number | null =>
  seated_at === null || duration_minutes === null
    ? null
    : duration_minutes - Math.max(0, minutesSince(seated_at, now))

const labels = { arrive: 'Here', seat: 'Seat', confirm: 'Confirm' }

/** What hurts, behind a line: a no-show asks once more; a cancellation says whose decision it was. */
const harmfulMoves = (row: DayRow, offered: ReadonlySet<ReservationMoveName>, place: RowPlace): Html[] => [
  ...(offered.has('markNoShow')
    ? [
        html`<details class="ask-once">
          <summary>No-show…</summary>
          <p class="small">Mark as a no-show and release the table?</p>
          ${moveButton(row, 'markNoShow', { label: 'Yes, no-show' })}
        </details>`,
      ]
    : []),
  ...(offered.has('cancel') ? cancelButtons(row, place) : []),
]

/** A table that a party can sit down at now. */
const isReady = ({ label, takenBy, off }: TablesShown): boolean =>
  label !== '' && takenBy === undefined && !off
