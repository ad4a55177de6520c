import { reasons } from '@venue-data/contract/reasons.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { Refusal } from '../kernel/refusal.ts'

export const cursorExpired = (): Refusal => {
  const { status, sentence } = reasons['cursor-expired']
  return new Refusal(status, sentence, { reason: 'cursor-expired', details: { resync: '/api/v1/changes' } })
}

export const feedNotReady = (): Refusal =>
  new Refusal(503, "The venue's changes are still being gathered; try again shortly.", {
    headers: { 'retry-after': String(limits.retryAfterGatheringSeconds) },
  })
