import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventNames, events } from '@venue-data/contract/webhooks/events.ts'
import { kinds } from '@venue-data/contract/kinds.ts'
import { erasePerson } from '../../data/erasure/erase.ts'
import { recordEvent } from '../../core/events/record.ts'
import { dinner, openBook } from '../../book/reservations/test/book.ts'
import type { Receiver } from '../../test/receiver.ts'
import type { TestVenue } from '../../test/service.ts'
import { type Scene, startScene } from './test/scene.ts'
import { dataForEndpoint } from './endpoint-data.ts'

const whole = { payload: 'full', include: [], scopes: [] } as const
const masked = ['contacts:hidden'] as const

describe('what an endpoint receives', () => {
  it('a thin payload is an id without personal data, for every event', () => {
    for (const event of eventNames) {
      const { example } = events[event]
      const data = JSON.stringify(example)
      const told = dataForEndpoint(event, data, '{"name":"Maya"}', {
        ...whole,
        payload: 'thin',
        include: ['previous'],
      })
      assert.deepEqual(Object.keys(told), ['data'])
      if ('id' in example) assert.deepEqual(JSON.parse(told.data), { id: example.id })
      // Data without an id is not about a person.
      else assert.equal(events[event].kind, null)
    }
  })

  it('previous values leave out what the key may not see', () => {
    for (const event of eventNames) {
      const { kind, example } = events[event]
      if (kind === null) continue
      const { previous } = dataForEndpoint(event, JSON.stringify(example), JSON.stringify(example), {
        ...whole,
        include: ['previous'],
        scopes: masked,
      })
      const fields = Object.keys(JSON.parse(previous ?? ''))
      const hidden: readonly string[] = kinds[kind].contacts
      assert.deepEqual(
        fields,
        Object.keys(example).filter((field) => !hidden.includes(field)),
      )
    }
  })
})

describe('how a requested change ended', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
    scene.worker()
  })
  after(() => scene.stop())

  it('comes next to the data of its event, to every endpoint, and with no other event', async () => {
    scene.service.setClock('2026-10-06T19:00:00Z')
    const book = await openBook(scene.service, dinner({}))
    const { key } = book.venue
    const receiver = await scene.receiver()
    for (const [path, more] of Object.entries({
      plain: { events: ['*'] },
      thin: { events: ['*'], payload: 'thin' },
      // Under another name of the same event.
      cancelled: { events: ['reservation.cancelled'] },
    })) {
      const made = await scene.service.call('POST', '/api/v1/webhooks', {
        key,
        body: { url: `${receiver.url}/${path}`, ...more },
      })
      assert.equal(made.status, 201, made.text)
    }
    const ask = async () => {
      const id = await book.booking('Confirmed')
      const asked = await scene.service.call('PATCH', `/api/v1/reservations/${id}`, {
        key,
        headers: { 'if-match': '*' },
        body: { time: '20:00' },
      })
      assert.equal(asked.status, 202, asked.text)
      return id
    }
    await scene.service.call('DELETE', `/api/v1/reservations/${await ask()}/change`, { key })
    await scene.service.call('POST', `/api/v1/reservations/${await ask()}/cancel`, { key })
    scene.pass(1_000)
    await scene.quiet()
    const arrived = (path: string): { event: string; names: string[]; answer?: string }[] =>
      receiver.received.filter((one) => one.path === `/${path}`).map(({ body }) => JSON.parse(String(body)))
    for (const path of ['plain', 'thin']) {
      const told = arrived(path)
      assert.ok(told.some(({ event }) => event === 'reservation.change_requested'))
      for (const { names, answer } of told)
        assert.equal(answer !== undefined, names.includes('reservation.change_answered'))
      assert.deepEqual(told.flatMap(({ answer }) => answer ?? []).toSorted(), ['lapsed', 'withdrawn'])
    }
    assert.deepEqual(
      arrived('cancelled').map(({ event, answer }) => [event, answer]),
      [['reservation.cancelled', 'lapsed']],
    )
  })
})

