import { limits } from '@venue-data/contract/limits.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { EveningTable } from '../../../book/tables/reads.ts'
import type { TableAtDoor } from '../../../book/tables/offered/at-door.ts'
import type { EntryRow } from '../../../book/day/entry-row.ts'
import { tokenField } from '../parts/forms/fields.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { pickLink, shortWords } from '../parts/table-cell.ts'
import { tablesField } from '../parts/forms/table-fields.ts'
import { servedByForm } from '../servers/now.ts'
import { serverChip } from '../parts/server-chip.ts'
import { seatsOf } from '../parts/table-words.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { nextStage, stagePresses } from '../parts/stages.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { moveButton, moveForm } from '../bookings/move-form.ts'
import { minutesLate, offeredMoves } from '../bookings/offered-moves.ts'
import type { DayBook } from '../today/read-day.ts'
import { button, entryForm, offeredEntryMoves } from '../waitlist/entry.ts'
import { outTonightPart } from './out-tonight.ts'
import { tileOf } from './floor-list.ts'
import { timeInWords } from '../../../platform/kernel/time/in-words.ts'

/*
 * One table, pressed on the floor: who sits there and what comes next for them, who is expected, and everybody who could sit down
 * now, each a press away. With the press on the table that is two.
 */

/** Parties that could sit down, the longest waiting first. */
const mostShown = 8
/** A party may be seated this many minutes before its time. */
const earlyMinutes = 30

export const tablePanel = (
  table: EveningTable,
  day: DayBook,
  place: RowPlace,
  {
    needed,
    shortFor = () => undefined,
  }: {
    /** Who could sit here, in words: whose turn it is, and who has no table yet. */
    readonly needed: string | undefined
    readonly shortFor?: TableAtDoor['shortFor'] | undefined
  },
): Html => {
  const rows = new Map(day.bookings.map((row) => [row.id, row]))
  const rowsOf = (parties: EveningTable['parties']): DayRow[] =>
    parties.flatMap(({ id }) => rows.get(id) ?? [])
  const room = day.evening?.rooms.find(({ id }) => id === table.room)?.name ?? ''
  const expected = rowsOf(table.parties.filter(({ status }) => status === 'Confirmed'))
  const ready = table.now.length > 0 || table.off ? [] : readyOf(day, place, table)
  return html`<div class="pick-form">
    <h2>Table ${table.label} <span class="soft small">seats ${seatsOf(table)}, ${room}</span>${offerChip(table, place)}</h2>
    ${
      table.now.length === 0
        ? html`<p>${tileOf(table, place, timeInWords).words}${table.features.length > 0 && html` <span class="soft">· ${table.features.join(', ')}</span>`}</p>
            ${needed && html`<p class="small">${needed}.</p>`}`
        : html`<ul class="picks">
            ${rowsOf(table.now).map((row) => seatedPart(row, minutesAndStage(table, place), place))}
          </ul>`
    }
    ${
      ready.length > 0 &&
      html`<h3>Seat here</h3>
        <ul class="picks">
          ${ready.map((one, n) => readyPart(one, table.id, n === 0, shortFor, place))}
        </ul>`
    }
    ${table.now.length === 0 && !table.off && walkInPart(table, shortFor(table.most), place)}
    ${
      expected.length > 0 &&
      html`<h3>Coming to this table</h3>
        <ul class="picks">
          ${expected.map(
            (row) =>
              html`<li>
                <b>${row.time && timeInWords(row.time)}</b> ${whoPart(row)}
                <a class="button" ${pickLink(row.id, place.back)} aria-label="Change the table of ${row.guest_name ?? 'this party'}">Change</a>
              </li>`,
          )}
        </ul>`
    }
    ${outTonightPart(table, day, place.back)}
  </div>`
}

/** Whose table it is, and whether they are the next to be given a party. */
const offerChip = ({ id, now }: EveningTable, { servers }: RowPlace): Html | undefined => {
  const server = now[0] ? servers?.of(now[0].id) : servers?.at([id])
  const isNext = now.length === 0 && server && servers?.turn[0]?.id === server.id
  return server && html` ${serverChip(server)}${isNext && html` <span class="small">next up</span>`}`
}

const minutesAndStage = (table: EveningTable, place: RowPlace): Html => {
  const { words, stage } = tileOf(table, place, timeInWords)
  return stage === undefined ? words : html`${words}, ${stage}`
}

const whoPart = ({ id, guest_name, party_size }: Pick<DayRow, 'id' | 'guest_name' | 'party_size'>): Html =>
  html`<span class="pick-words"
    ><a class="strong" href="/office/bookings/${id}">${guest_name ?? 'No name'}</a>, ${guestsInWords(party_size)}</span
  >`

