import { limits } from '@venue-data/contract/limits.ts'
import type { Work } from '../../context.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import type { EntryRow } from '../day/entry-row.ts'
import { textableNumber, stopKey } from './rules.ts'
import { textSenderOf } from './sender-store.ts'
import { hasStopped, queueGuestText } from './texts-store.ts'

type Place = Pick<Work, 'db' | 'venue'>

/** Where somebody can be texted, or why not. */
export type Reach =
  | { readonly kind: 'number'; readonly number: string }
  | { readonly kind: 'no sender' | 'no number' | 'unsure' | 'stopped' }

export const reachOf = async ({ db, venue }: Place, phone: string | null): Promise<Reach> => {
  if (!(await textSenderOf(db, venue.id))) return { kind: 'no sender' }
  if (phone === null) return { kind: 'no number' }
  const { country } = (await venueOfId(db, venue.id)) ?? { country: '' }
  const number = textableNumber(phone, country)
  if (number === undefined) return { kind: 'unsure' }
  if (await hasStopped(db, venue.id, stopKey(venue.id, number))) return { kind: 'stopped' }
  return { kind: 'number', number }
}

/** The number a party can be texted at; undefined without a sender, without a number that is sure, or after STOP. */
export const numberToText = async (
  place: Place,
  { phone }: Pick<EntryRow, 'phone'>,
): Promise<string | undefined> => {
  const reach = await reachOf(place, phone)
  return reach.kind === 'number' ? reach.number : undefined
}

/** Has a party texted that its table is ready, or that it waits again, with the transaction of the move; false: it cannot be. */
export const textParty = async (
  { db, venue }: Place,
  entry: Pick<EntryRow, 'id' | 'phone'>,
  kind: 'linePaged' | 'lineBack',
  now: Temporal.Instant,
  until: Temporal.Instant | undefined,
): Promise<boolean> => {
  if ((await numberToText({ db, venue }, entry)) === undefined) return false
  const end = until ?? now.add({ minutes: limits.doorOfferMinutes })
  await queueGuestText(db, venue.id, { kind, record: entry.id, until: end }, now)
  return true
}
