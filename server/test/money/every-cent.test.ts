import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import type { TestService } from '../service.ts'
import { startPaidService } from '../stripe/paid-service.ts'
import type { StripeStandIn } from '../stripe/stand-in.ts'
import { assertNone, faultsAtTheEnd, faultsNow } from './audit.ts'
import { buyAtOnce, guestSteps } from './guest-steps.ts'
import { finishServices, machineSteps, mayBeLost, workAll } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { type MoneyWorld, openMoneyWorld, tried } from './world.ts'

/*
 * Whatever guests, staff, the processor and dying processes do, in any order: in the end every cent is where both books say.
 * MONEY_RUNS and MONEY_SEED say how many stories are tried, and which; a failure prints its seed and the story, with
 * MONEY_SHRINK=on the shortest one that fails.
 */

const runs = Number(process.env['MONEY_RUNS'] ?? 5)
const seed = process.env['MONEY_SEED'] || undefined

const all = [...guestSteps, ...staffSteps, ...machineSteps]
const chosen = (random: MoneyWorld['random']) =>
  random.weighted(all.map(([name, step, weight]) => [[name, step] as const, weight]))

describe('every cent', () => {
  let service: TestService
  let stripe: StripeStandIn
  before(async () => {
    ;({ service, stripe } = await startPaidService())
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })

  it('is where both books say in the end, whatever guests, staff, the processor and dying processes do', async () => {
    const steps = fc.array(fc.noBias(fc.nat()), { minLength: 40, maxLength: 100 })
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat()), steps, async (first, drawn) => {
        const world = await openMoneyWorld({ service, stripe }, first)
        for (const buy of buyAtOnce) await tried(world, 'guest buys', () => buy(world))
        for (const each of drawn) {
          world.redraw(each)
          world.dying = world.random.chance(0.12) ? 0.6 : 0
          const [name, step] = chosen(world.random)
          await tried(world, name, () => step(world))
          assertNone(await faultsNow(world), world)
        }
        await untilNothingIsLeft(world)
        assertNone(await faultsAtTheEnd(world), world)
      }),
      {
        numRuns: runs,
        endOnFailure: process.env['MONEY_SHRINK'] !== 'on',
        ...(seed !== undefined && { seed: Number(seed) }),
      },
    )
  })
})

const decided: ReadonlySet<string> = new Set(['lost', 'won', 'warning_closed', 'prevented'])

/** The processor is well again, and time passes until nothing is due any more. */
const untilNothingIsLeft = async (world: MoneyWorld): Promise<void> => {
  const { stripe, random, service } = world
  world.dying = 0
  Object.assign(stripe, { trouble: undefined, refundsPend: false, declines: undefined })
  for (const refund of [...stripe.refunds.values()])
    if (refund.status === 'pending')
      await stripe.endRefund(refund.id, random.chance(0.7) ? 'succeeded' : 'failed')
  // What waits for a bank's decision waits until there is one.
  for (const { payment_intent: intent, status } of [...stripe.disputes.values()])
    if (typeof intent === 'string' && !decided.has(status))
      await stripe.dispute(intent, random.chance(0.5) ? 'lost' : 'won')
  for (const event of random.shuffled(stripe.held))
    if (!mayBeLost(event) || random.chance(0.5)) await stripe.call(event)
  stripe.held.length = 0
  const last = Temporal.Instant.from('2026-11-10T12:00:00Z')
  for (let round = 0; round < 400; round++) {
    await workAll(world)
    await finishServices(world)
    const next = await nextDue(world)
    const now = service.context.clock()
    if (next === null && Temporal.Instant.compare(now, last) >= 0) return
    const until = next === null || Temporal.Instant.compare(next, last) > 0 ? last : next
    service.setClock((Temporal.Instant.compare(until, now) > 0 ? until : now).add({ seconds: 1 }).toString())
  }
  world.mistakes.push('something is looked at again and again')
}

const nextDue = async ({ rows }: MoneyWorld): Promise<Temporal.Instant | null> => {
  const [row] = await rows<{ at: string | null }>(
    `select to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at from (
       select look_at as at from checkout where venue_id = $1 and state in ('made', 'opening', 'open', 'ended')
       union all select look_at from refund where venue_id = $1 and state = 'pending'
       union all select look_at from payment where venue_id = $1 and state = 'pending'
       union all select look_at from guarantee where venue_id = $1
       union all select coalesce(look_at, at + interval '1 hour') from processor_event where venue_id = $1 and looked_at is null) t`,
  )
  return row?.at == null ? null : Temporal.Instant.from(row.at)
}
