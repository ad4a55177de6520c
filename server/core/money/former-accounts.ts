import type { Actor } from '../activity/actor.ts'
import type { Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import {
  type Fragment,
  type RowOf,
  type Value,
  columnsOf,
  fragment,
  part,
  sql,
} from '../../platform/db/sql.ts'
import { Refusal, notFound } from '../../platform/kernel/refusal.ts'
import { leasedRows } from '../venue/leased-rows.ts'
import type { VenueId } from '../venue/venue.ts'
import { accountRow, mostAccounts, noteAccount } from './account-store.ts'
import { leaseSeconds } from './checkout-store.ts'

/*
 * Accounts that took payments before another took their place, and how an owner removes one. Cast: the owner's press writes
 * `remove_at`, and from then on nothing new is asked of the account; a worker takes the row by that, deletes the cards that are
 * kept with it, waits for what is under way, has the processor call no more, and last forgets the key. A crash leaves the row
 * due again, and each step may be done twice. The row itself stays: it says which payments are test payments, and a key of the
 * same account brings it back.
 */

const formerRow = {
  ...accountRow,
  made_at: 'timestamptz',
  ended_at: 'timestamptz',
  remove_at: 'timestamptz?',
} as const
export type FormerAccount = RowOf<typeof formerRow>

/** Those whose key is still here, the last first. */
export const formerAccounts = (db: Queries, venue: VenueId): Promise<FormerAccount[]> =>
  db.many(sql(formerRow)`
    select ${columnsOf(formerRow)} from processor_account
     where venue_id = ${venue} and ended_at is not null and removed_at is null
     order by ended_at desc, made_at desc limit ${mostAccounts}`)

export const formerAccount = async (db: Queries, venue: VenueId, id: string): Promise<FormerAccount> => {
  const row = await db.maybe(sql(formerRow)`
    select ${columnsOf(formerRow)} from processor_account
     where venue_id = ${venue} and id = ${id}::uuid and ended_at is not null and removed_at is null`)
  if (!row) throw notFound('former account')
  return row
}

/** Locked so that nobody begins anything with it until the transaction ends; nothing else is locked after it. */
export const lockFormerAccount = (
  db: Queries,
  venue: VenueId,
  id: string,
): Promise<FormerAccount | undefined> =>
  db.maybe(sql(formerRow)`
    select ${columnsOf(formerRow)} from processor_account
     where venue_id = ${venue} and id = ${id}::uuid and ended_at is not null and removed_at is null for update`)

/** Those that are being removed. */
export const accountsToRemove = leasedRows('processor_account', formerRow, {
  ...{ due: 'remove_at', leaseSeconds, waits: fragment('and removed_at is null and ended_at is not null') },
})

/** Begins to remove it; a second press changes nothing. */
export const beginRemoving = async (work: Work, actor: Actor, id: string): Promise<void> => {
  const { db, venue } = work
  const row = await lockFormerAccount(db, venue.id, id)
  if (!row) throw notFound('former account')
  if (row.remove_at !== null) return
  await db.run(sql()`
    update processor_account set remove_at = ${work.now()}, version = version + 1
     where venue_id = ${venue.id} and id = ${id}::uuid`)
  await noteAccount(work, actor, 'remove a former account for payments', row.live)
}

/** The owner keeps it after all; what was deleted until then stays deleted. */
export const keepFormerAccount = async (work: Work, actor: Actor, id: string): Promise<void> => {
  const { db, venue } = work
  const row = await lockFormerAccount(db, venue.id, id)
  if (!row) throw new Refusal(409, 'This account is removed by now. Paste a key of it to connect it again.')
  if (row.remove_at === null) return
  await db.run(sql()`
    update processor_account set remove_at = null, version = version + 1
     where venue_id = ${venue.id} and id = ${id}::uuid`)
  await noteAccount(work, actor, 'keep a former account for payments', row.live)
}

/** Something is under way with it: another look then. */
export const removeLater = (db: Queries, venue: VenueId, id: string, at: Temporal.Instant): Promise<number> =>
  db.run(sql()`
    update processor_account set remove_at = ${at}
     where venue_id = ${venue} and id = ${id}::uuid and remove_at is not null`)

/** Forgets what it is asked with, and what its calls are signed with; the caller holds it. Calls that are not answered are no longer looked at. */
export const forgetAccount = async (work: Work, { id, live }: FormerAccount): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  // Empty and not null: a process of a release before this one reads each row as one that has a key.
  await db.run(sql()`
    update processor_account set
      key_sealed = '', signing_sealed = null, earlier_signing_sealed = null, earlier_until = null, callback_ref = null,
      trouble = null, look_from = null, look_until = null, look_at = null, remove_at = null, removed_at = ${now},
      version = version + 1
     where venue_id = ${venue.id} and id = ${id}::uuid`)
  await db.run(sql()`
    update processor_event set looked_at = ${now}
     where venue_id = ${venue.id} and account_id = ${id}::uuid and looked_at is null`)
  await noteAccount(work, { kind: 'service' }, 'forget the key of a former account for payments', live)
}

/**
 * Whether an account may be asked for more, such as for money back; false: it is removed, or that has begun. Its key stays until the
 * transaction ends. Taken after an order or a guarantee, before its payments and refunds; checkouts that lock it do not wait.
 */
export const mayAskMore = async (db: Queries, venue: VenueId, account: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'uuid' })`
    select id from processor_account
     where venue_id = ${venue} and id = ${account}::uuid and remove_at is null and removed_at is null for key share`)) !==
  undefined

/** Whether its calls are still heard; its signing secrets stay until the transaction ends. */
export const isStillHeard = async (db: Queries, venue: VenueId, account: string): Promise<boolean> =>
  (await db.maybe(sql({ id: 'uuid' })`
    select id from processor_account
     where venue_id = ${venue} and id = ${account}::uuid and removed_at is null for key share`)) !== undefined

/** Whether the account that took a payment `p` is removed, or being removed: nothing of it goes back through the processor. */
export const isTakenByRemoved = (venue: Value | Fragment): Fragment => part`exists (
  select from processor_account a
   where a.venue_id = ${venue} and a.id = p.account_id and (a.remove_at is not null or a.removed_at is not null))`

export const whyRemoved =
  'This was paid through a Stripe account that was removed under Settings, Payments. Refund it in Stripe itself, then note it here as refunded another way.'
