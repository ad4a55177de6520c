import { createHash } from 'node:crypto'
import { recordActivity } from '../../../core/activity/record.ts'
import type { Queries } from '../../../platform/db/pool.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { dayAndYearInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { changedMeanwhile } from '../../../platform/kernel/running/seen-version.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import {
  combinationsAsCsv,
  drawnAsCsv,
  tablesAsCsv,
  withCombinations,
  withDrawn,
  withTables,
} from '../../../book/tables/floor-csv.ts'
import { wholeFloor } from '../../../book/rules/floor/floor-reads.ts'
import { type BookingAtTable, type Renamed, replaceFloor } from '../../../book/rules/floor/floor-store.ts'
import type { TableMode } from '../../../book/rules/floor/floor.ts'
import { tableMode } from '../../../book/rules/floor/mode-reads.ts'
import {
  type BookingAtTableOff,
  type Clash,
  bookingsAtTablesOff,
  tableClashes,
} from '../../../book/tables/to-settle.ts'
import { type BookingSeen, bookingsSeen } from '../../../book/tables/reads.ts'
import { daysForeseen, foreseeTables, turnTablesOff, turnTablesOn } from '../../../book/tables/turn-on.ts'
import {
  type WrittenFloor,
  byLabel,
  emptyFloor,
  floorMistakes,
  relabeled,
  sameWord,
  writtenFloor,
} from '../../../book/rules/floor/written-floor.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import type { VenueId } from '../../../core/venue/venue.ts'
import { actorOf } from '../frame/actor.ts'
import { type PageAnswer, go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { type FormSeen, areaField, mistakePart, typedIn } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { whyOff } from '../parts/table-words.ts'
import { editorCard, tablesFormId } from './editor-card.ts'
import { plansCard, plansTold, withPlan, withoutPlan } from './closed-days-card.ts'
import { outagesCard, roomsCard, withOutage, withRooms, withoutOutage } from './table-cards.ts'
import { settingsHead } from './tabs.ts'

const home = '/office/settings/tables'

/** Five hundred tables with all their columns. */
const fileMost = 100_000

/** The venue's tables, as lines of a spreadsheet, and whether they decide about bookings. */
export const tablesPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async (work) => {
      const { db, venue } = work
      const { floor, mode } = await floorNow(db, venue.id)
      const isOn = mode === 'on'
      const clashes = isOn ? await clashesAhead(work) : undefined
      const atTablesOff = isOn ? await bookingsAtTablesOff(work) : []
      const more = { clashes, atTablesOff }
      return tablesPage(tablesBody(floor, mode, { typed: typedOf(floor) }, await daysSeen(work), more))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'manager',
    answer: async (work, { form }) => {
      const { floor: before } = await floorNow(work.db, work.venue.id)
      if (form.text('seen') !== versionOf(before)) throw changedMeanwhile('page')
      const renamed = renamedIn(form.text('renamed'))
      const tables = withTables(relabeled(before, renamed), form.text('tables'))
      const joined = tables.ok ? withCombinations(tables.floor, form.text('combinations')) : tables
      // A page of the release before this one has no such field.
      const after = joined.ok && form.has('drawn') ? withDrawn(joined.floor, form.text('drawn')) : joined
      if (!after.ok) throw badRequest(after.mistakes.join(' '))
      return saveFloor(work, before, after.floor, 'Tables saved.', renamed)
    },
    again: async (work, { form }, { message }) => {
      const { floor, mode } = await floorNow(work.db, work.venue.id)
      const isStale = form.text('seen') !== versionOf(floor)
      const seen = { typed: typedIn(form), mistake: message, ...(isStale && { meanwhile: typedOf(floor) }) }
      return tablesPage(tablesBody(floor, mode, seen, await daysSeen(work)))
    },
  },
  ...(
    [
      ['rooms', withRooms, 'Rooms saved.'],
      ['by-day', withPlan, 'Saved.'],
      ['by-day/end', withoutPlan, 'Removed. It is used on these days again.'],
      ['out-of-order', withOutage, 'Saved.'],
      ['out-of-order/end', withoutOutage, 'The table can be used again.'],
    ] as const
  ).map(([path, edit, done]): VenuePage => ({
    method: 'POST',
    path: `${home}/${path}`,
    role: 'manager',
    answer: async (work, { form }) => {
      const { floor: before } = await floorNow(work.db, work.venue.id)
      if (form.text('seen') !== versionOf(before)) throw changedMeanwhile('page')
      const after = edit(before, form, wallTimeOf(work.now(), work.venue.timezone).date)
      const mistakes = floorMistakes(after)
      if (mistakes.length > 0) throw badRequest(mistakes.join(' '))
      return saveFloor(work, before, after, done)
    },
    again: async (work, { form }, { message }) => {
      const { floor, mode } = await floorNow(work.db, work.venue.id)
      const sent = { of: path, seen: { typed: typedIn(form), mistake: message } }
      return tablesPage(tablesBody(floor, mode, { typed: typedOf(floor) }, await daysSeen(work), { sent }))
    },
  })),
  {
    method: 'GET',
    path: `${home}/turn-on`,
    role: 'manager',
    answer: async (work) => {
      const missing = await foreseeTables(work)
      const ids = missing.map(({ reservation }) => reservation)
      return page('Turn tables on', turnOnBody(await bookingsSeen(work.db, work.venue.id, ids)))
    },
  },
  {
    method: 'POST',
    path: `${home}/turn-on`,
    role: 'manager',
    answer: async (work) => {
      await turnTablesOn(work, actorOf(work.me))
      return go(home, 'Tables are on. Bookings are being assigned tables; this takes about a minute.')
    },
  },
  {
    method: 'POST',
    path: `${home}/turn-off`,
    role: 'manager',
    answer: async (work) => {
      await turnTablesOff(work, actorOf(work.me))
      return go(home, 'Tables are off. Table assignments are saved.')
    },
  },
]

