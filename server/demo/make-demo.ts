import { limits } from '@venue-data/contract/limits.ts'
import { scopesOfWords } from '../integrations/access/scopes.ts'
import { createOperatorsKey } from '../integrations/access/actions.ts'
import { fillFeed } from '../integrations/changes/fill.ts'
import { numberChanges } from '../integrations/changes/number.ts'
import type { Context } from '../context.ts'
import type { Queries } from '../platform/db/pool.ts'
import { addStaff } from '../core/staff/actions.ts'
import type { StaffRole } from '../core/staff/roles.ts'
import { changeVenue, makeVenue } from '../core/venue/actions.ts'
import { replaceBookingRules } from '../book/rules/replace-document.ts'
import type { VenueRow } from '../core/venue/venues.ts'
import type { Tables } from './write/bulk.ts'
import { writeCampaigns } from './campaigns.ts'
import { demoPhone, demoRooms } from './house-rules.ts'
import { type DemoPlan, demoSeed, planDemo } from './plan.ts'
import { randomFrom } from './random.ts'
import { demoCountry, demoZone, wallAt } from './venue-time.ts'
import { holdOffers, writeBookings, writeWaitlist } from './write/bookings.ts'
import { writeDemand } from './write/demand.ts'
import { writeHouse } from './write/house.ts'
import { writeGuests } from './write/guests.ts'
import { writeLeads, writeTasks } from './write/leads.ts'
import { writeMailing } from './write/mailing.ts'
import { writeServers } from './write/servers.ts'
import { writeTables } from './write/tables.ts'
import { writeTickets } from './write/tickets.ts'

export type Demo = {
  readonly venue: VenueRow
  /** Texts of three new keys, of two kinds; they are not kept anywhere. */
  readonly keys: { readonly readWrite: string; readonly readOnly: string; readonly automation: string }
  /** Accounts of the office; the passwords are not kept anywhere. */
  readonly signIns: readonly SignIn[]
  readonly records: Readonly<
    Record<'reservations' | 'guests' | 'subscribers' | 'ticketOrders' | 'leads', number>
  >
}

type SignIn = { readonly email: string; readonly password: string; readonly role: StaffRole }

export type DemoOptions = {
  readonly seed?: number
  /** 1 is the whole demo. Tests make less of it. */
  readonly scale?: number
}

type DemoContext = Pick<Context, 'db' | 'clock' | 'random' | 'secrets' | 'config'>

/**
 * Makes "The Blue Door" with a year of history that ends now, the same for the same seed and moment; its keys and
 * passwords come from the system's random source and are shown only once. All of it is one transaction: a crash leaves
 * nothing. It takes a second, or many on a busy machine, so its statements get the longer time limit. Refuses with 409
 * if the venue blue-door or one of its accounts already exists.
 */
export const makeDemo = async (
  context: DemoContext,
  { seed = demoSeed, scale = 1 }: DemoOptions = {},
): Promise<Demo> => {
  const now = context.clock()
  const plan = planDemo({ now, seed, scale })
  return context.db.longTransaction(0, async (db) => {
    const venue = await openVenue(db, plan)
    await writePlan({ db, venue: venue.id }, plan, now)
    const random = randomFrom(seed).fork('demand')
    const { date: today } = wallAt(now.epochMilliseconds)
    await writeDemand({ db, venue: venue.id }, { random, today, rules: plan.rules, scale })
    const ofVenue = db.within(venue.id)
    await fillFeed(ofVenue, venue.id, context.clock)
    while ((await numberChanges(ofVenue, venue.id)) === limits.numberedAtOnce);
    const key = (name: string, kind: 'api' | 'automation', scope: 'read' | 'read_write') =>
      createOperatorsKey(context, db, venue.id, {
        ...{ kind, scope, name, createdBy: 'demo' },
        // An owner allows visits by name.
        terms: { scopes: [...scopesOfWords({ kind, scope }), 'visits:read'] },
      })
    const readWrite = await key('Demo, read and write', 'api', 'read_write')
    const readOnly = await key('Demo, read only', 'api', 'read')
    const automation = await key('Demo, automation platform', 'automation', 'read_write')
    const signIns: SignIn[] = []
    for (const [role, name] of demoStaff) {
      const password = passwordFrom(context.random)
      const { email } = await addStaff(context, db, venue, {
        ...{ email: `${role}@example.com`, role, password, name },
      })
      signIns.push({ email, password, role })
    }
    return {
      venue: { ...venue, access: 'approved' },
      keys: { readWrite: readWrite.key, readOnly: readOnly.key, automation: automation.key },
      signIns,
      records: {
        reservations: plan.bookings.length,
        guests: plan.guests.length,
        subscribers: plan.mailing.subscribers.length,
        ticketOrders: plan.orders.length,
        leads: plan.leads.length,
      },
    }
  })
}

export const demoSlug = 'blue-door'

const demoStaff = [
  ['owner', 'Alma Reyes'],
  ['manager', 'Theo Lindqvist'],
  ['host', 'June Park'],
] as const

const openVenue = async (db: Queries, { rules, beginning }: DemoPlan): Promise<VenueRow> => {
  const { id } = await makeVenue(
    db,
    {
      slug: demoSlug,
      name: 'The Blue Door',
      timezone: demoZone,
      plan: 'pro',
      country: demoCountry,
      phone: demoPhone,
    },
    Temporal.Instant.fromEpochMilliseconds(beginning),
  )
  await replaceBookingRules(db, id, rules)
  return changeVenue(db, demoSlug, {
    postalAddress: '212 West Orchard Street, New York, NY 10014',
    mailFrom: 'hello@example.com',
    testAddresses: ['owner@example.com', 'manager@example.com'],
    rooms: demoRooms,
  })
}

const writePlan = async (tables: Tables, plan: DemoPlan, now: Temporal.Instant): Promise<void> => {
  const guestIds = await writeGuests(tables, plan.guests)
  const bookingIds = await writeBookings(tables, plan.bookings, guestIds)
  await writeHouse(tables, guestIds, bookingIds)
  await writeTables(tables, bookingIds, now)
  await writeServers(tables, plan.rules, now)
  await writeWaitlist(tables, plan.waitlist, bookingIds)
  await holdOffers(tables)
  await writeMailing(tables, plan.mailing)
  await writeTickets(tables, plan.events, plan.orders, now.epochMilliseconds)
  await writeCampaigns(tables, now.epochMilliseconds)
  await writeLeads(tables, plan.leads, guestIds)
  await writeTasks(tables, plan.tasks)
}

/** Five groups of four letters and digits that cannot be taken for one another: 100 random bits. */
const passwordFrom = (random: (size: number) => Buffer): string =>
  (
    Array.from(random(20), (byte) => 'abcdefghijkmnpqrstuvwxyz23456789'.charAt(byte % 32))
      .join('')
      .match(/.{4}/g) ?? []
  ).join('-')
