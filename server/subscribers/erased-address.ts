import { createHash } from 'node:crypto'
import type { VenueId } from '../venue/venue.ts'

/**
 * What the do-not-email list keeps of an address whose owner was erased: a fingerprint of it at this venue. It still
 * protects them from being mailed by an old file, and says nothing to whoever reads the list.
 */
export const erasedAddress = (venue: VenueId, emailKey: string): string =>
  `erased:${createHash('sha256').update(`${venue}:${emailKey}`).digest('hex')}`
