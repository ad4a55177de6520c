import type { ActivityRow } from '../../activity/reads.ts'
import { type Html, html } from '../../html/html.ts'
import type { Moment } from '../../kernel/moment.ts'
import { dateInWords, momentInWords, timeInWords } from '../../kernel/in-words.ts'
import { money } from '../parts/money.ts'
import { readDate } from '../../kernel/written-time.ts'

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
  'kept_open',
  'cancelled_from',
  'created_at',
  'updated_at',
])

/** What a change did, column by column: before and after of an edit, or the values of a record added or removed. */
export const changesPart = ({ before, after }: ActivityRow, zone: string): Html | undefined => {
  const [was, is] = [columnsIn(before), columnsIn(after)]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !hiddenColumns.has(name) && (says(was[name]) || says(is[name])),
  )
  if (names.length === 0) return undefined
  const isChange = before !== null && after !== null
  const lines = names.map(
    (name) =>
      html`<li>
        <span class="soft">${name.replace(/_cents$/, '').replaceAll('_', ' ')}:</span> ${
          isChange && name in was
            ? html`${shown(name, was[name], zone)} <span aria-label="becomes">→</span> ${shown(name, is[name], zone)}`
            : shown(name, is[name] ?? was[name], zone)
        }
      </li>`,
  )
  if (lines.length <= 4) return html`<ul class="trail-changes small">${lines}</ul>`
  return html`<details>
    <summary class="small">${names.length} fields</summary>
    <ul class="trail-changes small">${lines}</ul>
  </details>`
}

const says = (value: unknown): boolean => value !== null && value !== undefined && value !== ''

const columnsIn = (value: unknown): Record<string, unknown> => {
  const read: unknown = typeof value === 'string' ? JSON.parse(value) : value
  return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : {}
}

const shown = (name: string, value: unknown, zone: string): Html =>
  says(value)
    ? html`<span class="breaks strong">${inWords(name, value, zone)}</span>`
    : html`<span class="soft">nothing</span>`

const inWords = (name: string, value: unknown, zone: string): string => {
  if (name.endsWith('_cents') && typeof value === 'number') return money(value)
  if (value === true) return 'yes'
  if (value === false) return 'no'
  if (name === 'overridden' && Array.isArray(value)) return value.map(ruleInWords).join(', ')
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value !== 'string') return JSON.stringify(value)
  return storedInWords(value, zone)
}

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
