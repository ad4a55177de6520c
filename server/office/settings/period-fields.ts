import { type Html, html } from '../../html/html.ts'
import { clockTimeAt } from '../../kernel/written-time.ts'
import type { ServicePeriod } from '../../venue/booking-rules.ts'
import type { Form } from '../page.ts'

/*
 * Services of a day in a form: each is a set of fields with a number in their names, and an empty set at the end
 * adds one. A set whose opening time is cleared is taken away. Texts go into the document as they are typed; its
 * reader says what is wrong with them.
 */

const mostPeriods = 6

/** Fields of a day's services, with an empty set for one more. */
export const periodFields = (periods: readonly ServicePeriod[]): Html =>
  html`${[...periods, undefined].slice(0, mostPeriods).map((period, i) => fieldsOf(period, i))}`

const fieldsOf = (period: ServicePeriod | undefined, i: number): Html =>
  html`<fieldset class="period">
    <legend>${period ? (period.name ?? 'Service') : 'Add a service'}</legend>
    <div class="fields">
      ${field(i, 'name', 'Name', period?.name ?? '', 'Dinner')}
      ${time(i, 'opens', 'Opens', period?.startMinute)}
      ${time(i, 'closes', 'Closes', period?.endMinute, 'A time before the opening is the next day.')}
      ${time(i, 'lastArrival', 'Last arrival', period?.lastArrivalMinute ?? undefined)}
    </div>
    <details ${isSpecial(period) && html`open`}>
      <summary class="small">More for this service</summary>
      <div class="fields">
        ${field(i, 'seatings', 'Set seatings', period?.seatingMinutes.map(clockTimeAt).join(' ') ?? '', '18:00 20:15')}
        ${field(i, 'minParty', 'Smallest party', period?.minParty ?? '')}
        ${field(i, 'maxParty', 'Largest party', period?.maxParty ?? '')}
        ${field(i, 'maxCovers', 'Guests per slot', period?.pacing.maxCovers ?? '')}
        ${time(i, 'sameDayCutoff', 'Same-day cut-off', period?.sameDayCutoffMinute ?? undefined)}
      </div>
    </details>
  </fieldset>`

const field = (i: number, name: string, label: string, value: string | number, placeholder = ''): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input name="${name}-${i}" value="${value}" placeholder="${placeholder}" maxlength="200"
  /></label>`

const time = (i: number, name: string, label: string, minute: number | undefined, hint?: string): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input
      name="${name}-${i}"
      type="time"
      value="${minute === undefined ? '' : clockTimeAt(minute)}"
    />${hint && html`<small>${hint}</small>`}</label
  >`

const isSpecial = (period: ServicePeriod | undefined): boolean =>
  period !== undefined &&
  (period.seatingMinutes.length > 0 ||
    period.minParty !== null ||
    period.maxParty !== null ||
    period.pacing.maxCovers !== null ||
    period.sameDayCutoffMinute !== null)

/** The services of a form as the rules document writes them. What a form does not show, pacing intervals, is kept from before. */
export const periodsOf = (form: Form, before: readonly ServicePeriod[]): object[] =>
  Array.from({ length: mostPeriods }, (_, i) => {
    const text = (name: string): string => form.text(`${name}-${i}`).trim()
    if (text('opens') === '') return undefined
    const kept = before[i]?.pacing
    const pacing = {
      ...whereSet({ maxCovers: numberOrText(text('maxCovers')) }),
      ...whereSet({
        intervalMinutes: kept?.intervalMinutes ?? undefined,
        maxParties: kept?.maxParties ?? undefined,
      }),
    }
    return {
      opens: text('opens'),
      closes: text('closes'),
      ...whereSet({
        name: text('name') || undefined,
        lastArrival: text('lastArrival') || undefined,
        sameDayCutoff: text('sameDayCutoff') || undefined,
        minParty: numberOrText(text('minParty')),
        maxParty: numberOrText(text('maxParty')),
      }),
      ...(text('seatings') !== '' && { seatings: text('seatings').split(/[\s,;]+/) }),
      ...(Object.keys(pacing).length > 0 && { pacing }),
    }
  }).filter((period) => period !== undefined)

/** Digits become a number; anything else stays text, which the reader of the document refuses with a sentence. */
export const numberOrText = (text: string): number | string | undefined =>
  text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : text

const whereSet = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** "Dinner 17:00–22:00". */
export const spanOf = ({ name, startMinute, endMinute }: ServicePeriod): string =>
  `${name ?? 'open'} ${clockTimeAt(startMinute)}–${clockTimeAt(endMinute)}`
