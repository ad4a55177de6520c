import type { Content, Html } from '../../../platform/html/html.ts'
import { html } from '../../../platform/html/html.ts'
import { endOf, timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { ClockTime } from '../../../platform/kernel/time/written-time.ts'
import type { OpenTable } from '../../../book/tables/offered/open-tables.ts'
import type { EveningFloor, EveningTable } from '../../../book/tables/reads.ts'
import type { TablesForBooking } from '../../../book/tables/offered/for-party.ts'
import { byLabel, joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { type Named, movingWords, namesOf, neededWords } from '../parts/open-words.ts'
import { tablesUntil } from '../parts/forms/table-fields.ts'
import { offerChips } from '../parts/server-chip.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { seatsOf, whyOff } from '../parts/table-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { isFree } from './floor-list.ts'

/*
 * The tables that a party may be given, each with its buttons: open ones, those that are free once others moved, those that
 * are free for a while, and below them every table, alone or joined. For a booking and for a party of the line alike.
 */

export type Offers = TablesForBooking & {
  readonly partySize: number
  /** When they sat down, or are to. */
  readonly from: Temporal.Instant
  /** The same as it is said; null for who is here. */
  readonly time: ClockTime | null
  /** Of who could sit at them, by the ids of bookings. */
  readonly names: Named
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
  /** Who serves where, where the service has a line-up. */
  readonly servers: ServersSeen | undefined
}

/** What can be done with an offer. `value`: its tables and the end of a short stay at them, as a button sends them. */
export type Offered = {
  readonly kind: 'open' | 'moving' | 'short' | 'checked'
  readonly value: string
  /** "at 31", for who hears the buttons. */
  readonly at: string
  /** Somebody is there until their time. */
  readonly isLater: boolean
}
type Buttons = (offered: Offered) => Content

/** Open tables that are offered first. */
const mostOffered = 6

/** As many as are offered, and the names of whom they concern. */
export const offersOf = async (
  work: OfficeWork,
  { open, moving, ...found }: TablesForBooking,
): Promise<TablesForBooking & Pick<Offers, 'names'>> => {
  const offered = open.slice(0, mostOffered)
  const names = await namesOf(work, [
    ...offered.map(({ neededBy }) => neededBy?.reservation),
    ...moving.flatMap(({ moves }) => [...moves.keys()]),
  ])
  return { ...found, open: offered, moving, names }
}

/** Then the tables that are taken are what there is to pick from. */
const isEmpty = ({ open, moving, short }: TablesForBooking): boolean =>
  open.length + moving.length + short.length === 0

export const offerLists = (offers: Offers, buttons: Buttons, orElse: string): Html => {
  const { open, moving, short, isTime, time, timezone, names, servers, from } = offers
  const chips = offerChips(
    servers,
    [...open, ...moving, ...short].map(({ tables }) => tables.map(({ id }) => id)),
    from,
  )
  const atTime = time !== null && timeInWords(time)
  const one = (
    { tables }: Pick<OpenTable, 'tables'>,
    words: string,
    chip: Html | undefined,
    {
      kind,
      isLater = false,
      until,
      more,
    }: Pick<Offered, 'kind'> & { isLater?: boolean; until?: Temporal.Instant; more?: Content },
  ): Html => {
    const label = joinedLabels(tables.map((table) => table.label))
    const value = tablesUntil(
      tables.map(({ id }) => id),
      until,
    )
    const at = kind === 'open' ? `at ${label}` : `at ${label}, ${words}`
    return html`<li>
      <span class="table-cell ${label.length > 3 && 'long'}">${label.replaceAll('+', '+\u200b')}</span>
      <span class="pick-words"
        ><b>${words}</b>${isLater && time !== null && html` <span class="soft">from ${atTime}</span>`}<br /><span class="soft small">${seatsWords(tables)}, ${roomOf(offers.evening, tables)}</span>${chip}${more}</span
      >
      ${buttons({ kind, value, at, isLater })}
    </li>`
  }
  const forTime = isTime ? '' : html` <span class="soft small">for ${atTime}</span>`
  return html`${
    open.length === 0
      ? short.some(({ isOwn }) => isOwn)
        ? html`<p>No other table for ${offers.partySize} is open for the whole stay.</p>`
        : html`<p>No table for ${offers.partySize} is open for the whole stay. ${isEmpty(offers) && orElse}</p>`
      : html`<ul class="picks">
            ${open.map((table, n) =>
              one(table, untilWords(table.until, timezone), chips[n], {
                kind: 'open',
                isLater: table.isLater,
                more:
                  table.neededBy &&
                  html`<br /><span class="small">${neededWords(table.neededBy, names)}</span>`,
              }),
            )}
          </ul>`
  }
    ${
      moving.length > 0 &&
      html`<h3>When others move${forTime}</h3>
        <ul class="picks">
          ${moving.map((place, n) =>
            one(place, movingWords(place, names), chips[open.length + n], { kind: 'moving' }),
          )}
        </ul>`
    }
    ${
      short.length > 0 &&
      html`<h3>For a while${forTime}</h3>
        <ul class="picks">
          ${short.map((stay, n) =>
            one(stay, shortWords(stay, timezone), chips[open.length + moving.length + n], {
              kind: 'short',
              until: stay.until,
            }),
          )}
        </ul>`
    }`
}

/** Every table, free ones first: one, or several joined. */
export const otherTables = (offers: Offers, buttons: Buttons): Html =>
  html`<details class="pick-more" ${isEmpty(offers) && html`open`}>
    <summary>Other tables, or several joined</summary>
    ${offers.evening.rooms.map(
      (room) =>
        html`<fieldset>
          <legend>${room.name}</legend>
          ${offers.evening.tables
            .filter((table) => table.room === room.id)
            .toSorted((a, b) => Number(isFree(b)) - Number(isFree(a)) || byLabel(a.label, b.label))
            .map(
              (table) =>
                html`<label class="pick-box"
                  ><input type="checkbox" name="tables" value="${table.id}" /><b>${table.label}</b>
                  <span class="soft small">${stateWords(table, offers)}</span></label
                >`,
            )}
        </fieldset>`,
    )}
    <div class="steps">${buttons({ kind: 'checked', value: '', at: 'at the checked tables', isLater: false })}</div>
  </details>`

const seatsWords = (tables: OpenTable['tables']): string =>
  tables.length > 1
    ? `seats up to ${tables.reduce((sum, { most }) => sum + most, 0)}`
    : `seats ${seatsOf(tables[0] as EveningTable)}`

const roomOf = ({ rooms }: EveningFloor, tables: OpenTable['tables']): string =>
  rooms.find(({ id }) => id === tables[0]?.room)?.name ?? ''

/** Who has a table, in a few words. */
const stateWords = (table: EveningTable, { now, timezone }: Pick<Offers, 'now' | 'timezone'>): string => {
  const [party] = table.now
  if (party) {
    const isOver = Temporal.Instant.compare(party.until, now) <= 0
    return `${party.guestName ?? 'a walk-in'}, ${isOver ? 'over time' : `to ${endOf(party.until, timezone)}`}`
  }
  const { next, heldFor, off } = table
  if (off) return `seats ${seatsOf(table)}, ${whyOff(off)}`
  if (heldFor)
    return `seats ${seatsOf(table)}, held for ${heldFor.guestName ?? 'somebody'} to ${timeOf(heldFor.until, timezone)}`
  return next
    ? `seats ${seatsOf(table)}, ${next.guestName ?? 'somebody'} ${timeOf(next.from, timezone)}`
    : `seats ${seatsOf(table)}, free`
}
