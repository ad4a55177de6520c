import { type Html, html } from '../../html/html.ts'
import { dayAndYearInWords, weekdayName } from '../../kernel/calendar.ts'
import { badRequest } from '../../kernel/refusal.ts'
import { clockTimeAt } from '../../kernel/written-time.ts'
import type { UpcomingBooking } from '../../reservations/stranded.ts'
import type { DocumentRules, ServicePeriod } from '../../venue/booking-rules.ts'
import { changeRules, rulesVersion } from '../../venue/change-rules.ts'
import type { RulesDocument } from '../../venue/print-rules-document.ts'
import { allBookingRules, noteOnBlock, staffNotesOfBlocks } from '../../venue/rules-store.ts'
import { actorOf } from '../actor.ts'
import { type Form, type PageAnswer, go, page } from '../page.ts'
import type { OfficeWork, VenuePage } from '../serve-page.ts'
import { numberOrText, periodFields, periodsOf } from './period-fields.ts'
import { settingsHead } from './settings-head.ts'

const home = '/office/settings'

/** Hours, special days, closures, blocks and limits: every form edits the rules document. */
export const rulesPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: home,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const rules = await allBookingRules(db, venue.id)
      return page(
        'Hours',
        html`${settingsHead(home)}
          <div class="stack">${isoWeekdays.map((weekday) => weekdayCard(rules, weekday))}</div>`,
      )
    },
  },
  {
    method: 'POST',
    path: `${home}/hours/:weekday`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const weekday = Number(params.weekday)
      if (!isoWeekdays.includes(weekday as 1)) throw badRequest('There is no such day of the week.')
      const before = (await allBookingRules(work.db, work.venue.id)).periods.filter(
        (one) => one.weekday === weekday,
      )
      return save(work, form, {
        action: `change the hours of ${weekdayName(weekday)}s`,
        done: `${weekdayName(weekday)}s were saved.`,
        back: `${home}#day-${weekday}`,
        edit: (document) => ({
          ...document,
          periods: [
            ...document.periods.filter((period) => period.weekday !== weekday),
            ...periodsOf(form, before).map((period) => ({ weekday, ...period })),
          ],
        }),
      })
    },
  },
  {
    method: 'GET',
    path: `${home}/days`,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const [rules, notes] = await Promise.all([
        allBookingRules(db, venue.id),
        staffNotesOfBlocks(db, venue.id),
      ])
      return page('Days', html`${settingsHead(`${home}/days`)}${daysBody(rules, notes)}`)
    },
  },
  {
    method: 'POST',
    path: `${home}/special-days`,
    role: 'manager',
    answer: (work, { form }) =>
      save(work, form, {
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
      save(work, form, {
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
      save(work, form, {
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
      save(work, form, {
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
      const answer = await save(work, form, {
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
      save(work, form, {
        action: 'remove a block',
        done: 'The block was removed.',
        back: `${home}/days`,
        edit: (document) => ({
          ...document,
          blocks: document.blocks.filter((block) => keyOf(block) !== form.text('block')),
        }),
      }),
  },
  {
    method: 'GET',
    path: `${home}/limits`,
    role: 'manager',
    answer: async ({ db, venue }) => {
      const rules = await allBookingRules(db, venue.id)
      return page('Limits', html`${settingsHead(`${home}/limits`)}${limitsCard(rules)}`)
    },
  },
  {
    method: 'POST',
    path: `${home}/limits`,
    role: 'manager',
    answer: (work, { form }) => {
      const number = (name: string) => numberOrText(form.text(name).trim())
      return save(work, form, {
        action: 'change the limits',
        done: 'The limits were saved.',
        back: `${home}/limits`,
        edit: ({ slotStepMinutes: _step, onlinePaused: _paused, ...document }) => ({
          ...document,
          minParty: number('minParty') ?? 1,
          maxParty: number('maxParty') ?? null,
          minNoticeMinutes: number('minNoticeMinutes') ?? 0,
          maxDaysAhead: number('maxDaysAhead') ?? null,
          sameDayCutoff: form.text('sameDayCutoff').trim() || null,
          pacing: {
            intervalMinutes: number('intervalMinutes') ?? 15,
            maxCovers: number('maxCovers') ?? null,
            maxParties: number('maxParties') ?? null,
          },
          slotStepMinutes: number('slotStepMinutes') ?? 15,
          onlinePaused: form.text('onlinePaused') === 'yes',
          turnMinutes: form.all('upTo').flatMap((upTo, i) => {
            const minutes = form.all('minutes')[i]?.trim() ?? ''
            return upTo.trim() === '' && minutes === ''
              ? []
              : [{ upTo: numberOrText(upTo.trim()), minutes: numberOrText(minutes) }]
          }),
        }),
      })
    },
  },
]

const isoWeekdays = [1, 2, 3, 4, 5, 6, 7] as const

type Save = {
  readonly action: string
  readonly done: string
  readonly back: string
  readonly edit: (document: RulesDocument) => object
}

/** Saves a change; one that would strand bookings shows them first and asks. */
const save = async (
  work: OfficeWork,
  form: Form,
  { action, done, back, edit }: Save,
): Promise<PageAnswer> => {
  const changed = await changeRules(work, actorOf(work.me), {
    action,
    seen: form.text('seen'),
    edit,
    confirmed: form.text('confirmed') === 'yes',
  })
  if (changed.done) return go(back, done)
  return page('Bookings in the way', strandedBody(changed.stranded, form, back))
}

/** The bookings a change would leave without a service, and the same form once more with a button to go on. */
const strandedBody = (stranded: readonly UpcomingBooking[], form: Form, back: string): Html =>
  html` <div class="page-head">
      <h1>
        ${stranded.length} ${stranded.length === 1 ? 'booking would' : 'bookings would'} be left without a
        service
      </h1>
    </div>
    <section class="card">
      <p>Nothing is saved yet. They stay in the book if you go on; somebody should talk to these guests.</p>
      <ul class="rows">
        ${stranded.slice(0, 100).map(
          (booking) =>
            html`<li>
              <div class="grow">
                <a href="/office/bookings/${booking.id}">${booking.guest_name ?? 'No name'}</a>,
                ${booking.party_size}
              </div>
              <span>${dayAndYearInWords(booking.date)}, ${booking.time}</span>
            </li>`,
        )}
      </ul>
      <form method="post">
        <input type="hidden" name="confirmed" value="yes" />
        ${form.names().map((name) => form.all(name).map((value) => html`<input type="hidden" name="${name}" value="${value}" />`))}
        <div class="inline">
          <button class="danger">Save anyway</button><a class="button" href="${back}">Do not save</a>
        </div>
      </form>
    </section>`

const weekdayCard = (rules: DocumentRules, weekday: number): Html => {
  const periods: readonly ServicePeriod[] = rules.periods.filter((one) => one.weekday === weekday)
  return html`<section class="card" id="day-${weekday}">
    <header>
      <h2>${weekdayName(weekday)}</h2>
      <span class="soft">${periods.length === 0 ? 'Closed' : periods.map(spanOf).join(', ')}</span>
    </header>
    <details>
      <summary>Change</summary>
      <form class="form" method="post" action="${home}/hours/${weekday}">
        ${seen(rules)}${periodFields(periods)}
        <div><button class="primary">Save ${weekdayName(weekday)}s</button></div>
      </form>
    </details>
  </section>`
}

const daysBody = (rules: DocumentRules, notes: ReadonlyMap<string, string>): Html =>
  html`<div class="stack">
    <section class="card">
      <h2>Closed days</h2>
      ${
        rules.closures.length === 0
          ? html`<p class="empty">No closed days are planned.</p>`
          : html`<ul class="rows">
              ${rules.closures.map(
                (closure) =>
                  html`<li>
                    <div class="grow">
                      <strong>${closure.name}</strong><br /><span class="small soft"
                        >${closure.from === closure.to ? dayAndYearInWords(closure.from) : `${dayAndYearInWords(closure.from)} to ${dayAndYearInWords(closure.to)}`}</span
                      >
                    </div>
                    ${removal(rules, 'closures', 'closure', keyOf(closure))}
                  </li>`,
              )}
            </ul>`
      }
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
      ${
        rules.specialDays.length === 0
          ? html`<p class="empty">No special days are planned.</p>`
          : html`<ul class="rows">
              ${rules.specialDays.map(
                (day) =>
                  html`<li>
                    <div class="grow">
                      <strong>${day.name ?? 'Special day'}</strong><br /><span class="small soft"
                        >${dayAndYearInWords(day.date)}:
                        ${day.periods.length === 0 ? 'closed' : day.periods.map(spanOf).join(', ')}</span
                      >
                    </div>
                    ${removal(rules, 'special-days', 'date', day.date)}
                  </li>`,
              )}
            </ul>`
      }
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
      ${
        rules.blocks.length === 0
          ? html`<p class="empty">Nothing is blocked.</p>`
          : html`<ul class="rows">
              ${rules.blocks.map((block) => {
                const note = notes.get(`${block.serviceDate} ${block.fromMinute} ${block.toMinute}`)
                return html`<li>
                  <div class="grow">
                    <strong
                      >${dayAndYearInWords(block.serviceDate)},
                      ${clockTimeAt(block.fromMinute)}–${clockTimeAt(block.toMinute)}</strong
                    >
                    <span class="tag">${block.scope === 'online' ? 'online only' : 'all bookings'}</span
                    ><br /><span class="small soft"
                      >${block.publicNote ?? 'No public note'}${note !== undefined && html` · staff: ${note}`}</span
                    >
                  </div>
                  ${removal(rules, 'blocks', 'block', keyOf(blockText(block)))}
                </li>`
              })}
            </ul>`
      }
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

const limitsCard = (rules: DocumentRules): Html =>
  html`<section class="card">
    <form class="form" method="post" action="${home}/limits">
      ${seen(rules)}
      <h2>Parties and notice</h2>
      <div class="fields">
        ${number('minParty', 'Smallest party', rules.minParty)}${number('maxParty', 'Largest party', rules.maxParty, 'Empty: no limit.')}
        ${number('minNoticeMinutes', 'Notice, in minutes', rules.minNoticeMinutes)}${number('maxDaysAhead', 'Days ahead', rules.maxDaysAhead, 'Empty: no limit.')}
        <label class="field"
          ><span>Same-day cut-off</span
          ><input
            type="time"
            name="sameDayCutoff"
            value="${rules.sameDayCutoffMinute === null ? '' : clockTimeAt(rules.sameDayCutoffMinute)}"
          /><small>From then on today takes no more bookings.</small></label
        >
      </div>
      <h2>Pacing</h2>
      <div class="fields">
        ${number('intervalMinutes', 'Slot, in minutes', rules.pacing.intervalMinutes)}${number('maxCovers', 'Guests per slot', rules.pacing.maxCovers, 'Empty: no limit.')}${number('maxParties', 'Parties per slot', rules.pacing.maxParties, 'Empty: no limit.')}${number('slotStepMinutes', 'Times shown every … minutes', rules.slotStepMinutes)}
      </div>
      <h2>How long a table is held</h2>
      ${[...rules.turnTimes, undefined].map(
        (row) =>
          html`<div class="fields">
            <label class="field"
              ><span>Party of up to</span
              ><input name="upTo" inputmode="numeric" value="${row?.upTo ?? ''}" /></label
            ><label class="field"
              ><span>Minutes</span><input name="minutes" inputmode="numeric" value="${row?.minutes ?? ''}"
            /></label>
          </div>`,
      )}
      <label class="check"
        ><input type="checkbox" name="onlinePaused" value="yes" ${rules.onlinePaused && html`checked`} />
        Online booking is paused</label
      >
      <div><button class="primary">Save</button></div>
    </form>
  </section>`

const number = (name: string, label: string, value: number | null, hint?: string): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input
      name="${name}"
      inputmode="numeric"
      value="${value ?? ''}"
    />${hint && html`<small>${hint}</small>`}</label
  >`

const removal = (rules: DocumentRules, what: string, name: string, value: string): Html =>
  html`<form method="post" action="${home}/${what}/remove">
    ${seen(rules)}<input type="hidden" name="${name}" value="${value}" /><button class="danger">
      Remove
    </button>
  </form>`

const seen = (rules: DocumentRules): Html =>
  html`<input type="hidden" name="seen" value="${rulesVersion(rules)}" />`

const spanOf = ({ name, startMinute, endMinute }: ServicePeriod): string =>
  `${name ?? 'open'} ${clockTimeAt(startMinute)}–${clockTimeAt(endMinute)}`

/** Something of the document by its content: it has no number of its own there. */
const keyOf = (entry: object): string => Object.values(entry).slice(0, 3).join(' ')

const blockText = (block: DocumentRules['blocks'][number]): object => ({
  serviceDate: block.serviceDate,
  from: clockTimeAt(block.fromMinute),
  to: clockTimeAt(block.toMinute),
})
