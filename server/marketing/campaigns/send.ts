import { limits } from '@venue-data/contract/limits.ts'
import type { Actor } from '../../core/activity/actor.ts'
import type { Work } from '../../context.ts'
import { recordEvent } from '../../core/events/record.ts'
import { numberInWords } from '../../platform/kernel/time/in-words.ts'
import { type Refusal, notFound, refuse } from '../../platform/kernel/refusal.ts'
import { recordCampaign } from './activity.ts'
import { allowanceForUpdate } from './allowance.ts'
import { presentCampaign } from './present.ts'
import { type CampaignRow, campaignForUpdate, pendingOf, recipientsOf, retryableCopies } from './reads.ts'
import { alreadySending, campaignClosed } from './rules.ts'
import { campaignMoves } from './states.ts'
import { retryCopies, writeScheduled } from './writes.ts'

export type Send = {
  readonly id: number
  /** Null: now, after the hold. */
  readonly scheduledAt: Temporal.Instant | null
  readonly confirmCount: number | undefined
}

/** What blocks a send besides the campaign's own state; the row is locked. `due`: when it would go out. */
export type CheckContent = (
  work: Work,
  row: CampaignRow,
  due: Temporal.Instant,
) => Promise<Refusal | undefined>

export type Taken = {
  readonly row: CampaignRow
  readonly recipientsTotal: number
  readonly pending: number
  readonly retried: number
}

/**
 * Schedules a campaign, or sends one again for the copies that failed for a temporary reason. One of many
 * sends at once wins. Refuses in this order: unknown; campaign-closed, already-sending, no-test-send, no-recipients,
 * list-unreliable, checklist-blocked, count-changed, plan-limit; on any refusal, the campaign stays as it was.
 */
export const sendCampaign = async (
  work: Work,
  actor: Actor,
  check: CheckContent,
  { id, scheduledAt, confirmCount }: Send,
): Promise<Taken> => {
  const { db, venue } = work
  const row = await campaignForUpdate(db, venue.id, id)
  if (!row) throw notFound('campaign')
  if (row.status === 'scheduled' || row.status === 'sending') throw alreadySending(row)
  const retryable = row.status === 'sent' ? await retryableCopies(db, venue.id, id) : 0
  if (row.status === 'cancelled' || (row.status === 'sent' && retryable === 0)) throw campaignClosed(row)

  const pending = pendingOf(row) + retryable
  if (row.test_sent_at === null) throw noTest()
  if (row.composed_at === null || pending === 0) throw nobody(row)
  if (!row.reliable) throw unreliable()
  const now = work.now()
  const due = scheduledAt ?? now.add({ minutes: limits.sendHoldMinutes })
  const blocked = await check(work, row, due)
  if (blocked) throw blocked
  if (confirmCount !== undefined && confirmCount !== pending) throw countChanged(pending, confirmCount)

  const { left } = await allowanceForUpdate(db, venue, due, now)
  if (pending > left) throw overPlan(pending, left)

  const retried = row.status === 'sent' ? await retryCopies(db, venue.id, id, now) : 0
  const after = await writeScheduled(
    db,
    venue.id,
    id,
    { scheduledAt: due, holdUntil: scheduledAt === null ? due : null },
    now,
  )
  await recordEvent(work, campaignMoves.send.names, presentCampaign(venue, after), now, {
    before: presentCampaign(venue, row),
  })
  await recordCampaign(work, actor, retryable > 0 ? 'sendAgain' : 'send', row, after, now)
  return { row: after, recipientsTotal: recipientsOf(after), pending: pendingOf(after), retried }
}

const noTest = (): Refusal =>
  refuse('no-test-send', 'Send a test first: no test of this content has reached the venue.')

const nobody = ({ composed_at }: CampaignRow): Refusal =>
  refuse(
    'no-recipients',
    composed_at === null
      ? 'There is nobody to send to: the list was not built yet.'
      : 'There is nobody to send to: the list is empty.',
  )

const unreliable = (): Refusal =>
  refuse(
    'list-unreliable',
    'The list cannot be relied on: something it rests on was missing when it was built. Build it again.',
  )

const countChanged = (pending: number, confirmed: number): Refusal =>
  refuse(
    'count-changed',
    `The list now has ${numberInWords(pending)} ${pending === 1 ? 'person' : 'people'}, not ${numberInWords(confirmed)}. Check it and send again.`,
  )

const overPlan = (pending: number, left: number): Refusal =>
  refuse(
    'plan-limit',
    `This would send ${numberInWords(pending)} ${pending === 1 ? 'e-mail' : 'e-mails'} and the plan has ${numberInWords(left)} left this month.`,
  )
