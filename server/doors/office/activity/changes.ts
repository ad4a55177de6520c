import type { ActivityRow } from '../../../core/activity/reads.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import type { Moment } from '../../../platform/kernel/time/moment.ts'
import { dateInWords, momentInWords, timeInWords } from '../../../platform/kernel/time/in-words.ts'
import { ruleChanges } from './rules-in-words.ts'
import { money } from '../parts/money.ts'
import { readDate } from '../../../platform/kernel/time/written-time.ts'

/** Columns that are derived from others, or mean nothing to a person. */
const hiddenColumns = new Set([
  'id',
  'venue_id',
  'version',
  'revision',
  'starts_at',
  'service_minute',
  'arrived_by_seating',
  'stage_before_seating',
  'minutes_before_seating',
  'kept_open',
  'cancelled_from',
  'agreed',
  'asked',
  'paged',
  'shift',
  'handed',
  'experience',
  'created_at',
  'updated_at',
])

/** What a change did, column by column: before and after of an edit, or the values of a record added or removed. */
export const changesPart = ({ before, after, record_kind }: ActivityRow, zone: string): Html | undefined => {
  const [was, is] = [columnsIn(before), columnsIn(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !hiddenColumns.has(name) && (says(was[name]) || says(is[name])),
  )
  if (names.length === 0) return undefined
  const isChange = before !== null && after !== null
  const lines = names.flatMap((name) => {
    const rules = record_kind === 'venue' ? ruleChanges(name, was[name], is[name]) : undefined
    if (rules) return rules.map((one) => line(one.label, one.was, one.is, shownText))
    const shownHere = (value: unknown) => shown(name, value, zone)
    return isChange && name in was
      ? [line(columnInWords(name), was[name] ?? null, is[name] ?? null, shownHere)]
      : [line(columnInWords(name), undefined, is[name] ?? was[name], shownHere)]
  })
  if (lines.length <= 4) return html`<ul class="trail-changes small">${lines}</ul>`
  return html`<details>
    <summary class="small">${lines.length} fields</summary>
    <ul class="trail-changes small">${lines}</ul>
  </details>`
}

/** One change: from what to what, or alone what was added or removed. */
const line = <Value>(
  label: string,
  was: Value | undefined,
  is: Value | undefined,
  words: (value: Value | undefined) => Html,
): Html =>
  html`<li>
    <span class="soft">${label}:</span> ${
      was === undefined || is === undefined
        ? words(is ?? was)
        : html`${words(was)} <span aria-label="becomes">→</span> ${words(is)}`
    }
  </li>`

const cents = /_cents$|Cents$/

/** `no_show_count` and `noShowCount` as "no show count". */
export const columnInWords = (name: string): string =>
  name
    .replace(cents, '')
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const says = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

const columnsIn = (value: unknown): Record<string, unknown> => {
  const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
}

const shown = (name: string, value: unknown, zone: string): Html =>
  says(value)
    ? shownText(inWords(name, value, zone))
    : html`<span class="soft">${ofNothing[name] ?? 'nothing'}</span>`

const shownText = (text: string | undefined): Html => html`<span class="breaks strong">${text}</span>`

/** What an empty column means, where that is not nothing. */
const ofNothing: Readonly<Record<string, string>> = { clock_hours: 'as the country writes it' }

export const inWords = (name: string, value: unknown, zone: string): string => {
  if (cents.test(name) && typeof value === 'number') return money(value)
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (name === 'overridden' && Array.isArray(value)) return value.map(ruleInWords).join(', ')
  if (name === 'clock_hours') return `${String(value)}-hour clock`
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => inWords('', one, zone)).join(', ')
  if (typeof value === 'object' && value !== null)
    return Object.entries(value)
      .filter(([, one]) => says(one))
      .map(([part, one]) => `${columnInWords(part)} ${inWords(part, one, zone)}`)
      .join(', ')
  if (datedTexts.has(name)) return String(value).replaceAll(aDate, (date) => dateInWords(date))
  return storedInWords(String(value), zone)
}

/** Texts that tell of days, as the tables' history does. */
const datedTexts = new Set(['closed on certain days', 'out of order'])
const aDate = /\b\d{4}-\d{2}-\d{2}\b/g

/** A rule that staff overrode: "pacing covers full (12 of 10)". */
const ruleInWords = ({
  reason,
  figure,
}: {
  readonly reason: string
  readonly figure: string | null
}): string => `${reason.replaceAll('-', ' ')}${figure === null ? '' : ` (${figure})`}`

/** A moment, a date or a time as the activity log stores it, as people at the venue read it; other text as it is. */
export const storedInWords = (text: string, zone: string): string => {
  if (aMoment.test(text)) return momentInWords(text as Moment, zone)
  if (readDate(text) !== undefined) return dateInWords(text)
  return aTime.test(text) ? timeInWords(text.slice(0, 5)) : text
}

const aMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const aTime = /^(?:[01]\d|2[0-3]):[0-5]\d(?::00)?$/
