import type { Actor } from '../activity/actor.ts'
import { recordActivity } from '../activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { type KeyRing, open, seal } from '../../platform/kernel/secrets.ts'
import type { LocalDate } from '../../platform/kernel/time/written-time.ts'
import type { Venue, VenueId } from '../venue/venue.ts'
import { leasedRows } from '../venue/leased-rows.ts'
import type { Callback, Patience, Processor } from './processor.ts'

/*
 * The venue's own account at the processor: no page shows its key again. What a checkout or a payment was made with stays,
 * ended, when another account takes its place.
 */

export const accountRow = {
  id: 'uuid',
  live: 'bool',
  key_sealed: 'text',
  signing_sealed: 'text?',
  earlier_signing_sealed: 'text?',
  earlier_until: 'timestamptz?',
  callback_ref: 'text?',
  checked_at: 'timestamptz?',
  trouble: 'text?',
  reconciled_on: 'date?',
  /** Since when it is still to be looked at what it did, as the database is from a backup; null: all of that is known. */
  look_from: 'timestamptz?',
  version: 'int4',
} as const
export type AccountRow = RowOf<typeof accountRow>

/** The account that takes payments now. */
export const openAccount = (db: Queries, venue: VenueId): Promise<AccountRow | undefined> =>
  db.maybe(sql(accountRow)`
    select ${columnsOf(accountRow)} from processor_account where venue_id = ${venue} and ended_at is null`)

/** Whether figures are of live money or of test payments: as the account that is connected, or was connected last. */
export const isLiveMoney = async (db: Queries, venue: VenueId): Promise<boolean> =>
  (
    await db.maybe(sql({ live: 'bool' })`
      select live from processor_account
       where venue_id = ${venue} order by ended_at desc nulls first, made_at desc limit 1`)
  )?.live ?? true

export const openAccountForUpdate = (db: Queries, venue: VenueId): Promise<AccountRow | undefined> =>
  db.maybe(sql(accountRow)`
    select ${columnsOf(accountRow)} from processor_account
     where venue_id = ${venue} and ended_at is null for update`)

/** An account that took a payment, open or not; undefined: it is removed, so it can be asked nothing. */
export const accountById = (db: Queries, venue: VenueId, id: string): Promise<AccountRow | undefined> =>
  db.maybe(sql(accountRow)`
    select ${columnsOf(accountRow)} from processor_account
     where venue_id = ${venue} and id = ${id} and removed_at is null`)

/** The processor as the account with this id asks it: what was made with one is asked about with the same. */
export const processorOf = async (
  { db, secrets, processors }: Pick<Context, 'db' | 'secrets' | 'processors'>,
  venue: Pick<Venue, 'id'>,
  account: string,
  patience: Patience,
): Promise<Processor> => {
  const row = await accountById(db, venue.id, account)
  if (!row) throw new Error('money without its account')
  return processors.of(keyOf(secrets, venue.id, row), patience)
}

export const mostAccounts = 20

/** The open account, and those at which a guest was to pay: one that nobody used, or that is removed, has nothing to be asked about. */
export const usedAccounts = (db: Queries, venue: VenueId): Promise<AccountRow[]> =>
  db.many(sql(accountRow)`
    select ${columnsOf(accountRow)} from processor_account a
     where venue_id = ${venue} and removed_at is null and (ended_at is null or exists (
       select from checkout c where c.venue_id = ${venue} and c.account_id = a.id))
     order by ended_at desc nulls first, made_at desc limit ${mostAccounts}`)

/** Every account that may still call us: what an account took may change after another took its place, until it is removed. */
export const accountsOf = (db: Queries, venue: VenueId): Promise<AccountRow[]> =>
  db.many(sql(accountRow)`
    select ${columnsOf(accountRow)} from processor_account
     where venue_id = ${venue} and removed_at is null order by ended_at desc nulls first, made_at desc limit ${mostAccounts}`)

export const keyOf = (ring: KeyRing, venue: VenueId, row: AccountRow): string =>
  open(ring, row.key_sealed, sealedFor(venue, row.id, 'key'))

/** What its calls may be signed with at this moment. */
export const signingsOf = (
  ring: KeyRing,
  venue: VenueId,
  row: AccountRow,
  now: Temporal.Instant,
): string[] => {
  const isEarlierGood =
    row.earlier_until !== null && Temporal.Instant.compare(now, Temporal.Instant.from(row.earlier_until)) < 0
  return [row.signing_sealed, isEarlierGood ? row.earlier_signing_sealed : null]
    .filter((one) => one !== null)
    .map((one) => open(ring, one, sealedFor(venue, row.id, 'signing')))
}

