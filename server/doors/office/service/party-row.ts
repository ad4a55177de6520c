import { type Content, type Html, html } from '../../../platform/html/html.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { icon } from '../parts/icon.ts'
import { type PlateState, plate } from '../parts/plate.ts'
import { type TablesShown, tableCell } from '../parts/table-cell.ts'
import { tablesField } from '../parts/forms/table-fields.ts'
import { guestsInWords } from '../parts/time-words.ts'
import { moveForm } from '../bookings/move-form.ts'
import { changeLink } from '../parts/change-link.ts'
import { plainTime } from '../parts/plain-time.ts'
import type { RowPlace } from '../today/booking-row.ts'
import { lastTextPart } from '../texts/last-text.ts'
import { textLink } from '../texts/text-link.ts'
import { allergyChips } from './chips.ts'
import { peek } from './peek.ts'
import { rowName } from './row-name.ts'

/*
 * A party in one of the three lists: time, plate, who, and one button for what comes next. All else is in its menu,
 * which opens without script, or on its page behind the name.
 */

/** What one of the lists has in it of a party. */
export type Shown = {
  readonly state: PlateState
  readonly share?: number
  readonly isFirst: boolean
  /** Under the time. */
  readonly under: Content
  readonly isBad: boolean
  /** The state in words, for who does not see the plate. */
  readonly says: Content
  readonly chips: readonly Html[]
  /** What the row may have no room for, by what it is. */
  readonly more?: readonly (readonly [string, Content])[]
  /** What of the end of their stay must be read. */
  readonly ends?: Html | undefined
  /** Who serves them, or will where they are to sit. */
  readonly server?: ServerRow | undefined
  /** Where tables decide: their table, next to the button; or in place of the time, for who sits there. */
  readonly table?: TablesShown | undefined
  readonly cell?: TablesShown | undefined
  readonly main: Html | undefined
  readonly menu: readonly Html[]
}

export const partyRow = (row: DayRow, place: RowPlace, shown: Shown): Html => {
  const name = row.guest_name ?? 'No name'
  const menu = `m${row.id}`
  const text = lastTextPart(row.phone, place.bookingTexts?.get(row.id), place.timezone)
  const { whole: asks, stay, seat } = place.instead?.get(row.id) ?? {}
  const read = peek(
    {
      ...row,
      name,
      asks,
      ends: shown.ends,
      server: shown.server,
      more: [...(shown.more ?? []), ...(text ? [['Text', text] as const] : [])],
    },
    `b${row.id}`,
    plate(row.party_size, shown.state, shown.share),
  )
  return html`<li id="b${row.id}" class="row ${shown.table && 'tabled'} ${shown.isFirst && 'first'}">
    ${
      shown.cell
        ? tableCell({ id: row.id, name }, { ...shown.cell, takenBy: undefined, theirs: true }, place)
        : html`<span class="row-when">${row.time === null ? '–' : plainTime(row.time)}<span class="${shown.isBad && 'bad'}">${shown.under}</span></span>`
    }
    ${read.plate}
    <a class="row-who" href="/office/bookings/${row.id}"
      >${rowName(name, html`${guestsInWords(row.party_size)}, ${shown.says}`, row.vip)}<span class="chips">${allergyChips(row)}${asksPart(row, place)}${text}${shown.chips}</span></a
    >
    ${shown.table && tableCell({ id: row.id, name }, { ...shown.table, isAsked: asks !== undefined && stay === undefined }, place)}
    ${moveForm(
      row,
      place.back,
      html`${tablesField(seat?.tables ?? shown.table?.ids, seat?.until)}<span class="row-go">${shown.main}</span>${
        shown.menu.length > 0 &&
        html`<button type="button" class="row-more" popovertarget="${menu}" aria-label="More for ${name}">
            ${icon('ellipsis')}
          </button>
          <div id="${menu}" class="row-menu" popover>
            <p class="strong">${name}</p>
            ${shown.menu}${textLink({ kind: 'reservation', ...row }, place, place.back)}${changeLink(row.id)}<a class="button" href="/office/bookings/${row.id}">See all</a>
          </div>`
      }`,
    )}
    ${read.words}
  </li>`
}

/** Letters of a question that one line of a narrow list holds, so that the name has two. */
const oneLine = 13

/** "3 until 9:00 PM", where their own table is still taken, or theirs until then: the table cell next to it leads to the choice. */
const asksPart = (row: DayRow, { instead }: RowPlace): Html[] => {
  const asks = instead?.get(row.id)
  if (!asks) return []
  // What they may have at their own table is no question.
  const isShort = typeof asks.brief === 'string' && asks.brief.length <= oneLine
  const look = asks.stay ? 'row-fact good' : `row-asks bad${isShort ? ' one-line' : ''}`
  return [html`<span class="${look}" title="${asks.whole}">${asks.brief}</span>`]
}
