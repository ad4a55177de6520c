import type { Endpoint } from '@venue-data/contract/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { eventNames, events } from '@venue-data/contract/events.ts'

/** The events that the walk is told of: those of version 1. */
export const toldEvents = eventNames.filter((name) => !('since' in events[name]))

/** The endpoints that the walk goes through: those that came after the recording began have tests of their own. */
export const rows: readonly Endpoint[] = Object.values<Endpoint>(endpoints).filter(
  ({ since }) => since === undefined,
)
