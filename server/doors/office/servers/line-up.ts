import { type Html, html } from '../../../platform/html/html.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import {
  dayInWords,
  dayNear,
  minuteInWords,
  spanInWords,
  timeInWords,
} from '../../../platform/kernel/time/in-words.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { type LocalDate, readDate } from '../../../platform/kernel/time/written-time.ts'
import type { ServicePeriod } from '../../../book/rules/booking-rules.ts'
import { plannedPeriodsOn } from '../../../book/rules/resolve-service.ts'
import { bookingRulesAround } from '../../../book/rules/rules-store.ts'
import { momentOfServiceMinute, serviceDateAt } from '../../../book/rules/service-now.ts'
import { lineUpAsSet } from '../../../book/servers/as-set.ts'
import {
  type LineUpRow,
  lastSameWeekday,
  lineUpOf,
  sectionPlansOf,
  sectionsOf,
  serversOf,
  shiftOfService,
} from '../../../book/servers/reads.ts'
import { saveLineUp } from '../../../book/servers/save-line-up.ts'
import type { ServerRow } from '../../../book/servers/server.ts'
import { mayAct } from '../../../core/staff/roles.ts'
import { actorOf } from '../frame/actor.ts'
import { type Form, go, page } from '../frame/page.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import {
  type FormSeen,
  type Typed,
  choiceField,
  hiddenFields,
  mistakePart,
  typedIn,
  versionField,
  versionIn,
} from '../parts/forms/fields.ts'
import { serverChip } from '../parts/server-chip.ts'
import { cutWords } from './cut-words.ts'
import { shiftNow, shiftNowPages } from './now.ts'
import { readServiceMinute } from '../parts/staff-time.ts'
import { idIn, nearDay } from '../parts/time-words.ts'

/*
 * Who works a service, and with which sections. It begins as the last line-up of that weekday; who is only ticked gets the
 * next section that nobody has.
 */

const home = '/office/line-up'

/** How far ahead a line-up can be made. */
const daysAhead = 14

export const lineUpPages: readonly VenuePage[] = [
  ...shiftNowPages,
  {
    method: 'GET',
    path: home,
    role: 'host',
    answer: async (work, { query }) => {
      const service = await serviceIn(work, query.get('date') ?? '', query.get('from') ?? '')
      return page('Line-up', await body(work, service))
    },
  },
  {
    method: 'POST',
    path: home,
    role: 'host',
    answer: async (work, { form }) => {
      const service = await serviceIn(work, form.text('date'), form.text('from'))
      const { date, period } = service
      // A page from before midnight shows another day than the one it would fall back to.
      if (!period || form.text('date') !== date || form.text('from') !== String(period.startMinute))
        throw badRequest('There is no such service that day; open the page again.')
      const plan = idIn(form.text('plan'))
      if (plan === undefined) throw badRequest('Choose a section plan from the list.')
      const ticked = new Set(form.all('server').flatMap((text) => idIn(text) ?? []))
      const lineUp = [...ticked].map((server) => ({
        server,
        sections: form.text(`sections-${server}`),
        fromMinute: minuteIn(form, `from-${server}`, period, period.startMinute),
        untilMinute: minuteIn(form, `until-${server}`, period, period.endMinute),
      }))
      const moved = await saveLineUp(work, actorOf(work.me), {
        shift: { date, fromMinute: period.startMinute, toMinute: period.endMinute, plan },
        seenVersion: versionIn(form),
        lineUp,
      })
      const words = moved.length > 0 ? await cutWords(work, moved) : ''
      return go(addressOf(date, period), `Line-up saved. ${words}`.trim())
    },
    again: async (work, { form }, { message }) => {
      const service = await serviceIn(work, form.text('date'), form.text('from'))
      const seen = { typed: typedIn(form), mistake: message }
      return page('Line-up', await body(work, service, { seen, ticked: form.all('server').map(Number) }))
    },
  },
]

const addressOf = (date: LocalDate, period: Pick<ServicePeriod, 'startMinute'> | undefined): string =>
  `${home}?date=${date}${period ? `&from=${period.startMinute}` : ''}`

