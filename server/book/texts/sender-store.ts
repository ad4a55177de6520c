import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Queries } from '../../platform/db/pool.ts'
import { type RowOf, columnsOf, sql } from '../../platform/db/sql.ts'
import { Refusal, badRequest } from '../../platform/kernel/refusal.ts'
import { type KeyRing, open, seal } from '../../platform/kernel/secrets.ts'
import type { VenueId } from '../../core/venue/venue.ts'
import { venueOfId } from '../../core/venue/venues.ts'
import type { TextAccount } from './provider.ts'
import { stopKey, textableNumber } from './rules.ts'
import { hasStopped, queueGuestText } from './texts-store.ts'

/* How a venue sends texts. The token is sealed for the venue it belongs to, and no page shows it again. */

const senderRow = {
  account: 'text',
  token_sealed: 'text',
  from_number: 'text',
  test_number: 'text?',
  version: 'int4',
} as const
export type TextSenderRow = RowOf<typeof senderRow>

export const textSenderOf = (db: Queries, venue: VenueId): Promise<TextSenderRow | undefined> =>
  db.maybe(sql(senderRow)`
    select ${columnsOf(senderRow)} from text_sender where venue_id = ${venue}`)

export const openedAccount = (ring: KeyRing, venue: VenueId, row: TextSenderRow): TextAccount => ({
  account: row.account,
  token: open(ring, row.token_sealed, sealedFor(venue)),
  from: row.from_number,
})

const sealedFor = (venue: VenueId): string => `text sender of venue ${venue}`

export type TextSenderTyped = {
  readonly account: string
  /** Blank: as it is. */
  readonly token: string
  readonly from: string
  readonly seenVersion: number
}

/** Keeps the sender. Refuses what no provider would take, and a page that shows an old version. */
export const saveTextSender = async (
  { secrets, random }: Pick<Context, 'secrets' | 'random'>,
  work: Work,
  actor: Actor,
  { account, token, from, seenVersion }: TextSenderTyped,
): Promise<void> => {
  const { db, venue } = work
  const before = await senderForUpdate(db, venue.id)
  if ((before?.version ?? 0) !== seenVersion)
    throw new Refusal(409, 'The sender of texts was just changed by someone else. Check it and save again.')
  if (!/^AC[0-9a-f]{32}$/i.test(account.trim()))
    throw badRequest('The account must be the account SID: AC and 32 letters and digits.')
  if (!/^\+[1-9]\d{7,14}$/.test(from.replaceAll(/[\s().-]/g, '')))
    throw badRequest('The number must have its country code, such as +1 212 555 0100.')
  if (token.trim() === '' && !before) throw badRequest('Enter the auth token of the account.')
  const sealed =
    token.trim() === '' && before
      ? before.token_sealed
      : seal(secrets, token.trim(), sealedFor(venue.id), random(12))
  await db.run(sql()`
    insert into text_sender (venue_id, account, token_sealed, from_number)
    values (${venue.id}, ${account.trim()}, ${sealed}, ${from.replaceAll(/[\s().-]/g, '')})
    on conflict (venue_id) do update set
      account = excluded.account, token_sealed = excluded.token_sealed, from_number = excluded.from_number,
      version = text_sender.version + 1`)
  await recordActivity(
    work,
    actor,
    {
      action: 'change the sender of texts',
      record: { kind: 'venue', id: venue.id },
      before: before ? { text_sender: before.from_number } : {},
      after: { text_sender: from.replaceAll(/[\s().-]/g, '') },
    },
    work.now(),
  )
}

/** How long a test is tried. */
const testMinutes = 10

/** Has a text sent to a number of the venue's own people. Refuses a number that cannot be texted for sure, or wants no texts. */
export const queueTestText = async (work: Work, actor: Actor, typed: string): Promise<void> => {
  const { db, venue } = work
  const before = await senderForUpdate(db, venue.id)
  if (!before) throw badRequest('Enter the account and its number first.')
  const { country } = (await venueOfId(db, venue.id)) ?? { country: '' }
  const number = textableNumber(typed, country)
  if (number === undefined)
    throw badRequest('The number must have its country code, such as +1 212 555 0100.')
  if (await hasStopped(db, venue.id, stopKey(venue.id, number)))
    throw badRequest('This number answered STOP. It gets texts again once it answers START.')
  const now = work.now()
  await db.run(sql()`update text_sender set test_number = ${number} where venue_id = ${venue.id}`)
  await queueGuestText(
    db,
    venue.id,
    { kind: 'test', record: 0, until: now.add({ minutes: testMinutes }) },
    now,
  )
  const action = { action: 'send a test text', record: { kind: 'venue', id: venue.id } } as const
  await recordActivity(work, actor, { ...action, before: null, after: {} }, now)
}

/** Ends texts. What is being sent is on its way. */
export const removeTextSender = async (work: Work, actor: Actor): Promise<void> => {
  const { db, venue } = work
  const before = await senderForUpdate(db, venue.id)
  if (!before) return
  await db.run(sql()`delete from text_sender where venue_id = ${venue.id}`)
  await recordActivity(
    work,
    actor,
    {
      action: 'remove the sender of texts',
      record: { kind: 'venue', id: venue.id },
      before: { text_sender: before.from_number },
      after: { text_sender: null },
    },
    work.now(),
  )
}

const senderForUpdate = (db: Queries, venue: VenueId): Promise<TextSenderRow | undefined> =>
  db.maybe(sql(senderRow)`
    select ${columnsOf(senderRow)} from text_sender where venue_id = ${venue} for update`)
