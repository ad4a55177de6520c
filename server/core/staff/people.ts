import type { Actor } from '../activity/actor.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Work } from '../../context.ts'
import { type RowOf, fragment, sql } from '../../platform/db/sql.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { revokeInvitationsOf } from './invitations.ts'
import { type AccountAction, recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import { switchOffCodes } from './second-factor.ts'
import { closeSessionsOf } from './sessions.ts'

/*
 * What an owner does about the venue's staff. Each of these locks the venue's owners first, in one order, so that two
 * owners who take each other's role away do it one after the other and the venue keeps one.
 */

const personRow = {
  id: 'int8',
  email: 'text',
  name: 'text?',
  role: 'text',
  codes: 'bool',
  created_at: 'timestamptz',
  disabled_at: 'timestamptz?',
} as const
export type Person = RowOf<typeof personRow>

const columns = fragment(
  'id, email, name, role, totp_secret_sealed is not null as codes, created_at, disabled_at',
)

type Owner = Actor & { readonly kind: 'staff' }

/** A venue's accounts, owners first, closed ones last. */
export const staffOfVenue = (db: Queries, venue: VenueId): Promise<Person[]> =>
  db.many(sql(personRow)`
    select ${columns}
      from staff
     where venue_id = ${venue}
     order by disabled_at is not null, array_position(array['owner', 'manager', 'host'], role), email_key
     limit 500`)

/** One of a venue's accounts. Refuses with 404. */
export const personOf = async (db: Queries, venue: VenueId, id: number): Promise<Person> => {
  const person = await db.maybe(sql(personRow)`
    select ${columns} from staff where venue_id = ${venue} and id = ${id}`)
  if (!person) throw notFound('account')
  return person
}

/**
 * Gives somebody another role; they sign in again, so no tablet left lying around becomes an owner's, and a former owner
 * loses the invitations and password links that they made. Refuses one's own role, a role that somebody else has changed
 * in the meantime (`was`), and leaving the venue without an owner.
 */
export const changeRole = async (
  work: Work,
  owner: Owner,
  { id, was, role }: { readonly id: number; readonly was: string; readonly role: StaffRole },
): Promise<Person> => {
  if (id === owner.id) throw new Refusal(409, 'You cannot change your own role; another owner can.')
  const { db, venue } = work
  const person = await heldPerson(work, owner, id)
  if (person.role === role) return person
  if (person.role !== was)
    throw new Refusal(
      409,
      `${person.email} is now ${person.role === 'owner' ? 'an' : 'a'} ${person.role}; reload.`,
    )
  await db.run(sql()`update staff set role = ${role} where venue_id = ${venue.id} and id = ${id}`)
  await closeSessionsOf(db, id)
  if (role !== 'owner') await takeBackWhatTheyMade(db, venue.id, person.email)
  await record(work, owner, person, 'changeRole', { role: person.role }, { role })
  return { ...person, role }
}

/**
 * Closes an account: they are signed out at once; their password links, those they made and the invitations they made
 * are void. Refuses one's own. Safe to repeat.
 */
export const shutAccount = async (work: Work, owner: Owner, id: number): Promise<Person> => {
  if (id === owner.id) throw new Refusal(409, 'You cannot deactivate your own account; another owner can.')
  const { db, venue, now } = work
  const person = await heldPerson(work, owner, id)
  if (person.disabled_at !== null) return person
  await db.run(sql()`
    update staff set disabled_at = ${now()} where venue_id = ${venue.id} and id = ${id}`)
  await closeSessionsOf(db, id)
  await takeBackWhatTheyMade(db, venue.id, person.email)
  await db.run(sql()`delete from password_link where staff_id = ${id}`)
  await record(work, owner, person, 'shutAccount', { shut: false }, { shut: true })
  return person
}

/**
 * Only owners invite and create password links. Either would let a former owner back in: by a new account, or by
 * another owner's.
 */
const takeBackWhatTheyMade = async (db: Queries, venue: VenueId, email: string): Promise<void> => {
  await revokeInvitationsOf(db, venue, email)
  await db.run(sql()`
    delete from password_link
     where made_by = ${email} and staff_id in (select id from staff where venue_id = ${venue})`)
}

export const openAccount = async (work: Work, owner: Owner, id: number): Promise<Person> => {
  const { db, venue } = work
  const person = await heldPerson(work, owner, id)
  if (person.disabled_at === null) return person
  await db.run(sql()`update staff set disabled_at = null where venue_id = ${venue.id} and id = ${id}`)
  await record(work, owner, person, 'openAccount', { shut: true }, { shut: false })
  return person
}

/** For somebody whose phone is lost: no codes are asked for, and anyone who has the phone is signed out. */
export const resetCodes = async (work: Work, owner: Owner, id: number): Promise<Person> => {
  if (id === owner.id) throw new Refusal(409, 'Turn off your own codes under your account.')
  const person = await heldPerson(work, owner, id)
  if (!person.codes) throw new Refusal(409, `${person.email} signs in without codes.`)
  await switchOffCodes(work.db, id)
  await closeSessionsOf(work.db, id)
  await record(work, owner, person, 'resetCodes', { codes: true }, { codes: false })
  return person
}

/** One of the venue's staff, locked until the transaction ends, provided that the caller is still an owner. */
export const heldPerson = async (
  { db, venue }: Pick<Work, 'db' | 'venue'>,
  owner: Owner,
  id: number,
): Promise<Person> => {
  const owners = await db.many(sql({ id: 'int8' })`
    select id from staff
     where venue_id = ${venue.id} and role = 'owner' and disabled_at is null
     order by id for update`)
  if (!owners.some((one) => one.id === owner.id)) throw new Refusal(403, 'You are no longer an owner.')
  const person = await db.maybe(sql(personRow)`
    select ${columns} from staff where venue_id = ${venue.id} and id = ${id} for update`)
  if (!person) throw notFound('account')
  return person
}

const record = (
  { db, venue, now }: Work,
  owner: Owner,
  { id, email }: Person,
  action: AccountAction,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
) => recordAccount(db, { id, venue: venue.id, email }, owner, action, now(), { before, after })
