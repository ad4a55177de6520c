import { columnCalled } from '../../platform/db/record-of.ts'
import { type Fragment, type Value, joined, part } from '../../platform/db/sql.ts'
import { type DocumentRules, defaultRules } from './booking-rules.ts'

/**
 * The settings with a column each in `booking_settings`, called as they are; a list is one document. Pacing has three, and
 * what is by day has tables of its own.
 */
export const settingNames = (Object.keys(defaultRules) as (keyof DocumentRules)[]).filter(
  (name) => !['pacing', 'periods', 'specialDays', 'closures', 'blocks', 'pacingExceptions'].includes(name),
)
export const columnsCalled = (names: readonly string[]): string => names.map(columnCalled).join(', ')

/** The names with their columns, for `jsonb_build_object`. */
export const namedColumns = (names: readonly string[]): string =>
  names.map((name) => `'${name}', ${columnCalled(name)}`).join(', ')

/** Their values, in the order of the names. */
export const settingValues = <Name extends string>(
  names: readonly Name[],
  values: { readonly [N in Name]?: unknown },
): Fragment =>
  joined(
    names.map((name) => {
      const value = values[name]
      return part`${Array.isArray(value) ? JSON.stringify(value) : (value as Value)}`
    }),
    ', ',
  )
