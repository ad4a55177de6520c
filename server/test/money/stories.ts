import { after, before } from 'node:test'
import fc from 'fast-check'
import type { TestService } from '../service.ts'
import { startPaidService } from '../stripe/paid-service.ts'
import type { StripeStandIn } from '../stripe/stand-in.ts'
import { assertNone } from './audit.ts'
import { type Step, buyAtOnce } from './guest-steps.ts'
import { type MoneyWorld, openMoneyWorld, tried } from './world.ts'

/*
 * Stories of what guests, staff, the processor and dying processes do, in any order, beside one service. They are the same ones
 * each time, so that a failure is about the change at hand. MONEY_SEED=random MONEY_RUNS=100 looks for others; a failure prints its
 * seed, by which it is told again, and the story, with MONEY_SHRINK=on the shortest one that fails.
 */

export type NamedStep = readonly [name: string, step: Step, weight: number]

type Story = {
  readonly runs: number
  /** Those that failed once, told first: by what they begin with, and what each step is drawn from. */
  readonly toldBefore?: readonly (readonly [first: number, drawn: readonly number[]])[]
  /** How many steps it has. */
  readonly length: { readonly minLength: number; readonly maxLength: number }
  readonly steps: readonly NamedStep[]
  /** Once guests have bought at its beginning. */
  readonly begun?: (world: MoneyWorld) => Promise<unknown>
  readonly beforeEach?: (world: MoneyWorld) => void
  /** What is wrong after a step. */
  readonly faultsAfterEach: (world: MoneyWorld) => Promise<string[]>
  /** What is wrong once all of it is over. */
  readonly faultsAtTheEnd: (world: MoneyWorld) => Promise<string[]>
}

export const moneyStories = () => {
  const parts = {} as { service: TestService; stripe: StripeStandIn }
  before(async () => {
    Object.assign(parts, await startPaidService())
  })
  after(async () => {
    await parts.service.stop()
    await parts.stripe.stop()
  })
  return {
    tell: (story: Story): Promise<void> =>
      fc.assert(
        fc.asyncProperty(
          fc.noBias(fc.nat()),
          fc.array(fc.noBias(fc.nat()), story.length),
          async (first, drawn) => {
            await tell(await openMoneyWorld(parts, first), drawn, story)
          },
        ),
        {
          examples: (story.toldBefore ?? []).map(([first, drawn]) => [first, [...drawn]]),
          numRuns: Number(process.env['MONEY_RUNS'] ?? story.runs),
          endOnFailure: process.env['MONEY_SHRINK'] !== 'on',
          ...(seed !== 'random' && { seed: Number(seed) }),
        },
      ),
  }
}

const { MONEY_SEED: seed = '20261006' } = process.env

const tell = async (world: MoneyWorld, drawn: readonly number[], story: Story): Promise<void> => {
  for (const buy of buyAtOnce) await tried(world, 'guest buys', () => buy(world))
  await story.begun?.(world)
  for (const number of drawn) {
    world.redraw(number)
    story.beforeEach?.(world)
    const [name, step] = world.random.weighted(
      story.steps.map(([called, does, weight]) => [[called, does] as const, weight]),
    )
    await tried(world, name, () => step(world))
    assertNone(await story.faultsAfterEach(world), world)
  }
  assertNone(await story.faultsAtTheEnd(world), world)
}
