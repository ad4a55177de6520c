import { describe, it } from 'node:test'
import { faultsAtTheEnd, faultsNow } from './audit.ts'
import { guestSteps } from './guest-steps.ts'
import { machineSteps } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { moneyStories } from './stories.ts'
import { untilNothingIsLeft } from './until-nothing-is-left.ts'

/* Whatever guests, staff, the processor and dying processes do, in any order: in the end every cent is where both books say. */

describe('every cent', () => {
  const { tell } = moneyStories()

  it('is where both books say in the end, whatever guests, staff, the processor and dying processes do', () =>
    tell({
      runs: 5,
      length: { minLength: 40, maxLength: 100 },
      steps: [...guestSteps, ...staffSteps, ...machineSteps],
      beforeEach: (world) => {
        world.dying = world.random.chance(0.12) ? 0.6 : 0
      },
      faultsAfterEach: faultsNow,
      faultsAtTheEnd: async (world) => {
        await untilNothingIsLeft(world)
        return faultsAtTheEnd(world)
      },
    }))
})
