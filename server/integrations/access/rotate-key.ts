import type { KeyKind } from '@venue-data/contract/records/account.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Context, Work } from '../../context.ts'
import type { Moment } from '../../platform/kernel/time/moment.ts'
import { refuse } from '../../platform/kernel/refusal.ts'
import { reasons } from '@venue-data/contract/reasons.ts'
import { unknownKey } from '../../platform/http/refusals.ts'
import { moveEndpointsToKey } from '../webhooks/actions.ts'
import {
  type KeyRow,
  createKey,
  endKey,
  isOver,
  keyOfVenue,
  revokeOneKey,
  scopesOf,
  successorOf,
  termsOf,
} from './keys.ts'
import { holdAccess } from './writes.ts'

/*
 * A key replaces itself. The new one has the same permissions and expiry and takes over the webhook endpoints; the
 * previous one keeps working for the overlap. Both belong to one family: revoking one revokes all, since whoever stole
 * one may have made the others. Only one replacement is open at a time, so that a leaked key cannot multiply.
 */

export type AskedRotation = {
  readonly keyId: number
  readonly overlapHours: number
  /** Discards the new key of an open replacement, whose text may have been lost, and makes another. */
  readonly replace: boolean
}

type Rotated = { readonly key: string; readonly id: number; readonly previousExpiresAt: Moment }

export const rotateKey = async (
  context: Pick<Context, 'secrets' | 'random' | 'clock'>,
  work: Work,
  { keyId, overlapHours, replace }: AskedRotation,
): Promise<Rotated> => {
  const { db, venue, now } = work
  // Two simultaneous replacements happen one after the other.
  await holdAccess(db, venue.id)
  const open = await openRotation(work, keyId)
  if (open && !replace) throw refuse('rotation-open', reasons['rotation-open'].sentence)
  const from = open?.from ?? (await liveKey(work, keyId))
  const moment = now()
  // The terms before the old key's expiry is shortened: the new key gets the expiry that the owner chose.
  const terms = termsOf(open?.to ?? from)
  const made = await createKey(context, db, venue.id, {
    ...terms,
    kind: from.kind as KeyKind,
    name: from.name,
    createdBy: from.created_by,
    rotatedFrom: from.id,
  })
  if (open) await revokeOneKey(db, open.to.id, 'replaced-by-itself', moment)
  await moveEndpointsToKey(db, venue.id, [from.id, ...(open ? [open.to.id] : [])], {
    id: made.row.id,
    scopes: scopesOf(made.row),
  })
  const previousExpiresAt = open
    ? (from.expires_at as Moment)
    : await endKey(db, from.id, moment.add({ hours: overlapHours }))
  await recordActivity(
    work,
    { kind: 'key', id: keyId },
    {
      action: 'replace a key',
      record: { kind: 'api_key', id: made.row.id },
      before: null,
      after: { name: from.name, ends: made.row.last_four, instead_of: (open?.to ?? from).last_four },
    },
    moment,
  )
  return { key: made.key, id: made.row.id, previousExpiresAt }
}

/** The open replacement a key is part of, as the old or the new key, while both work. */
const openRotation = async (
  work: Work,
  keyId: number,
): Promise<{ readonly from: KeyRow; readonly to: KeyRow } | undefined> => {
  const { db, venue, now } = work
  const own = await liveKey(work, keyId)
  const next = await successorOf(db, venue.id, keyId)
  if (next) return { from: own, to: next }
  const before = own.rotated_from === null ? undefined : await keyOfVenue(db, venue.id, own.rotated_from)
  const works = before && before.revoked_at === null && !isOver(before, now())
  return works ? { from: before, to: own } : undefined
}

const liveKey = async ({ db, venue }: Work, id: number): Promise<KeyRow> => {
  const key = await keyOfVenue(db, venue.id, id)
  if (!key || key.revoked_at !== null) throw unknownKey()
  return key
}
