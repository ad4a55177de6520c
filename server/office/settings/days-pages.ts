import { type Html, html } from '../../html/html.ts'
import { dayAndYearInWords } from '../../kernel/calendar.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { wallTimeOf } from '../../kernel/venue-clock.ts'
import { clockTimeAt } from '../../kernel/written-time.ts'
import type { DocumentRules } from '../../venue/booking-rules.ts'
import { allBookingRules, noteOnBlock, staffNotesOfBlocks } from '../../venue/rules-store.ts'
import { page } from '../page.ts'
import type { VenuePage } from '../serve-page.ts'
import { periodFields, periodsOf, spanOf } from './period-fields.ts'
import { saveRules, seen } from './save-rules.ts'
import { settingsHead } from './settings-head.ts'

const home = '/office/settings'

/** Closures, special days and blocks. */
export const daysPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: `${home}/days`,
    role: 'manager',
    answer: async ({ db, venue, now }) => {
      const { date: today } = wallTimeOf(now(), venue.timezone)
      const [rules, notes] = await Promise.all([
        allBookingRules(db, venue.id),
        staffNotesOfBlocks(db, venue.id),
      ])
      return page('Days', html`${settingsHead(`${home}/days`)}${daysBody(rules, notes, today)}`)
    },
  },
  {
    method: 'POST',
    path: `${home}/special-days`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'add a special day',
        done: 'The special day was saved.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          specialDays: [
            ...document.specialDays.filter(({ date }) => date !== form.text('date')),
            {
              date: form.text('date'),
              ...(form.text('name').trim() !== '' && { name: form.text('name').trim() }),
              periods: periodsOf(form, []),
            },
          ],
        }),
      }),
  },
  {
    method: 'POST',
    path: `${home}/special-days/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a special day',
        done: 'The day has its usual hours again.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          specialDays: document.specialDays.filter(({ date }) => date !== form.text('date')),
        }),
      }),
  },
  {
    method: 'POST',
    path: `${home}/closures`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'add a closure',
        done: 'The closure was saved.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          closures: [
            ...document.closures,
            {
              from: form.text('from'),
              to: form.text('to') || form.text('from'),
              name: form.text('name').trim(),
            },
          ],
        }),
      }),
  },
  {
    method: 'POST',
    path: `${home}/closures/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a closure',
        done: 'The closure was removed.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          closures: document.closures.filter((closure) => keyOf(closure) !== form.text('closure')),
        }),
      }),
  },
  {
    method: 'POST',
    path: `${home}/blocks`,
    role: 'manager',
    answer: async (work, { form }) => {
      const note = form.text('staffNote').trim()
      const answer = await saveRules(work, form, {
        action: 'add a block',
        done: 'The block was saved.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          blocks: [
            ...document.blocks,
            {
              serviceDate: form.text('serviceDate'),
              from: form.text('from'),
              to: form.text('to'),
              scope: form.text('scope'),
              publicNote: form.text('publicNote').trim() || null,
            },
          ],
        }),
      })
      if (answer.kind === 'go' && note !== '') {
        if (note.length > 500) throw badRequest('The note for staff may have at most 500 characters.')
        const { blocks } = await allBookingRules(work.db, work.venue.id)
        const made = blocks.find(
          (block) =>
            block.serviceDate === form.text('serviceDate') &&
            clockTimeAt(block.fromMinute) === form.text('from'),
        )
        if (made) await noteOnBlock(work.db, work.venue.id, made, note)
      }
      return answer
    },
  },
  {
    method: 'POST',
    path: `${home}/blocks/remove`,
    role: 'manager',
    answer: (work, { form }) =>
      saveRules(work, form, {
        action: 'remove a block',
        done: 'The block was removed.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          blocks: document.blocks.filter((block) => keyOf(block) !== form.text('block')),
        }),
      }),
  },
]

