import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Stripe } from 'stripe'
import { seal } from '../../platform/kernel/secrets.ts'
import { toMoment } from '../../platform/kernel/time/moment.ts'
import type { Received, Receiver } from '../../test/receiver.ts'
import type { TestVenue } from '../../test/service.ts'
import { type Scene, hours, startScene } from './test/scene.ts'

/*
 * Secret rotation and both forms of signature, checked by independent verifiers. The Standard Webhooks verifier uses
 * the machine's clock, so the scene's clock is set to it.
 */

describe('the secrets of an endpoint', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  let id: string
  let first: string
  before(async () => {
    scene = await startScene()
    scene.worker()
    scene.service.setClock(toMoment(Temporal.Now.instant()))
  })
  after(() => scene.stop())

  const call = (method: string, path: string, body?: unknown) =>
    scene.service.call(method, `/api/v1/webhooks${path}`, {
      key: venue.key,
      ...(body !== undefined && { body }),
    })
  const begin = async (more: object = {}): Promise<void> => {
    venue = await scene.service.venue()
    receiver = await scene.receiver()
    const made = await call('POST', '', { url: `${receiver.url}/in`, events: ['guest.created'], ...more })
    assert.equal(made.status, 201, made.text)
    id = made.body.id
    first = made.body.secret
  }
  const rotate = (body: object) => call('POST', `/${id}/rotate-secret`, body)
  /** What arrives for one event. */
  const arriving = async (): Promise<Received> => {
    await scene.happen(venue)
    await scene.quiet()
    return receiver.received.at(-1) as Received
  }
  const nowSeconds = () => Math.floor(scene.service.context.clock().epochMilliseconds / 1000)
  const signatureOf = ({ headers }: Received) => String(headers['x-service-signature'])
  const fits = (secret: string, one: Received): boolean => {
    try {
      Stripe.webhooks.constructEvent(one.body, signatureOf(one), secret, 300, undefined, nowSeconds())
      return true
    } catch {
      return false
    }
  }
  const fitsStandard = (secret: string, { body, headers }: Received): boolean => {
    try {
      new Webhook(secret).verify(body, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }

  it('without an overlap the old one ends at once', async () => {
    await begin()
    const { secret } = (await rotate({ overlapHours: 0 })).body
    const one = await arriving()
    assert.match(signatureOf(one), /^t=\d+,v1=[0-9a-f]{64}$/)
    assert.deepEqual([fits(first, one), fits(secret, one)], [false, true])
    assert.equal((await rotate({ overlapHours: 1 })).status, 201, 'nothing is open')
  })

  it('one is open at a time; `replace` throws the new secret away and the old one keeps its end', async () => {
    await begin()
    for (const body of [
      {},
      { overlapHours: -1 },
      { overlapHours: 169 },
      { overlapHours: 1.5 },
      { overlapHours: '1' },
      { overlapHours: null },
      { replace: false },
    ])
      assert.equal((await rotate(body)).status, 400, JSON.stringify(body))
    const lost = (await rotate({ overlapHours: 168 })).body
    const again = await rotate({ overlapHours: 1 })
    assert.deepEqual([again.status, again.body.reason], [409, 'rotation-open'])
    const replaced = await rotate({ replace: true })
    assert.equal(replaced.status, 201, replaced.text)
    assert.equal(replaced.body.previousValidUntil, lost.previousValidUntil)
    const one = await arriving()
    assert.deepEqual(
      [first, lost.secret, replaced.body.secret].map((secret) => fits(secret, one)),
      [true, false, true],
    )
  })

  it('of three rotations at the same moment one is made; another venue has none', async () => {
    await begin()
    const all = await Promise.all([1, 2, 3].map((overlapHours) => rotate({ overlapHours })))
    assert.deepEqual(
      all.map(({ status }) => status).toSorted((one, other) => one - other),
      [201, 409, 409],
    )
    const path = `/${id}/rotate-secret`
    venue = await scene.service.venue()
    assert.equal((await call('POST', path, { overlapHours: 1 })).status, 404)
    assert.equal((await call('POST', '/abc/rotate-secret', { overlapHours: 1 })).status, 404)
  })

  it('the library of Standard Webhooks verifies what is sent, a ping too, also in an overlap', async () => {
    await begin({ signatures: ['service', 'standard'] })
    const one = await arriving()
    assert.equal(one.headers['webhook-id'], JSON.parse(String(one.body)).id)
    assert.equal(one.headers['webhook-timestamp'], String(nowSeconds()))
    assert.match(String(one.headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual([fitsStandard(first, one), fits(first, one)], [true, true])
    assert.equal(fitsStandard(first, { ...one, body: Buffer.concat([one.body, Buffer.from(' ')]) }), false)

    const { secret } = (await rotate({ overlapHours: 24 })).body
    const during = await arriving()
    assert.match(String(during.headers['webhook-signature']), /^v1,\S{44} v1,\S{44}$/)
    assert.deepEqual([fitsStandard(first, during), fitsStandard(secret, during)], [true, true])
    assert.equal((await call('POST', `/${id}/test`)).body.ok, true)
    const ping = receiver.received.at(-1) as Received
    assert.deepEqual([fitsStandard(secret, ping), fits(first, ping)], [true, true])

    await call('PATCH', `/${id}`, { signatures: ['service'] })
    assert.equal((await arriving()).headers['webhook-signature'], undefined)
  })

  it('a secret in the old format is rotated first', async () => {
    await begin()
    const { secrets, random } = scene.service.context
    const old = `whsec_${randomBytes(32).toString('base64url')}`
    await scene.query('update webhook_endpoint set secret_sealed = $2 where id = $1', [
      id,
      seal(secrets, old, id, random(12)),
    ])
    const signatures = ['service', 'standard']
    const refused = await call('PATCH', `/${id}`, { signatures })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'rotate-first'])
    assert.equal(fits(old, await arriving()), true, 'it goes on as it was')

    const { secret } = (await rotate({ overlapHours: 24 })).body
    assert.equal((await call('PATCH', `/${id}`, { signatures })).status, 200)
    const one = await arriving()
    assert.deepEqual([fits(old, one), fits(secret, one), fitsStandard(secret, one)], [true, true, true])
    assert.match(String(one.headers['webhook-signature']), /^v1,\S{44}$/)
  })

  // Last, because it moves the clock forward.
  it('both are valid for the overlap, by stripe’s verifier too; after it only the new one', async () => {
    await begin()
    const rotated = await rotate({ overlapHours: 24 })
    assert.equal(rotated.status, 201, rotated.text)
    assert.deepEqual(Object.keys(rotated.body), ['id', 'secret', 'previousValidUntil'])
    const { secret, previousValidUntil } = rotated.body
    const until = scene.service.context.clock().add({ hours: 24 })
    assert.equal(previousValidUntil, until.toString({ smallestUnit: 'millisecond' }))
    const shown = (await call('GET', `/${id}`)).body
    assert.deepEqual([shown.secretRotatesUntil, shown.revision], [previousValidUntil, 2])
    assert.ok(!JSON.stringify(shown).includes('whsec_'))

    const during = await arriving()
    assert.match(signatureOf(during), /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    assert.deepEqual([fits(first, during), fits(secret, during)], [true, true])
    const [, newest] = signatureOf(during).split(',')
    const expected = createHmac('sha256', secret).update(`${nowSeconds()}.`).update(during.body)
    assert.equal(newest, `v1=${expected.digest('hex')}`, 'the new one comes first')

    scene.pass(hours(24))
    const after = await arriving()
    assert.match(signatureOf(after), /^t=\d+,v1=[0-9a-f]{64}$/)
    assert.deepEqual([fits(first, after), fits(secret, after)], [false, true])
    assert.equal((await call('GET', `/${id}`)).body.secretRotatesUntil, null)
  })
})