/** Puts a floor in the place of the venue's, unless a table that would go has coming bookings: these are listed. */
const saveFloor = async (
  work: OfficeWork,
  before: WrittenFloor,
  after: WrittenFloor,
  done: string,
  renamed: Renamed = new Map(),
): Promise<PageAnswer> => {
  const now = work.now()
  const replaced = await replaceFloor(work.db, work.venue.id, after, now, renamed)
  if (!replaced.done) return page('Bookings at these tables', heldBody(replaced.bookings), 409)
  const change = { action: 'change the tables', record: { kind: 'venue', id: work.venue.id } } as const
  const told = differences(
    toldOf(before),
    toldOf(relabeled(after, new Map([...renamed].map(([was, is]) => [is, was]))), renamed),
  )
  if (Object.keys(told.before).length + Object.keys(told.after).length > 0)
    await recordActivity(work, actorOf(work.me), { ...change, ...told }, now)
  const off = (await bookingsAtTablesOff(work)).length
  return go(home, off === 0 ? done : `${done} ${counted(off, 'booking')} to move: see below.`)
}

const tablesPage = (body: Html): PageAnswer => ({ ...page('Tables', body), sheet: 'editor' })

/** What the history keeps of a floor: a line for each table, by the label it had. */
const toldOf = (floor: WrittenFloor, renamed: Renamed = new Map()): Record<string, string> =>
  Object.fromEntries([
    ...floor.tables.map((table) => {
      const now = [...renamed].find(([was]) => sameWord(was, table.label))?.[1]
      return [`table ${table.label}`, `${now === undefined ? '' : `now ${now}, `}${tableInWords(table)}`]
    }),
    ...floor.combinations.map((one) => [`joined ${one.tables.join('+')}`, sizesInWords(one)]),
    ...floor.rooms.map(({ name, isOn }) => [`room ${name}`, isOn ? 'open' : 'closed']),
    ['walls, doors and bars', drawnInWords(floor)],
    ['rest after a party', `${floor.turnoverMinutes} minutes`],
    ['closed on certain days', plansTold(floor.plans)],
    [
      'out of order',
      floor.outages
        .map(({ table, fromDate, untilDate }) => `Table ${table}: ${fromDate} to ${untilDate}`)
        .join('; '),
    ],
  ])

