import type { Context } from '../../../context.ts'
import {
  type AccountRow,
  openAccount,
  venuesToReconcile,
  writeReconciled,
} from '../../../core/money/account-store.ts'
import { checkCallback } from '../../../core/money/connect.ts'
import { addMatter, mattersNamed } from '../../../core/money/matter-store.ts'
import { forEachVenue } from '../../../core/venue/each-venue.ts'
import type { Venue } from '../../../core/venue/venue.ts'
import { addDays } from '../../../platform/kernel/time/calendar.ts'
import { wallTimeOf } from '../../../platform/kernel/time/venue-clock.ts'
import { matterOf, namesOf, reconcile } from './reconcile.ts'

type Parts = Pick<Context, 'db' | 'clock' | 'secrets' | 'hold' | 'processors' | 'log' | 'config'>

/** From then on the day before is over, also for guests who paid at the end of it. */
const fromTime = '04:00'
/** After a longer pause somebody reconciles by hand. */
const mostDays = 31

/**
 * Once a night at each venue that takes payments: whether the processor still calls, and whether its books and ours agree
 * on the days since the last time. What differs is for somebody to look at. One that could not be asked is asked again
 * an hour later; an account that the venue left is not waited for.
 */
export const checkBooks = async (parts: Parts, signal: AbortSignal): Promise<void> => {
  const { db, log, hold } = parts
  if (hold.isOn()) return
  await forEachVenue({ db, log }, await venuesToReconcile(db), async (venue) => {
    if (signal.aborted) return
    const account = await openAccount(db, venue.id)
    const yesterday = dayToCheck(parts, venue)
    if (!account || yesterday === undefined || (account.reconciled_on ?? '') >= yesterday) return
    await checkCallback(parts, { db: db.within(venue.id), venue, now: parts.clock }, account)
    await checkDays(parts, venue, account, yesterday)
  })
}

const dayToCheck = ({ clock }: Parts, venue: Venue): string | undefined => {
  const { date, time } = wallTimeOf(clock(), venue.timezone)
  return time < fromTime ? undefined : addDays(date, -1)
}

const checkDays = async (parts: Parts, venue: Venue, account: AccountRow, to: string): Promise<void> => {
  const { db, clock, log } = parts
  const earliest = addDays(to, 1 - mostDays)
  const next = account.reconciled_on === null ? to : addDays(account.reconciled_on, 1)
  const { differences, denied } = await reconcile(parts, venue, {
    from: next < earliest ? earliest : next,
    to,
  })
  if (denied.length > 0)
    log.warn(
      { venue: venue.slug, accounts: denied.length },
      'the processor does not take a key, or lets it read no disputes',
    )
  await db.transaction(async (queries) => {
    const within = queries.within(venue.id)
    const named = await mattersNamed(within, venue.id, differences.flatMap(namesOf))
    const known = new Set(named.map(({ subject }) => subject))
    // What a restored copy found is on the page already: once more it would look like other money.
    for (const one of differences.filter((each) => !namesOf(each).some((name) => known.has(name)))) {
      const { what, how, orderId, booking, amountCents, currency, movedAt } = one
      const matter = {
        ...({ kind: 'differs', subject: matterOf(one), order: orderId, reservation: booking } as const),
        ...{ amountCents, currency, movedAt, state: how, reason: what },
      }
      await addMatter(within, venue.id, matter, clock())
    }
    if (!denied.includes(account.id)) await writeReconciled(within, venue.id, account.id, to)
  })
}
