import { kindOfEvent } from '@venue-data/contract/webhooks/events.ts'
import { kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import type { ChangeToCome } from '../../core/events/changes-to-come.ts'
import type { NotedEvent } from '../../core/events/watch-events.ts'

/* Ids and order numbers used up by a dry run name nothing and never will, so they are not shown. */

/** Whether a change creates the record. */
export const isMade = ({ change }: ChangeToCome): boolean => change === 'created'

/**
 * An answer's body without the ids of what would be created: new records, and other objects, such as a requested
 * change.
 */
export const answerWithoutIds = (
  body: Readonly<Record<string, unknown>>,
  changes: readonly ChangeToCome[],
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => {
      if (typeof value !== 'object' || value === null || !('id' in value)) return [field, value]
      const kind = recordKinds.find((one) => kinds[one].field === field)
      const isKnown = kind !== undefined && !makes(changes, kind, value.id)
      return [
        field,
        isKnown ? value : { ...value, ...burnt(value), ...(field === 'checkout' && { url: null }) },
      ]
    }),
  )

export const eventWithoutId = (
  { event, data }: NotedEvent,
  changes: readonly ChangeToCome[],
): Record<string, unknown> => {
  const kind = kindOfEvent(event)
  const isNew = kind !== undefined && 'id' in data && makes(changes, kind, data.id)
  return { ...data, ...(isNew && burnt(data)) }
}

/** Numbers drawn for a record that is rolled back. */
const burnt = (record: object): Record<string, null> => ({
  id: null,
  ...('orderNumber' in record && { orderNumber: null }),
})

const makes = (changes: readonly ChangeToCome[], kind: string, id: unknown): boolean =>
  changes.some((one) => isMade(one) && one.kind === kind && one.id === id)
