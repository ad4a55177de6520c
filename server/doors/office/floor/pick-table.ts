import { type Html, html } from '../../../platform/html/html.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { ShortStay } from '../../../book/day/short-stays.ts'
import type { Moving } from '../../../book/tables/arrange.ts'
import type { OpenTable } from '../../../book/tables/open-tables.ts'
import type { EveningFloor, EveningParty, EveningTable, TableForBooking } from '../../../book/tables/reads.ts'
import { byLabel, joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { isFree } from './floor-list.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { type Named, movingWords, neededWords } from '../parts/open-words.ts'
import { tablesUntil } from '../parts/forms/table-fields.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { offerChips } from '../parts/server-chip.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { seatsOf, whyOff } from '../parts/table-words.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'

/*
 * Where a party is to sit: the best free tables, each a press away; below them every table, alone or joined, and whom to
 * swap with. A sheet over the service screen, or a page of its own without script.
 */

export type Picking = {
  readonly row: BookRow
  /** When they sat down, or are to. */
  readonly from: Temporal.Instant
  readonly open: readonly TableForBooking[]
  /** What is free once others moved: now, where their time has come, else in their time. */
  readonly moving: readonly Moving[]
  readonly isTime: boolean
  /** Where they may sit down now for a while. */
  readonly short: readonly ShortStay[]
  /** Of who could sit at them, by the ids of bookings. */
  readonly names: Named
  readonly evening: EveningFloor
  /** What the booking holds now. */
  readonly held: { readonly tables: readonly number[]; readonly pinned: boolean }
  /** The page to return to. */
  readonly back: string
  readonly now: Temporal.Instant
  readonly timezone: string
  /** Who serves where, where the service has a line-up. */
  readonly servers: ServersSeen | undefined
}

/** Open tables that are offered first. */
export const mostOffered = 6

/** Parties to swap with that are listed; the nearest in time come first. */
const mostSwaps = 12

export const pickPart = (picking: Picking): Html => {
  const { row, open, moving, isTime, evening, held, back, names, timezone, servers, from } = picking
  const idsOf = ({ tables }: Pick<OpenTable, 'tables'>): string => tables.map(({ id }) => id).join()
  // Free for the whole stay in its time, a table is not offered for a while as well.
  const known = new Set(open.map(idsOf))
  const short = picking.short.filter((stay) => !known.has(idsOf(stay)))
  // Then the tables that are taken are what there is to pick from.
  const isEmpty = open.length + short.length + moving.length === 0
  const sits = row.status === 'Seated'
  const canSit = row.status === 'Confirmed' || row.status === 'Requested'
  const holds = row.status !== 'Requested'
  const labels = joinedLabels(
    evening.tables.filter(({ id }) => held.tables.includes(id)).map(({ label }) => label),
  )
  const doing = (
    tables: string,
    at: string,
    { isHeld = false, maySit = true, mayKeep = true } = {},
  ): Html => {
    const assign = isHeld ? 'Keep' : sits ? 'Move' : 'Assign'
    return html`${
      holds &&
      mayKeep &&
      !(isHeld && (held.pinned || sits)) &&
      html`<button name="do" value="assign ${tables}" aria-label="${assign} ${at}">${assign}</button>`
    }${canSit && maySit && html`<button name="do" value="seat ${tables}" class="primary" aria-label="Seat ${at}">Seat</button>`}`
  }
  const chips = offerChips(
    servers,
    [...open, ...moving, ...short].map(({ tables }) => tables.map(({ id }) => id)),
    from,
  )
  return listForm(
    `/office/bookings/${row.id}/table`,
    { version: row.version, status: row.status, back, seen: held.tables.join(' ') },
    html`<h2>${row.guest_name ?? 'No name'}, ${guestsInWords(row.party_size)}</h2>
    <p class="soft">
      ${row.time === null ? 'no time' : timeInWords(row.time)} · ${labels === '' ? 'without a table' : html`table <b>${labels}</b>${held.pinned ? ', chosen by staff' : ''}`}
    </p>
    ${
      open.length === 0
        ? html`<p>No table for ${row.party_size ?? 1} is open for the whole stay. ${isEmpty && 'Pick one anyway, or swap.'}</p>`
        : html`<ul class="picks">
            ${open.map(({ tables, until, neededBy, isLater }, n) => {
              const label = joinedLabels(tables.map((one) => one.label))
              const ids = tables.map(({ id }) => id).join(' ')
              return html`<li>
                <span class="table-cell ${label.length > 3 && 'long'}">${label.replaceAll('+', '+\u200b')}</span>
                <span class="pick-words"
                  ><b>${untilWords(until, timezone)}</b>${isLater && row.time !== null && html` <span class="soft">from ${timeInWords(row.time)}</span>`}<br /><span class="soft small">${seatsWords(tables)}, ${roomOf(evening, tables)}</span>${chips[n]}${neededBy && html`<br /><span class="small">${neededWords(neededBy, names)}</span>`}</span
                >
                ${doing(ids, `at ${label}`, { isHeld: ids === held.tables.join(' '), maySit: !isLater })}
              </li>`
            })}
          </ul>`
    }
    ${
      moving.length > 0 &&
      html`<h3>When others move${isTime ? '' : html` <span class="soft small">for ${row.time !== null && timeInWords(row.time)}</span>`}</h3>
        <ul class="picks">
          ${moving.map((one, n) => {
            const label = joinedLabels(one.tables.map((table) => table.label))
            const words = movingWords(one, names)
            return html`<li>
              <span class="table-cell ${label.length > 3 && 'long'}">${label.replaceAll('+', '+\u200b')}</span>
              <span class="pick-words"
                ><b>${words}</b><br /><span class="soft small">${seatsWords(one.tables)}, ${roomOf(evening, one.tables)}</span>${chips[open.length + n]}</span
              >
              ${doing(one.tables.map(({ id }) => id).join(' '), `at ${label}, ${words}`, {
                // A press moves them for the hour it is for: who sits down now needs the table from now on.
                maySit: isTime,
                mayKeep: !isTime || sits,
              })}
            </li>`
          })}
        </ul>`
    }
    ${
      short.length > 0 &&
      html`<h3>For a while</h3>
        <ul class="picks">
          ${short.map((stay, n) => {
            const label = joinedLabels(stay.tables.map((one) => one.label))
            const ids = stay.tables.map(({ id }) => id)
            return html`<li>
              <span class="table-cell ${label.length > 3 && 'long'}">${label.replaceAll('+', '+\u200b')}</span>
              <span class="pick-words"
                ><b>${shortWords(stay, timezone)}</b><br /><span class="soft small">${seatsWords(stay.tables)}, ${roomOf(evening, stay.tables)}</span>${chips[open.length + moving.length + n]}</span
              >
              <button name="do" value="seat ${tablesUntil(ids, stay.until)}" aria-label="Seat at ${label}, ${shortWords(stay, timezone)}">Seat</button>
            </li>`
          })}
        </ul>`
    }
    <details class="pick-more" ${isEmpty && html`open`}>
      <summary>Other tables, or several joined</summary>
      ${evening.rooms.map(
        (room) =>
          html`<fieldset>
            <legend>${room.name}</legend>
            ${evening.tables
              .filter((table) => table.room === room.id)
              .toSorted((a, b) => Number(isFree(b)) - Number(isFree(a)) || byLabel(a.label, b.label))
              .map(
                (table) =>
                  html`<label class="pick-box"
                    ><input type="checkbox" name="tables" value="${table.id}" /><b>${table.label}</b>
                    <span class="soft small">${stateWords(table, picking)}</span></label
                  >`,
              )}
          </fieldset>`,
      )}
      <div class="steps">${doing('', 'at the checked tables')}</div>
    </details>
    ${
      held.tables.length > 0 &&
      html`${swaps(picking)}
        <div class="steps">
          ${holds && !sits && html`<button name="do" value="none">Remove from the table</button>`}
          ${held.pinned && !sits && html`<button name="do" value="unpin">Let the system move them</button>`}
        </div>`
    }`,
    { look: 'pick-form' },
  )
}

const swaps = ({ evening, row, from, held, timezone }: Picking): Html | undefined => {
  const others = partiesAtTables(evening)
    .filter(({ party, tables }) => party.id !== row.id && !tables.some(({ id }) => held.tables.includes(id)))
    .filter(({ party }) => party.status === 'Seated' || party.status === 'Confirmed')
  const at = from.epochMilliseconds
  const nearest = others
    .toSorted(
      (a, b) => Math.abs(a.party.from.epochMilliseconds - at) - Math.abs(b.party.from.epochMilliseconds - at),
    )
    .slice(0, mostSwaps)
  if (nearest.length === 0) return undefined
  return html`<details class="pick-more">
    <summary>Swap with another party</summary>
    <ul class="picks">
      ${nearest.map(
        ({ party, tables }) =>
          html`<li>
            <span class="table-cell">${joinedLabels(tables.map(({ label }) => label))}</span>
            <span class="pick-words"
              ><b>${party.guestName ?? 'No name'}</b>, ${guestsInWords(party.partySize)}<br /><span class="soft small"
                >${party.status === 'Seated' ? 'seated since' : 'at'} ${timeOf(party.from, timezone)}</span
              ></span
            >
            <button name="do" value="swap ${party.id}" aria-label="Swap with ${party.guestName ?? 'this party'}">Swap</button>
          </li>`,
      )}
    </ul>
  </details>`
}

const partiesAtTables = ({
  tables,
}: EveningFloor): { readonly party: EveningParty; readonly tables: readonly EveningTable[] }[] => {
  const byParty = new Map<number, { party: EveningParty; tables: EveningTable[] }>()
  for (const table of tables) {
    for (const party of table.parties) {
      const known = byParty.get(party.id)
      if (known) known.tables.push(table)
      else byParty.set(party.id, { party, tables: [table] })
    }
  }
  return [...byParty.values()]
}

const seatsWords = (tables: OpenTable['tables']): string =>
  tables.length > 1
    ? `seats up to ${tables.reduce((sum, { most }) => sum + most, 0)}`
    : `seats ${seatsOf(tables[0] as EveningTable)}`

const roomOf = ({ rooms }: EveningFloor, tables: OpenTable['tables']): string =>
  rooms.find(({ id }) => id === tables[0]?.room)?.name ?? ''

/** Who has a table, in a few words. */
const stateWords = (table: EveningTable, { now, timezone }: Picking): string => {
  const [party] = table.now
  if (party) {
    const isOver = Temporal.Instant.compare(party.until, now) <= 0
    return `${party.guestName ?? 'a walk-in'}, ${isOver ? 'over time' : `to ${timeOf(party.until, timezone)}`}`
  }
  const { next, heldFor, off } = table
  if (off) return `seats ${seatsOf(table)}, ${whyOff(off)}`
  if (heldFor)
    return `seats ${seatsOf(table)}, held for ${heldFor.guestName ?? 'somebody'} to ${timeOf(heldFor.until, timezone)}`
  return next
    ? `seats ${seatsOf(table)}, ${next.guestName ?? 'somebody'} ${timeOf(next.from, timezone)}`
    : `seats ${seatsOf(table)}, free`
}
