import type { Queries } from '../../platform/db/pool.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { venueMistakes } from './venue-fields.ts'
import {
  type NewVenue,
  type VenueChanges,
  type VenueRow,
  insertVenue,
  updateVenue,
  venueBySlug,
} from './venues.ts'

/** The venue with this slug. Refuses with 404 if there is no such venue. */
export const venueOfSlug = async (db: Queries, slug: string): Promise<VenueRow> =>
  (await venueBySlug(db, slug)) ?? unknownVenue(slug)

/**
 * Makes a venue, without booking rules and without access. Refuses fields that cannot be kept, all of them at once,
 * and a slug that is taken.
 */
export const makeVenue = async (db: Queries, made: NewVenue, now: Temporal.Instant): Promise<VenueRow> => {
  refuseMistakes(venueMistakes(made))
  const trimmed = { ...made, name: made.name.trim(), phone: made.phone?.trim() ?? null }
  const row = await insertVenue(db, trimmed, now)
  if (!row) throw slugTaken(made.slug)
  return row
}

/**
 * Changes what is given of a venue. Refuses fields that cannot be kept, all of them at once, an unknown slug, and a new
 * slug that is taken.
 * Who changes the zone then has the reservations follow it (book/reservations/zone-change.ts).
 */
export const changeVenue = async (db: Queries, slug: string, changes: VenueChanges): Promise<VenueRow> => {
  refuseMistakes(venueMistakes(changes))
  if (changes.slug !== undefined && changes.slug !== slug && (await venueBySlug(db, changes.slug)))
    throw slugTaken(changes.slug)
  const trimmed = {
    ...changes,
    phone: changes.phone?.trim() ?? changes.phone,
    postalAddress: changes.postalAddress?.trim() ?? changes.postalAddress,
    mailFrom: changes.mailFrom?.trim() ?? changes.mailFrom,
    testAddresses: changes.testAddresses?.map((address) => address.trim()),
    rooms: changes.rooms?.map((room) => room.trim()),
  }
  return (await updateVenue(db, slug, trimmed)) ?? unknownVenue(slug)
}

const slugTaken = (slug: string): Refusal => new Refusal(409, `The slug ${slug} is taken by another venue.`)

const refuseMistakes = (mistakes: readonly string[]): void => {
  if (mistakes.length > 0) throw badRequest(mistakes.join('\n'))
}

const unknownVenue = (slug: string): never => {
  throw new Refusal(404, `There is no venue with the slug "${slug}".`)
}
