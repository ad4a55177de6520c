import { type Html, html } from '../../../platform/html/html.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { EveningFloor, EveningParty, EveningTable } from '../../../book/tables/reads.ts'
import type { TablesForBooked } from '../../../book/tables/offered/for-party.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { listForm } from '../parts/forms/list-form.ts'
import { movingWords } from '../parts/open-words.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { type Offered, type Offers, offerLists, otherTables } from './pick-offers.ts'

/*
 * Where a party is to sit: the best free tables, each a press away; below them every table, alone or joined, and whom to
 * swap with. A sheet over the service screen, or a page of its own without script.
 */

export type Picking = Offers &
  Pick<TablesForBooked, 'swapWith'> & {
    readonly row: BookRow
    /** What the booking holds now. */
    readonly held: { readonly tables: readonly number[]; readonly pinned: boolean }
    /** The page to return to. */
    readonly back: string
    /** Over the page it returns to, which shows the answer; false: a page of its own. */
    readonly live: boolean
  }

/** What a press that puts them at a table is called, where it seats nobody. */
export const assignWord = ({ status }: Pick<BookRow, 'status'>): 'Move' | 'Assign' =>
  status === 'Seated' ? 'Move' : 'Assign'

/**
 * Parties to swap with that are listed, of those that a press would swap; the nearest in time come first. Most of a full house:
 * who was just swapped with is in it whatever their hour, so that the same list takes it back.
 */
const mostSwaps = 60

export const pickPart = (picking: Picking): Html => {
  const { row, isTime, evening, held, back, live } = picking
  const sits = row.status === 'Seated'
  const canSit = row.status === 'Confirmed' || row.status === 'Requested'
  const holds = row.status !== 'Requested'
  const others = held.tables.length > 0 ? swaps(picking) : undefined
  const labels = joinedLabels(
    evening.tables.filter(({ id }) => held.tables.includes(id)).map(({ label }) => label),
  )
  const buttons = ({ kind, value, at, isLater, isBest }: Offered): Html => {
    const isHeld = value !== '' && value === held.tables.join(' ')
    const assign = isHeld ? 'Keep' : assignWord(row)
    // A press moves others for the hour it is for, and a stay for a while begins at it: who sits down now needs it from now on.
    const isForHour = kind === 'moving' || kind === 'short'
    const maySit = isForHour ? isTime : !isLater
    const mayKeep =
      kind !== 'late' &&
      (isForHour ? !isTime || (sits && kind === 'moving') : !(isHeld && (held.pinned || sits)))
    return html`${
      holds &&
      mayKeep &&
      html`<button name="do" value="assign ${value}" aria-label="${assign} ${at}">${assign}</button>`
    }${canSit && maySit && html`<button name="do" value="seat ${value}" class="${isBest && 'primary'}" aria-label="Seat ${at}">Seat</button>`}`
  }
  return listForm(
    `/office/bookings/${row.id}/table`,
    { version: row.version, status: row.status, back, seen: held.tables.join(' ') },
    html`<h2>${row.guest_name ?? 'No name'}, ${guestsInWords(row.party_size)}</h2>
    <p class="soft">
      ${row.time === null ? 'no time' : timeInWords(row.time)} · ${labels === '' ? 'without a table' : html`table <b>${labels}</b>${held.pinned ? ', chosen by staff' : ''}`}
    </p>
    ${offerLists(picking, buttons, others ? 'Pick one anyway, or swap.' : 'Pick one anyway.')} ${otherTables(picking, buttons)}
    ${
      held.tables.length > 0 &&
      html`${others}
        <div class="steps">
          ${holds && !sits && html`<button name="do" value="none">Remove from the table</button>`}
          ${held.pinned && !sits && html`<button name="do" value="unpin">Let the system move them</button>`}
        </div>`
    }`,
    { look: 'pick-form', live },
  )
}

const swaps = ({ evening, row, from, held, timezone, swapWith }: Picking): Html | undefined => {
  const all = partiesAtTables(evening)
  const others = all
    .filter(({ party, tables }) => party.id !== row.id && !tables.some(({ id }) => held.tables.includes(id)))
    .filter(({ party }) => party.status === 'Seated' || party.status === 'Confirmed')
  const at = from.epochMilliseconds
  const nearest = others
    .toSorted(
      (a, b) => Math.abs(a.party.from.epochMilliseconds - at) - Math.abs(b.party.from.epochMilliseconds - at),
    )
    .values()
    .flatMap(({ party, tables }) => {
      const moving = swapWith(held.tables, party)
      return moving ? [{ party, tables, moving }] : []
    })
    .take(mostSwaps)
    .toArray()
  if (nearest.length === 0) return undefined
  const names = new Map(all.map(({ party }) => [party.id, party.guestName ?? 'No name']))
  return html`<details class="pick-more">
    <summary>Swap with another party</summary>
    <ul class="picks">
      ${nearest.map(
        ({ party, tables, moving }) =>
          html`<li>
            <span class="table-cell">${joinedLabels(tables.map(({ label }) => label))}</span>
            <span class="pick-words"
              ><b>${party.guestName ?? 'No name'}</b>, ${guestsInWords(party.partySize)}<br /><span class="soft small"
                >${party.status === 'Seated' ? 'seated since' : 'at'} ${timeOf(party.from, timezone)}${moving.moves.size > 0 && `, ${movingWords(moving, names)}`}</span
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
