import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { makeDemo } from '../../server/demo/make-demo.ts'
import { toMoment } from '../../server/platform/kernel/time/moment.ts'
import { setRules } from '../../server/test/open-rules.ts'
import type { Received, Receiver } from '../../server/test/receiver.ts'
import type { TestVenue } from '../../server/test/service.ts'
import { type Scene, startScene } from '../../server/integrations/webhooks/test/scene.ts'
import { type Placed, type Runtime, calls, contextOf, execute, placed } from './n8n-runtime.ts'

/*
 * The nodes of connectors/n8n as they were built, run by n8n-workflow against a real service with real deliveries.
 * `npm run check:connectors` installs and builds them.
 */

describe('the n8n nodes', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  let runtime: Runtime
  let demoKey: string
  before(async () => {
    scene = await startScene()
    // Deliveries are signed by this clock, and verified by that of the machine.
    scene.service.setClock(toMoment(Temporal.Now.instant()))
    venue = await scene.service.venue()
    await setRules(scene.service, venue)
    receiver = await scene.receiver()
    demoKey = (await makeDemo(scene.service.context, { scale: 0.05 })).keys.readWrite
    runtime = { credentials: { baseUrl: `${scene.service.url}/`, apiKey: venue.key } }
    scene.worker()
  })
  after(() => scene.stop())

  const call = (method: string, path: string, body?: object) =>
    scene.service.call(method, `/api/v1/${path}`, { key: venue.key, ...(body && { body }) })

  it('have an operation for every endpoint but those that are no business of theirs', () => {
    const called = Object.values(calls).flatMap((some) =>
      Object.values(some).map(({ method, path }) => `${method} ${path}`),
    )
    const left = Object.values(endpoints).filter(({ method, path }) => !called.includes(`${method} ${path}`))
    assert.deepEqual(
      left.map(({ id }) => id),
      ['rotateKey', 'createHook', 'deleteHook'],
    )
    assert.equal(new Set(called).size, called.length)
  })

  it('a write that n8n tries again is done once, and in a loop it is done again', async () => {
    const form = {
      resource: 'lead',
      operation: 'create',
      name: 'Maya Okafor',
      additionalFields: { guestCount: '40', priority: 'High' },
    }
    const [first] = await execute(form, runtime)
    const [again] = await execute(form, runtime)
    assert.deepEqual(again, first)
    const [looped] = await execute(form, { ...runtime, run: 1 })
    const [another] = await execute(form, { ...runtime, execution: '2' })
    const two = await execute(form, { ...runtime, execution: '3', items: 2 })
    const ids = [first, looped, another, ...two].map((reply) => (reply as { lead: { id: number } }).lead.id)
    assert.equal(new Set(ids).size, 5)
    const [mine] = await execute({ ...form, options: { idempotencyKey: 'form-7731' } }, runtime)
    const [mineAgain] = await execute(
      { ...form, options: { idempotencyKey: 'form-7731' } },
      { ...runtime, execution: '9' },
    )
    assert.deepEqual(mineAgain, mine)
  })

  it('requests a reservation, finds it, changes it and empties a field', async () => {
    const form = {
      resource: 'reservation',
      operation: 'create',
      guestName: 'Ben Iyer',
      partySize: 2,
      additionalFields: { email: 'ben@example.com', notes: 'A booth.', startsAt: tomorrowEvening() },
    }
    const [{ reservation } = {}] = (await execute(form, runtime)) as { reservation?: { id: number } }[]
    const found = await execute(
      { resource: 'reservation', operation: 'find', filters: { email: 'BEN@example.com' } },
      runtime,
    )
    assert.deepEqual(
      found.map(({ id }) => id),
      [reservation?.id],
    )
    const [changed] = (await execute(
      {
        resource: 'reservation',
        operation: 'update',
        id: reservation?.id,
        updateFields: { guestName: 'Ben R. Iyer' },
        clear: ['notes'],
      },
      runtime,
    )) as { reservation: { guestName: string; notes: null } }[]
    assert.deepEqual([changed?.reservation.guestName, changed?.reservation.notes], ['Ben R. Iyer', null])
    const [cancelled] = (await execute(
      {
        resource: 'reservation',
        operation: 'cancel',
        id: reservation?.id,
        additionalFields: { by: 'guest' },
      },
      runtime,
    )) as { reservation: { status: string } }[]
    assert.equal(cancelled?.reservation.status, 'Cancelled')
  })

  it('puts what lies within another field where it belongs', async () => {
    const [reply] = await execute(
      {
        resource: 'subscriber',
        operation: 'create',
        email: 'ines@example.com',
        consentSource: 'Checkout page',
        additionalFields: { consentStatement: 'Send me news.', tag: 'Wine evenings' },
      },
      runtime,
    )
    assert.equal(reply?.['added'], true)
    const { id } = (reply?.['subscriber'] ?? {}) as { id: number }
    const [tagged] = await execute(
      { resource: 'subscriber', operation: 'changeTags', id, additionalFields: { add: ['Regulars', ''] } },
      runtime,
    )
    const { tags } = (tagged?.['subscriber'] ?? {}) as { tags: string[] }
    assert.deepEqual(tags, ['Regulars', 'Wine evenings'])
  })

  it('gets all pages of a list, or as many as are wanted', async () => {
    const demo = { ...runtime, credentials: { ...runtime.credentials, apiKey: demoKey } }
    const list = { resource: 'guest', operation: 'getAll' }
    const all = await execute({ ...list, returnAll: true }, demo)
    const { headers } = await scene.service.call('GET', '/api/v1/guests?count=true', { key: demoKey })
    assert.ok(all.length > limits.listMost)
    assert.equal(String(all.length), headers.get('x-count'))
    const some = await execute({ ...list, limit: 101 }, demo)
    assert.deepEqual(some, all.slice(0, 101))
    const confirmed = await execute(
      {
        resource: 'reservation',
        operation: 'getAll',
        limit: 5,
        filters: { status: ['Confirmed', 'Seated'], sort: 'date' },
      },
      demo,
    )
    assert.ok(confirmed.length > 0)
    for (const { status } of confirmed) assert.ok(['Confirmed', 'Seated'].includes(String(status)))
  })

  it('looks up what can be chosen', async () => {
    const demo = { ...runtime, credentials: { ...runtime.credentials, apiKey: demoKey } }
    const there = placed('venueData', { resource: 'lead', operation: 'update' })
    const { getStages, getOccurrences } = there.type.methods?.loadOptions ?? {}
    const stages = (await getStages?.call(contextOf(there, demo))) as { name: string }[]
    assert.ok(stages.some(({ name }) => name === 'Inquiry'))
    const dates = (await getOccurrences?.call(contextOf(there, demo))) as { name: string; value: number }[]
    assert.ok(dates.length > 0 && dates.every(({ name, value }) => name !== '' && value > 0))
  })

  it('reports a refusal in the words of the service, and goes on if set to', async () => {
    const form = { resource: 'guest', operation: 'create' }
    const sentence = 'Send an email, or a phone with at least 7 digits.'
    await assert.rejects(execute(form, runtime), { message: sentence, httpCode: '400' })
    assert.deepEqual(await execute(form, { ...runtime, continueOnFail: true }), [{ error: sentence }])
  })

  it('waits and sends again over the rate limit, no more often than it is set to', async () => {
    const busy = {
      statusCode: 429,
      headers: { 'retry-after': '0.001' },
      body: { error: 'Too many requests.' },
    }
    const form = { resource: 'account', operation: 'get' }
    const [me] = await execute(form, { ...runtime, instead: [busy, busy] })
    assert.deepEqual(me?.['venue'], { slug: venue.slug, name: venue.name, timezone: venue.timezone })
    await assert.rejects(execute(form, { ...runtime, instead: Array.from({ length: 9 }, () => busy) }), {
      message: 'Too many requests.',
    })
  })

  describe('the trigger', () => {
    let trigger: Placed
    let hook: Runtime
    const methods = () => {
      const { checkExists, create, delete: remove } = trigger.type.webhookMethods?.default ?? {}
      const context = contextOf(trigger, hook)
      return {
        exists: () => checkExists?.call(context),
        create: () => create?.call(context),
        remove: () => remove?.call(context),
      }
    }
    const endpointsNow = async () =>
      (await call('GET', 'webhooks')).body as {
        id: string
        events: string[]
        status: string
        url: string
        description: string
      }[]
    before(() => {
      trigger = placed('venueDataTrigger', { events: ['guest.created', 'lead.*'] })
      hook = { ...runtime, webhookUrl: `${receiver.url}/webhook/1` }
    })

    /** What the node makes of a delivery as it came. */
    const deliver = async (received: Received, body = received.body): Promise<Record<string, unknown>> => {
      const answered: unknown[] = []
      const response = {
        status: (code: number) => ({ json: () => void answered.push(code) }),
      }
      const given = contextOf(trigger, hook, {
        getRequestObject: () => ({ rawBody: body }),
        getHeaderData: () => received.headers,
        getBodyData: () => JSON.parse(String(body)),
        getResponseObject: () => response,
      })
      return { ...(await trigger.type.webhook?.call(given)), answered }
    }

    it('makes an endpoint when the workflow is activated', async () => {
      assert.equal(await methods().exists(), false)
      assert.equal(await methods().create(), true)
      assert.equal(await methods().exists(), true)
      const [endpoint] = await endpointsNow()
      assert.deepEqual(
        [endpoint?.url, endpoint?.events, endpoint?.description],
        [hook.webhookUrl, ['guest.created', 'lead.*'], 'n8n: Evening list'],
      )
    })

    it('starts the workflow with what was delivered, once', async () => {
      await call('POST', 'guests', { name: 'Ada Marsh', email: 'ada@example.com' })
      await scene.quiet()
      const received = receiver.received.at(-1) as Received
      const forged = await deliver(received, Buffer.from(String(received.body).replace('Ada', 'Eve')))
      assert.deepEqual(forged, { noWebhookResponse: true, answered: [400] })
      const { workflowData } = await deliver(received)
      const [[{ json }]] = workflowData as [[{ json: { event: string; data: { name: string } } }]]
      assert.deepEqual([json.event, json.data.name], ['guest.created', 'Ada Marsh'])
      assert.deepEqual(await deliver(received), { webhookResponse: { started: false }, answered: [] })
    })

    it('sets its endpoint right when the node asks for something else, or it was switched off', async () => {
      const [endpoint] = await endpointsNow()
      await call('PATCH', `webhooks/${endpoint?.id}`, { status: 'paused' })
      trigger.node.parameters.events = ['reservation.*']
      assert.equal(await methods().exists(), true)
      const [changed] = await endpointsNow()
      assert.deepEqual([changed?.status, changed?.events], ['active', ['reservation.*']])
    })

    it('takes the place of an endpoint of the same address whose secret was lost', async () => {
      const [before] = await endpointsNow()
      const { node } = trigger
      trigger = placed('venueDataTrigger', node.parameters)
      assert.equal(await methods().exists(), false)
      await methods().create()
      const now = await endpointsNow()
      assert.equal(now.length, 1)
      assert.notEqual(now[0]?.id, before?.id)
    })

    it('deletes it when the workflow is deactivated', async () => {
      await methods().remove()
      assert.deepEqual(await endpointsNow(), [])
      assert.equal(await methods().exists(), false)
      await methods().remove()
    })

    it('says plainly that a venue may have ten', async () => {
      for (let count = 0; count < limits.webhookEndpointsOfVenue; count++) {
        await call('POST', 'webhooks', { url: `${receiver.url}/full/${count}`, events: ['guest.created'] })
      }
      await assert.rejects(async () => methods().create(), {
        message: 'This venue already has 10 webhook endpoints, the most it may have.',
      })
    })
  })

  /** A time that the venue's rules allow. */
  const tomorrowEvening = (): string => {
    const day = Temporal.Now.zonedDateTimeISO('America/New_York').add({ days: 1 }).toPlainDate()
    return `${day.toString()}T19:00:00-05:00`
  }
})
