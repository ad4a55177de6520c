import { type Html, html } from '../../../platform/html/html.ts'
import { dayAndYearInWords, spanInWords } from '../../../platform/kernel/time/in-words.ts'
import type { DocumentRules } from '../../../book/rules/booking-rules.ts'
import { printBlock, printRulesDocument } from '../../../book/rules/rules-document.ts'
import { type FormSeen, choiceField, lineField, mistakePart } from '../parts/forms/fields.ts'
import { entryKey } from './listed-entry.ts'
import { periodFields, spanOf } from './period-fields.ts'
import { rulesVersionField } from './save-rules.ts'

/*
 * Exceptions to the usual week, a card each: what is planned, and a form to add one. `sent`: the form as it came
 * back, with the reason.
 */

const home = '/office/settings'
const nothingYet: FormSeen = { typed: {} }

/** Days without service. */
export const closuresCard = (rules: DocumentRules, today: string, sent?: FormSeen): Html => {
  const form = sent ?? nothingYet
  return html`<section class="card">
    <h2>Closed days</h2>
    ${listed(
      printRulesDocument(rules).closures.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
      ({ to }) => to < today,
      'No closed days planned.',
      (closure) =>
        html`<strong>${closure.name}</strong><br /><span class="small soft">${spanOfDays(closure)}</span>`,
      (closure) => removal(rules, 'closures', 'closure', entryKey(closure)),
    )}
    <details ${sent && html`open`}>
      <summary class="strong">Add closed days</summary>
      <form class="form" method="post" action="${home}/closures">
        ${mistakePart(form)} ${rulesVersionField(rules)}
        <div class="fields">
          ${lineField(form, { name: 'from', label: 'From', type: 'date', required: true })}
          ${lineField(form, { name: 'to', label: 'To', type: 'date', hint: 'Leave empty for one day. A past day is left out of averages in reports.' })}
          ${lineField(form, {
            name: 'name',
            label: 'Name shown to guests',
            required: true,
            most: 200,
            placeholder: 'Christmas break',
          })}
        </div>
        ${buttons('Close these days', sent)}
      </form>
    </details>
  </section>`
}

/** Dates with their own hours. */
export const specialDaysCard = (rules: DocumentRules, today: string, sent?: FormSeen): Html => {
  const form = sent ?? nothingYet
  return html`<section class="card">
    <h2>Special days</h2>
    <p class="soft">A date with its own hours. Without a service, it is closed.</p>
    ${listed(
      rules.specialDays,
      ({ date }) => date < today,
      'No special days planned.',
      (day) =>
        html`<strong>${day.name ?? 'Special day'}</strong><br /><span class="small soft">${specialDayInWords(day)}</span>`,
      (day) => removal(rules, 'special-days', 'date', day.date),
    )}
    <details ${sent && html`open`}>
      <summary class="strong">Add a special day</summary>
      <form class="form" method="post" action="${home}/special-days">
        ${mistakePart(form)} ${rulesVersionField(rules)}
        <div class="fields">
          ${lineField(form, { name: 'date', label: 'Date', type: 'date', required: true })}
          ${lineField(form, { name: 'name', label: 'Name', most: 200, placeholder: "New Year's Eve" })}
        </div>
        ${periodFields(form)} ${buttons('Save day', sent)}
      </form>
    </details>
  </section>`
}

/** Parts of an evening closed to bookings; `notes`: what staff wrote about them. */
export const blocksCard = (
  rules: DocumentRules,
  today: string,
  notes: ReadonlyMap<string, string>,
  sent?: FormSeen,
): Html => {
  const form = sent ?? nothingYet
  return html`<section class="card">
    <h2>Blocks</h2>
    <p class="soft">Part of one evening when no bookings are taken.</p>
    ${listed(
      rules.blocks,
      ({ serviceDate }) => serviceDate < today,
      'Nothing is blocked.',
      (block) => {
        const note = notes.get(`${block.serviceDate} ${block.fromMinute} ${block.toMinute}`)
        return html`<strong>${dayAndYearInWords(block.serviceDate)}, ${spanInWords(block.fromMinute, block.toMinute)}</strong> <span class="tag">${block.scope === 'online' ? 'online only' : 'all bookings'}</span><br /><span class="small soft">${block.publicNote ?? 'No public note'}${note !== undefined && html` · staff: ${note}`}</span>`
      },
      (block) => removal(rules, 'blocks', 'block', entryKey(printBlock(block, rules))),
    )}
    <details ${sent && html`open`}>
      <summary class="strong">Add a block</summary>
      <form class="form" method="post" action="${home}/blocks">
        ${mistakePart(form)} ${rulesVersionField(rules)}
        <div class="fields">
          ${lineField(form, { name: 'serviceDate', label: 'Evening of', type: 'date', required: true })}
          ${lineField(form, { name: 'from', label: 'From', type: 'time', required: true })}
          ${lineField(form, { name: 'to', label: 'To', type: 'time', required: true })}
          ${choiceField(form, {
            name: 'scope',
            label: 'For',
            choices: [
              ['all', 'All bookings'],
              ['online', 'Online bookings only'],
            ],
          })}
          ${lineField(form, { name: 'publicNote', label: 'Note for guests', most: 200 })}
          ${lineField(form, { name: 'staffNote', label: 'Note for staff', most: 500 })}
        </div>
        ${buttons('Add block', sent)}
      </form>
    </details>
  </section>`
}

const buttons = (words: string, sent: FormSeen | undefined): Html =>
  html`<div class="inline">
    <button class="primary">${words}</button>
    ${sent && html`<a class="button quiet" href="${home}/days">All days and blocks</a>`}
  </div>`

/** Upcoming entries as a list; past ones collapsed below it. */
const listed = <Entry>(
  entries: readonly Entry[],
  isOver: (entry: Entry) => boolean,
  none: string,
  shown: (entry: Entry) => Html,
  action: (entry: Entry) => Html,
): Html => {
  const ahead = entries.filter((entry) => !isOver(entry))
  const over = entries.filter(isOver)
  const rows = (list: readonly Entry[]) =>
    html`<ul class="rows">${list.map((entry) => html`<li><div class="grow">${shown(entry)}</div>${action(entry)}</li>`)}</ul>`
  return html`${ahead.length === 0 ? html`<p class="empty">${none}</p>` : rows(ahead)}
${over.length > 0 && html`<details><summary class="small">${over.length} past</summary>${rows(over)}</details>`}`
}

/** "Tuesday, December 8, 2026: Dinner 5:00 – 8:00 PM". */
export const specialDayInWords = ({ date, periods }: DocumentRules['specialDays'][number]): string =>
  `${dayAndYearInWords(date)}: ${periods.length === 0 ? 'closed' : periods.map(spanOf).join(', ')}`

const spanOfDays = ({ from, to }: DocumentRules['closures'][number]): string =>
  from === to ? dayAndYearInWords(from) : `${dayAndYearInWords(from)} to ${dayAndYearInWords(to)}`

const removal = (rules: DocumentRules, what: string, name: string, value: string): Html =>
  html`<form method="post" action="${home}/${what}/remove">
    ${rulesVersionField(rules)}<input type="hidden" name="${name}" value="${value}" /><button class="danger">
      Remove
    </button>
  </form>`
