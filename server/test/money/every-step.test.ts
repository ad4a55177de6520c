import { describe, it } from 'node:test'
import { movedBetween, netOf } from '../../tickets/online/reconciling/movement-reads.ts'
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

/** A bank took a payment of which a part was on its way back in the dashboard: it was on the page only once that had ended. */
const takenWhileUnderWay = [
  1_067_802_035,
  [
    ...[1_699_983_135, 914_478_457, 1_166_788_439, 2_117_075_803, 254_599_278, 843_901_192, 960_848_477],
    ...[1_783_787_007, 937_047_431, 788_013_085, 1_315_432_078, 1_319_302_492, 1_462_062_515, 246_990_489],
    ...[671_347_706, 348_331_589, 1_949_456_500, 211_383_321, 1_775_822_508, 90_185_128, 1_253_200_049],
    ...[1_598_693_969, 1_624_192_928, 436_322_317, 1_467_648_703, 920_029_819, 679_994_489, 1_160_091_458],
    ...[1_847_075_273, 1_482_561_932, 1_436_785_622, 309_358_493, 621_487_993, 1_174_476_936, 790_930_478],
  ],
] as const

describe('the page of payments', () => {
  const { tell } = moneyStories()

  it('has what is left at the processor to the cent after each step, whatever was given back, lost and won', () =>
    tell({
      runs: 4,
      toldBefore: [takenWhileUnderWay],
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
