import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { revokeKey } from '../../access/keys.ts'
import { eventually } from '../../../test/eventually.ts'
import { staffOf } from '../../../test/office.ts'
import { stopEndpointsOfKey } from '../actions.ts'
import { mailAboutEndpoints } from '../mail-about-endpoints.ts'
import { ANSWER_LIMIT_MS } from '../sending/sender.ts'
import { type Scene, hours, minutes, startScene } from '../test/scene.ts'

const jitterMs = 5_000

describe('an endpoint that is switched off', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
    scene.worker()
  })
  after(() => scene.stop())

  it('20 failures in a row, across events, switch it off; deliveries are held until it is enabled again', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 19)
    await scene.quiet()
    const before = await scene.shown(venue, id)
    assert.deepEqual([before.status, before.failureCount], ['active', 19])
    await scene.happen(venue, 1)
    await scene.quiet()
    const off = await scene.shown(venue, id)
    assert.deepEqual(
      [off.status, off.disabledReason, off.failureCount, off.lastDeliveryStatus],
      ['disabled', 'too-many-failures', 20, 'HTTP 500'],
    )

    await scene.happen(venue, 5)
    scene.pass(minutes(5))
    await scene.sweep()
    await scene.quiet()
    assert.equal(receiver.received.length, 20, 'nothing is sent while it is off')

    receiver.answer(204)
    await scene.query(
      `update webhook_endpoint set status = 'active', disabled_reason = null, failure_count = 0 where id = $1`,
      [id],
    )
    await scene.sweep()
    await scene.quiet()
    assert.equal(receiver.received.length, 20 + 25, 'what was missed is sent')
    assert.ok((await scene.deliveries(venue)).every(({ outcome }) => outcome === 'delivered'))
  })

  it('held deliveries are dropped after 48 hours', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const { id } = await scene.endpoint(venue, receiver)
    await scene.query(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'too-many-failures' where id = $1`,
      [id],
    )
    await scene.happen(venue, 3)
    scene.pass(hours(48) - 1)
    await scene.sweep()
    await scene.quiet()
    assert.ok((await scene.deliveries(venue)).every(({ outcome }) => outcome === null))
    scene.pass(1)
    await scene.sweep()
    assert.ok((await scene.deliveries(venue)).every(({ outcome }) => outcome === 'dropped'))
    assert.equal(receiver.received.length, 0)
  })

  it('many answers at the same moment are each counted: exactly 20 of 40 parallel failures are made before it is off', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 40)
    await scene.quiet()
    const off = await scene.shown(venue, id)
    assert.equal(off.status, 'disabled')
    assert.equal(off.failureCount, receiver.received.length, 'no failure is lost or counted twice')
    assert.ok(
      receiver.received.length >= 20 && receiver.received.length < 25,
      String(receiver.received.length),
    )
  })

  it('a success in between resets the count', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 19)
    await scene.quiet()
    receiver.answer(204)
    await scene.happen(venue, 1)
    await scene.quiet()
    receiver.answer(500)
    await scene.happen(venue, 19)
    await scene.quiet()
    const shown = await scene.shown(venue, id)
    assert.deepEqual([shown.status, shown.failureCount], ['active', 19])
  })

  it('is switched off at once where it answers that it is gone', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(410)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue)
    await scene.quiet()
    const shown = await scene.shown(venue, id)
    assert.deepEqual([shown.status, shown.disabledReason, shown.failureCount], ['disabled', 'gone', 1])
    // It is not retried, even when the endpoint is switched on.
    assert.deepEqual(
      (await scene.deliveries(venue)).map(({ outcome }) => outcome),
      ['failed'],
    )
    await scene.happen(venue)
    scene.pass(minutes(1) + jitterMs)
    await scene.quiet()
    assert.equal(receiver.received.length, 1)
  })

  it('the venue’s other endpoints are notified once, and the disabled one is not', async () => {
    const venue = await scene.service.venue()
    const [broken, other] = [await scene.receiver(410), await scene.receiver()]
    const { id } = await scene.endpoint(venue, broken, ['guest.created', 'webhook.disabled'])
    await scene.endpoint(venue, other, ['webhook.*'])
    await scene.happen(venue)
    await scene.quiet()
    const told = async () => {
      await scene.sweep()
      await scene.quiet()
      return other.received.map(({ body }) => JSON.parse(String(body)))
    }
    const [first, ...more] = await told()
    assert.equal(first?.event, 'webhook.disabled')
    assert.deepEqual([first?.data.id, first?.data.disabledReason], [id, 'gone'])
    assert.deepEqual(more, [])
    assert.equal((await told()).length, 1)
    assert.equal(broken.received.length, 1)
  })

  it('is mailed to the owners and the contact of its key, at most once a day', async () => {
    const venue = await scene.service.venue()
    const owner = await staffOf(scene.service, venue, 'owner')
    await staffOf(scene.service, venue, 'manager')
    const contact = 'software@example.com'
    const { key } = await venue.makeKey('read_write', 'api', { contact })
    const receiver = await scene.receiver(410)
    const { id } = await scene.endpoint({ ...venue, key }, receiver)
    const folder = join(scene.service.context.config.dataDir, 'mail')
    const mails = async (): Promise<string[]> => {
      await mailAboutEndpoints(scene.service.context)
      const files: string[] = await readdir(folder).catch(() => [])
      return Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
    }
    const goOff = async () => {
      await scene.service.call('PATCH', `/api/v1/webhooks/${id}`, {
        ...{ key, headers: { 'if-match': '*' }, body: { status: 'active' } },
      })
      await scene.happen(venue)
      await scene.quiet()
      assert.equal((await scene.shown(venue, id))['status'], 'disabled')
    }
    await goOff()
    const [first, second, ...more] = await mails()
    assert.deepEqual(more, [])
    const to = [first, second].map((mail) => /^To: <(.*)>\r$/m.exec(String(mail))?.[1] ?? String(mail))
    assert.deepEqual(to.toSorted(), [owner.email, contact].toSorted())
    const text = first?.replaceAll('=\r\n', '') ?? ''
    assert.match(text, /answered that it wants nothing more \(status 410\)\./)
    assert.match(text, /switch the address on in the office/)

    await goOff()
    assert.equal((await mails()).length, 2, 'the same day')
    scene.pass(hours(24) - 1)
    assert.equal((await mails()).length, 2)
    scene.pass(1)
    assert.equal((await mails()).length, 4, 'it is still off')
    scene.pass(hours(24))
    assert.equal((await mails()).length, 4, 'and is told of once')
  })

  it('is removed where it is a hook and answers that it is gone', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(410)
    const { id } = await scene.hook(venue, receiver)
    await scene.happen(venue, 2)
    await scene.quiet()
    assert.deepEqual(await scene.query('select id from webhook_endpoint where id = $1', [id]), [])
    scene.pass(minutes(1) + jitterMs)
    await scene.sweep()
    await scene.quiet()
    const outcomes = (await scene.deliveries(venue)).map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome === 'failed').length, receiver.received.length)
    assert.ok(outcomes.every((outcome) => outcome === 'failed' || outcome === 'dropped'))
  })

  it('a test delivery never counts toward failures', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    for (let n = 0; n < 21; n++)
      await scene.service.call('POST', `/api/v1/webhooks/${id}/test`, { key: venue.key })
    const shown = await scene.shown(venue, id)
    assert.deepEqual([shown.status, shown.failureCount, shown.lastDeliveryAt], ['active', 0, null])
  })

  it('after DELETE was answered nothing starts, even if it was due', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver()
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 60)
    const gone = await scene.service.call('DELETE', `/api/v1/webhooks/${id}`, { key: venue.key })
    // A request already on the wire may still arrive.
    const most = receiver.received.length + scene.service.context.sender.counts().inFlight
    assert.equal(gone.status, 200)
    await scene.quiet()
    await scene.sweep()
    await scene.quiet()
    assert.ok(receiver.received.length <= most, `${receiver.received.length} of ${most}`)
    const left = await scene.deliveries(venue)
    assert.ok(left.every(({ done_at }) => done_at !== null))
  })

  it('stops when the key that created it is revoked', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(500)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 1)
    await scene.quiet()
    const [{ key_id } = {}] = await scene.query('select key_id from webhook_endpoint where id = $1', [id])
    await scene.service.db.transaction(async (db) => {
      await revokeKey(db, Number(key_id), 'revoked', scene.service.context.clock())
      await stopEndpointsOfKey(db, venue.id, Number(key_id), scene.service.context.clock())
    })
    scene.pass(minutes(1) + jitterMs)
    await scene.quiet()
    assert.equal(receiver.received.length, 1)
  })

  it('five timeouts in a row leave it one try at a time, until one succeeds', async () => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(0)
    const { id } = await scene.endpoint(venue, receiver)
    await scene.happen(venue, 5)
    await scene.quiet()
    const [{ unanswered_count } = {}] = await scene.query(
      'select unanswered_count from webhook_endpoint where id = $1',
      [id],
    )
    assert.equal(unanswered_count, 5)
    const from = receiver.received.length
    await scene.happen(venue, 3)
    let most = 0
    await eventually(() => {
      most = Math.max(most, receiver.ignored())
      if (receiver.ignored() > 0) scene.time.pass(ANSWER_LIMIT_MS)
      return receiver.received.length === from + 3
    })
    await scene.quiet()
    assert.equal(receiver.received.length, from + 3)
    assert.equal(most, 1, 'each starts after the one before has ended')
  })
})
