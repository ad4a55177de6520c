import type { EventData, EventName } from '@venue-data/contract/webhooks/events.ts'
import type { Queries, Transaction } from '../../platform/db/pool.ts'

/** An event as it is recorded, under the most telling of its names. */
export type NotedEvent = { readonly event: EventName; readonly data: EventData[EventName] }

/** The events of the transactions that somebody watches. */
const watched = new WeakMap<Transaction, NotedEvent[]>()

/** What a transaction records from now on, in this order; filled while it runs. */
export const watchEvents = ({ inTransaction: transaction }: Queries): readonly NotedEvent[] => {
  if (!transaction) throw new Error('Only the events of a transaction can be watched.')
  const events: NotedEvent[] = []
  watched.set(transaction, events)
  return events
}

export const noteEvent = ({ inTransaction: transaction }: Queries, event: NotedEvent): void => {
  if (transaction) watched.get(transaction)?.push(event)
}
