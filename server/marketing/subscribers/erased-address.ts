import { createHash } from 'node:crypto'
import { type Fragment, part } from '../../platform/db/sql.ts'
import type { VenueId } from '../../core/venue/venue.ts'

/**
 * What the do-not-email list keeps for an erased person's address: its fingerprint at this venue. It still protects
 * them from being emailed from an old file, and reveals nothing to readers of the list.
 */
export const erasedAddress = (venue: VenueId, emailKey: string): string =>
  `erased:${createHash('sha256').update(`${venue}:${emailKey}`).digest('hex')}`

/** Both forms in which the do-not-email list may hold the address in a column: as it is, and as that of somebody erased. */
export const formsOnList = (venue: VenueId, emailKey: Fragment): Fragment => part`
  array[${emailKey}, 'erased:' || encode(sha256(convert_to(${venue}::text || ':' || ${emailKey}, 'UTF8')), 'hex')]`
