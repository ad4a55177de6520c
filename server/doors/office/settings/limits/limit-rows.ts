import { limits } from '@venue-data/contract/limits.ts'
import { timeInWords } from '../../../../platform/kernel/time/in-words.ts'
import type { RulesDocument } from '../../../../book/rules/rules-document.ts'
import type { Html } from '../../../../platform/html/html.ts'
import { type FormSeen, lineField } from '../../parts/forms/fields.ts'

/*
 * The limits that are one number or one time each, as staff type and read them: in the forms of limits and of services, in
 * what is said of a mistake, and in the trail of changes. A new one is a row here.
 */

export type LimitRow = {
  /** In the rules document. */
  readonly name: keyof RulesDocument
  readonly label: string
  readonly hint?: string
  /** What begins a sentence about a mistake in it. */
  readonly inSentence: string
  readonly inTrail: string
  /** How the trail says that it is not set. */
  readonly unset: string
  readonly isTime?: true
  readonly unit?: string
  /** A service may have its own. */
  readonly ofService?: true
}

export const limitRows: readonly LimitRow[] = [
  {
    ...{ name: 'minParty', label: 'Smallest party', ofService: true },
    ...{ inSentence: 'The smallest party', inTrail: 'smallest party', unset: '1' },
  },
  {
    ...{ name: 'maxParty', label: 'Largest party', ofService: true },
    hint: `Leave empty for no limit. Your booking page then offers up to ${limits.sizesUnlessSet}, and never more than ${limits.sizesMost}; larger parties call.`,
    ...{ inSentence: 'The largest party', inTrail: 'largest party', unset: 'no limit' },
  },
  {
    ...{ name: 'minNoticeMinutes', label: 'Notice (minutes)', unit: 'minutes' },
    ...{ inSentence: 'The notice', inTrail: 'notice', unset: '0 minutes' },
  },
  {
    ...{ name: 'maxDaysAhead', label: 'Days ahead', hint: 'Leave empty for no limit.' },
    ...{ inSentence: 'Days ahead', inTrail: 'days ahead', unset: 'no limit' },
  },
  {
    ...{ name: 'sameDayCutoff', label: 'Same-day cut-off', isTime: true, ofService: true },
    hint: 'No more bookings for today after this time.',
    ...{ inSentence: 'The same-day cut-off', inTrail: 'same-day cut-off', unset: 'none' },
  },
]
export const serviceLimitRows = limitRows.filter(({ ofService }) => ofService)

/** The field of a limit of the venue. */
export const limitField = (seen: FormSeen, { name, label, hint = '', isTime }: LimitRow): Html =>
  lineField(seen, { name, label, hint, ...(isTime ? { type: 'time' } : { numeric: 'numeric' }) })

/** What was typed, as the document has it: digits are a number; what is neither stays text, which its reader refuses. */
export const limitTyped = ({ isTime }: LimitRow, typed: string): string | number | undefined =>
  isTime ? typed || undefined : numberOrText(typed)

/** Digits become a number; anything else stays text, which the document's reader refuses with a sentence. */
export const numberOrText = (text: string): number | string | undefined =>
  text === '' ? undefined : /^\d{1,9}$/.test(text) ? Number(text) : text

/** By name, the texts in the fields of these rows. */
export const limitTexts = (rows: readonly LimitRow[], document: object | undefined): Record<string, string> =>
  Object.fromEntries(
    rows.map(({ name }) => [name, plain((document as Record<string, unknown> | undefined)?.[name])]),
  )

/** A limit in the trail. */
export const limitInWords = ({ isTime, unit, unset }: LimitRow, value: unknown): string => {
  if (value === null || value === undefined || value === '') return unset
  if (isTime) return timeInWords(typeof value === 'string' ? value : '')
  return unit === undefined ? plain(value) : `${plain(value)} ${unit}`
}

const plain = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : ''
