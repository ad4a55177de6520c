import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { type OfficeVisitor, staffOf, testPassword, visitOffice } from '../../../test/office.ts'
import type { Receiver } from '../../../test/receiver.ts'
import type { TestVenue } from '../../../test/service.ts'
import { verify } from '../../../integrations/webhooks/sending/signature.ts'
import { type Scene, startScene } from '../../../integrations/webhooks/test/scene.ts'

describe('what an owner sets of an endpoint', () => {
  let scene: Scene
  let venue: TestVenue
  let owner: OfficeVisitor
  let receiver: Receiver
  let id: string
  let path: string
  before(async () => {
    scene = await startScene()
    scene.worker()
    venue = await scene.service.venue()
    owner = visitOffice(scene.service)
    await owner.signIn((await staffOf(scene.service, venue, 'owner')).email)
    receiver = await scene.receiver()
    id = (await scene.endpoint(venue, receiver)).id
    path = `/office/integrations/endpoints/${id}`
  })
  after(() => scene.stop())

  const words = async () => (await owner.get(path)).words
  const shown = () => scene.shown(venue, id)

  it('a pause, which holds what happens, and its end', async () => {
    await owner.post(`${path}/pause`)
    assert.match(await words(), /Paused\. What happens is held for 48 hours\./)
    await scene.happen(venue, 2)
    await scene.quiet()
    assert.equal(receiver.received.length, 0)
    assert.match(await words(), /Paused .*what happens is held.* Waiting 2 .*Resume/)
    assert.match((await owner.get('/office/integrations')).words, /2 waiting .*Paused/)
    await owner.post(`${path}/enable`)
    assert.match(await words(), /Active again\. Waiting events are being sent now\./)
    await scene.quiet()
    assert.equal(receiver.received.length, 2)
  })

  it('what it is for, and what is sent', async () => {
    await owner.post(`${path}/settings`, { description: ' Till <b>1</b> ', thin: 'yes', standard: 'yes' })
    const { description, payload, include, signatures } = await shown()
    assert.deepEqual(
      [description, payload, include, signatures],
      ['Till <b>1</b>', 'thin', [], ['service', 'standard']],
    )
    const { html } = await owner.get(path)
    assert.ok(html.includes('Till &lt;b&gt;1&lt;/b&gt;'))
    assert.match(html, /name="thin" value="yes" checked/)
    assert.doesNotMatch(html, /name="previous" value="yes" checked/)
    await owner.post(`${path}/settings`, { description: '', previous: 'yes' })
    const after = await shown()
    assert.deepEqual([after['description'], after['payload'], after['include']], [null, 'full', ['previous']])
  })

  it('a new secret, shown once and only for the password, while the current one keeps working', async () => {
    const make = (more: Record<string, string>) =>
      owner.post(`${path}/secret`, { password: testPassword, token: randomUUID(), ...more })
    assert.match((await make({ overlap: '24', password: 'wrong' })).words, /password/)
    assert.match((await make({ overlap: '25' })).words, /Choose from the list/)
    const token = randomUUID()
    const made = await make({ overlap: '24', token })
    const [secret = ''] = /whsec_[0-9A-Za-z]{44}/.exec(made.html) ?? []
    assert.notEqual(secret, '')
    assert.doesNotMatch((await make({ overlap: '24', token })).html, /whsec_/)
    assert.doesNotMatch(await words(), /whsec_/)
    assert.match(await words(), /with the new secret and, until .* with the one before/)
    assert.match((await make({ overlap: '24' })).words, /was replaced already/)

    const replaced = await make({ replace: 'yes' })
    const [next = ''] = /whsec_[0-9A-Za-z]{44}/.exec(replaced.html) ?? []
    await scene.happen(venue)
    await scene.quiet()
    const one = receiver.received.at(-1)
    assert.ok(one)
    const now = Math.floor(scene.service.context.clock().epochMilliseconds / 1000)
    const signature = String(one.headers['x-service-signature'])
    assert.equal(verify(next, signature, one.body, now), 'ok')
    assert.equal(verify(secret, signature, one.body, now), 'wrong signature')
    const { words: trail } = await owner.get('/office/activity')
    assert.match(trail, /Made a new signing secret for an endpoint/)
    assert.match(trail, /Changed the settings of an endpoint/)
  })

  it('nothing of it of a hook, or of another venue', async () => {
    const hook = `/office/integrations/endpoints/${(await scene.hook(venue, receiver)).id}`
    assert.doesNotMatch((await owner.get(hook)).html, /endpoints\/[^"]*\/(?:settings|secret|pause)/)
    const other = await scene.service.venue()
    const stranger = visitOffice(scene.service)
    await stranger.signIn((await staffOf(scene.service, other, 'owner')).email)
    const form = { password: testPassword, token: randomUUID(), overlap: '0' }
    for (const [who, page] of [
      [owner, hook],
      [stranger, path],
    ] as const) {
      for (const action of ['pause', 'settings', 'secret'])
        assert.equal((await who.post(`${page}/${action}`, form)).status, 404, action)
    }
  })
})
