import type { Subscriber, SubscriberChanges } from '@venue-data/contract/records/subscriber.ts'
import type { Actor } from '../../core/activity/actor.ts'
import { recordActivity } from '../../core/activity/record.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { emailKey } from '../../platform/kernel/email.ts'
import { inBody } from '../../platform/kernel/problem.ts'
import { badRequest } from '../../platform/kernel/refusal.ts'
import { type SeenVersion, asSeen } from '../../platform/kernel/running/seen-version.ts'
import { suppress, unsubscribe } from './leaving.ts'
import { type SubscriberRow, presentSubscriber, subscriberRecord } from './subscriber.ts'
import { besideRow, subscriberForUpdate, subscriberForUpdateById } from './reads.ts'
import { type TagChanges, tagKey, writeTags } from './tag-writes.ts'
import { writeDetails } from './writes.ts'

/*
 * What integrators can change about the list, other than adding to it: how somebody is greeted, and who leaves. Nobody is put back
 * on it by a key.
 */

type Key = Actor & { readonly kind: 'key' }

/** Changes what mail greets and congratulates somebody by; a field left out stays, null empties it. */
export const editSubscriber = async (
  work: Work,
  actor: Key,
  {
    id,
    seenVersion,
    changes,
  }: { readonly id: number; readonly seenVersion: SeenVersion; readonly changes: SubscriberChanges },
): Promise<SubscriberRow> => {
  const { db, venue } = work
  const row = await subscriberForUpdateById(db, venue.id, id)
  const before = asSeen('subscriber', row && { ...row, version: row.revision }, seenVersion)
  const to = { ...before, ...subscriberRecord.columns(changes) }
  checkBirthday(to.birth_month, to.birth_day)
  const now = work.now()
  const written = await writeDetails(db, venue.id, id, to, now)
  const after = { ...written, ...besideRow(before) }
  await recordEdit(work, actor, before, after, now)
  return after
}

/** Adds tags and takes others away; those named in neither list stay. */
export const changeTags = async (
  work: Work,
  actor: Key,
  {
    id,
    seenVersion,
    changes,
  }: { readonly id: number; readonly seenVersion: SeenVersion; readonly changes: TagChanges },
): Promise<SubscriberRow> => {
  const { db, venue } = work
  const row = await subscriberForUpdateById(db, venue.id, id)
  const before = asSeen('subscriber', row && { ...row, version: row.revision }, seenVersion)
  const now = work.now()
  const after = await writeTags(db, venue.id, before, changes, now)
  if (!after) return before
  await recordEdit(work, actor, before, after, now)
  return after
}

/** Which tags to change. Throws 400 when there is nothing to change or it cannot be worked out. */
export const readTagChanges = ({ add = [], remove = [] }: TagChanges): TagChanges => {
  if (add.length + remove.length === 0) {
    throw badRequest('Name at least one tag to add or to remove.', inBody('add', 'missing', 'field-missing'))
  }
  const adding = new Set(add.map(tagKey))
  if (remove.some((tag) => adding.has(tagKey(tag)))) {
    throw badRequest('A tag is both added and removed.', inBody('remove', 'not-here', 'field-conflict'))
  }
  return { add, remove }
}

const recordEdit = async (
  work: Work,
  actor: Key,
  before: SubscriberRow,
  after: SubscriberRow,
  now: Temporal.Instant,
): Promise<void> => {
  await recordEvent(work, 'subscriber.updated', presentSubscriber(after), now, {
    before: presentSubscriber(before),
  })
  await recordActivity(
    work,
    actor,
    { action: 'edit', record: { kind: 'subscriber', id: after.id }, before, after },
    now,
  )
}

/** Takes an address off the list; one that nobody here knows goes on the do-not-email list. */
export const unsubscribeAddress = async (
  work: Work,
  actor: Key,
  { email, reason }: { readonly email: string; readonly reason: string | undefined },
): Promise<{ readonly changed: boolean; readonly row: Subscriber | null }> => {
  const { db, venue } = work
  const found = await subscriberForUpdate(db, venue.id, emailKey(email))
  if (found) {
    const { left, subscriber } = await unsubscribe(work, actor, found.id)
    return { changed: left, row: subscriber }
  }
  const { changed } = await suppress(work, actor, { email, reason: 'asked_elsewhere', why: reason })
  return { changed, row: null }
}

/** The most days of each month, in a leap year. */
const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const checkBirthday = (month: number | null, day: number | null): void => {
  if ((month === null) !== (day === null)) {
    throw badRequest('birthMonth and birthDay go together.', inBody('birthDay', 'missing', 'field-conflict'))
  }
  if (month !== null && day !== null && day > (daysOfMonth[month - 1] ?? 0)) {
    throw badRequest('birthDay must be a day of that month.', inBody('birthDay', 'out-of-range'))
  }
}
