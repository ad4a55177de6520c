import { createHash } from 'node:crypto'
import type { EventItem, EventType } from '@venue-data/sdk'

/** A delivery before it is signed. */
export type Delivery = {
  readonly id: string
  readonly event: string
  /** The record it happened to: `reservation 48213`. */
  readonly about: string
  readonly body: Buffer
}

/**
 * An event as an endpoint that asked for these names would get it; undefined: it did not ask for it, or its data is no
 * longer kept.
 */
export const deliveryOf = (
  { eventId, names, occurredAt, record, answer, data }: EventItem,
  venue: string,
  asked: readonly string[],
): Delivery | undefined => {
  const event = nameAskedFor(asked, names)
  if (event === undefined || data === null) return undefined
  const id = idOf(eventId)
  const told = {
    id,
    event,
    occurredAt,
    venue: { slug: venue },
    data,
    eventId,
    ...(record && { record }),
    names,
    ...(answer && { answer }),
  }
  return {
    id,
    event,
    about: record ? `${record.kind} ${record.id}` : '',
    body: Buffer.from(JSON.stringify(told)),
  }
}

/** The most specific of an event's names that was asked for, as the service chooses it. */
const nameAskedFor = (asked: readonly string[], names: readonly string[]): string | undefined =>
  names.find((name) =>
    asked.some(
      (one) =>
        one === name || one === `${name.split('.')[0]}.*` || (one === '*' && name !== 'changes.available'),
    ),
  )

/** The same for the same event, whenever it is read, so that a receiver can skip deliveries it has seen. */
const idOf = (eventId: string): string => {
  const hex = createHash('sha256').update(`venue-data listen ${eventId}`).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** An example of an event, like the service's samples: nothing happened, and no record has the id 0. */
export const sampleOf = (
  { name, kind, sample }: EventType,
  names: readonly string[],
  venue: string,
  id: string,
): Delivery => {
  const data = sample as { readonly revision?: number; readonly updatedAt?: string }
  const { revision, updatedAt } = data
  const told = {
    sample: true,
    id,
    event: name,
    occurredAt: updatedAt ?? '2026-10-07T16:20:11.250Z',
    venue: { slug: venue },
    data: withoutIds(data),
    eventId: nobodys,
    ...(kind !== null && revision !== undefined && { record: { kind, id: 0, revision } }),
    names,
  }
  return { id, event: name, about: 'sample', body: Buffer.from(JSON.stringify(told)) }
}

/** A UUID that belongs to nothing. */
const nobodys = '00000000-0000-0000-0000-000000000000'

const idFields: ReadonlySet<string> = new Set(['id', 'mergedInto', 'erasure', 'eventId'])

const withoutIds = (sample: object): object =>
  Object.fromEntries(
    Object.entries(sample).map(([field, value]) => {
      if (Array.isArray(value)) return [field, value.map((one) => (typeof one === 'number' ? 0 : one))]
      if (!idFields.has(field) || value === null) return [field, value]
      return [field, typeof value === 'number' ? 0 : nobodys]
    }),
  )
