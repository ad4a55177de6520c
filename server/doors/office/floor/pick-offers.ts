import type { Content, Html } from '../../../platform/html/html.ts'
import { html } from '../../../platform/html/html.ts'
import { endOf, timeInWords, timeOf } from '../../../platform/kernel/time/in-words.ts'
import type { ClockTime } from '../../../platform/kernel/time/written-time.ts'
import { mostOffered as mostShort } from '../../../book/day/short-stays.ts'
import { movesMany } from '../../../book/tables/arrange.ts'
import { type OpenTable, isFreeFor } from '../../../book/tables/offered/open-tables.ts'
import type { EveningFloor, EveningTable } from '../../../book/tables/reads.ts'
import type { TablesForBooking } from '../../../book/tables/offered/for-party.ts'
import { byLabel, joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { type Named, movingWords, namesOf, whoElseWords } from '../parts/open-words.ts'
import { tablesUntil } from '../parts/forms/table-fields.ts'
import { offerChips } from '../parts/server-chip.ts'
import { shortWords, untilWords } from '../parts/table-cell.ts'
import { seatsOf, whyOff } from '../parts/table-words.ts'
import type { OfficeWork } from '../frame/serve-page.ts'
import { type Turns, isInTurn, leftFirst, turnsAt } from '../service/line-offers.ts'
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
  /** Of others before the party. */
  readonly turns: Turns
  readonly evening: EveningFloor
  readonly now: Temporal.Instant
  readonly timezone: string
  /** Who serves where, where the service has a line-up. */
  readonly servers: ServersSeen | undefined
}

/** What can be done with an offer. `value`: its tables and the end of a short stay at them, as a button sends them. */
export type Offered = {
  readonly kind: 'open' | 'moving' | 'short' | 'late' | 'checked'
  readonly value: string
  /** "at 31", for who hears the buttons. */
  readonly at: string
  /** Somebody is there until their time. */
  readonly isLater: boolean
  /** What comes first, and is taken from nobody: what others need, are late for or would all have to move for is never that. */
  readonly isBest: boolean
}
type Buttons = (offered: Offered) => Content

/** Open tables that are offered first. */
const mostOffered = 6

/** As many as are offered, those first at which it is nobody's turn, and the names of whom they concern. */
export const offersOf = async (
  work: OfficeWork,
  found: TablesForBooking,
  turns: Turns = new Map(),
): Promise<TablesForBooking & Pick<Offers, 'names' | 'turns'>> => {
  const { moving } = found
  const offered = leftFirst(turns, found.open).slice(0, mostOffered)
  const short = leftFirst(turns, found.short).slice(0, mostShort)
  const late = leftFirst(turns, found.late).slice(0, mostShort)
  const names = await namesOf(work, [
    ...[...offered, ...short].map(({ neededBy }) => neededBy?.reservation),
    ...moving.flatMap(({ moves }) => [...moves.keys()]),
    ...late.flatMap((one) => one.late.map(({ reservation }) => reservation)),
  ])
  return { ...found, open: offered, short, late, names, turns }
}

/** Then the tables that are taken are what there is to pick from. */
const isEmpty = ({ open, moving, short, late }: TablesForBooking): boolean =>
  open.length + moving.length + short.length + late.length === 0

