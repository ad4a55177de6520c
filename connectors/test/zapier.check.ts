import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../server/test/eventually.ts'
import { setRules } from '../../server/test/open-rules.ts'
import { type Receiver, startReceiver } from '../../server/test/receiver.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../server/test/service.ts'
import { type Engine, startEngine } from '../../server/integrations/webhooks/engine/engine.ts'

/*
 * The Zapier app, run by Zapier's own test runner against a real service. `npm run check:connectors` installs it.
 */

const require = createRequire(new URL('../zapier/package.json', import.meta.url))

type Perform = (z: unknown, bundle: unknown) => Promise<unknown>
type Operation = Readonly<
  Record<'perform' | 'performList' | 'performSubscribe' | 'performUnsubscribe', Perform>
> & {
  readonly sample: Record<string, unknown>
}
type App = Readonly<
  Record<'triggers' | 'creates' | 'searches', Record<string, { readonly operation: Operation }>>
> & {
  readonly authentication: { readonly test: unknown }
}
const App = require('./index.js') as App
const { createAppTester } = require('zapier-platform-core') as {
  createAppTester: (app: App) => (perform: unknown, bundle: object) => Promise<unknown>
}

describe('the Zapier app', () => {
  const tester = createAppTester(App)
  let service: TestService
  let venue: TestVenue
  let receiver: Receiver
  let engine: Engine
  let key: string
  before(async () => {
    receiver = await startReceiver()
    service = await startService({ PRACTICE: 'on' })
    venue = await service.venue()
    await setRules(service, venue)
    key = (await venue.makeKey('read_write', 'automation')).key
    engine = startEngine({ ...service.context, db: service.context.workerDb })
  })
  after(async () => {
    await engine?.stop()
    await service?.stop()
    await receiver.stop()
  })

  const run = (perform: unknown, bundle: object = {}) =>
    tester(perform, {
      authData: { baseUrl: `${service.url}/`, apiKey: key },
      ...bundle,
    }) as Promise<// oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers they know
    any>
  const create = (name: string, inputData: object, zap = 1) =>
    run(App.creates[name]?.operation.perform, { inputData, meta: { zap: { id: zap } } })
  const search = (name: string, inputData: object) =>
    run(App.searches[name]?.operation.perform, { inputData })

  it('connects with a key, and says when it is wrong', async () => {
    const me = await run(App.authentication.test)
    assert.equal(me.venue.slug, venue.slug)
    await assert.rejects(
      run(App.authentication.test, { authData: { baseUrl: service.url, apiKey: 'service_sk_wrong' } }),
      /Send a valid API key/,
    )
  })

  it('writes what is filled in', async () => {
    const { reservation } = await create('createReservation', {
      guestName: 'Ben Iyer',
      partySize: 2,
      email: 'ben@example.com',
      date: '2026-10-09',
      time: '7:30 PM',
    })
    assert.equal(reservation.time, '19:30')
    const { guest } = await create('createGuest', { name: 'Ines Duarte', phone: '212 555 0147' })
    assert.equal(guest.name, 'Ines Duarte')
    const { added, subscriber } = await create('createSubscriber', {
      email: 'ines@example.com',
      consentSource: 'Checkout page',
    })
    assert.equal(added, true)
    const { subscriber: tagged } = await create('changeTags', { id: subscriber.id, add: ['Regulars'] })
    assert.deepEqual(tagged.tags, ['Regulars'])
    const { waitlistEntry } = await create('joinWaitlist', {
      guestName: 'Ada',
      partySize: 3,
      phone: '212 555 0199',
    })
    assert.equal(waitlistEntry.partySize, 3)
    const { task } = await create('createTask', { title: 'Call Ben', due: '2026-10-08' })
    const { task: emptied } = await create('updateTask', { id: task.id, clear: ['due'] })
    assert.equal(emptied.due, null)
    assert.equal((await create('completeTask', { id: task.id })).task.done, true)
    assert.equal((await create('reopenTask', { id: task.id })).task.done, false)
    assert.equal((await create('completeTask', { id: task.id })).task.done, true)
  })

  it('does not do twice what Zapier tries again, and does what another Zap says', async () => {
    const lead = { name: 'Maya Okafor', guestCount: '40' }
    const first = (await create('createLead', lead)).lead.id
    assert.equal((await create('createLead', lead)).lead.id, first)
    assert.notEqual((await create('createLead', lead, 2)).lead.id, first)
    assert.notEqual((await create('createLead', { ...lead, idempotencyKey: 'form-2' })).lead.id, first)
  })

  it('finds guests and their reservations', async () => {
    assert.deepEqual(
      (await search('findGuest', { phone: '+1 (212) 555-0147' })).map(({ name }: { name: string }) => name),
      ['Ines Duarte'],
    )
    assert.equal((await search('findReservations', { email: 'ben@example.com' })).length, 1)
    assert.deepEqual(await search('findGuest', { email: 'nobody@example.com' }), [])
  })

  it('says a refusal in the words of the service', async () => {
    await assert.rejects(
      create('createGuest', { name: 'Nobody' }),
      /Send an email, or a phone with at least 7 digits\./,
    )
  })

  it('gets what happens through a hook, with the record itself', async () => {
    const { operation } = App.triggers['lead_created'] as { operation: Operation }
    const targetUrl = 'https://hooks.zapier.com/hooks/standard/1/abc/'
    const hook = await run(operation.performSubscribe, { targetUrl })
    assert.deepEqual([hook.event, hook.targetUrl], ['lead.created', targetUrl])
    // The deliveries come here instead.
    await rowsOf(service, 'update webhook_endpoint set url = $2, address = $2 where id = $1', [
      hook.id,
      `${receiver.url}/hooks/standard/1/abc/`,
    ])
    await create('createLead', { name: 'Otto Lang' })
    service.context.bell.ring()
    const [received] = await eventually(() => receiver.received.length > 0 && receiver.received)
    const [lead] = await run(operation.perform, { cleanedRequest: JSON.parse(String(received?.body)) })
    assert.equal(lead.contactName, 'Otto Lang')
    const samples = await run(operation.performList)
    assert.deepEqual(Object.keys(samples[0]).toSorted(), Object.keys(operation.sample).toSorted())
    await run(operation.performUnsubscribe, { subscribeData: hook })
    await run(operation.performUnsubscribe, { subscribeData: hook })
  })

  it('says that the key is no longer valid when a hook is to be deleted', async () => {
    const { operation } = App.triggers['lead_created'] as { operation: Operation }
    const { key: revoked, id } = await venue.makeKey('read_write', 'automation')
    const authData = { baseUrl: service.url, apiKey: revoked }
    const targetUrl = 'https://hooks.zapier.com/hooks/standard/1/revoked/'
    const hook = await run(operation.performSubscribe, { targetUrl, authData })
    await rowsOf(service, 'update api_key set revoked_at = now() where id = $1 returning 1', [id])
    await assert.rejects(run(operation.performUnsubscribe, { subscribeData: hook, authData }), {
      name: 'ExpiredAuthError',
      message: /^Send a valid API key/,
    })
  })

  it('has samples of every trigger, each with an id', async () => {
    for (const [name, { operation }] of Object.entries(App.triggers)) {
      const samples = await run(operation.performList)
      assert.ok(samples.length > 0, name)
      for (const sample of samples) assert.ok(sample.id !== undefined, name)
    }
  })
})
