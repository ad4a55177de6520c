import { createHash } from 'node:crypto'
import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, sql } from '../../platform/db/sql.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { Refusal } from '../../platform/kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { addStaff } from './actions.ts'
import { readStaffName } from './name-account.ts'
import { recordAccount } from './record-account.ts'
import type { StaffRole } from './roles.ts'

/** An invitation is a link that works once, for three days. */
const invitationHours = 72

const invitationRow = {
  venue_id: 'int8',
  slug: 'text',
  venue_name: 'text',
  email: 'text',
  role: 'text',
  invited_by: 'text',
} as const
export type Invitation = RowOf<typeof invitationRow>

/**
 * Invites somebody to a venue's office. Returns the link's token; only its hash is kept. An open invitation for the same
 * address is replaced: its link stops working.
 */
export const invite = async (
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  venue: VenueId,
  { email, role, invitedBy }: { email: string; role: StaffRole; invitedBy: string },
): Promise<string> => {
  const token = random(32).toString('base64url')
  const now = clock()
  await db.run(sql()`
    insert into invitation (token_hash, venue_id, email, email_key, role, invited_by, created_at, expires_at)
    values (
      ${hashOf(token)}, ${venue}, ${email.trim()}, ${emailKey(email)}, ${role}, ${invitedBy}, ${now},
      ${now.add({ hours: invitationHours })})
    on conflict (venue_id, email_key) where used_at is null do update set
      token_hash = excluded.token_hash, email = excluded.email, role = excluded.role,
      invited_by = excluded.invited_by, created_at = excluded.created_at, expires_at = excluded.expires_at`)
  return token
}

const openInvitationRow = {
  id: 'int8',
  email: 'text',
  role: 'text',
  invited_by: 'text',
  expires_at: 'timestamptz',
} as const
export type OpenInvitation = RowOf<typeof openInvitationRow>

/** A venue's invitations that still work, newest first. */
export const openInvitations = (
  db: Queries,
  venue: VenueId,
  now: Temporal.Instant,
): Promise<OpenInvitation[]> =>
  db.many(sql(openInvitationRow)`
    select id, email, role, invited_by, expires_at
      from invitation
     where venue_id = ${venue} and used_at is null and expires_at > ${now}
     order by created_at desc, id desc
     limit 500`)

/** Ends an invitation. Refuses one that was used or revoked, or is another venue's. */
export const revokeInvitation = async (
  work: Work,
  actor: Actor,
  id: number,
): Promise<{ readonly email: string }> => {
  const { db, venue, now } = work
  const gone = await db.maybe(sql({ email: 'text', role: 'text' })`
    delete from invitation where venue_id = ${venue.id} and id = ${id} and used_at is null
    returning email, role`)
  if (!gone) throw new Refusal(404, 'This invitation was already used or revoked.')
  await recordActivity(
    work,
    actor,
    { action: 'revokeInvitation', record: { kind: 'invitation', id }, before: gone, after: null },
    now(),
  )
  return gone
}

/** Revokes the open invitations that somebody made: they may no longer invite anybody. */
export const revokeInvitationsOf = (db: Queries, venue: VenueId, email: string): Promise<number> =>
  db.run(
    sql()`delete from invitation where venue_id = ${venue} and invited_by = ${email} and used_at is null`,
  )

/** The invitation behind a link, unless it was used, has expired, or was made by somebody who is no longer an owner. */
export const invitationOf = (
  db: Queries,
  token: string,
  now: Temporal.Instant,
): Promise<Invitation | undefined> =>
  db.maybe(sql(invitationRow)`
    select i.venue_id, v.slug, v.name as venue_name, i.email, i.role, i.invited_by
      from invitation i
      join venue v on v.id = i.venue_id
      join staff maker on maker.venue_id = i.venue_id and maker.email = i.invited_by
     where i.token_hash = ${hashOf(token)} and i.used_at is null and i.expires_at > ${now}
       and maker.role = 'owner' and maker.disabled_at is null`)

/** Creates an invited person's account; the link is used up in the same transaction. Returns the account's id. */
export const acceptInvitation = async (
  context: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  token: string,
  { name, password }: { name: string; password: string },
): Promise<number> => {
  const now = context.clock()
  const called = readStaffName(name)
  // The inviter's account is locked: closing it, or changing its role, takes effect either before this or after it.
  await db.many(sql({ id: 'int8' })`
    select id from staff
     where (venue_id, email) in (select venue_id, invited_by from invitation where token_hash = ${hashOf(token)})
       for share`)
  const invitation = await invitationOf(db, token, now)
  const taken = await db.run(sql()`
    update invitation set used_at = ${now} where token_hash = ${hashOf(token)} and used_at is null`)
  if (!invitation || taken !== 1)
    throw new Refusal(404, 'This invitation was used or has expired; ask for a new one.')
  const { id } = await addStaff(
    context,
    db,
    { id: invitation.venue_id as VenueId, slug: invitation.slug },
    {
      email: invitation.email,
      role: invitation.role as StaffRole,
      password,
      name: called === '' ? null : called,
    },
  )
  const { venue_id, email, role } = invitation
  await recordAccount(
    db,
    { id, venue: venue_id as VenueId, email },
    { kind: 'staff', id, email, role: role as StaffRole },
    'acceptInvitation',
    now,
    { after: { role } },
  )
  return id
}

/** Whether somebody already has an account, at any venue. */
export const hasAccount = async (db: Queries, email: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`select id from staff where email_key = ${emailKey(email)}`)) !==
  undefined

const keptDays = 30

/** Housekeeping: people's addresses are not kept permanently. */
export const forgetOldInvitations = ({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<number> =>
  db.run(sql()`delete from invitation where expires_at <= ${clock().subtract({ hours: 24 * keptDays })}`)

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