const drawnInWords = ({ drawn }: WrittenFloor): string =>
  drawn
    .map(
      ({ room, what, x, y, wide, high }) =>
        `${room}: ${what}, column ${x + 1}, row ${y + 1}, ${wide} by ${high}`,
    )
    .join('; ')

const sizesInWords = ({ least, most }: { readonly least: number; readonly most: number }): string =>
  least === most ? counted(most, 'guest') : `${least} to ${most} guests`

const tableInWords = ({
  room,
  least,
  most,
  shape,
  online,
  priority,
  features,
  x,
  y,
}: WrittenFloor['tables'][number]) =>
  [
    room,
    sizesInWords({ least, most }),
    shape,
    ...(online ? [] : ['staff only']),
    ...(priority === 0 ? [] : [`priority ${priority}`]),
    ...features,
    `column ${x + 1}, row ${y + 1}`,
  ].join(', ')

/** Only what differs, of both. */
const differences = (before: Record<string, string>, after: Record<string, string>) => {
  const only = (one: Record<string, string>, other: Record<string, string>) =>
    Object.fromEntries(Object.entries(one).filter(([name, words]) => other[name] !== words))
  return { before: only(before, after), after: only(after, before) }
}

/** What the cards of days need: today, and the names of the venue's services. */
type DaysSeen = { readonly today: string; readonly services: readonly string[] }

const daysSeen = async ({ db, venue, now }: OfficeWork): Promise<DaysSeen> => {
  const { periods, specialDays } = await allBookingRules(db, venue.id)
  const names = [...periods, ...specialDays.flatMap((day) => day.periods)].flatMap(({ name }) => name ?? [])
  return {
    today: wallTimeOf(now(), venue.timezone).date,
    services: names.filter((name, place) => names.findIndex((one) => sameWord(one, name)) === place),
  }
}

/** Tables that were given another label, one line for each: the one it had, a tab, the one it has. */
const renamedIn = (text: string): Renamed =>
  new Map(
    text
      .split(/\r?\n/)
      .map((line) => line.split('\t'))
      .flatMap(([was, is]) => (was && is ? [[was, is] as const] : [])),
  )

const floorNow = async (
  db: Queries,
  venue: VenueId,
): Promise<{ readonly floor: WrittenFloor; readonly mode: TableMode }> => {
  const floor = await wholeFloor(db, venue)
  return { floor: floor ? writtenFloor(floor) : emptyFloor, mode: await tableMode(db, venue) }
}

const typedOf = (floor: WrittenFloor) => ({
  tables: tablesAsCsv(floor).replaceAll('\r\n', '\n'),
  combinations: combinationsAsCsv(floor).replaceAll('\r\n', '\n'),
  drawn: floor.drawn.length === 0 ? '' : drawnAsCsv(floor).replaceAll('\r\n', '\n'),
})

/** Identifies exactly this floor, as rulesVersion does the rules. */
const versionOf = (floor: WrittenFloor): string =>
  createHash('sha256').update(JSON.stringify(floor)).digest('base64url').slice(0, 16)

/** Bookings that were given one table at one time, and who they are: after another time zone, or where staff said so. */
type ClashesSeen = {
  readonly clashes: readonly Clash[]
  readonly bookings: ReadonlyMap<number, BookingSeen>
}