const sealedFor = (venue: VenueId, account: string, what: 'key' | 'signing'): string =>
  `processor account ${account} of venue ${venue}: ${what}`

export type AccountToKeep = {
  readonly id: string
  readonly live: boolean
  readonly key: string
  /** Where it is called; null: nowhere that is known, so the owner registers it by hand. */
  readonly callback: Callback | 'as before' | null
}

type Sealing = Pick<Context, 'secrets' | 'random'>

/** One account takes payments at a time. */
const endOthers = ({ db, venue, now }: Work, id: string): Promise<number> =>
  db.run(sql()`
    update processor_account set ended_at = ${now()}, version = version + 1
     where venue_id = ${venue.id} and ended_at is null and id <> ${id}`)

const sealedSigning = (sealing: Sealing, venue: VenueId, id: string, callback: Callback | null) =>
  callback?.signing == null ? null : sealedText(sealing, venue, id, 'signing', callback.signing)

/** Begins to take payments with an account; the one before is kept for what it took. */
export const beginAccount = async (
  sealing: Sealing,
  work: Work,
  actor: Actor,
  { id, live, key, callback: said }: AccountToKeep,
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const callback = said === 'as before' ? null : said
  await endOthers(work, id)
  await db.run(sql()`
    insert into processor_account (
      venue_id, id, live, key_sealed, signing_sealed, callback_ref, made_at, checked_at)
    values (
      ${venue.id}, ${id}, ${live}, ${sealedText(sealing, venue.id, id, 'key', key)},
      ${sealedSigning(sealing, venue.id, id, callback)},
      ${callback?.callbackRef ?? null}, ${now}, ${now})`)
  await noteAccount(work, actor, 'connect payments', live)
}

/** An account that may be the one that a key is pasted of, also where it was removed: its key brings it back. */
export type KnownAccount = AccountRow & {
  /** The newest of its pages for payments at the processor. */
  readonly session_ref: string | null
}

export const knownAccounts = (db: Queries, venue: VenueId, live: boolean): Promise<KnownAccount[]> =>
  db.many(sql({ ...accountRow, session_ref: 'text?' })`
    select ${columnsOf(accountRow)}, (
        select c.session_ref from checkout c
         where c.venue_id = ${venue} and c.account_id = processor_account.id and c.session_ref is not null
         order by c.id desc limit 1) as session_ref
      from processor_account
     where venue_id = ${venue} and live = ${live} order by ended_at desc nulls first, made_at desc limit ${mostAccounts}`)

/**
 * A new key of an account that is known, which takes payments from now on. A callback that was registered again has
 * another signature; the old one is good for a day.
 */
export const renewKey = async (
  sealing: Sealing,
  work: Work,
  actor: Actor,
  { id, live, key, callback: said }: AccountToKeep,
): Promise<void> => {
  const { db, venue } = work
  const now = work.now()
  const isAsBefore = said === 'as before'
  const callback = isAsBefore ? null : said
  const signing = sealedSigning(sealing, venue.id, id, callback)
  await endOthers(work, id)
  await db.run(sql()`
    update processor_account set
      key_sealed = ${sealedText(sealing, venue.id, id, 'key', key)},
      earlier_signing_sealed = case when ${signing}::text is null then earlier_signing_sealed else signing_sealed end,
      earlier_until = case when ${signing}::text is null then earlier_until else ${now.add({ hours: 24 })} end,
      signing_sealed = coalesce(${signing}, signing_sealed),
      callback_ref = case when ${isAsBefore}::boolean then callback_ref else ${callback?.callbackRef ?? null}::text end,
      checked_at = ${now}, trouble = null, ended_at = null, remove_at = null, removed_at = null, version = version + 1,
      look_at = case when look_from is null then null else ${now}::timestamptz end
     where venue_id = ${venue.id} and id = ${id}`)
  await noteAccount(work, actor, 'renew the key for payments', live)
}