const daysBody = (rules: DocumentRules, notes: ReadonlyMap<string, string>, today: string): Html =>
  html`<div class="stack">
    <section class="card">
      <h2>Closed days</h2>
      ${listed(
        rules.closures.toSorted((a, b) => (a.from < b.from ? -1 : 1)),
        ({ to }) => to < today,
        'No closed days are planned.',
        (closure) =>
          html`<strong>${closure.name}</strong><br /><span class="small soft">${spanOfDays(closure)}</span>`,
        (closure) => removal(rules, 'closures', 'closure', keyOf(closure)),
      )}
      <details>
        <summary class="strong">Add closed days</summary>
        <form class="form" method="post" action="${home}/closures">
          ${seen(rules)}
          <div class="fields">
            <label class="field"><span>From</span><input name="from" type="date" required /></label
            ><label class="field"
              ><span>To</span><input name="to" type="date" /><small>Empty: that one day.</small></label
            >
            <label class="field"
              ><span>Name, shown to guests</span
              ><input name="name" required maxlength="200" placeholder="Christmas break"
            /></label>
          </div>
          <div><button class="primary">Close these days</button></div>
        </form>
      </details>
    </section>
    <section class="card">
      <h2>Special days</h2>
      <p class="soft">A date with hours of its own; without services it is closed.</p>
      ${listed(
        rules.specialDays,
        ({ date }) => date < today,
        'No special days are planned.',
        (day) =>
          html`<strong>${day.name ?? 'Special day'}</strong><br /><span class="small soft">${dayAndYearInWords(day.date)}: ${day.periods.length === 0 ? 'closed' : day.periods.map(spanOf).join(', ')}</span>`,
        (day) => removal(rules, 'special-days', 'date', day.date),
      )}
      <details>
        <summary class="strong">Add a special day</summary>
        <form class="form" method="post" action="${home}/special-days">
          ${seen(rules)}
          <div class="fields">
            <label class="field"><span>Date</span><input name="date" type="date" required /></label
            ><label class="field"
              ><span>Name</span><input name="name" maxlength="200" placeholder="New Year's Eve"
            /></label>
          </div>
          ${periodFields([])}
          <div><button class="primary">Save the day</button></div>
        </form>
      </details>
    </section>
    <section class="card">
      <h2>Blocks</h2>
      <p class="soft">A span of one evening in which no bookings are taken.</p>
      ${listed(
        rules.blocks,
        ({ serviceDate }) => serviceDate < today,
        'Nothing is blocked.',
        (block) => {
          const note = notes.get(`${block.serviceDate} ${block.fromMinute} ${block.toMinute}`)
          return html`<strong>${dayAndYearInWords(block.serviceDate)}, ${clockTimeAt(block.fromMinute)}–${clockTimeAt(block.toMinute)}</strong> <span class="tag">${block.scope === 'online' ? 'online only' : 'all bookings'}</span><br /><span class="small soft">${block.publicNote ?? 'No public note'}${note !== undefined && html` · staff: ${note}`}</span>`
        },
        (block) => removal(rules, 'blocks', 'block', keyOf(blockText(block))),
      )}
      <details>
        <summary class="strong">Add a block</summary>
        <form class="form" method="post" action="${home}/blocks">
          ${seen(rules)}
          <div class="fields">
            <label class="field"
              ><span>Evening of</span><input name="serviceDate" type="date" required /></label
            ><label class="field"><span>From</span><input name="from" type="time" required /></label
            ><label class="field"><span>To</span><input name="to" type="time" required /></label
            ><label class="field"
              ><span>For</span
              ><select name="scope">
                <option value="all">All bookings</option>
                <option value="online">Online bookings only</option>
              </select></label
            ><label class="field"
              ><span>Note for guests</span><input name="publicNote" maxlength="200" /></label
            ><label class="field"
              ><span>Note for staff</span><input name="staffNote" maxlength="500"
            /></label>
          </div>
          <div><button class="primary">Block it</button></div>
        </form>
      </details>
    </section>
  </div>`

/** What is ahead as a list; what is over folded away below it. */
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

const spanOfDays = ({ from, to }: DocumentRules['closures'][number]): string =>
  from === to ? dayAndYearInWords(from) : `${dayAndYearInWords(from)} to ${dayAndYearInWords(to)}`

const removal = (rules: DocumentRules, what: string, name: string, value: string): Html =>
  html`<form method="post" action="${home}/${what}/remove">
    ${seen(rules)}<input type="hidden" name="${name}" value="${value}" /><button class="danger">
      Remove
    </button>
  </form>`

/** Something of the document by its content: it has no number of its own there. */
const keyOf = (entry: object): string => Object.values(entry).slice(0, 3).join(' ')

const blockText = (block: DocumentRules['blocks'][number]): object => ({
  serviceDate: block.serviceDate,
  from: clockTimeAt(block.fromMinute),
  to: clockTimeAt(block.toMinute),
})
