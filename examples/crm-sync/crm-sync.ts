/*
 * Keeps a venue's guests and a CRM's contacts the same, both ways: what changes on one side is written to the other.
 *
 *   KEY=service_sk_… BASE_URL=http://127.0.0.1:8080 CRM_URL=https://crm.example.com/api node crm-sync.ts
 *
 * Runs once and ends: let cron start it every few minutes. STORE names an SQLite file, crm-sync.db without it. `crm` below
 * is all that is to be rewritten for your CRM.
 *
 * Of a field that changed on both sides since they last agreed, the venue's value stays: hosts talk to the guest. A guest
 * who was erased is deleted in the CRM, too. A contact deleted in the CRM leaves the guest alone.
 */
import { DatabaseSync } from 'node:sqlite'
import { type Guest, GoneError, PreconditionError, VenueData } from '@venue-data/sdk'
import { sync } from '@venue-data/sdk/sync'

const { KEY, BASE_URL, CRM_URL, STORE = 'crm-sync.db' } = process.env
if (!KEY || !BASE_URL || !CRM_URL) throw new Error('Set KEY, BASE_URL and CRM_URL.')
const venue = new VenueData({ key: KEY, baseUrl: BASE_URL })

const shared = ['name', 'email', 'phone'] as const
type Fields = Record<(typeof shared)[number], string | null>
type Contact = Fields & { id: string }

const asked = async <T>(method: string, path: string, body?: object): Promise<T> => {
  const answer = await fetch(CRM_URL + path, {
    ...{ method, headers: { 'content-type': 'application/json' }, signal: AbortSignal.timeout(20_000) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok && !(method === 'DELETE' && answer.status === 404))
    throw new Error(`The CRM answers ${answer.status}.`)
  return (answer.status === 204 ? undefined : await answer.json()) as T
}
const crm = {
  get: (id: string) => asked<Contact>('GET', `/contacts/${id}`),
  /** `key`: the same contact comes back when it is sent again. */
  create: (fields: Fields, key: string) => asked<Contact>('POST', '/contacts', { ...fields, key }),
  update: (id: string, fields: Partial<Fields>) => asked<Contact>('PATCH', `/contacts/${id}`, fields),
  delete: (id: string) => asked<void>('DELETE', `/contacts/${id}`),
  changed: (after: string | null) =>
    asked<{ contacts: Contact[]; next: string }>('GET', `/contacts?after=${after ?? ''}`),
}

const db = new DatabaseSync(STORE)
db.exec(`
  create table if not exists pair (guest integer primary key, contact text not null unique, agreed text not null);
  create table if not exists cursor (name text primary key, value text not null);
`)
type Pair = { guest: number; contact: string; agreed: string }
const ofGuest = db.prepare('select * from pair where guest = ?')
const ofContact = db.prepare('select * from pair where contact = ?')
const pairs = db.prepare('select guest from pair')
const unpair = db.prepare('delete from pair where guest = ? or contact = ?')
const pairUp = db.prepare(
  'insert into pair values (?, ?, ?) on conflict (guest) do update set agreed = excluded.agreed',
)
const readCursor = db.prepare('select value from cursor where name = ?')
const keepCursor = db.prepare('insert or replace into cursor values (?, ?)')
const dropCursor = db.prepare('delete from cursor where name = ?')
const cursorOf = (name: string): string | null =>
  (readCursor.get(name)?.['value'] as string | undefined) ?? null

const fieldsOf = (record: Fields): Fields => ({ name: record.name, email: record.email, phone: record.phone })
const difference = (to: Fields, from: Fields): Partial<Fields> =>
  Object.fromEntries(shared.filter((field) => to[field] !== from[field]).map((field) => [field, to[field]]))

/** Makes both sides say the same, and keeps what they agreed on. */
const settle = async (guest: Guest, contact: Contact): Promise<void> => {
  const pair = ofGuest.get(guest.id) as Pair | undefined
  const agreed = pair ? (JSON.parse(pair.agreed) as Fields) : undefined
  // A side without a pair fills in what the other lacks.
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
      // A host was faster: again, with what is there now.
      return settle(await venue.guests.get(guest.id), contact)
    }
  }
  const forCrm = difference(merged, fieldsOf(contact))
  if (Object.keys(forCrm).length > 0) await crm.update(contact.id, forCrm)
  pairUp.run(guest.id, contact.id, JSON.stringify(merged))
}

const guestChanged = async (guest: Guest): Promise<void> => {
  const pair = ofGuest.get(guest.id) as Pair | undefined
  // What we wrote ourselves comes back as a change: both sides say it already.
  if (pair && JSON.stringify(fieldsOf(guest)) === pair.agreed) return
  const contact = pair ? await crm.get(pair.contact) : await crm.create(fieldsOf(guest), `guest-${guest.id}`)
  return settle(guest, contact)
}

/** Merged into another guest, whose own contact stays; or erased. */
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
    // A guest who is gone meanwhile is told by the next look at the venue.
    const guest = await venue.guests.get(pair.guest).catch((error: unknown) => {
      if (!(error instanceof GoneError)) throw error
    })
    if (guest) await settle(guest, contact)
    return
  }
  const { name, email, phone } = contact
  if (!name || !(email || phone)) return
  const given = { name, ...(email && { email }), ...(phone && { phone }) }
  // Somebody with the same address or number is the same guest, and stays as they are where both say something.
  const { guest } = await venue.guests.create(given, { idempotencyKey: `contact-${contact.id}` })
  if (!ofGuest.get(guest.id)) await settle(guest, contact)
}

await sync(venue, {
  ...{ kinds: ['guest'], live: false },
  store: {
    load: async () => cursorOf('venue') ?? undefined,
    save: async (next) => void (next === undefined ? dropCursor.run('venue') : keepCursor.run('venue', next)),
  },
  into: {
    upsert: ({ data }) => guestChanged(data as Guest),
    delete: ({ id }) => guestGone(id),
    records: () => pairs.all().map(({ guest }) => ({ kind: 'guest' as const, id: Number(guest) })),
  },
})
const { contacts, next } = await crm.changed(cursorOf('crm'))
for (const contact of contacts) await contactChanged(contact)
keepCursor.run('crm', next)
