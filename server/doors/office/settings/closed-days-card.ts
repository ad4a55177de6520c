import { type Html, html } from '../../../platform/html/html.ts'
import { isoWeekdays, listInWords, weekdayName } from '../../../platform/kernel/time/calendar.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { dayAndYearInWords } from '../../../platform/kernel/time/in-words.ts'
import { typedLine } from '../../../platform/kernel/typed-fields.ts'
import type { LocalDate } from '../../../platform/kernel/time/written-time.ts'
import { type WrittenFloor, sameWord } from '../../../book/rules/floor/written-floor.ts'
import { documentBounds } from '../../../book/rules/rules-document-bounds.ts'
import type { Form } from '../frame/page.ts'
import {
  type FormSeen,
  choiceField,
  dayIn,
  lineField,
  mistakePart,
  orNull,
  tickField,
} from '../parts/forms/fields.ts'
import { entryKey, refusePast, withEntry, withoutEntry } from './listed-entry.ts'

/* Rooms and tables that take nobody on certain weekdays, dates or services; settings/tables.ts saves what is read here. */

const home = '/office/settings/tables'
type Plan = WrittenFloor['plans'][number]

/** Rooms and tables that take nobody on some days, and a form to add one. `services`: the names of the venue's services. */
export const plansCard = (
  floor: WrittenFloor,
  seen: Html,
  { today, services }: { readonly today: string; readonly services: readonly string[] },
  sent?: FormSeen,
): Html => {
  const form = sent ?? { typed: {} }
  const ahead = floor.plans.filter(({ to }) => to === null || to >= today)
  return html`<section class="card" id="by-day">
    <h2>Closed on certain days</h2>
    ${
      ahead.length === 0
        ? html`<p class="soft">Every open room and table is used on every day.</p>`
        : html`<ul class="rows">
            ${ahead.map(
              (plan) =>
                html`<li>
                  <div class="grow">
                    <strong>${placeOf(plan)}</strong><br /><span class="small soft">${planInWords(plan, dayAndYearInWords)}</span>
                  </div>
                  <form method="post" action="${home}/by-day/end">
                    ${seen}<input type="hidden" name="plan" value="${entryKey(plan)}" /><button
                      aria-label="Remove: ${placeOf(plan)}, ${planInWords(plan, dayAndYearInWords)}"
                    >
                      Remove
                    </button>
                  </form>
                </li>`,
            )}
          </ul>`
    }
    <details ${sent && html`open`}>
      <summary class="strong">Close a room or a table on certain days</summary>
      <form class="form" method="post" action="${home}/by-day">
        ${mistakePart(form)} ${seen}
        <p class="soft small">No one is seated there then; bookings there stay until you move them.</p>
        <div class="fields">
          ${choiceField(form, {
            name: 'place',
            label: 'Room or table',
            choices: [
              ...floor.rooms.map(({ name }) => [`room ${name}`, `Room ${name}`] as const),
              ...floor.tables.map(({ label }) => [`table ${label}`, `Table ${label}`] as const),
            ],
          })}
          ${choiceField(form, {
            name: 'service',
            label: 'Service',
            choices: [['', 'The whole day'], ...services.map((name) => [name, name] as const)],
          })}
          ${lineField(form, { name: 'from', label: 'From', type: 'date', hint: 'Leave both dates empty for no end.' })}
          ${lineField(form, { name: 'to', label: 'Through', type: 'date' })}
        </div>
        <fieldset class="period">
          <legend>Days of the week</legend>
          <p class="soft small">None checked: every day.</p>
          <div class="inline">
            ${isoWeekdays.map((weekday) => tickField(form, { name: `day-${weekday}`, label: weekdayName(weekday) }))}
          </div>
        </fieldset>
        <div><button class="primary">Close on these days</button></div>
      </form>
    </details>
  </section>`
}

export const withPlan = (floor: WrittenFloor, form: Form, today: LocalDate): WrittenFloor => {
  const [kind, ...words] = form.text('place').split(' ')
  const name = words.join(' ')
  const room = kind === 'room' ? floor.rooms.find((one) => sameWord(one.name, name)) : undefined
  const table = kind === 'table' ? floor.tables.find(({ label }) => sameWord(label, name)) : undefined
  if (!room && !table) throw badRequest('Choose a room or a table from the list.')
  const [from, to] = [dayOrNull(form, 'from', '“From”'), dayOrNull(form, 'to', '“Through”')]
  if (from !== null && to !== null && from > to)
    throw badRequest('The last day must not be before the first.')
  if (to !== null) refusePast(to, today)
  const weekdays = isoWeekdays.filter((weekday) => form.text(`day-${weekday}`) === 'yes')
  const service =
    form.text('service') === '' ? null : typedLine('The service', form.text('service'), documentBounds.name)
  if (weekdays.length === 0 && from === null && to === null && service === null)
    throw badRequest(
      'Choose days of the week, dates or a service. To close a room for good, uncheck it under Rooms.',
    )
  if (floor.plans.length >= documentBounds.plans) throw badRequest('Remove some of the closed days first.')
  const plan = { room: room?.name ?? null, table: table?.label ?? null, weekdays, from, to, service }
  const isSame = (one: Plan): boolean => entryKey(one) === entryKey({ ...one, ...plan })
  return { ...floor, plans: withEntry(floor.plans, plan, isSame) }
}

export const withoutPlan = (floor: WrittenFloor, form: Form): WrittenFloor => ({
  ...floor,
  plans: withoutEntry(floor.plans, form.text('plan')),
})

const dayOrNull = (form: Form, name: string, label: string): LocalDate | null =>
  orNull(form, name) === null ? null : dayIn(form, name, label)

const placeOf = ({ room, table }: Plan): string => (table === null ? `Room ${room}` : `Table ${table}`)

/** "Mondays and Tuesdays, October 1 2026 through October 31 2026, Lunch only", with dates as `day` writes them. */
const planInWords = ({ weekdays, from, to, service }: Plan, day: (date: LocalDate) => string): string =>
  [
    weekdays.length === 0
      ? 'every day'
      : listInWords(weekdays.toSorted((a, b) => a - b).map((weekday) => `${weekdayName(weekday)}s`)),
    ...(from !== null && to !== null
      ? [from === to ? `on ${day(from)}` : `${day(from)} through ${day(to)}`]
      : from !== null
        ? [`from ${day(from)} on`]
        : to !== null
          ? [`through ${day(to)}`]
          : []),
    ...(service === null ? [] : [`${service} only`]),
  ].join(', ')

/** What the history keeps of the plans. */
export const plansTold = (plans: WrittenFloor['plans']): string =>
  plans.map((plan) => `${placeOf(plan)}: ${planInWords(plan, (date) => date)}`).join('; ')
