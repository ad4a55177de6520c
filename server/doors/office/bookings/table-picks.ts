import type { Queries } from '../../../platform/db/pool.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { endOf, timeOf } from '../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import type { StaySeen } from '../../../book/reservations/chosen-tables.ts'
import { type ShortStay, mostOffered as mostShort, shortStays } from '../../../book/day/short-stays.ts'
import { joinedLabels } from '../../../book/rules/floor/written-floor.ts'
import { momentIn } from '../parts/forms/table-fields.ts'
import { shortWords } from '../parts/table-cell.ts'
import type { BookRow } from '../../../book/day/book-row.ts'
import type { FloorDay, Wanted } from '../../../book/day/day-floor.ts'
import {
  type Holder,
  type TableChoice,
  type TableChoices,
  isOpen,
  mayChoose,
  tableChoices,
} from '../../../book/tables/table-choices.ts'
import type { BookingRules } from '../../../book/rules/booking-rules.ts'
import { hasUsualLength, minutesWith, turnMinutes } from '../../../book/rules/turn-minutes.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import type { Form } from '../frame/page.ts'
import { type FormSeen, choiceField, minutesField, wholeNumberIn } from '../parts/forms/fields.ts'
import { type Named, movingWords, namesOf, neededWords } from '../parts/open-words.ts'
import type { ServersSeen } from '../../../book/servers/seen.ts'
import { offerChips, serverChip } from '../parts/server-chip.ts'
import { seatsOf } from '../parts/table-words.ts'
import { idIn, minutesInWords } from '../parts/time-words.ts'

/*
 * Where a party sits and for how long, in the booking sheet of a venue where tables decide. Left alone, a machine finds
 * the table and may move the party later; what staff choose stays.
 */

/** What the sheet shows of the tables for what is asked. */
export type TablesSeen = {
  readonly choices: TableChoices
  /** Where they may sit for a while. */
  readonly short: readonly ShortStay[]
  /** Names of who has tables or needs one, by the id of their booking. */
  readonly names: Named
  /** The value of the choice that is made; '' where that one is somebody else's by now. */
  readonly chosen: string
  readonly timezone: string
  readonly isEdit: boolean
  readonly startsAt: Temporal.Instant
  /** Who serves where when they come, where the service has a line-up. */
  readonly servers: ServersSeen | undefined
}

/** Tables shown before the rest is folded. */
const mostOffered = 6
const without = 'none'

export const readTables = async (
  { db, venue }: { readonly db: Queries; readonly venue: Pick<Venue, 'id' | 'timezone'> },
  day: FloorDay,
  wanted: Wanted,
  { chosen, isEdit, servers }: Pick<TablesSeen, 'chosen' | 'isEdit' | 'servers'>,
): Promise<TablesSeen> => {
  const choices = tableChoices(day, wanted)
  const named = choices.all.flatMap(({ taken, neededBy }) => [
    ...taken.map(({ reservation }) => reservation),
    neededBy?.reservation,
  ])
  const short = shortStays(day, wanted).filter((one, n) => n < mostShort || shortValueOf(one) === chosen)
  const known =
    chosen === without ||
    choices.all.some((one) => valueOf(one) === chosen && mayChoose(one)) ||
    short.some((one) => shortValueOf(one) === chosen)
  return {
    choices,
    short,
    names: await namesOf({ db, venue }, [...named, ...(choices.moving?.moves.keys() ?? [])]),
    chosen: known ? chosen : '',
    timezone: venue.timezone,
    isEdit,
    startsAt: wanted.startsAt,
    servers,
  }
}

/** What staff chose: undefined where they left it to the machine, none for "without a table". */
export const stayIn = (form: Pick<Form, 'text'>): StaySeen => stayOfValue(form.text('table'))

/** "31+32", with the end of a short stay there "31+32@2026-10-07T00:00:00Z". */
export const stayOfValue = (value: string): StaySeen => {
  const [tables = '', end = ''] = value.split('@')
  if (tables === '') return { tables: undefined, until: undefined }
  if (tables === without) return { tables: [], until: undefined }
  return {
    tables: tables.split('+').map((text) => {
      const id = idIn(text)
      if (id === undefined) throw badRequest('Choose a table from the list.')
      return id
    }),
    until: momentIn(end),
  }
}

const valueOf = ({ tables }: Pick<TableChoice, 'tables'>): string => tables.join('+')
const idsOf = ({ tables }: Pick<ShortStay, 'tables'>): readonly number[] => tables.map(({ id }) => id)
const shortValueOf = ({ tables, until }: ShortStay): string =>
  `${valueOf({ tables: idsOf({ tables }) })}@${until.toString()}`

