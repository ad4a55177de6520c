import type { EventType } from '@venue-data/contract/webhooks/event-item.ts'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { nodeOf, schemaRef } from '../../../platform/http/openapi/openapi-schema.ts'

/** Every event in the contract's table. */
export const eventTypes: EventType[] = eventNames.map((name) => {
  const { when, kind, scope, since = null, data, example } = events[name]
  return {
    ...{ name, when, kind, scope, sinceVersion: since },
    schema: schemaRef(nodeOf(data).$id as string).$ref,
    sample: example,
  }
})
