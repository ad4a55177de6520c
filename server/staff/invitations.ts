import { createHash } from 'node:crypto'
import type { Context } from '../context.ts'
import type { Queries } from '../db/pool.ts'
import { type RowOf, sql } from '../db/sql.ts'
import { emailKey } from '../kernel/email.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { VenueId } from '../venue/venue.ts'
import { addStaff } from './actions.ts'
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

/** Invites somebody to a venue's office. Returns the token of the link; only its hash is kept. */
export const invite = async (
  { random, clock }: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  venue: VenueId,
  { email, role, invitedBy }: { email: string; role: StaffRole; invitedBy: string },
): Promise<string> => {
  const token = random(32).toString('base64url')
  const now = clock()
  await db.run(sql()`
    insert into invitation (token_hash, venue_id, email, role, invited_by, created_at, expires_at)
    values (${hashOf(token)}, ${venue}, ${email.trim()}, ${role}, ${invitedBy}, ${now}, ${now.add({ hours: invitationHours })})`)
  return token
}

/** The invitation behind a link, unless it was used or is over. */
export const invitationOf = (
  db: Queries,
  token: string,
  now: Temporal.Instant,
): Promise<Invitation | undefined> =>
  db.maybe(sql(invitationRow)`
    select i.venue_id, v.slug, v.name as venue_name, i.email, i.role, i.invited_by
      from invitation i
      join venue v on v.id = i.venue_id
     where i.token_hash = ${hashOf(token)} and i.used_at is null and i.expires_at > ${now}`)

/** Makes the account of an invited person; the link is used up in the same transaction. Returns the account's id. */
export const acceptInvitation = async (
  context: Pick<Context, 'random' | 'clock'>,
  db: Queries,
  token: string,
  { name, password }: { name: string; password: string },
): Promise<number> => {
  const now = context.clock()
  const invitation = await invitationOf(db, token, now)
  const taken = await db.run(sql()`
    update invitation set used_at = ${now} where token_hash = ${hashOf(token)} and used_at is null`)
  if (!invitation || taken !== 1)
    throw new Refusal(404, 'This invitation was used or is over; ask for a new one.')
  const { id } = await addStaff(
    context,
    db,
    { id: invitation.venue_id as VenueId, slug: invitation.slug },
    { email: invitation.email, role: invitation.role as StaffRole, password },
  )
  await db.run(sql()`update staff set name = ${name.trim() || null} where id = ${id}`)
  return id
}

/** Whether somebody has an account already, at whichever venue. */
export const hasAccount = async (db: Queries, email: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'int8' })`select id from staff where email_key = ${emailKey(email)}`)) !==
  undefined

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
