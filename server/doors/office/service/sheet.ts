import { toInstant } from '../../../platform/kernel/time/moment.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import { regularVisits } from '../../../crm/house/rules.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'
import {
  dayAndYearInWords,
  dayNear,
  minuteInWords,
  timeInWords,
} from '../../../platform/kernel/time/in-words.ts'
import { experienceOf } from '../../../book/day/book-row.ts'
import type { DayRow } from '../../../book/reservations/day-book.ts'
import {
  type ShiftNotes,
  mostOfShiftNotes,
  saveShiftNotes,
  shiftNotesOf,
} from '../../../core/venue/shift-notes.ts'
import { actorOf } from '../frame/actor.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  areaField,
  mistakePart,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { byHourPart } from '../servers/by-hour-part.ts'
import { countedOf } from '../servers/counted-of.ts'
import { rowPlaceOf } from '../today/book.ts'
import { type DayBook, bookQueryIn, readDay } from '../today/read-day.ts'
import { chips } from './chips.ts'
import { dietaryWords } from './dietary-words.ts'

const home = '/office/service/sheet'

/** The pre-shift sheet of tonight: what to know before the doors open, on one page and on paper. */
export const sheetPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work) => {
      const day = await readDay(work, bookQueryIn('/office/service'))
      const notes = await shiftNotesOf(work.db, work.venue.id, day.date)
      return page('Pre-shift', sheetBody(work, day, notes, { typed: { text: notes.text } }))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'host',
    answer: async (work, { form }) => {
      const evening = readDate(form.text('evening'))
      if (evening === undefined) throw badRequest('This form is incomplete; open the page again.')
      await saveShiftNotes(work, actorOf(work.me), {
        evening,
        text: form.text('text'),
        seenVersion: versionIn(form),
      })
      return go(home, 'Notes saved.')
    },
    again: async (work, { form }, { message }) => {
      const day = await readDay(work, bookQueryIn('/office/service'))
      const notes = await shiftNotesOf(work.db, work.venue.id, day.date)
      return page('Pre-shift', sheetBody(work, day, notes, { typed: typedIn(form), mistake: message }))
    },
  },
]

/** The notes of tonight, in the last line of the service screen. */
export const shiftNotesLink = ({ text }: ShiftNotes): Html =>
  html`<a class="shift-notes" href="${home}"
    ><span class="strong">Shift notes</span> <span class="row-words">${text === '' ? 'none yet' : text}</span></a
  >`

const sheetBody = (work: OfficeWork, day: DayBook, notes: ShiftNotes, seen: FormSeen): Html => {
  const { tables } = rowPlaceOf(work, day)
  const expected = day.bookings.filter(({ status }) => status !== 'Seated')
  // The kitchen cooks for who sits as well as for who is still to come.
  const tonight = day.bookings.toSorted(
    (a, b) => Number(b.status === 'Seated') - Number(a.status === 'Seated'),
  )
  const allergies = tonight.filter((row) => row.allergies !== null)
  const whom = (row: DayRow): Html =>
    row.status === 'Seated' ? seatedWords(row, tables?.get(row.id)?.label) : html`${partyWords(row)}`
  const known = expected.filter((row) => row.vip || (row.visit_count ?? 0) >= regularVisits)
  const celebrating = expected.filter((row) => row.occasion !== null)
  const covers = expected.reduce((sum, row) => sum + (row.party_size ?? 0), 0)
  return html`<div class="page-head">
      <div>
        <h1>Pre-shift, ${dayNear(day.date, day.today)}</h1>
        <p class="soft">
          Still expected: ${counted(covers, 'cover')} in ${counted(expected.length, 'party', 'parties')}, ${counted(known.length, 'regular or VIP', 'regulars and VIPs')}, ${counted(celebrating.length, 'occasion')}
        </p>
      </div>
      <div class="inline not-on-paper">
        ${tables && html`<a class="button" href="/office/line-up">Line-up</a>`}${mayAct(work.me.staff.role, 'manager') && html`<a class="button" href="/office/service/close-out">Close-out</a>`}<a class="button" href="/office/service">Service</a>
      </div>
    </div>
    <div class="stack pre-shift">
      <section class="card">
        <h2>Shift notes</h2>
        ${notes.text === '' ? html`<p class="soft">None yet: what is sold out, who leaves early, who is coming.</p>` : html`<p class="lines">${notes.text}</p>`}
        <form class="form not-on-paper" method="post" action="${home}">
          ${versionField(notes.version)}<input type="hidden" name="evening" value="${day.date}" /> ${mistakePart(seen)}
          ${areaField(seen, { name: 'text', label: 'Change the notes', most: mostOfShiftNotes, rows: 4 })}
          <div class="inline"><button class="primary">Save notes</button></div>
        </form>
      </section>
      ${
        allergies.length > 0 &&
        html`<section class="card">
          <h2>Allergies tonight</h2>
          <ul class="rows">
            ${allergies.map((row) => html`<li><span class="strong">${whom(row)}:</span> <span class="breaks">${row.allergies}</span></li>`)}
          </ul>
        </section>`
      }
      ${experiencesPart(expected)} ${dietaryPart(tonight, whom)} ${vipPart(expected)} ${quartersPart(expected)}
      ${mayAct(work.me.staff.role, 'manager') && byServerPart(work, day, expected)}
      <section class="card list-card">
        <h2>Expected</h2>
        ${
          expected.length === 0
            ? html`<p class="empty">Nobody else is expected tonight.</p>`
            : html`<div class="scroll" tabindex="0" role="region" aria-label="Expected tonight">
                <table class="table">
                  <thead>
                    <tr>
                      <th scope="col">Time</th>
                      <th scope="col" class="right">Size</th>
                      <th scope="col">Name</th>
                      ${tables && html`<th scope="col">Table</th>`}
                      <th scope="col">To know</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${expected.map((row) => partyLine(row, tables?.get(row.id)?.label, tables !== undefined))}
                  </tbody>
                </table>
              </div>`
        }
      </section>
    </div>`
}

