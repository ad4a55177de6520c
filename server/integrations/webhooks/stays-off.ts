import { offForGoodReasons } from '@venue-data/contract/webhooks/webhook-states.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { type Refusal, refuse } from '../../platform/kernel/refusal.ts'

type Off = { readonly disabled_reason: string | null }

/** Its key was revoked, or the venue's access was withdrawn: nobody can switch it on. */
export const isOffForGood = ({ disabled_reason }: Off): boolean =>
  offForGoodReasons.some((one) => one === disabled_reason)

/** The answer to a request to send something to such an endpoint. */
export const offForGood = (): Refusal =>
  refuse('endpoint-off-for-good', reasons['endpoint-off-for-good'].sentence)

/**
 * Why an endpoint cannot be switched on or paused: it is permanently off, or off until its key works again; undefined:
 * it can.
 */
export const staysOff = (endpoint: Off): Refusal | undefined => {
  if (isOffForGood(endpoint)) return offForGood()
  if (endpoint.disabled_reason !== 'key-expired') return undefined
  return refuse(
    'endpoint-off-for-good',
    'The key that made this endpoint has expired; extend the key, and deliveries resume.',
  )
}
