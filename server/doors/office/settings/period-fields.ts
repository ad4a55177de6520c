import { type Html, html } from '../../../platform/html/html.ts'
import { minuteInWords, spanInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { badRequest } from '../../../platform/kernel/refusal.ts'
import {
  clockTimeAt,
  minuteOfDay,
  minutesPerDay,
  readTime,
} from '../../../platform/kernel/time/written-time.ts'
import { type ServicePeriod, printService } from '../../../book/rules/booking-rules.ts'
import type { Form } from '../frame/page.ts'
import { type FormSeen, type Typed, lineField, tickField } from '../parts/forms/fields.ts'
import { readStaffTime } from '../parts/staff-time.ts'
import { limitTexts, limitTyped, numberOrText, serviceLimitRows } from './limits/limit-rows.ts'

/*
 * A day's services in a form: each is a set of fields with a number in their names, and an empty set at the end adds
 * one. A set that is empty, or ticked to be removed, is no service. Text goes into the document as typed; its reader reports what
 * is wrong.
 */

const mostPeriods = 6

/** The field values for a day with these services; '' in unused sets. */
export const typedOfPeriods = (periods: readonly ServicePeriod[]): Typed =>
  Object.fromEntries(
    Array.from({ length: mostPeriods }, (_, i) =>
      Object.entries(textsOf(periods[i])).map(([name, text]) => [`${name}-${i}`, text]),
    ).flat(),
  )

const textsOf = (period: ServicePeriod | undefined) => {
  const time = (minute: number | null | undefined) => (minute == null ? '' : clockTimeAt(minute))
  return {
    name: period?.name ?? '',
    opens: time(period?.startMinute),
    closes: time(period?.endMinute),
    lastArrival: time(period?.lastArrivalMinute),
    seatings: seatingsInWords(period?.seatingMinutes ?? []),
    maxCovers: String(period?.pacing.maxCovers ?? ''),
    ...limitTexts(serviceLimitRows, period && printService(period)),
  }
}

/** "6:00 PM, 8:15 PM". */
const seatingsInWords = (minutes: readonly number[]): string => minutes.map(minuteInWords).join(', ')

/** Two seatings of a dinner, as an example. */
const exampleSeatings = [18 * 60, 20 * 60 + 15]

const midnight = '00:00'

const names = ['name', 'opens', 'closes', 'lastArrival'] as const
const rareNames = ['seatings', 'maxCovers', ...serviceLimitRows.map(({ name }) => name)]

/** Fields for a day's services, with an empty set for one more. */
export const periodFields = (seen: FormSeen): Html => {
  const isSet = (i: number, some: readonly string[]): boolean =>
    some.some((name) => seen.typed[`${name}-${i}`] || seen.meanwhile?.[`${name}-${i}`])
  const last = Array.from({ length: mostPeriods }, (_, i) => i).findLast((i) =>
    isSet(i, [...names, ...rareNames]),
  )
  const shown = Math.min(mostPeriods, (last ?? -1) + 2)
  return html`${Array.from({ length: shown }, (_, i) => fieldsOf(seen, i, isSet(i, names), isSet(i, rareNames)))}`
}

const fieldsOf = (seen: FormSeen, i: number, isThere: boolean, isSpecial: boolean): Html => {
  const line = (name: string, label: string, placeholder = '') =>
    lineField(seen, { name: `${name}-${i}`, label, placeholder, most: 200 })
  const time = (name: string, label: string, hint = '') =>
    lineField(seen, { name: `${name}-${i}`, label, hint, type: 'time' })
  return html`<fieldset class="period">
    <legend>${isThere ? seen.typed[`name-${i}`] || 'Service' : 'Add a service'}</legend>
    <div class="fields">
      ${line('name', 'Name', 'Dinner')} ${time('opens', 'Opens')}
      ${time('closes', 'Closes', 'A time before opening means the next day.')}
      ${time('lastArrival', 'Last arrival')}
    </div>
    <details ${isSpecial && html`open`}>
      <summary class="small">More options</summary>
      <div class="fields">
        ${line('seatings', 'Set seatings', seatingsInWords(exampleSeatings))}
        ${serviceLimitRows.filter(({ isTime }) => !isTime).map(({ name, label }) => line(name, label))}
        ${line('maxCovers', 'Guests per slot')}
        ${serviceLimitRows.filter(({ isTime }) => isTime).map(({ name, label }) => time(name, label))}
      </div>
    </details>
    ${isThere && tickField(seen, { name: `remove-${i}`, label: 'Remove this service' })}
  </fieldset>`
}

/**
 * A form's services as the rules document stores them. What a form does not show, pacing intervals, is carried over.
 */
export const periodsOf = (form: Form, before: readonly ServicePeriod[]): object[] =>
  Array.from({ length: mostPeriods }, (_, i) => {
    const text = (name: string): string => form.text(`${name}-${i}`).trim()
    const isEmpty = [...names, ...rareNames].every((name) => text(name) === '')
    if (isEmpty || form.text(`remove-${i}`) === 'yes') return undefined
    if (text('opens') !== '' && text('opens') === text('closes') && text('opens') !== midnight)
      throw badRequest(
        `${text('name') || 'The service'} opens and closes at the same time. To stay open around the clock, enter ${timeInWords(midnight)} for both.`,
      )
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
        ...Object.fromEntries(serviceLimitRows.map((row) => [row.name, limitTyped(row, text(row.name))])),
      }),
      ...(text('seatings') !== '' && {
        seatings: seatingsOf(text('seatings'), text('opens'), text('closes')),
      }),
      ...(Object.keys(pacing).length > 0 && { pacing }),
    }
  }).filter((period) => period !== undefined)

/**
 * Times one after another, read as the service makes likely; what nobody could read stays for the document's reader to refuse.
 * A space parts two times unless "PM" follows.
 */
const seatingsOf = (typed: string, opens: string, closes: string): string[] => {
  const [from, to] = [readTime(opens), readTime(closes)]
  const service = from && to ? [spanFrom(minuteOfDay(from), minuteOfDay(to))] : []
  return typed
    .replaceAll(/\s+/g, ' ')
    .split(/ ?[,;] ?| (?![ap]\.?(?:m\b| |$))/i)
    .filter((text) => text !== '')
    .map((text) => readStaffTime(text, service) ?? text)
}

const spanFrom = (startMinute: number, minute: number) => ({
  startMinute,
  endMinute: minute > startMinute ? minute : minute + minutesPerDay,
})

const whereSet = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** "Dinner 17:00–22:00". */
export const spanOf = ({ name, startMinute, endMinute }: ServicePeriod): string =>
  `${name ?? 'open'} ${spanInWords(startMinute, endMinute)}`