/** The tables as a group of radio buttons; it is renewed in place while the sheet is filled in. */
export const tablePicks = (
  seen: TablesSeen | undefined,
  { renewed = false }: { readonly renewed?: boolean } = {},
): Html =>
  html`<fieldset id="table-picks" class="table-picks" ${renewed && html`hx-swap-oob="outerMorph"`}>
    <legend>Table</legend>
    ${
      seen
        ? picks(seen)
        : html`<p class="soft small">Press a time first; the free tables will appear here.</p>
            <input type="hidden" name="table" value="" />`
    }
  </fieldset>`

const picks = (seen: TablesSeen): Html => {
  const { choices, chosen, short, timezone } = seen
  const { best, held } = choices
  // Left alone they have their own table: it is not there twice.
  const own = best && held && chosen !== valueOf(held) && valueOf(best) === valueOf(held) ? held : undefined
  const free = choices.all
    .filter((one) => isOpen(one) && one !== own)
    .toSorted((a, b) => Number(a.neededBy !== undefined) - Number(b.neededBy !== undefined))
  const shown = free.filter((one, place) => place < mostOffered || valueOf(one) === chosen)
  const folded = choices.all.filter(
    (one) => one !== own && !shown.includes(one) && (one.tables.length === 1 || isOpen(one)),
  )
  // Whose turn it is, is said at what is offered, not at a table that somebody has.
  const offers = [...free.map(({ tables }) => tables), ...short.map(idsOf)]
  const chips = offerChips(seen.servers, offers, seen.startsAt)
  const chipOf = (tables: readonly number[]): Html | undefined => {
    const place = offers.findIndex((offer) => offer.join() === tables.join())
    const server = seen.servers?.at(tables, seen.startsAt)
    return place >= 0 ? chips[place] : server && html` ${serverChip(server)}`
  }
  const one = (choice: TableChoice): Html => pickOf(choice, seen, chipOf(choice.tables))
  return html`<div class="picks">
      ${pick({ value: '', isChosen: chosen === '' }, ...usualPick(seen))}
      ${shown.map(one)}
      ${short.map((one) => {
        const value = shortValueOf(one)
        const label = joinedLabels(one.tables.map((table) => table.label))
        return pick(
          { value, isChosen: value === chosen },
          label,
          shortWords(one, timezone),
          chipOf(idsOf(one)),
        )
      })}
      ${pick({ value: without, isChosen: chosen === without }, 'None', 'without a table')}
    </div>
    ${
      folded.length > 0 &&
      html`<details id="more-tables" ${folded.some((one) => valueOf(one) === chosen) && html`open`}>
        <summary>Other tables <span class="tag">${folded.length}</span></summary>
        <div class="picks">${folded.map(one)}</div>
      </details>`
    }`
}

/** What the sheet does if nobody chooses. */
const usualPick = (seen: TablesSeen): [string, string] => {
  const { choices, isEdit, names, timezone } = seen
  const { all, best, held } = choices
  if (isEdit && !held) return ['As it is', 'without a table']
  if (!best) return ['Any', all.some(isOpen) ? 'others need the open ones' : 'none is open']
  if (held && best.tables.join() === held.tables.join())
    return [
      held.label,
      `their table, ${held.taken.length > 0 ? `and ${holderWords(held.taken[0] as Holder, { names, timezone })}` : `free ${until(best, timezone)}`}`,
    ]
  return ['Any', `now table ${best.label}${bestWords(seen, best)}`]
}

/** Until when the table is free that a machine would give them, or who moves for that. */
const bestWords = ({ choices: { moving }, names, timezone }: TablesSeen, best: TableChoice): string =>
  moving ? ` ${movingWords(moving, names)}` : `, free ${until(best, timezone)}`

const holderWords = (
  { reservation, size, from, until: end }: Holder,
  { names, timezone }: Pick<TablesSeen, 'names' | 'timezone'>,
): string =>
  `${reservation === undefined ? 'Paged' : names.get(reservation)}, ${size}, ${timeOf(from, timezone)} to ${endOf(end, timezone)}`

const pickOf = (one: TableChoice, seen: TablesSeen, server: Html | undefined): Html => {
  const { names, chosen, timezone } = seen
  const value = valueOf(one)
  const [holder] = one.taken
  const words = one.off
    ? 'not in use'
    : holder
      ? `${holderWords(holder, { names, timezone })}${one.givesWay ? ', moves' : ''}`
      : [
          ...one.features.slice(0, 1),
          seatsOf(one),
          until(one, timezone),
          ...(one.neededBy ? [neededWords(one.neededBy, names)] : []),
        ].join(', ')
  return pick(
    { value, isChosen: value === chosen, isShut: !mayChoose(one), isTaken: one.off || holder !== undefined },
    one.label,
    words,
    server,
  )
}

