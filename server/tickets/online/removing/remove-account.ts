import {
  type FormerAccount,
  accountsToRemove,
  forgetAccount,
  lockFormerAccount,
  removeLater,
} from '../../../core/money/former-accounts.ts'
import { processorOf } from '../../../core/money/account-store.ts'
import { withdrawCheckouts } from '../../../core/money/checkout-store.ts'
import { type ProcessorWork, forEachDue } from '../../../core/money/each-due.ts'
import { isDenied } from '../../../core/money/processor.ts'
import {
  holdGuarantee,
  lookAtGuarantee,
  releaseCard,
} from '../../../book/reservations/guarantee/guarantee-store.ts'
import { isBeingCharged } from '../../../book/reservations/guarantee/charging/charge-store.ts'
import { retryMinutes } from '../../../book/reservations/guarantee/jobs.ts'
import { showGuarantee } from '../../../book/reservations/guarantee/show-guarantee.ts'
import type { Work } from '../../../context.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { cardsToRelease, heldByAccount, isStillNeeded } from './held-by-account.ts'

/*
 * Goes on with the removal of former accounts. Each step leaves what says that it is done, and the key goes last: a crash between two
 * of them repeats at most a call that finds nothing left.
 */

/** How often it is looked whether what is under way has ended, in seconds. */
const againSeconds = 10

export const removeAccounts = (parts: ProcessorWork, signal: AbortSignal): Promise<void> =>
  forEachDue(parts, signal, {
    queue: accountsToRemove,
    act: (venue, account) => goOn(parts, venue, account),
    mistake: 'a former account could not be removed',
  })

const goOn = async (parts: ProcessorWork, venue: Venue, account: FormerAccount): Promise<void> => {
  const { db, clock } = parts
  const now = clock()
  // One that Stripe did not delete is tried again by then.
  const soon = now.add({ minutes: retryMinutes })
  for (const card of await cardsToRelease(db, venue.id, account.id, { now, soon }))
    await releaseOne(parts, venue, account, card)
  const isEnded =
    !isStillNeeded(await heldByAccount(db, venue.id, account.id, clock())) &&
    (await isCalledNoMore(parts, venue, account)) &&
    (await forgotten(parts, venue, account))
  if (!isEnded) await removeLater(db, venue.id, account.id, clock().add({ seconds: againSeconds }))
}

/** It is deleted as any whose booking needs none: `deleteCards` asks the processor. */
const releaseOne = (
  { db, clock }: ProcessorWork,
  venue: Venue,
  account: FormerAccount,
  id: number,
): Promise<void> =>
  db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const row = await holdGuarantee(work.db, venue.id, id)
    if (row?.account_id !== account.id || row.customer_ref === null || row.status === 'asked') return
    // Whether it is charged is known first.
    if (await isBeingCharged(work.db, venue.id, id)) return
    if (row.asked_cents > 0 && row.reservation_id !== null)
      await withdrawCheckouts(work.db, venue.id, { reservations: [row.reservation_id] })
    await releaseCard(work.db, venue.id, id, clock())
    await lookAtGuarantee(work.db, venue.id, id, clock())
    await showGuarantee(work, row.reservation_id)
  })

/** False: it did not answer, or failed. A key that may not do this, or is no longer taken, leaves that to the owner. */
const isCalledNoMore = async (
  parts: ProcessorWork,
  venue: Venue,
  { id, callback_ref: callbackRef }: FormerAccount,
): Promise<boolean> => {
  if (callbackRef === null) return true
  const outcome = await (await processorOf(parts, venue, id, 'job')).unregister(callbackRef)
  return outcome.kind === 'done' || outcome.kind === 'gone' || isDenied(outcome)
}

/** Looks once more whether it is needed, with the account locked: what began before that is written by then. */
const forgotten = ({ db, clock }: ProcessorWork, venue: Venue, { id }: FormerAccount): Promise<boolean> =>
  db.transaction(async (queries) => {
    const work: Work = { db: queries.within(venue.id), venue, now: clock }
    const row = await lockFormerAccount(work.db, venue.id, id)
    if (!row || row.remove_at === null) return true
    if (isStillNeeded(await heldByAccount(work.db, venue.id, id, clock()))) return false
    await forgetAccount(work, row)
    return true
  })
