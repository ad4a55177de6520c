import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { answerMs } from '../../core/money/processor.ts'
import { stripeProcessors } from '../../core/money/stripe.ts'
import type { Processors } from '../../core/money/processor.ts'
import { guestAt } from '../../test/guest.ts'
import { sellingOnline } from '../../test/selling-online.ts'

/** The longest that a guest looks at a page that does not come. */
const mostSeconds = 6

describe('the button that leads to the processor, while nothing is heard of it', () => {
  const scene = sellingOnline()
  const { made, pay, pageOf, row, ask, newDate, sweep, later } = scene
  let usual: Processors
  /** The service as it runs, with another patience or another address. */
  const speakTo = (processors: Processors) => Object.assign(scene.service.context, { processors })
  beforeEach(() => {
    usual = scene.service.context.processors
  })
  afterEach(() => speakTo(usual))
  const opened = () => scene.stripe.calls.filter(({ what }) => what === 'POST /v1/checkout/sessions')

  it('says so within six seconds: it waits for one answer, and the page after it asks for nothing', async () => {
    // The job that looks later is as patient as ever: here it is answered, however busy the machine is.
    speakTo(stripeProcessors(scene.stripe.url, { ...answerMs, request: 50 }))
    const id = await made()
    scene.stripe.calls.length = 0
    scene.stripe.trouble = { at: 'POST /v1/checkout/sessions', how: 'slow' }
    const pressed = await pay(id)
    assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, pageOf(id)])
    const { status, text, headers } = await guestAt(scene.service, pageOf(id))
    assert.equal(status, 200)
    assert.match(text, /One moment[^]*The payment page is being opened\./)
    assert.match(headers.get('refresh') ?? text, /2/)
    assert.equal((await row(id)).state, 'opening')
    // As long as the real service waits, for each call that was made meanwhile, and a second for all else.
    assert.ok(
      scene.stripe.calls.length * answerMs.request + 1_000 <= mostSeconds * 1_000,
      scene.stripe.calls.map(({ what }) => what).join(),
    )
    later(1)
    await sweep()
    assert.equal((await row(id)).state, 'open', 'once it is heard of again')
    assert.equal(opened().length, 2)
    assert.equal(
      new Set(opened().map(({ key }) => key)).size,
      1,
      'the same call once more, so it is one page',
    )
  })

  it('says that no money was taken where it cannot be reached at all, and the seats are free at once', async () => {
    scene.date = await newDate({ capacity: 2 })
    const id = await made()
    assert.equal((await ask()).kind, 'refused')
    speakTo(stripeProcessors('http://127.0.0.1:9', { request: 50, job: 50 }))
    assert.equal((await pay(id)).status, 303)
    const { text } = await guestAt(scene.service, pageOf(id))
    assert.match(text, /The payment page could not be opened\. No money was taken\./)
    assert.equal((await row(id)).state, 'ended')
    speakTo(usual)
    assert.equal((await ask()).kind, 'checkout')
  })
})
