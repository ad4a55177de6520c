import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { whatItTakes } from './holdout.ts'

describe('how many people it takes to say what a campaign brought', () => {
  const said = (people: number, held: number, percent: number): string | undefined =>
    whatItTakes({ people, held, percent })?.split('brought: ')[1]

  it('is said as the share of the list that is enough, and not where so many are held back', () => {
    assert.equal(said(1_171, 58, 5), 'about 9% of 1,171 people.')
    assert.equal(said(1_171, 99, 9), 'about 10% of 1,171 people.', 'more than the share that was too small')
    assert.equal(said(1_171, 100, 9), undefined)
    assert.equal(said(1_171, 0, 0), 'about 9% of 1,171 people.')
  })

  it('is a longer list where even half of it is too few, or would leave too few others', () => {
    for (const [people, held, percent] of [
      [0, 0, 5],
      [150, 75, 50],
      [199, 100, 50],
      [200, 95, 50],
    ] as const)
      assert.equal(said(people, held, percent), 'that takes 200 people or more.', `${people}`)
    assert.equal(said(200, 90, 45), 'about 50% of 200 people.')
    assert.equal(said(200, 100, 50), undefined)
  })
})