const pick = (
  {
    value,
    isChosen,
    isShut = false,
    isTaken = false,
  }: {
    readonly value: string
    readonly isChosen: boolean
    readonly isShut?: boolean
    readonly isTaken?: boolean
  },
  name: string,
  words: string,
  server?: Html,
): Html =>
  html`<label id="pick-${value}" class="pick ${isTaken && 'taken'}"
    ><input
      type="radio"
      name="table"
      value="${value}"
      ${isChosen && html`checked`}
      ${isShut && html`disabled`}
    /><b>${name}</b> <small>${words}</small>${server}</label
  >`

const until = ({ until: end }: TableChoice, timezone: string): string =>
  end === null ? 'all evening' : `to ${timeOf(end, timezone)}`

/** The table for a while that is chosen. */
const shortChosen = ({ short, chosen }: TablesSeen): ShortStay | undefined =>
  short.find((one) => shortValueOf(one) === chosen)

/** Where they will sit, for the line at the button. */
export const tableSentence = (seen: TablesSeen): string => {
  const {
    choices: { all, best, moving },
    chosen,
    isEdit,
    timezone,
  } = seen
  const stay = shortChosen(seen)
  if (stay)
    return `Table ${joinedLabels(stay.tables.map(({ label }) => label))} ${shortWords(stay, timezone)}.`
  if (chosen === '' && !isEdit && best && moving) return `Table ${best.label}${bestWords(seen, best)}.`
  const one = chosen === '' && !isEdit ? best : all.find((choice) => valueOf(choice) === chosen)
  // Somebody sits at it longer than was planned: the party waits for them, and it is free for neither.
  if (one && one.taken.length > 0) return `Table ${one.label}.`
  if (one) return `Table ${one.label}, free ${until(one, timezone)}.`
  return chosen === without ? 'Without a table.' : ''
}

/** How long, in minutes, as the sheet offers it. */
const lengths = [45, 60, 75, 90, 105, 120, 135, 150, 165, 180, 210, 240, 270, 300, 360]
const longestMinutes = 1_440

/** How long; what is usual follows the size as it is typed, and is no longer than a table that was chosen is free. */
export const lengthField = (
  seen: FormSeen,
  rules: Pick<BookingRules, 'turnTimes'>,
  {
    partySize,
    booking,
    tables,
  }: {
    readonly partySize: number
    readonly booking: BookRow | undefined
    readonly tables: TablesSeen | undefined
  },
  { renewed = false }: { readonly renewed?: boolean } = {},
): Html => {
  const usual = turnMinutes(rules, partySize)
  const short = tables && shortChosen(tables)
  const booked = booking && !hasUsualLength(rules, booking) ? booking.duration_minutes : null
  const typed = Number(seen.typed.length)
  const others = [booked ?? 0, Number.isInteger(typed) ? typed : 0].filter(
    (minutes) => minutes > 0 && minutes <= longestMinutes,
  )
  const all = [...new Set([...lengths, ...others])].toSorted((a, b) => a - b)
  const field = choiceField(
    { ...seen, typed: { length: String(booked ?? ''), ...seen.typed } },
    {
      name: 'length',
      label: 'How long',
      choices: [
        [
          '',
          short
            ? `${minutesInWords(short.minutes)}${booking?.status === 'Seated' ? ' from now' : ''}, until ${timeOf(short.until, tables.timezone)}`
            : `${minutesInWords(usual)}, as usual for ${partySize}`,
        ],
        ...all.map((minutes) => [String(minutes), minutesInWords(minutes)] as const),
      ],
    },
  )
  return html`<div id="how-long" ${renewed && html`hx-swap-oob="outerMorph"`}>${field}</div>`
}

/** How long staff want it, in minutes: their own length, or the usual one; where they were not asked as it is booked. */
export const lengthWanted = (
  rules: Pick<BookingRules, 'turnTimes'>,
  { partySize, booking }: { readonly partySize: number; readonly booking: BookRow | undefined },
  typed: string | undefined,
): number | undefined => {
  if (typed !== undefined) return wholeNumberIn(typed) ?? turnMinutes(rules, partySize)
  return (booking && minutesWith(rules, booking, partySize)) ?? undefined
}

/** How long staff want the table held; undefined: as usual. */
export const lengthIn = (form: Form): number | undefined => {
  const minutes = minutesField(form, 'length', longestMinutes)
  if (minutes === 0) throw badRequest('Choose how long from the list.')
  return minutes
}