/** The new key of an account that is known more than once: what was paid then is asked about with it too. */
export const putKey = async (
  sealing: Sealing,
  { db, venue, now }: Work,
  id: string,
  key: string,
): Promise<void> => {
  await db.run(sql()`
    update processor_account set
      key_sealed = ${sealedText(sealing, venue.id, id, 'key', key)}, removed_at = null, version = version + 1,
      look_at = case when look_from is null then null else ${now()}::timestamptz end
     where venue_id = ${venue.id} and id = ${id}`)
}

/** What the owner registered by hand: what the processor's calls are signed with. */
export const keepSigning = async (
  sealing: Sealing,
  work: Work,
  actor: Actor,
  { id, signing, live }: { readonly id: string; readonly signing: string; readonly live: boolean },
): Promise<void> => {
  const { db, venue } = work
  await db.run(sql()`
    update processor_account set
      earlier_signing_sealed = signing_sealed, earlier_until = ${work.now().add({ hours: 24 })},
      signing_sealed = ${sealedText(sealing, venue.id, id, 'signing', signing)}, version = version + 1
     where venue_id = ${venue.id} and id = ${id} and ended_at is null`)
  await noteAccount(work, actor, 'enter the signing secret for payments', live)
}

/** Ends payments; what was taken can still be given back. */
export const endAccount = async (work: Work, actor: Actor): Promise<void> => {
  const { db, venue } = work
  const before = await openAccountForUpdate(db, venue.id)
  if (!before) return
  await db.run(sql()`
    update processor_account set ended_at = ${work.now()}, version = version + 1
     where venue_id = ${venue.id} and id = ${before.id}`)
  await noteAccount(work, actor, 'disconnect payments', before.live)
}

export const writeCheck = (
  db: Queries,
  venue: VenueId,
  account: string,
  trouble: string | null,
  now: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update processor_account set checked_at = ${now}, trouble = ${trouble}
     where venue_id = ${venue} and id = ${account}`)

const lookMinutes = 15

/** Accounts that are to be looked at, as the database is from a backup: also by a key that was not taken before. */
export const accountsToLookAt = leasedRows(
  'processor_account',
  { ...accountRow, look_from: 'timestamptz', look_until: 'timestamptz' },
  { due: 'look_at', leaseSeconds: lookMinutes * 60 },
)

/** Has an account looked at again, from what it did then on, and once more after `until`. */
export const lookAtAccount = (
  db: Queries,
  venue: VenueId,
  account: string,
  { from, until, at }: Readonly<Record<'from' | 'until' | 'at', Temporal.Instant>>,
): Promise<number> =>
  db.run(sql()`
    update processor_account set look_from = ${from}, look_until = ${until}, look_at = ${at}
     where venue_id = ${venue} and id = ${account}`)

/** All that it did until then is known; another look comes where guests of the service of before may still have had a page open. */
export const accountLookedAt = (
  db: Queries,
  venue: VenueId,
  account: string,
  began: Temporal.Instant,
): Promise<number> =>
  db.run(sql()`
    update processor_account set
      look_at = case when look_until <= ${began} then null else look_until end,
      look_from = case when look_until <= ${began} then null else look_from end,
      look_until = case when look_until <= ${began} then null else look_until end
     where venue_id = ${venue} and id = ${account}`)

/** Venues that take payments. */
export const venuesToReconcile = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`
    select distinct venue_id from processor_account where ended_at is null`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

/** Venues that take payments, or took some. */
export const venuesWithAccounts = async (db: Queries): Promise<Set<number>> => {
  const rows = await db.many(sql({ venue_id: 'int8' })`select distinct venue_id from processor_account`)
  return new Set(rows.map(({ venue_id }) => venue_id))
}

export const writeReconciled = (
  db: Queries,
  venue: VenueId,
  account: string,
  date: LocalDate,
): Promise<number> =>
  db.run(sql()`
    update processor_account set reconciled_on = ${date} where venue_id = ${venue} and id = ${account}`)

const sealedText = (
  { secrets, random }: Sealing,
  venue: VenueId,
  account: string,
  what: 'key' | 'signing',
  text: string,
): string => seal(secrets, text, sealedFor(venue, account, what), random(12))

/** Writes what was done with an account to the activity log. */
export const noteAccount = (work: Work, actor: Actor, action: string, live: boolean): Promise<void> =>
  recordActivity(
    work,
    actor,
    {
      action,
      record: { kind: 'venue', id: work.venue.id },
      before: null,
      after: { payments: live ? 'live' : 'test' },
    },
    work.now(),
  )