const clashesAhead = async (work: OfficeWork): Promise<ClashesSeen> => {
  const { db, venue, now } = work
  const today = wallTimeOf(now(), venue.timezone).date
  const clashes = await tableClashes(db, venue, addDays(today, -1), addDays(today, daysForeseen))
  const ids = [...new Set(clashes.flatMap(({ one, other }) => [one, other]))]
  const rows = ids.length === 0 ? [] : await bookingsSeen(db, venue.id, ids)
  return { clashes, bookings: new Map(rows.map((row) => [row.id, row])) }
}

const clashesPart = ({ clashes, bookings }: ClashesSeen): Html | undefined => {
  if (clashes.length === 0) return undefined
  const booking = (id: number): Html => {
    const row = bookings.get(id)
    return html`<a href="/office/bookings/${id}">${row?.guest_name ?? 'No name'}</a>, ${row?.party_size}, ${row?.time && timeInWords(row.time)}`
  }
  return html`<section class="card" id="clashes">
    <h2>Two bookings at one table: ${clashes.length}</h2>
    <p>They hold it at the same time, which can happen after a time zone change. Open one of each pair and give it another table.</p>
    <ul class="rows">
      ${clashes.map(({ label, one, other }) => {
        const date = bookings.get(one)?.date
        return html`<li>
          <div class="grow">Table ${label}: ${booking(one)} and ${booking(other)}</div>
          <span>${date && dayAndYearInWords(date)}</span>
        </li>`
      })}
    </ul>
  </section>`
}

/** Who is to be moved: a table was put out of order, or closed, after they were given it. */
const atTablesOffPart = (bookings: readonly BookingAtTableOff[]): Html =>
  html`<section class="card" id="at-tables-off">
    <h2>${counted(bookings.length, 'booking')} at a table that is off</h2>
    <p>Nobody is moved automatically. Open each one and give it another table.</p>
    <ul class="rows">
      ${bookings.slice(0, mostShown).map((booking) => atTable(booking, whyOff(booking.off)))}
    </ul>
    ${bookings.length > mostShown && html`<p class="soft">And ${bookings.length - mostShown} more.</p>`}
  </section>`

type AtTable = Pick<
  BookingAtTable,
  'label' | 'reservation_id' | 'guest_name' | 'party_size' | 'date' | 'time'
>

const atTable = (
  { label, reservation_id, guest_name, party_size, date, time }: AtTable,
  why?: string,
): Html =>
  html`<li>
    <div class="grow">
      Table ${label}${why && html` (${why})`}: <a href="/office/bookings/${reservation_id}">${guest_name ?? 'No name'}</a>, ${party_size}
    </div>
    <span>${date && dayAndYearInWords(date)}, ${time && timeInWords(time)}</span>
  </li>`

/** The bookings that a table was to be taken from: they are given another first. */
const heldBody = (bookings: readonly BookingAtTable[]): Html => {
  const labels = [...new Set(bookings.map(({ label }) => label))].toSorted(byLabel)
  return html`${settingsHead(home)}
    <section class="card">
      <h2>${labels.length === 1 ? `Table ${labels[0]} has` : `Tables ${labels.join(', ')} have`} bookings</h2>
      <p>Nothing is saved. Give these bookings another table first, then remove theirs.</p>
      <ul class="rows">
        ${bookings.map((booking) => atTable(booking))}
      </ul>
      <a class="button" href="${home}">Back to the tables</a>
    </section>`
}

