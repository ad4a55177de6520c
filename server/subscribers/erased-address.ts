import { createHash } from 'node:crypto'
import type { VenueId } from '../venue/venue.ts'

/**
 * What the do-not-email list keeps for an erased person's address: its fingerprint at this venue. It still protects
 * them from being emailed from an old file, and tells readers of the list nothing.
 */
export const erasedAddress = (venue: VenueId, emailKey: string): string =>
  `erased:${createHash('sha256').update(`${venue}:${emailKey}`).digest('hex')}`
