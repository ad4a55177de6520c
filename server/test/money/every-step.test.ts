import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { movedBetween, netOf } from '../../tickets/online/movement-reads.ts'
import type { TestService } from '../service.ts'
import { startPaidService } from '../stripe/paid-service.ts'
import type { StripeStandIn } from '../stripe/stand-in.ts'
import { assertNone, faultsNow } from './audit.ts'
import { buyAtOnce, guestSteps } from './guest-steps.ts'
import { machineSteps, workAll } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { faultsOfWeeks } from './weeks.ts'
import { type MoneyWorld, openMoneyWorld, tried } from './world.ts'

/*
 * Where nothing is lost and nothing is late, the page of payments has what the processor has, after every single step: also what
 * is given back in cash and then once more in the dashboard, and what a bank takes of a payment that was partly refunded.
 */

const seed = process.env['MONEY_SEED'] || undefined
const runs = Number(process.env['MONEY_RUNS'] ?? 4)

const names: ReadonlySet<string> = new Set([
  ...[
    'manager refunds an order',
    'manager hands cash back',
    'a refund in the dashboard',
    'a dispute',
    'a refund ends',
  ],
  ...['the processor changes', 'manager gives back', 'manager sends a refund again', 'staff cancel'],
  ...['guest buys tickets', 'guest secures a table', 'guest returns seats'],
])
const steps = [...guestSteps, ...staffSteps, ...machineSteps].filter(([name]) => names.has(name))

describe('the page of payments', () => {
  let service: TestService
  let stripe: StripeStandIn
  before(async () => {
    ;({ service, stripe } = await startPaidService())
  })
  after(async () => {
    await service.stop()
    await stripe.stop()
  })

  it('has what is left at the processor to the cent after each step, whatever was given back, lost and won', async () => {
    const drawn = fc.array(fc.noBias(fc.nat()), { minLength: 30, maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat()), drawn, async (first, each) => {
        const world = await openMoneyWorld({ service, stripe }, first)
        for (const buy of buyAtOnce) await tried(world, 'guest buys', () => buy(world))
        await settled(world)
        for (const number of each) {
          world.redraw(number)
          const [name, step] = world.random.weighted(
            steps.map(([called, does, weight]) => [[called, does] as const, weight]),
          )
          await tried(world, name, () => step(world))
          await settled(world)
          assertNone([...(await faultsNow(world)), ...(await notTheSame(world))], world)
        }
        service.setClock('2026-11-10T12:00:00Z')
        assertNone(await faultsOfWeeks(world), world)
      }),
      {
        numRuns: runs,
        endOnFailure: process.env['MONEY_SHRINK'] !== 'on',
        ...(seed !== undefined && { seed: Number(seed) }),
      },
    )
  })
})

/** Everything is heard, looked at and done. */
const settled = async (world: MoneyWorld): Promise<void> => {
  for (let round = 0; round < 3; round++) {
    for (const event of world.stripe.held.splice(0)) await world.stripe.call(event)
    await workAll(world)
    world.later({ seconds: 61 })
  }
}

const notTheSame = async ({ service, stripe, venue }: MoneyWorld): Promise<string[]> => {
  const ours = [...stripe.intents.values()].filter(
    ({ status, metadata }) => status === 'succeeded' && metadata['venue'] === String(venue.id),
  )
  const sum = (amounts: readonly { readonly amount: number }[]): number =>
    amounts.reduce((all, { amount }) => all + amount, 0)
  const isOurs = ({ payment_intent: of }: { readonly payment_intent: string }): boolean =>
    ours.some(({ id }) => id === of)
  const there =
    sum(ours) -
    sum([...stripe.refunds.values()].filter((one) => one.status === 'succeeded' && isOurs(one))) -
    sum([...stripe.disputes.values()].filter((one) => one.status === 'lost' && isOurs(one)))
  const moved = await movedBetween(service.db, venue.id, {
    from: Temporal.Instant.from('2026-10-01T00:00:00Z'),
    to: Temporal.Instant.from('2027-01-01T00:00:00Z'),
    live: false,
  })
  const here = moved.reduce((all, one) => all + netOf(one), 0)
  return here === there ? [] : [`${there} is left there, and ${here} is on the page`]
}