/** A time of the service, on its day or the next; left empty, the given minute. */
const minuteIn = (form: Form, name: string, period: ServicePeriod, otherwise: number): number => {
  const text = form.text(name).trim()
  if (text === '') return otherwise
  const minute = readServiceMinute(text, period)
  if (minute === undefined) throw badRequest(`Enter times such as ${timeInWords('17:00')}.`)
  return minute
}

type Service = {
  readonly date: LocalDate
  readonly today: LocalDate
  readonly periods: readonly ServicePeriod[]
  /** Undefined where the day has none. */
  readonly period: ServicePeriod | undefined
  readonly hasTables: boolean
}

/** The service that was asked about; else the one that runs or comes next on that day, the last at its end. */
const serviceIn = async (work: OfficeWork, dateText: string, fromText: string): Promise<Service> => {
  const now = work.now()
  const wall = wallTimeOf(now, work.venue.timezone)
  const rulesNow = await bookingRulesAround(work.db, work.venue, wall.date)
  const today = serviceDateAt(rulesNow, now)
  const asked = readDate(dateText) ?? today
  const date = asked < today || asked > addDays(today, daysAhead) ? today : asked
  const rules = date === wall.date ? rulesNow : await bookingRulesAround(work.db, work.venue, date)
  const periods = plannedPeriodsOn(rules, date).toSorted((a, b) => a.startMinute - b.startMinute)
  const isAhead = ({ endMinute }: ServicePeriod): boolean =>
    Temporal.Instant.compare(momentOfServiceMinute(rules, date, endMinute), now) > 0
  const period =
    periods.find(({ startMinute }) => String(startMinute) === fromText) ??
    periods.find(isAhead) ??
    periods.at(-1)
  return { date, today, periods, period, hasTables: rules.floor !== null }
}

type Sent = { readonly seen: FormSeen; readonly ticked: readonly number[] }

const body = async (work: OfficeWork, service: Service, sent?: Sent): Promise<Html> => {
  const { db, venue, me } = work
  const { date, today, periods, period, hasTables } = service
  const [servers, plans, sections] = await Promise.all([
    serversOf(db, venue.id),
    sectionPlansOf(db, venue.id),
    sectionsOf(db, venue.id),
  ])
  const on = servers.filter(({ is_on }) => is_on)
  const missing = !hasTables
    ? 'Tables are off at this venue, so nobody has a section.'
    : !period
      ? 'There is no service that day.'
      : on.length === 0
        ? 'No servers yet.'
        : plans.length === 0
          ? 'No section plan yet.'
          : undefined
  const head = html`<div class="page-head">
      <div>
        <h1>Line-up</h1>
        <p class="soft">${nearDay(date, today)}${nearDay(date, today) && ', '}${dayNear(date, today)}${period && `, ${nameOf(period)}`}</p>
      </div>
      <a class="button" href="/office/service">Service</a>
    </div>
    <nav class="tabs" aria-label="Services">
      ${periods.length > 1 && periods.map((one) => html`<a href="${addressOf(date, one)}" ${one === period && html`aria-current="page"`}>${nameOf(one)}</a>`)}
      ${date > today && html`<a href="${addressOf(addDays(date, -1), undefined)}">Day before</a>`}
      ${date < addDays(today, daysAhead) && html`<a href="${addressOf(addDays(date, 1), undefined)}">Next day</a>`}
    </nav>`
  if (missing !== undefined || !period)
    return html`${head}<section class="card">
      <p>${missing} ${mayAct(me.staff.role, 'manager') ? html`<a href="/office/settings/servers">Servers and sections</a>` : 'A manager makes servers and sections.'}</p>
    </section>`
  const shift = await shiftOfService(db, venue.id, date, period.startMinute)
  const last = shift ? undefined : await lastSameWeekday(db, venue.id, date, period.startMinute)
  const model = shift ?? last
  const lineUp = shift
    ? await lineUpOf(db, venue.id, shift.id)
    : last
      ? await lineUpAsSet(db, venue.id, last)
      : []
  const inLineUp = new Map(lineUp.map((one) => [one.server_id, one]))
  const shown = servers.filter(({ id, is_on }) => is_on || (shift && inLineUp.has(id)))
  const typed: Typed = {
    plan: String(model?.plan_id ?? plans[0]?.id ?? ''),
    ...Object.fromEntries(
      lineUp.flatMap(({ server_id: id, sections, from_minute, until_minute }) => [
        [`sections-${id}`, (sections ?? []).join(', ')],
        ...(model && from_minute !== model.from_minute ? [[`from-${id}`, minuteInWords(from_minute)]] : []),
        ...(model && until_minute !== model.to_minute ? [[`until-${id}`, minuteInWords(until_minute)]] : []),
      ]),
    ),
  }
  const seen = sent?.seen ?? { typed }
  const ticked = new Set(sent?.ticked ?? shown.filter(({ id }) => inLineUp.has(id)).map(({ id }) => id))
  const offered = plans.filter(({ id, is_on }) => is_on || id === shift?.plan_id)
  const now = shift && date === today ? await shiftNow(work, date, shift.id) : undefined
  return html`${head} <div class="stack">${now}
    <section class="card">
      ${now && html`<h2>Who works</h2>`}
      <form class="form" method="post" action="${home}">
        ${versionField(shift?.version ?? 0)} ${hiddenFields({ date, from: period.startMinute })} ${mistakePart(seen)}
        <p class="soft">${
          sent
            ? 'Not saved yet.'
            : shift
              ? 'Saved. Parties already seated keep their server, no matter what changes here.'
              : model
                ? `As on ${dayInWords(model.service_date)}; not saved yet.`
                : 'Check who works; anyone without a section gets the next one.'
        }</p>
        ${shift && nobodysPart(shift.plan_id, sections, lineUp)}${shift && withoutSectionPart(servers, lineUp)}
        <div class="fields">
          ${choiceField(seen, {
            name: 'plan',
            label: 'Section plan',
            choices: offered.map(({ id, name }): readonly [string, string] => [
              String(id),
              `${name} (${new Set(sections.filter(({ plan_id }) => plan_id === id).map(({ section }) => section)).size} sections)`,
            ]),
          })}
        </div>
        <ul class="rows line-up">
          ${shown.map((server) => serverPart(server, seen.typed, ticked.has(server.id), period))}
        </ul>
        <div><button class="primary">Save line-up</button></div>
      </form>
    </section></div>`
}

