/*
 * Keeps a venue's guests and a CRM's contacts in sync, both ways: a change on one side is written to the other.
 *
 *   KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 CRM_URL=https://crm.example.com/api node crm-sync.ts
 *
 * Runs once and exits (let cron repeat it). STORE names an SQLite file (default crm-sync.db). Rewrite crm.ts for your CRM.
 *
 * If a field changed on both sides since they last agreed, the venue's value wins: hosts talk to the guest. A guest who
 * was erased, deleted or merged is deleted in the CRM, too; erasures are confirmed, so the key needs
 * `erasures:confirm`. Deleting a contact in the CRM does not affect the guest. Records that a person has to look at are
 * printed.
 */
import {
  ConflictError,
  type Guest,
  BadRequestError,
  GoneError,
  PreconditionError,
  VenueData,
} from '@venue-data/sdk'
import { sync } from '@venue-data/sdk/sync'
import { type Contact, type Fields, crm, shared } from './crm.ts'
import {
  type Pair,
  ofGuest,
  ofContact,
  pairs,
  unpair,
  pairUp,
  keepCursor,
  dropCursor,
  cursorOf,
} from './pairs.ts'

const { KEY, BASE_URL } = process.env
if (!KEY || !BASE_URL) throw new Error('Set KEY and BASE_URL.')
const venue = new VenueData({ key: KEY, baseUrl: BASE_URL })

/** A refusal is for a person to resolve; it is tried again when either side changes. */
const toSettle = (what: string, why: string): void => console.error(`${what}: ${why}`)
const unlessRefused = async (what: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof ConflictError || error instanceof BadRequestError)) throw error
    toSettle(what, error.sentence)
  }
}

const fieldsOf = (record: Fields): Fields => ({ name: record.name, email: record.email, phone: record.phone })
const difference = (to: Fields, from: Fields): Partial<Fields> =>
  Object.fromEntries(shared.filter((field) => to[field] !== from[field]).map((field) => [field, to[field]]))

/** Makes both sides equal, and stores what they agreed on. */
const settle = async (guest: Guest, contact: Contact): Promise<void> => {
  const pair = ofGuest.get(guest.id) as Pair | undefined
  const agreed = pair ? (JSON.parse(pair.agreed) as Fields) : undefined
  // For a new pair, each side fills in what the other lacks.
  const stays = (field: keyof Fields): boolean =>
    agreed ? guest[field] !== agreed[field] : guest[field] !== null
  const merged = Object.fromEntries(
    shared.map((field) => [field, stays(field) ? guest[field] : contact[field]]),
  ) as Fields
  const forVenue = difference(merged, fieldsOf(guest))
  if (Object.keys(forVenue).length > 0) {
    try {
      await venue.guests.update(guest.id, forVenue, { ifMatch: guest.revision })
    } catch (error) {
      if (!(error instanceof PreconditionError)) throw error
      // A host changed it first: try again with the current version.
      return settle(await venue.guests.get(guest.id), contact)
    }
  }
  const forCrm = difference(merged, fieldsOf(contact))
  if (Object.keys(forCrm).length > 0) await crm.update(contact.id, forCrm)
  pairUp.run(guest.id, contact.id, JSON.stringify(merged))
}

const guestChanged = async (guest: Guest): Promise<void> => {
  const pair = ofGuest.get(guest.id) as Pair | undefined
  // Our own writes come back as changes: both sides already agree.
  if (pair && JSON.stringify(fieldsOf(guest)) === pair.agreed) return
  // Erased: the record stays, but empty.
  if (shared.every((field) => guest[field] === null)) return guestGone(guest.id)
  const contact = pair ? await crm.get(pair.contact) : await crm.create(fieldsOf(guest), `guest-${guest.id}`)
  if (contact) await settle(guest, contact)
}

/** Merged into another guest, who keeps their own contact; deleted; or erased. */
const guestGone = async (id: number): Promise<void> => {
  const pair = ofGuest.get(id) as Pair | undefined
  if (!pair) return
  await crm.delete(pair.contact)
  unpair.run(id, pair.contact)
}

const contactChanged = async (contact: Contact): Promise<void> => {
  const pair = ofContact.get(contact.id) as Pair | undefined
  if (pair?.agreed === JSON.stringify(fieldsOf(contact))) return
  if (pair) {
    // If the guest is gone by now, the next run reads it from the venue.
    const guest = await venue.guests.get(pair.guest).catch((error: unknown) => {
      if (!(error instanceof GoneError)) throw error
    })
    if (guest) await settle(guest, contact)
    return
  }
  const { name, email, phone } = contact
  if (!name || !(email || phone)) return
  const given = { name, ...(email && { email }), ...(phone && { phone }) }
  // A guest with the same address or number is returned instead of being created twice.
  const { guest, ...reply } = await venue.guests.create(given)
  if (('conflicting' in reply && reply.conflicting) || ofGuest.get(guest.id))
    return toSettle(`Contact ${contact.id}`, `may be guest ${guest.id}: the same email or phone`)
  await settle(guest, contact)
}

// First, since nothing may be written to an erased guest.
for (let more = true; more;) {
  const after = cursorOf('erasures')
  const page = await venue.erasures.list(after === null ? {} : { after })
  for (const { id, guests } of page.erasures) {
    for (const guest of guests) await guestGone(guest)
    await venue.erasures.confirm(id)
  }
  keepCursor.run('erasures', page.next)
  ;({ more } = page)
}

// Before the venue's changes: a guest made of a contact just before we were stopped is found by address, not taken for new.
const { contacts, next } = await crm.changed(cursorOf('crm'))
for (const contact of contacts) await unlessRefused(`Contact ${contact.id}`, () => contactChanged(contact))
keepCursor.run('crm', next)
await sync(venue, {
  ...{ kinds: ['guest'], live: false },
  store: {
    load: async () => cursorOf('venue') ?? undefined,
    save: async (next) => void (next === undefined ? dropCursor.run('venue') : keepCursor.run('venue', next)),
  },
  into: {
    upsert: ({ id, data }) => unlessRefused(`Guest ${id}`, () => guestChanged(data)),
    // Without a `change` the record just did not come again: the venue may have been restored from a backup.
    delete: ({ id, change }) =>
      change ? guestGone(id) : toSettle(`Guest ${id}`, 'is no longer known to the venue'),
    records: () => pairs.all().map(({ guest }) => ({ kind: 'guest' as const, id: Number(guest) })),
  },
})