const seatedPart = (row: DayRow, words: Html, place: RowPlace): Html => {
  const offered = offeredMoves(row, place)
  const next = nextStage(row)
  return html`<li class="pick-party">
    ${whoPart(row)} <span class="soft">${words}</span>
    ${moveForm(
      row,
      place.back,
      html`<div class="steps">
        ${next && html`<button id="p${row.id}-next" name="move" value="setFloorStage:${next}" class="primary">${stagePresses[next]}</button>`}
        ${moveButton(row, 'complete', { prefix: 'p', primary: next === undefined })}
        <a class="button" ${pickLink(row.id, place.back)}>Move</a>
        ${offered.has('undoSeat') && moveButton(row, 'undoSeat', { prefix: 'p' })}
      </div>`,
    )}
    ${servedByForm(row.id, place)}
  </li>`
}

type Ready =
  | { readonly kind: 'booking'; readonly row: DayRow; readonly late: number }
  | { readonly kind: 'entry'; readonly row: EntryRow }

/** Who could sit down at the table, or has it joined with others: here already, then the late and the due by their time, then the waitlist, by what was promised. */
const readyOf = (day: DayBook, place: RowPlace, { id: table, most }: EveningTable): readonly Ready[] => {
  const fits = ({ party_size: size }: { readonly party_size: number | null }): boolean => (size ?? 1) <= most
  const bookings = day.bookings
    .filter(
      (row) => row.status === 'Confirmed' && (fits(row) || place.tables?.get(row.id)?.ids.includes(table)),
    )
    .map((row) => ({ kind: 'booking' as const, row, late: minutesLate(row, day.now) }))
    .filter(({ row, late }) => row.checked_in_at !== null || late >= -earlyMinutes)
    .toSorted(
      (a, b) =>
        Number(b.row.checked_in_at !== null) - Number(a.row.checked_in_at !== null) || b.late - a.late,
    )
  const line = day.line
    .filter(
      (row) => fits(row) && offeredEntryMoves(row, { ...place, serviceDateNow: place.today }).has('seatNow'),
    )
    .map((row) => ({ kind: 'entry' as const, row }))
  return [...bookings.slice(0, mostShown), ...line.slice(0, mostShown)]
}

const readyPart = (
  one: Ready,
  table: number,
  isFirst: boolean,
  shortFor: TableAtDoor['shortFor'],
  place: RowPlace,
): Html => {
  const isTheirs = one.kind === 'booking' && place.tables?.get(one.row.id)?.ids.includes(table)
  // Until when they may have their own table, their row says, too.
  const short = isTheirs ? place.instead?.get(one.row.id)?.stay : shortFor(one.row.party_size ?? 1)
  const shortPart = short && html`<br /><b class="small">${shortWords(short, place.timezone)}</b>`
  if (one.kind === 'entry') {
    const { row } = one
    return html`<li>
      <span class="pick-words"><b>${row.guest_name ?? 'A party'}</b>, ${guestsInWords(row.party_size)}<br /><span class="soft small">waitlist</span>${shortPart}</span>
      ${entryForm(
        row,
        html`${tablesField([table], short?.until)}${button(row, 'seatNow', 'Seat', isFirst)}`,
        {
          list: '#book',
          back: place.back,
        },
      )}
    </li>`
  }
  const { row, late } = one
  const its = place.tables?.get(row.id)
  const words =
    row.checked_in_at !== null ? 'here' : late > 0 ? `${late} late` : late === 0 ? 'now' : `in ${-late}`
  return html`<li>
    <span class="pick-words"
      ><b>${row.guest_name ?? 'No name'}</b>, ${guestsInWords(row.party_size)}<br /><span class="soft small"
        >${row.time && timeInWords(row.time)}, ${words}${its && its.label !== '' && !its.ids.includes(table) && `, table ${its.label}`}</span
      >${shortPart}</span
    >
    ${moveForm(
      row,
      place.back,
      html`${tablesField([table], short?.until)}${moveButton(row, 'seat', { prefix: 'p', primary: isFirst, label: 'Seat' })}`,
    )}
  </li>`
}

const walkInPart = (
  { id, most }: EveningTable,
  short: ReturnType<TableAtDoor['shortFor']>,
  { back, timezone }: RowPlace,
): Html =>
  listForm(
    '/office/service/walk-ins',
    // Nothing was said of the size that is typed, so what speaks against it has not changed.
    { back, unseen: 'yes' },
    html`${tokenField()}${tablesField([id], short?.until)}<label class="inline"
        ><span>Walk-in of</span
        ><input class="few" name="partySize" type="number" inputmode="numeric" min="1" max="${limits.partyGuests}" value="${most}" required
      /></label>
      <button aria-label="Seat the walk-in">Seat${short && ` ${shortWords(short, timezone)}`}</button>`,
    { look: 'pick-walk-in' },
  )
