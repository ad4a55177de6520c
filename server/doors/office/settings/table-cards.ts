import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { dayAndYearInWords, minuteInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { typedLine } from '../../../platform/kernel/typed-fields.ts'
import { type LocalDate, minuteOfDay, readTime } from '../../../platform/kernel/time/written-time.ts'
import { type WrittenFloor, sameWord } from '../../../book/rules/floor/written-floor.ts'
import { documentBounds } from '../../../book/rules/rules-document-bounds.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  choiceField,
  dayIn,
  lineField,
  minutesField,
  mistakePart,
  tickField,
} from '../parts/forms/fields.ts'
import { entryKey, refusePast, withEntry, withoutEntry } from './listed-entry.ts'

/*
 * What of the tables is no line of a spreadsheet: rooms that are open or not, how long a table rests after a party, and
 * tables that are out of order for a while. Each card is read and shown here; settings/tables.ts saves it.
 */

const home = '/office/settings/tables'
type Outage = WrittenFloor['outages'][number]

/** Rooms, open or not, and the rest after a party. */
export const roomsCard = (floor: WrittenFloor, seen: Html, sent?: FormSeen): Html => {
  const typed = Object.fromEntries([
    ...floor.rooms.map(({ isOn }, place) => [`open-${place}`, isOn ? 'yes' : '']),
    ['turnover', String(floor.turnoverMinutes)],
  ]) as Record<string, string>
  const form = sent ?? { typed }
  return html`<section class="card">
    <h2>Rooms</h2>
    <form class="form" method="post" action="${home}/rooms">
      ${mistakePart(form)} ${seen}
      <p class="soft small">No one is seated in a closed room; bookings there stay until you move them.</p>
      ${floor.rooms.map(({ name }, place) => tickField(form, { name: `open-${place}`, label: `${name} is open` }))}
      <div class="fields">
        ${lineField(form, {
          name: 'turnover',
          label: 'Minutes a table rests after a party',
          type: 'number',
          least: 0,
          greatest: documentBounds.turnoverMinutes[1],
        })}
      </div>
      <div><button class="primary">Save rooms</button></div>
    </form>
  </section>`
}

export const withRooms = (floor: WrittenFloor, form: Form): WrittenFloor => ({
  ...floor,
  rooms: floor.rooms.map((room, place) => ({ ...room, isOn: form.text(`open-${place}`) === 'yes' })),
  turnoverMinutes: minutesField(form, 'turnover', documentBounds.turnoverMinutes[1]) ?? 0,
})

/** Tables that are out of order, and a form to add one. */
export const outagesCard = (floor: WrittenFloor, seen: Html, today: string, sent?: FormSeen): Html => {
  const form = sent ?? { typed: { from: today, fromTime: '00:00', until: '', untilTime: '00:00' } }
  const ahead = floor.outages.filter(({ untilDate }) => untilDate >= today)
  return html`<section class="card" id="out-of-order">
    <h2>Out of order</h2>
    ${
      ahead.length === 0
        ? html`<p class="soft">Every table can be used.</p>`
        : html`<ul class="rows">
            ${ahead.map(
              (outage) =>
                html`<li>
                  <div class="grow">
                    <strong>Table ${outage.table}</strong> ${outage.why}<br /><span class="small soft"
                      >${moment(outage.fromDate, outage.fromMinute)} to ${moment(outage.untilDate, outage.untilMinute)}</span
                    >
                  </div>
                  <form method="post" action="${home}/out-of-order/end">
                    ${seen}<input type="hidden" name="outage" value="${entryKey(outage)}" /><button
                      aria-label="Use again: table ${outage.table}"
                    >
                      Use again
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    <details ${sent && html`open`}>
      <summary class="strong">Take a table out of order</summary>
      <form class="form" method="post" action="${home}/out-of-order">
        ${mistakePart(form)} ${seen}
        <div class="fields">
          ${choiceField(form, { name: 'table', label: 'Table', choices: floor.tables.map(({ label }) => label) })}
          ${lineField(form, { name: 'why', label: 'Why', most: documentBounds.name, placeholder: 'Leg is loose' })}
          ${lineField(form, { name: 'from', label: 'From', type: 'date', required: true })}
          ${lineField(form, { name: 'fromTime', label: 'At', type: 'time' })}
          ${lineField(form, { name: 'until', label: 'Until', type: 'date', required: true })}
          ${lineField(form, { name: 'untilTime', label: 'Until the time', type: 'time', hint: 'From then on it can be used.' })}
        </div>
        <div><button class="primary">Take out of order</button></div>
      </form>
    </details>
  </section>`
}

export const withOutage = (floor: WrittenFloor, form: Form, today: LocalDate): WrittenFloor => {
  const table = floor.tables.find(({ label }) => sameWord(label, form.text('table')))
  if (!table) throw badRequest('Choose a table from the list.')
  const [fromDate, untilDate] = [dayIn(form, 'from', '“From”'), dayIn(form, 'until', '“Until”')]
  refusePast(untilDate, today)
  const minute = (name: string): number => {
    const text = form.text(name).trim()
    const time = text === '' ? '00:00' : readTime(text)
    if (!time) throw badRequest(`Enter a time such as ${timeInWords('17:00')}.`)
    return minuteOfDay(time)
  }
  const why = typedLine('The reason', form.text('why'), documentBounds.name)
  const outage = {
    table: table.label,
    fromDate,
    fromMinute: minute('fromTime'),
    untilDate,
    untilMinute: minute('untilTime'),
    why,
  }
  const isSame = (one: Outage): boolean => entryKey({ ...one, why }) === entryKey({ ...one, ...outage })
  return { ...floor, outages: withEntry(floor.outages, outage, isSame) }
}

export const withoutOutage = (floor: WrittenFloor, form: Form): WrittenFloor => ({
  ...floor,
  outages: withoutEntry(floor.outages, form.text('outage')),
})

const moment = (date: string, minute: number): string =>
  `${dayAndYearInWords(date)}, ${minuteInWords(minute)}`
