import { describe, it } from 'node:test'
import { movedBetween, netOf } from '../../tickets/online/movement-reads.ts'
import { faultsNow, paidThere } from './audit.ts'
import { guestSteps } from './guest-steps.ts'
import { machineSteps, workAll } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { moneyStories } from './stories.ts'
import { faultsOfWeeks } from './weeks.ts'
import type { MoneyWorld } from './world.ts'

/*
 * Where nothing is lost and nothing is late, the page of payments has what the processor has, after every single step: also what
 * is given back in cash and then once more in the dashboard, and what a bank takes of a payment that was partly refunded.
 */

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

describe('the page of payments', () => {
  const { tell } = moneyStories()

  it('has what is left at the processor to the cent after each step, whatever was given back, lost and won', () =>
    tell({
      runs: 4,
      length: { minLength: 30, maxLength: 50 },
      steps: [...guestSteps, ...staffSteps, ...machineSteps].filter(([name]) => names.has(name)),
      begun: settled,
      faultsAfterEach: async (world) => {
        await settled(world)
        return [...(await faultsNow(world)), ...(await notTheSame(world))]
      },
      faultsAtTheEnd: (world) => {
        world.service.setClock('2026-11-10T12:00:00Z')
        return faultsOfWeeks(world)
      },
    }))
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
  const ours = paidThere({ stripe, venue })
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
