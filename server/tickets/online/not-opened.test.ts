import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sellingOnline } from '../../test/selling-online.ts'

describe('the two last seats of a date, whose payment page was never opened', () => {
  const scene = sellingOnline()
  const { made, pay, row, ask, newDate, sweep, later } = scene
  const opening = 'POST /v1/checkout/sessions'
  const ofTwo = async (): Promise<number> => {
    scene.date = await newDate({ capacity: 2 })
    return made()
  }

  it('are free 15 minutes after they were chosen, where nobody pressed, whoever looks', async () => {
    const id = await ofTwo()
    later(14)
    assert.equal((await ask()).kind, 'refused')
    later(1)
    assert.equal((await row(id)).state, 'made')
    assert.equal((await ask()).kind, 'checkout')
    await sweep()
    assert.deepEqual([(await row(id)).state, (await row(id)).why], ['ended', 'late'])
  })

  it('are free once the same call, more than a minute later, is refused: its end is too near, so none was made before', async () => {
    const id = await ofTwo()
    const before = scene.stripe.sessions.size
    scene.stripe.calls.length = 0
    scene.stripe.trouble = { at: opening, how: 'busy' }
    await pay(id)
    assert.equal((await row(id)).state, 'opening')
    later(2)
    assert.equal((await ask()).kind, 'refused')
    await sweep()
    const { state, why, session_ref: page } = await row(id)
    assert.deepEqual([state, why, page], ['ended', 'not-opened', null])
    const keys = scene.stripe.calls.filter(({ what }) => what === opening).map(({ key }) => key)
    assert.deepEqual([keys.length, new Set(keys).size], [2, 1])
    assert.equal(scene.stripe.sessions.size, before)
    assert.equal((await ask()).kind, 'checkout')
  })

  it('are free 33 minutes after the press, where no call is ever answered', async () => {
    const id = await ofTwo()
    const before = scene.stripe.sessions.size
    for (let minute = 0; minute < 33; minute++) {
      scene.stripe.trouble = { at: opening, how: 'busy' }
      await (minute === 0 ? pay(id) : sweep())
      assert.equal((await row(id)).state, 'opening')
      later(1)
      if (minute === 31) assert.equal((await ask()).kind, 'refused')
    }
    assert.equal((await ask()).kind, 'checkout')
    scene.stripe.trouble = { at: opening, how: 'busy' }
    await sweep()
    assert.deepEqual([(await row(id)).state, (await row(id)).why], ['ended', 'late'])
    assert.equal(scene.stripe.sessions.size, before)
  })
})
