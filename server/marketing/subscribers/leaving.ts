import { limits } from '@venue-data/contract/limits.ts'
import type { Subscriber } from '@venue-data/contract/records/subscriber.ts'
import { type Actor, doerOf } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { notFound } from '../../platform/kernel/refusal.ts'
import type { SeenVersion } from '../../platform/kernel/running/seen-version.ts'
import { needed, typedEmail, typedLine } from '../../platform/kernel/typed-fields.ts'
import { type SubscriberRow, presentSubscriber } from './subscriber.ts'
import { subscriberForUpdate, subscriberForUpdateById } from './reads.ts'
import {
  type SuppressionRow,
  deleteSuppression,
  suppressionForUpdate,
  upsertSuppression,
  writeLeaving,
} from './leaving-writes.ts'
import { type SubscriberMove, type SuppressionReason, subscriberMoves, unsubscribesToo } from './states.ts'
import { countChange } from './tag-writes.ts'

/**
 * Unsubscribes somebody. `subscriber.unsubscribed` is emitted once, however often and from however many pages it is
 * requested; somebody who never confirmed leaves without it. Somebody already unsubscribed is left unchanged.
 */
export const unsubscribe = async (
  work: Work,
  actor: Actor,
  subscriber: number,
  seen?: SeenVersion,
): Promise<{ readonly row: SubscriberRow; readonly subscriber: Subscriber; readonly left: boolean }> => {
  const row = await subscriberForUpdateById(work.db, work.venue.id, subscriber)
  if (!row) throw notFound('subscriber')
  if (typeof seen === 'function') seen(row as never)
  const after = await leave(work, actor, row)
  return { row: after ?? row, subscriber: presentSubscriber(after ?? row), left: after !== undefined }
}

/**
 * Puts an address on the do-not-email list. A spam report or a decision by staff also unsubscribes the person; a
 * bounce leaves their consent as it is. An address already on it keeps the stronger reason.
 */
export const suppress = async (
  work: Work,
  actor: Actor,
  {
    email,
    reason,
    why,
  }: {
    readonly email: string
    readonly reason: SuppressionReason
    /** In the words of who asks, for the activity log. */
    readonly why?: string | undefined
  },
): Promise<{ readonly reason: SuppressionReason; readonly changed: boolean }> => {
  const { db, venue } = work
  const key = emailKey(needed('The email', typedEmail('The email', email)))
  const row = await subscriberForUpdate(db, venue.id, key)
  const before = await suppressionForUpdate(db, venue.id, key)
  const now = work.now()
  const kept = await putOnList(work, actor, row, { key, reason, at: now })
  if (before?.reason !== kept.reason) {
    await recordActivity(
      work,
      actor,
      {
        action: 'suppress',
        record: recordOf(row),
        before: before ?? null,
        after: before ? kept : { ...kept, email_key: key },
        ...(why !== undefined && { more: { why } }),
      },
      now,
    )
  }
  return { reason: kept.reason as SuppressionReason, changed: before?.reason !== kept.reason }
}

/**
 * Puts an address on the do-not-email list, and takes its subscriber off the mailing list if the reason says so: one change of
 * the person, and one event.
 */
export const putOnList = async (
  work: Work,
  actor: Actor,
  /** The person with this address, their row locked. */
  row: SubscriberRow | undefined,
  {
    key,
    reason,
    at,
  }: { readonly key: string; readonly reason: SuppressionReason; readonly at: Temporal.Instant },
): Promise<SuppressionRow> => {
  const kept = await upsertSuppression(work.db, work.venue.id, key, reason, at)
  if (!row) return kept
  const left = unsubscribesToo[reason] ? await leave(work, actor, row, true) : undefined
  if (!left && !row.suppressed) await tellSuppressed(work, row)
  return kept
}

/**
 * Removes an address from the do-not-email list, with a reason. Email may go there again if the person is subscribed;
 * anyone who unsubscribed is still unsubscribed. Refuses an address that is not on it.
 */
export const unsuppress = async (
  work: Work,
  actor: Actor,
  { email, why }: { readonly email: string; readonly why: string },
): Promise<void> => {
  const { db, venue } = work
  const key = emailKey(needed('The email', typedEmail('The email', email)))
  const because = needed('The reason', typedLine('The reason', why, limits.shortTextCharacters))
  const row = await subscriberForUpdate(db, venue.id, key)
  const before = await suppressionForUpdate(db, venue.id, key)
  if (!before) throw notFound('address on the do-not-email list')
  await deleteSuppression(db, venue.id, key)
  if (row) await tellSuppressed(work, row)
  await recordActivity(
    work,
    actor,
    {
      action: 'unsuppress',
      record: recordOf(row),
      before: { ...before, email_key: key, why: because },
      after: null,
    },
    work.now(),
  )
}

/** Somebody's address was put on the do-not-email list or removed from it, which is all that changed of them. */
const tellSuppressed = async (work: Work, before: SubscriberRow): Promise<void> => {
  const now = work.now()
  const after = await countChange(work.db, work.venue.id, before.id, now)
  await recordEvent(work, 'subscriber.updated', presentSubscriber(after), now, {
    before: presentSubscriber(before),
  })
}

/** The row afterwards; undefined if they had already left. */
const leave = async (
  work: Work,
  actor: Actor,
  row: SubscriberRow,
  suppressed = row.suppressed,
): Promise<SubscriberRow | undefined> => {
  const found = Object.entries<SubscriberMove>(subscriberMoves).find(
    ([, { from, who }]) => from.some((status) => status === row.status) && who.includes(doerOf(actor)),
  )
  if (!found) return undefined
  const [action, move] = found
  const now = work.now()
  const left = await writeLeaving(work.db, work.venue.id, row.id, move, now)
  if (!left) return undefined
  const after = { ...left, tags: row.tags, suppressed }
  await recordEvent(work, move.names, presentSubscriber(after), now, { before: presentSubscriber(row) })
  await recordActivity(
    work,
    actor,
    { action, record: { kind: 'subscriber', id: row.id }, before: row, after },
    now,
  )
  return after
}

/** The do-not-email list holds addresses; one that never subscribed has no id, so 0 is used. */
const recordOf = (row: SubscriberRow | undefined) => ({ kind: 'suppression', id: row?.id ?? 0 }) as const
