import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { becomeCopy } from '../../../test/processes/restored-copy.ts'
import type { TestVenue } from '../../../test/service.ts'
import { type SendingScene, startSendingScene } from '../test/sending-scene.ts'

describe('campaigns of a restored copy', () => {
  let scene: SendingScene
  let venue: TestVenue
  before(async () => {
    scene = await startSendingScene()
  })
  beforeEach(async () => {
    venue = await scene.service.venue()
    await becomeCopy(scene.service)
  })
  afterEach(async () => {
    await scene.stopProcesses()
    await scene.service.context.hold.release()
    scene.relay.received.length = 0
  })
  after(() => scene.stop())

  it('wait and say why, and go out once sending is resumed', async () => {
    const [scheduled, sending] = [await scene.campaign(venue), await scene.campaign(venue)]
    await scene.query(`update campaign set status = 'sending' where id = $1`, [sending.id])
    scene.process()
    for (const one of [scheduled, sending]) {
      const { sent_count } = await scene.untilTroubled(one)
      const { body } = await scene.service.call('GET', '/api/v1/campaigns', { key: venue.key })
      const { lastError } = body.find(({ id }: { id: number }) => id === one.id)
      assert.match(lastError, /^The service was restored from a backup, or moved, and sending is on hold\./)
      assert.equal(sent_count, 0)
    }
    assert.equal((await scene.state(scheduled)).status, 'scheduled')
    assert.equal(scene.relay.received.length, 0)

    await scene.service.context.hold.release()
    for (const one of [scheduled, sending]) assert.equal((await scene.until(one, 'sent')).last_error, '')
    assert.equal(scene.relay.received.length, 10)
  })

  it('can be cancelled meanwhile, with nobody mailed', async () => {
    const campaign = await scene.campaign(venue)
    scene.process()
    await scene.untilTroubled(campaign)
    const { status } = await scene.service.call('POST', '/api/v1/campaigns/cancel', {
      key: venue.key,
      body: { id: campaign.id },
    })
    assert.equal(status, 200)
    await scene.service.context.hold.release()
    assert.equal((await scene.until(campaign, 'cancelled')).skipped_count, 5)
    assert.equal(scene.relay.received.length, 0)
  })

  it('are not called too late while on hold; resumed more than six hours late they are, and say what it was', async () => {
    const campaign = await scene.campaign(venue)
    scene.process()
    await scene.untilTroubled(campaign)
    scene.pass(7 * 3_600_000)
    const other = await scene.campaign(venue)
    await scene.untilTroubled(other)
    assert.equal((await scene.state(campaign)).status, 'scheduled')

    await scene.service.context.hold.release()
    const { last_error } = await scene.until(campaign, 'cancelled')
    assert.match(last_error, /^It missed its time: sending was on hold after a restore, /)
    await scene.until(other, 'sent')
  })

  it('that are under way when the hold is found stop before the next copy', async () => {
    await scene.service.context.hold.release()
    const campaign = await scene.campaign(venue, { people: 400 })
    scene.process()
    await eventually(() => scene.relay.received.length > 0)
    await becomeCopy(scene.service)
    await scene.untilTroubled(campaign)
    await scene.stopProcesses()
    const { sent_count, failed_count } = await scene.state(campaign)
    assert.equal(scene.relay.received.length, sent_count)
    assert.equal(failed_count, 0)
    assert.ok(sent_count < 400, `${sent_count} were sent`)

    scene.process()
    await scene.service.context.hold.release()
    await eventually(async () => (await scene.state(campaign)).status === 'sent')
    assert.equal((await scene.state(campaign)).sent_count, 400)
    assert.equal(new Set(scene.relay.received.map(({ to }) => to)).size, 400)
    assert.equal(scene.relay.received.length, 400)
  })
})
