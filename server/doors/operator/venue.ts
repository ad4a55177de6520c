import { plans } from '@venue-data/contract/records/account.ts'
import { verifyByOperator } from '../../mail/venue-sender.ts'
import { followZone } from '../../book/reservations/zone-change.ts'
import { makeVenue } from '../../core/venue/actions.ts'
import { changeVenueByService } from '../../core/venue/change-by-service.ts'
import { type VenueRow, allVenues } from '../../core/venue/venues.ts'
import { type Answer, command, needed, oneOf, text, texts, wholeNumber } from './command.ts'
import { sheet, table } from './print.ts'

const create = command({
  words: 'venue create',
  about: 'Creates a venue and prints it.',
  flags: {
    slug: needed(text('S')),
    name: needed(text('N')),
    timezone: needed(text('Z')),
    plan: oneOf(plans),
    country: text('C'),
    phone: text('P'),
  },
  run: async ({ db, clock }, { slug, name, timezone, plan = 'pro', country = 'US', phone }) =>
    answerWith(await makeVenue(db, { slug, name, timezone, plan, country, phone: phone || null }, clock())),
})

const list = command({
  words: 'venue list',
  about: 'Prints every venue.',
  flags: {},
  run: async ({ db }) => {
    const venues = await allVenues(db)
    return {
      json: venues.map(presentVenue),
      text:
        venues.length === 0
          ? 'There is no venue yet.'
          : table(venues, {
              SLUG: ({ slug }) => slug,
              NAME: ({ name }) => name,
              TIMEZONE: ({ timezone }) => timezone,
              PLAN: ({ plan }) => plan,
              PAUSED: ({ paused }) => paused,
              ACCESS: ({ access }) => access,
            }),
    }
  },
})

const update = command({
  words: 'venue update',
  about:
    'Changes what is given and prints the venue. The test addresses given replace the saved list; an empty text clears a postal address, a sender or the list.',
  flags: {
    slug: needed(text('S')),
    'new-slug': text('S'),
    plan: oneOf(plans),
    paused: oneOf(['true', 'false']),
    timezone: text('Z'),
    'postal-address': text('T'),
    'mail-from': text('E'),
    'test-address': texts('E'),
    'monthly-emails': wholeNumber('N'),
  },
  misuse: (given) =>
    // The slug only names the venue.
    Object.values(given).filter((one) => one !== undefined).length === 1 ? 'No change is given.' : undefined,
  run: async (context, { slug, plan, paused, timezone, ...given }) => {
    const { db } = context
    const changes = {
      slug: given['new-slug'],
      plan,
      paused: paused === undefined ? undefined : paused === 'true',
      timezone,
      postalAddress: emptyIsNone(given['postal-address']),
      mailFrom: emptyIsNone(given['mail-from']),
      testAddresses: given['test-address']?.filter((address) => address !== ''),
      monthlyEmails: given['monthly-emails'],
    }
    const { before, after: venue } = await db.transaction(async (queries) => {
      const changed = await changeVenueByService({ db: queries, now: context.clock }, slug, changes)
      if (changes.mailFrom != null) await verifyByOperator(queries, changed.after, context.clock())
      return changed
    })
    if (timezone === undefined) return answerWith(venue)
    // Even if the zone is the same: that finishes an interrupted change, with no requests to wait for.
    const sameZone = before.timezone === venue.timezone
    const moved = await followZone(context, venue.id, sameZone ? async () => undefined : undefined)
    return answerWith(venue, [`Recalculated the start times of ${moved} reservations for ${venue.timezone}.`])
  },
})

export const venueCommands = [create, list, update]

const emptyIsNone = (given: string | undefined): string | null | undefined => (given === '' ? null : given)

const presentVenue = (row: VenueRow) => ({
  slug: row.slug,
  name: row.name,
  timezone: row.timezone,
  plan: row.plan,
  paused: row.paused,
  country: row.country,
  phone: row.phone,
  postalAddress: row.postal_address,
  mailFrom: row.mail_from,
  testAddresses: row.test_addresses,
  monthlyEmails: row.monthly_emails,
  access: row.access,
  createdAt: row.created_at,
})

const answerWith = (row: VenueRow, notes: readonly string[] = []): Answer => {
  const venue = presentVenue(row)
  return {
    json: venue,
    text: sheet({ ...venue, testAddresses: venue.testAddresses.join(', ') }),
    notes,
  }
}
