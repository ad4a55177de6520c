import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'

/** The endpoints that the walk goes through: those that came after the recording began have tests of their own. */
export const rows: readonly Endpoint[] = Object.values<Endpoint>(endpoints).filter(
  ({ since }) => since === undefined,
)
