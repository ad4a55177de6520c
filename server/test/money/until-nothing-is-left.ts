import { waitsForBank } from '../../core/money/matter-store.ts'
import { sql } from '../../platform/db/sql.ts'
import { toInstant } from '../../platform/kernel/time/moment.ts'
import { checkBooks } from '../../tickets/online/reconciling/nightly.ts'
import { finishServices, workAll } from './machine-steps.ts'
import type { MoneyWorld } from './world.ts'

const decided: ReadonlySet<string> = new Set(['lost', 'won', 'warning_closed', 'prevented'])

/** The processor is well again, and time passes until nothing is due any more. `nights`: books are compared meanwhile. */
export const untilNothingIsLeft = async (world: MoneyWorld, { nights = true } = {}): Promise<void> => {
  const { stripe, random } = world
  world.dying = 0
  Object.assign(stripe, { trouble: undefined, refundsPend: false, declines: undefined })
  for (const refund of [...stripe.refunds.values()])
    if (refund.status === 'pending')
      await stripe.endRefund(refund.id, random.chance(0.7) ? 'succeeded' : 'failed')
  // What waits for a bank's decision waits until there is one.
  for (const { payment_intent: intent, status } of [...stripe.disputes.values()])
    if (typeof intent === 'string' && !decided.has(status))
      await stripe.dispute(intent, random.chance(0.5) ? 'lost' : 'won')
  for (const event of random.shuffled(stripe.held)) if (random.chance(0.5)) await stripe.call(event)
  stripe.held.length = 0
  await workUntil(world, '2026-11-08T12:00:00Z', nights)
  if (!nights) return
  // What a bank sends back by then, and nobody calls about, the next night finds.
  for (const refund of [...stripe.refunds.values()])
    if (refund.status === 'succeeded' && random.chance(0.3)) await stripe.endRefund(refund.id, 'failed')
  stripe.held.length = 0
  await workUntil(world, '2026-11-10T12:00:00Z', nights)
}

const workUntil = async (world: MoneyWorld, moment: string, nights: boolean): Promise<void> => {
  const { service } = world
  const last = Temporal.Instant.from(moment)
  for (let round = 0; round < 400; round++) {
    await workAll(world)
    await finishServices(world)
    // Once a night, for all days since the last time.
    if (nights) await checkBooks(world.context, new AbortController().signal)
    const next = await nextDue(world)
    const now = service.context.clock()
    if (next === null && Temporal.Instant.compare(now, last) >= 0) return
    const until = next === null || Temporal.Instant.compare(next, last) > 0 ? last : next
    service.setClock((Temporal.Instant.compare(until, now) > 0 ? until : now).add({ seconds: 1 }).toString())
  }
  world.mistakes.push('something is looked at again and again')
}

/** The next moment at which there is work; what waits for a bank's decision is done once that is known. */
const nextDue = async ({ context, venue }: MoneyWorld): Promise<Temporal.Instant | null> => {
  const { at } = await context.db.one(sql({ at: 'timestamptz?' })`
    select min(at) as at from (
       select look_at as at from checkout where venue_id = ${venue.id}
       union all select look_at from refund where venue_id = ${venue.id} and state = 'pending' and not ${waitsForBank(venue.id, 'refund')}
       union all select look_at from payment where venue_id = ${venue.id} and state = 'pending'
       union all select look_at from guarantee where venue_id = ${venue.id}
       union all select look_at from processor_account where venue_id = ${venue.id}
       union all select coalesce(look_at, at + interval '1 hour') from processor_event where venue_id = ${venue.id} and looked_at is null) t`)
  return at === null ? null : toInstant(at)
}