describe('previous values', () => {
  let scene: Scene
  let venue: TestVenue
  let receiver: Receiver
  before(async () => {
    scene = await startScene()
    scene.worker()
    venue = await scene.service.venue()
    receiver = await scene.receiver()
  })
  after(() => scene.stop())

  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    scene.service.call(method, `/api/v1/${path}`, {
      key: venue.key,
      headers,
      ...(body !== undefined && { body }),
    })
  const endpoint = async (path: string, more: object = {}): Promise<void> => {
    const made = await call('POST', 'webhooks', { url: `${receiver.url}/${path}`, events: ['*'], ...more })
    assert.equal(made.status, 201, made.text)
  }
  const arrived = async (path: string) => {
    await scene.quiet()
    return receiver.received
      .filter((one) => one.path === `/${path}`)
      .map(({ body }) => JSON.parse(String(body)))
  }
  const change = (path: string, body: object) => call('PATCH', path, body, { 'if-match': '*' })

  it('are sent only to endpoints that asked for them, with public fields only', async () => {
    await endpoint('plain')
    await endpoint('asks', { include: ['previous'] })
    await endpoint('thin', { include: ['previous'], payload: 'thin' })
    const { body: made } = await call('POST', 'guests', { name: 'Maya Okafor', email: 'maya@example.com' })
    const guest = `guests/${made.guest.id}`
    await scene.quiet()
    assert.equal((await change(guest, { name: 'Maya O.', seatingPreference: 'Window' })).status, 200)
    scene.pass(1_000)
    const [created, updated] = await arrived('asks')
    assert.deepEqual([created.event, created.previous], ['guest.created', null])
    assert.deepEqual(
      [updated.event, updated.previous],
      ['guest.updated', { name: 'Maya Okafor', seatingPreference: null }],
    )
    for (const one of await arrived('plain')) assert.ok(!('previous' in one))
    for (const one of await arrived('thin')) {
      assert.deepEqual(one.data, { id: made.guest.id })
      assert.doesNotMatch(JSON.stringify(one), /Maya|example\.com|previous/)
    }
  })

  it('of a guest whose counters changed several times in a minute predate all those changes', async () => {
    const { body: made } = await call('POST', 'guests', { name: 'Sam Rivera', email: 'sam@example.com' })
    await arrived('asks')
    const count = (...steps: (readonly [before: object, after: object])[]) =>
      scene.service.db.transaction(async (queries) => {
        for (const [before, after] of steps)
          await recordEvent(
            { db: queries.within(venue.id), venue },
            'guest.updated',
            { ...made.guest, ...after } as never,
            scene.service.context.clock(),
            { before: { ...made.guest, ...before } as never, gather: true },
          )
      })
    const [one, two] = [
      { visitCount: 1, noShowCount: 1 },
      { visitCount: 2, cancellationCount: 1 },
    ]
    await count([{}, one])
    await count([one, two])
    const known = (await arrived('asks')).length
    scene.pass(60_000)
    scene.service.context.bell.ring()
    const told = (await arrived('asks')).slice(known)
    assert.deepEqual(
      told.map(({ data, previous }) => [data.visitCount, previous]),
      // A field that changed back is not among them.
      [[2, { visitCount: 0, cancellationCount: 0 }]],
    )
    // The same if one transaction changes them several times, before and after another.
    await count([two, one], [one, {}])
    await count([{}, two], [two, { ...two, visitCount: 3 }])
    scene.pass(60_000)
    scene.service.context.bell.ring()
    assert.deepEqual(
      (await arrived('asks')).slice(known + 1).map(({ data, previous }) => [data.visitCount, previous]),
      [[3, { visitCount: 2 }]],
    )
  })

  it('are gone once the person is erased', async () => {
    const email = 'grace@example.com'
    const { body: made } = await call('POST', 'guests', { name: 'Grace Hopper', email })
    await change(`guests/${made.guest.id}`, { name: 'Grace Murray Hopper' })
    const ofGuest = () =>
      scene.query('select data, previous from event where venue_id = $1 and record_id = $2', [
        venue.id,
        made.guest.id,
      ])
    assert.ok((await ofGuest()).some(({ previous }) => String(previous).includes('Grace Hopper')))
    const { clock } = scene.service.context
    await scene.service.db.transaction((queries) =>
      erasePerson(
        { db: queries.within(venue.id), venue, now: clock } as never,
        { kind: 'service' },
        { guestId: made.guest.id, email, phone: null, name: null },
      ),
    )
    for (const { data, previous } of await ofGuest()) assert.deepEqual([data, previous], [null, null])
  })
})
