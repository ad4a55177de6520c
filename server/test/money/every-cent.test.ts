import { describe, it } from 'node:test'
import { faultsAtTheEnd, faultsNow } from './audit.ts'
import { guestSteps } from './guest-steps.ts'
import { machineSteps } from './machine-steps.ts'
import { staffSteps } from './staff-steps.ts'
import { moneyStories } from './stories.ts'
import { untilNothingIsLeft } from './until-nothing-is-left.ts'

/* Whatever guests, staff, the processor and dying processes do, in any order: in the end every cent is where both books say. */

/** A party grows, pays for its new guests otherwise, and shrinks to fewer than those: the rest of that is given back by people. */
const shrunkBelow = [
  1601203701,
  [
    1013535038, 1563175977, 835899477, 1316880046, 1671828977, 1242169236, 1709081112, 764061506, 1101698444,
    670361208, 1473904475, 1454122918, 59641118, 1528206582, 793237476, 828169956, 1995416913, 1970123522,
    479647024, 26835863, 522192452, 316970948, 1631780316, 673631894, 1574549050, 99830790, 1715962729,
    687346847, 272949431, 1012910540, 863059339, 993725056, 834820457, 1222675316, 378323813, 1989055089,
    421247675, 14246459, 635302760, 2045781594, 584676965,
  ],
] as const

describe('every cent', () => {
  const { tell } = moneyStories()

  it('is where both books say in the end, whatever guests, staff, the processor and dying processes do', () =>
    tell({
      runs: 6,
      toldBefore: [shrunkBelow],
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