export const offerLists = (offers: Offers, buttons: Buttons, orElse: string): Html => {
  const { late, isTime, time, timezone, names, turns, servers, from } = offers
  // What somebody else could have comes after what nobody needs, and is said below it.
  const open = offers.open.filter((one) => isFreeFor(one, offers.isHere))
  const needed = offers.open.filter((one) => !isFreeFor(one, offers.isHere))
  const short = offers.short.filter((one) => isFreeFor(one, offers.isHere))
  const neededStays = offers.short.filter((one) => !isFreeFor(one, offers.isHere))
  const many = offers.moving.filter(movesMany)
  const moving = offers.moving.filter((one) => !movesMany(one))
  const all: readonly Pick<OpenTable, 'tables'>[] = [
    ...[...open, ...moving, ...short],
    ...[...needed, ...neededStays, ...late, ...many],
  ]
  const best = [...open, ...moving, ...short].find((one) => !isInTurn(turns, one))
  const chipsOf = offerChips(
    servers,
    all.map(({ tables }) => tables.map(({ id }) => id)),
    from,
  )
  const chips = new Map(all.map((place, n) => [place, chipsOf[n]]))
  const atTime = time !== null && timeInWords(time)
  const one = (
    place: Pick<OpenTable, 'tables'>,
    words: string,
    {
      kind,
      isLater = false,
      until,
      more,
    }: Pick<Offered, 'kind'> & { isLater?: boolean; until?: Temporal.Instant; more?: Content },
  ): Html => {
    const { tables } = place
    const label = joinedLabels(tables.map((table) => table.label))
    const value = tablesUntil(
      tables.map(({ id }) => id),
      until,
    )
    const at = kind === 'open' ? `at ${label}` : `at ${label}, ${words}`
    return html`<li>
      <span class="table-cell ${label.length > 3 && 'long'}">${label.replaceAll('+', '+\u200b')}</span>
      <span class="pick-words"
        ><b>${words}</b>${isLater && time !== null && html` <span class="soft">from ${atTime}</span>`}<br /><span class="soft small">${seatsWords(tables)}, ${roomOf(offers.evening, tables)}</span>${chips.get(place)}${more && html`<br /><span class="small">${more}</span>`}</span
      >
      ${buttons({ kind, value, at, isLater, isBest: place === best })}
    </li>`
  }
  const forTime = isTime ? '' : html` <span class="soft small">for ${atTime}</span>`
  const whoElse = (
    place: Pick<OpenTable, 'tables'> & Parameters<typeof whoElseWords>[0],
  ): string | undefined => whoElseWords(place, turnsAt(turns, place), names)
  const openOnes = (tables: typeof open): Html[] =>
    tables.map((table) =>
      one(table, untilWords(table.until, timezone), {
        kind: 'open',
        isLater: table.isLater,
        more: whoElse(table),
      }),
    )
  const shortOnes = (stays: typeof offers.short): Html[] =>
    stays.map((stay) =>
      one(stay, shortWords(stay, timezone), { kind: 'short', until: stay.until, more: whoElse(stay) }),
    )
  const isOwn = short.some((stay) => stay.isOwn)
  return html`${
    offers.open.length === 0
      ? html`<p>No ${isOwn ? 'other ' : ''}table for ${offers.partySize} is open for the whole stay. ${!isOwn && isEmpty(offers) && orElse}</p>`
      : picks(undefined, openOnes(open))
  }
    ${picks(
      html`When others move${forTime}`,
      moving.map((place) => one(place, movingWords(place, names), { kind: 'moving' })),
    )}
    ${picks(html`For a while${forTime}`, shortOnes(short))}
    ${picks(moving.length + short.length + neededStays.length > 0 ? 'Others could use these' : undefined, [
      ...openOnes(needed),
      ...shortOnes(neededStays),
    ])}
    ${picks(
      'Held for a late party',
      late.map((place) =>
        one(place, place.short ? shortWords(place.short, timezone) : untilWords(place.until, timezone), {
          kind: 'late',
          ...(place.short && { until: place.short.until }),
          more: whoElse(place),
        }),
      ),
    )}
    ${picks(
      'When many others move',
      many.map((place) => one(place, movingWords(place, names), { kind: 'moving' })),
    )}`
}

const picks = (head: Content | undefined, rows: readonly Html[]): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`${head && html`<h3>${head}</h3>`}
        <ul class="picks">
          ${rows}
        </ul>`

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
    <div class="steps">${buttons({ kind: 'checked', value: '', at: 'at the checked tables', isLater: false, isBest: false })}</div>
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