const tablesBody = (
  floor: WrittenFloor,
  mode: TableMode,
  seen: FormSeen,
  { today, services }: DaysSeen,
  more: {
    readonly clashes?: ClashesSeen | undefined
    readonly atTablesOff?: readonly BookingAtTableOff[]
    /** A card's form that came back, by the end of its address. */
    readonly sent?: { readonly of: string; readonly seen: FormSeen }
  } = {},
): Html => {
  const { clashes, atTablesOff = [], sent } = more
  const version = html`<input type="hidden" name="seen" value="${versionOf(floor)}" />`
  const sentTo = (path: string) => (sent?.of === path ? sent.seen : undefined)
  return html`${settingsHead(home)}
    <div class="stack">
      ${mistakePart(seen)}
      <section class="card">
        <h2>${mode === 'on' ? 'Tables are on' : 'Tables are off'}</h2>
        <p>
          ${
            mode === 'on'
              ? 'Every booking needs a table that is free for as long as the party stays. Your staff can still book a party without one.'
              : 'Bookings are limited by covers and parties per slot only. Turn tables on once yours are all listed below.'
          }
        </p>
        ${
          mode === 'on'
            ? html`<form method="post" action="${home}/turn-off">
                <button data-asks="Turn tables off? Every screen stops showing them at once; who has which is kept.">Turn tables off</button>
              </form>`
            : floor.tables.length > 0 &&
              html`<a class="button primary" href="${home}/turn-on">See who would have no table</a>`
        }
      </section>
      ${clashes && clashesPart(clashes)} ${atTablesOff.length > 0 && atTablesOffPart(atTablesOff)}
      <p class="soft small on-phone">The rooms are drawn on a wider screen. The list below does the same.</p>
      ${editorCard(floor)}
      <section class="card">
        <h2>Your tables</h2>
        <form id="${tablesFormId}" class="form" method="post" action="${home}">
          ${version}<input type="hidden" name="renamed" value="${seen.typed.renamed}" />
          <details open>
          <summary class="strong">As spreadsheet rows</summary>
          ${areaField(seen, {
            name: 'tables',
            label: `Tables (${floor.tables.length})`,
            most: fileMost,
            rows: 12,
            hint: 'One line for each, as from a spreadsheet. Label, room and most are needed. Shapes: square, round, rectangle, bar. Online no: for staff only.',
          })}
          ${areaField(seen, {
            name: 'combinations',
            label: `Tables that may be joined (${floor.combinations.length})`,
            most: fileMost,
            rows: 5,
            hint: 'Labels with +, then the fewest and the most guests: 11+12,5,8',
          })}
          ${areaField(seen, {
            name: 'drawn',
            label: `Walls, doors and bars (${floor.drawn.length})`,
            most: fileMost,
            rows: 4,
            hint: 'What people recognize a room by: wall, door or bar, where it begins, and how wide and high it is.',
          })}
          </details>
          <div><button class="primary">Save</button></div>
        </form>
      </section>
      ${
        floor.tables.length > 0 &&
        html`${outagesCard(floor, version, today, sentTo('out-of-order') ?? sentTo('out-of-order/end'))}
        ${roomsCard(floor, version, sentTo('rooms'))}
        ${plansCard(floor, version, { today, services }, sentTo('by-day') ?? sentTo('by-day/end'))}`
      }
    </div>`
}

const mostShown = 200

const turnOnBody = (missing: readonly BookingSeen[]): Html =>
  html`${settingsHead(home)}
    <section class="card">
      <h2>
        ${
          missing.length === 0
            ? `Everybody in the next ${daysForeseen} days gets a table`
            : `${missing.length} ${missing.length === 1 ? 'booking' : 'bookings'} in the next ${daysForeseen} days would have no table`
        }
      </h2>
      ${
        missing.length > 0 &&
        html`<p>Nobody loses their booking: they stay in the book as "without a table" until you find them one.</p>
          <ul class="rows">
            ${missing.slice(0, mostShown).map(
              ({ id, guest_name, party_size, date, time }) =>
                html`<li>
                  <div class="grow">
                    <a href="/office/bookings/${id}">${guest_name ?? 'No name'}</a>, ${party_size}
                  </div>
                  <span>${date && dayAndYearInWords(date)}, ${time && timeInWords(time)}</span>
                </li>`,
            )}
          </ul>`
      }
      <form method="post" action="${home}/turn-on">
        <div class="inline">
          <button class="primary">Turn tables on</button><a class="button" href="${home}">Cancel</a>
        </div>
      </form>
    </section>`
