import { reasons } from '@venue-data/contract/reasons.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { type Refusal, refuse } from '../../platform/kernel/refusal.ts'
import type { FeedName } from './cursor.ts'

export const cursorExpired = (feed: FeedName): Refusal =>
  refuse('cursor-expired', sentences[feed], { resync: `/api/v1/${feed}` })

const sentences: Readonly<Record<FeedName, string>> = {
  changes: reasons['cursor-expired'].sentence,
  events: `This cursor is too old: events are kept for ${limits.eventsDays} days. Read /events from the oldest that is kept, without after.`,
}

export const cursorOfAnotherVenue = (): Refusal =>
  refuse('cursor-of-another-venue', reasons['cursor-of-another-venue'].sentence)

export const cursorBehind = (): Refusal => refuse('cursor-behind', reasons['cursor-behind'].sentence)