const partyWords = (row: DayRow): string =>
  `${row.time === null ? '' : timeInWords(row.time)} ${row.guest_name ?? 'No name'}, ${row.party_size ?? '?'}`

const seatedWords = (row: DayRow, table: string | undefined): Html =>
  html`${table === undefined || table === '' ? 'Seated' : `Table ${table}`}, ${row.guest_name ?? 'No name'}, ${row.party_size ?? '?'}`

/** What the kitchen prepares: each experience, for how many. */
const experiencesPart = (expected: readonly DayRow[]): Html | undefined => {
  const chosen = expected.flatMap((row) => {
    const experience = experienceOf(row)
    return experience ? [{ row, ...experience }] : []
  })
  if (chosen.length === 0) return undefined
  const groups = [...Map.groupBy(chosen, ({ key }) => key).values()]
  return html`<section class="card">
    <h2>Experiences tonight</h2>
    <ul class="rows">
      ${groups.map((group) => {
        const covers = group.reduce((sum, { row }) => sum + (row.party_size ?? 0), 0)
        return html`<li><span class="strong">${group[0]?.name}:</span> ${counted(covers, 'cover')} in ${counted(group.length, 'party', 'parties')}</li>`
      })}
    </ul>
  </section>`
}

/** What the kitchen may have to know, from what guests and staff wrote: a word that was found, and the note it is in. */
const dietaryPart = (tonight: readonly DayRow[], whom: (row: DayRow) => Html): Html | undefined => {
  const found = tonight.flatMap((row) => {
    const notes = [row.notes, row.private_note].filter((note) => note !== null)
    const words = dietaryWords(notes)
    return words.length === 0 ? [] : [{ row, words, notes }]
  })
  if (found.length === 0) return undefined
  return html`<section class="card">
    <h2>Food in notes</h2>
    <ul class="rows">
      ${found.map(({ row, words, notes }) => html`<li><div><span class="strong">${whom(row)}: ${words.join(', ')}</span> <span class="soft breaks">“${notes.join(' · ')}”</span></div></li>`)}
    </ul>
  </section>`
}

/** Each VIP, and when they were here last. */
const vipPart = (expected: readonly DayRow[]): Html | undefined => {
  const vips = expected.filter(({ vip }) => vip)
  if (vips.length === 0) return undefined
  return html`<section class="card">
    <h2>VIPs</h2>
    <ul class="rows">
      ${vips.map((row) => html`<li><span class="strong">${partyWords(row)}:</span> <span>${row.last_visit_date === null ? 'never here before' : `last visit ${dayAndYearInWords(row.last_visit_date)}`}</span></li>`)}
    </ul>
  </section>`
}

/** How many come in each quarter of an hour in which somebody does. */
const quartersPart = (expected: readonly DayRow[]): Html | undefined => {
  const covers = new Map<number, number>()
  for (const { service_minute: minute, party_size: size } of expected) {
    if (minute === null) continue
    const quarter = Math.floor(minute / 15) * 15
    covers.set(quarter, (covers.get(quarter) ?? 0) + (size ?? 0))
  }
  if (covers.size === 0) return undefined
  return html`<section class="card">
    <h2>Covers by quarter hour</h2>
    <p class="quarters">
      ${[...covers].toSorted(([a], [b]) => a - b).map(([quarter, count]) => html`<span class="nowrap">${minuteInWords(quarter)} <b>${count}</b></span> `)}
    </p>
  </section>`
}

/** Who sits already, by who serves them; and who is still expected, by whose table they are to have. */
const byServerPart = (work: OfficeWork, day: DayBook, expected: readonly DayRow[]): Html | undefined => {
  const { servers } = day
  if (!servers) return undefined
  const { tables } = rowPlaceOf(work, day)
  const coming = expected.map((row) => ({
    server:
      servers.at(tables?.get(row.id)?.ids ?? [], row.starts_at === null ? day.now : toInstant(row.starts_at))
        ?.id ?? null,
    covers: row.party_size ?? 1,
    minute: row.service_minute ?? 0,
  }))
  const counted = [...countedOf(work.venue.timezone, day.date, servers.served), ...coming]
  return byHourPart('Seated and expected, by server and hour', counted, servers.all)
}

const partyLine = (row: DayRow, table: string | undefined, hasTables: boolean): Html =>
  html`<tr>
    <td class="nowrap">${row.time && timeInWords(row.time)}</td>
    <td class="right">${row.party_size}</td>
    <td class="breaks">${row.guest_name ?? 'No name'}</td>
    ${hasTables && html`<td class="nowrap">${table === undefined || table === '' ? '–' : table}</td>`}
    <td><span class="chips wrap">${chips(row)}</span></td>
  </tr>`