const serverPart = (server: ServerRow, typed: Typed, isTicked: boolean, period: ServicePeriod): Html => {
  const { id, name } = server
  const field = (kind: string, label: string, placeholder: string): Html =>
    html`<label class="few"><span class="small soft">${label}<span class="hidden-text"> of ${name}</span></span><input name="${kind}-${id}" value="${typed[`${kind}-${id}`] ?? ''}" placeholder="${placeholder}" autocomplete="off" maxlength="20" /></label>`
  return html`<li>
    <label class="check grow"
      ><input type="checkbox" name="server" value="${id}" ${isTicked && html`checked`} /> ${serverChip(server)}
      <span>${name}</span></label
    >
    ${field('sections', 'Sections', 'next')}
    ${field('from', 'From', minuteInWords(period.startMinute))} ${field('until', 'Until', minuteInWords(period.endMinute))}
  </li>`
}

/** The sections of a saved line-up that nobody has. */
const nobodysPart = (
  plan: number,
  sections: Awaited<ReturnType<typeof sectionsOf>>,
  lineUp: readonly LineUpRow[],
): Html | undefined => {
  const taken = new Set(lineUp.flatMap((one) => one.sections ?? []))
  const all = new Set(sections.filter(({ plan_id }) => plan_id === plan).map(({ section }) => section))
  const left = [...all].filter((section) => !taken.has(section))
  return left.length === 0
    ? undefined
    : html`<p class="hint">Nobody has ${left.length === 1 ? 'section' : 'sections'} ${left.join(', ')}.</p>`
}

/** Who is in a saved line-up and has no section: all of them were given to others. */
const withoutSectionPart = (
  servers: readonly ServerRow[],
  lineUp: readonly LineUpRow[],
): Html | undefined => {
  const without = lineUp.filter(({ sections }) => (sections ?? []).length === 0)
  const names = without.map(({ server_id }) => servers.find(({ id }) => id === server_id)?.name ?? 'A server')
  return names.length === 0
    ? undefined
    : html`<p class="hint">${names.join(', ')} ${names.length === 1 ? 'has' : 'have'} no section and no turn: others have them all. Type which sections each has.</p>`
}

const nameOf = ({ name, startMinute, endMinute }: ServicePeriod): string =>
  name ?? spanInWords(startMinute, endMinute)
