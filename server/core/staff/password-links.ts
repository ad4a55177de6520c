import { createHash } from 'node:crypto'
import type { Actor } from '../activity/actor.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { type Moment } from '../../platform/kernel/time/moment.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { hashPassword, passwordMistake } from './password.ts'
import { heldPerson } from './people.ts'
import { type Accounted, recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'
import { switchOffCodes } from './second-factor.ts'
import { closeSessionsOf } from './sessions.ts'

/*
 * For somebody who forgot their password: an owner of their venue, or the operator, creates a link and hands it over.
 * It works once, within a day, and only an account's newest link works. Nobody but the person learns the password, and
 * codes, if on, stay on. Only a hash of the link's token is kept.
 */

const linkHours = 24

export type PasswordLink = { readonly token: string; readonly email: string; readonly expiresAt: Moment }

type Making = Pick<Context, 'random' | 'clock'>

/** An owner's link for one of the venue's staff. Refuses one's own account, a closed one, and a former owner. */
export const makePasswordLink = async (
  context: Making,
  work: Work,
  owner: Actor & { readonly kind: 'staff' },
  id: number,
): Promise<PasswordLink> => {
  if (id === owner.id) throw new Refusal(409, 'Change your own password under your account.')
  const { email, disabled_at } = await heldPerson(work, owner, id)
  if (disabled_at !== null)
    throw new Refusal(409, `The account of ${email} is deactivated; reactivate it first.`)
  const account = { id, venue: work.venue.id, email }
  return newLink(context, work.db, account, owner, owner.email)
}

/**
 * What the operator does for anybody: a link, or codes turned off with every session ended. Refuses an address without
 * an account, one at a venue other than the one named, and a closed account.
 */
export const resetByOperator = async (
  context: Making,
  db: Queries,
  { email, venue, codes }: { email: string; venue: VenueId | undefined; codes: boolean },
): Promise<Accounted & { readonly slug: string | null; readonly link: PasswordLink | undefined }> => {
  const row = await db.maybe(sql({
    id: 'int8',
    email: 'text',
    venue_id: 'int8?',
    slug: 'text?',
    disabled_at: 'timestamptz?',
  })`
    select s.id, s.email, s.venue_id, v.slug, s.disabled_at
      from staff s
      left join venue v on v.id = s.venue_id
     where s.email_key = ${emailKey(email)}
       for update of s`)
  if (!row || (venue !== undefined && row.venue_id !== venue)) {
    const where = venue === undefined ? '' : ' at this venue'
    throw new Refusal(404, `There is no account with the address ${email.trim()}${where}.`)
  }
  if (row.disabled_at !== null) {
    throw new Refusal(
      409,
      `The account of ${row.email} is deactivated; an owner of the venue can reactivate it.`,
    )
  }
  const account = { id: row.id, venue: row.venue_id as VenueId | null, email: row.email }
  if (!codes) {
    const link = await newLink(context, db, account, { kind: 'service' }, 'operator')
    return { ...account, slug: row.slug, link }
  }
  await switchOffCodes(db, row.id)
  await closeSessionsOf(db, row.id)
  await recordAccount(db, account, { kind: 'service' }, 'resetCodes', context.clock())
  return { ...account, slug: row.slug, link: undefined }
}

const linkedRow = {
  id: 'int8',
  email: 'text',
  role: 'text',
  venue_id: 'int8?',
  venue_name: 'text?',
  codes: 'bool',
} as const
export type Linked = RowOf<typeof linkedRow>

/** Whose link it is, unless it was used, was replaced or has expired. */
export const passwordLinkOf = (
  db: Queries,
  token: string,
  now: Temporal.Instant,
): Promise<Linked | undefined> =>
  db.maybe(sql(linkedRow)`
    select s.id, s.email, s.role, s.venue_id, v.name as venue_name, s.totp_secret_sealed is not null as codes
      from password_link l
      join staff s on s.id = l.staff_id
      left join venue v on v.id = s.venue_id
     where l.token_hash = ${hashOf(token)} and l.expires_at > ${now} and s.disabled_at is null`)

/** Sets the password that the person behind a link chose; the link is used up and every session of theirs ends. */
export const choosePassword = async (context: Context, token: string, chosen: string): Promise<Linked> => {
  const { db, clock, random } = context
  if (!(await passwordLinkOf(db, token, clock()))) throw linkIsOver()
  const mistake = passwordMistake(chosen)
  if (mistake) throw badRequest(mistake)
  const hash = await hashPassword(chosen, random)
  return db.transaction(async (queries) => {
    const linked = await passwordLinkOf(queries, token, clock())
    if (!linked) throw linkIsOver()
    // The account first, as everywhere, to avoid deadlocks; then the link, which only one of two gets.
    await queries.run(sql()`update staff set password_hash = ${hash} where id = ${linked.id}`)
    const used = await queries.run(sql()`
      delete from password_link where staff_id = ${linked.id} and token_hash = ${hashOf(token)}`)
    if (used !== 1) throw linkIsOver()
    await closeSessionsOf(queries, linked.id)
    const { id, email, role } = linked
    const account = { id, venue: linked.venue_id as VenueId | null, email }
    const actor = { kind: 'staff', id, email, role: role as StaffRole } as const
    await recordAccount(queries, account, actor, 'choosePassword', clock())
    return linked
  })
}

/** Housekeeping. */
export const forgetEndedLinks = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from password_link where expires_at <= ${clock()}`)

export const linkIsOver = (): Refusal =>
  new Refusal(404, 'This link was used, was replaced by a newer one or has expired; ask for a new one.')

/** An account's newest link replaces any older one. */
const newLink = async (
  { random, clock }: Making,
  db: Queries,
  account: Accounted,
  actor: Actor,
  madeBy: string,
): Promise<PasswordLink> => {
  const token = random(32).toString('base64url')
  const now = clock()
  const { expires_at } = await db.one(sql({ expires_at: 'timestamptz' })`
    insert into password_link (staff_id, token_hash, made_by, made_at, expires_at)
    values (${account.id}, ${hashOf(token)}, ${madeBy}, ${now}, ${now.add({ hours: linkHours })})
    on conflict (staff_id) do update set
      token_hash = excluded.token_hash, made_by = excluded.made_by,
      made_at = excluded.made_at, expires_at = excluded.expires_at
    returning expires_at`)
  await recordAccount(db, account, actor, 'makePasswordLink', now)
  return { token, email: account.email, expiresAt: expires_at }
}

/** The token is random and long, so a plain hash protects it. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
