import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type RecordKind, kinds, recordKinds } from '@venue-data/contract/kinds.ts'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { setRules } from '../../../test/open-rules.ts'
import { type TestVenue, everyScope, withEveryScope } from '../../../test/service.ts'
import { type Scene, startScene } from '../../../integrations/webhooks/test/scene.ts'
import { maskedDetails, maskedFor, maskedText } from './contacts-hidden.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'

/** Unique words: every field that says something about a person contains one of them. */
const telling = /Zephyrine|zephyrine|Quillfeather|5550199|555 0199/

const withoutContacts: readonly Scope[] = [...everyScope, 'contacts:hidden']

const yourOwn = { externalId: 'the integrator’s own id' } as const

/** Text of records that such a key may read, and why it says nothing about who somebody is. A new text is hidden or here. */
const readable: Readonly<Record<RecordKind, Readonly<Record<string, string>>>> = {
  guest: {
    ...yourOwn,
    seatingPreference: 'which table suits them, in the venue’s words',
    referralSource: 'how they heard of the venue',
  },
  reservation: { ...yourOwn, time: 'a time', bookingType: 'the venue’s own name for a kind of booking' },
  subscriber: {},
  ticket_order: {
    orderNumber: 'the number the service gave it',
    eventName: 'an event on sale to everybody',
    occurrenceTitle: 'the same event’s date',
    eventStartTime: 'a time',
    total: 'an amount',
    refunded: 'an amount',
    promoCode: 'a code the venue made',
    externalReference: 'the seller’s own id',
  },
  waitlist_entry: { ...yourOwn, requestedTime: 'a time', windowStart: 'a time', windowEnd: 'a time' },
  lead: {
    ...yourOwn,
    occasion: 'what is celebrated, not by whom',
    date: 'a date, as given',
    guestCount: 'a number, as given',
    budgetPerPerson: 'an amount, as given',
    diningStyle: 'seated, buffet, and the like',
  },
  task: { ...yourOwn },
  campaign: {
    restaurantId: 'the venue’s identifier',
    name: 'the venue’s own text, for everybody on its list',
    subject: 'the same',
    preheader: 'the same',
    bodyHtml: 'the same',
    bodyText: 'the same',
    lastError: 'the service’s own sentence',
    seriesKey: 'what joins a series',
  },
  visit: { time: 'a time' },
}

type Property = {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly examples?: unknown
}

/** Fields of a record that hold any text: not a date, and not one of a list of words. */
const textsOf = (kind: RecordKind): readonly string[] =>
  Object.entries(kinds[kind].record.properties as Readonly<Record<string, Property>>).flatMap(
    ([field, { type, format, examples }]) =>
      [type].flat().includes('string') && format === undefined && examples === undefined ? [field] : [],
  )

describe('a key that sees no contact details', () => {
  let scene: Scene
  let venue: TestVenue
  let masked: string
  before(async () => {
    scene = await startScene()
    venue = await withEveryScope(await scene.service.venue())
    await setRules(scene.service, venue)
    masked = (await venue.makeKey('read_write', 'api', { scopes: withoutContacts })).key
  })
  after(() => scene.stop())

  const call = (method: string, path: string, key: string, body?: object, headers = {}) =>
    scene.service.call(method, `/api/v1/${path}`, { key, headers, ...(body && { body }) })
  const contact = { email: 'zephyrine@example.com', phone: '(212) 555 0199' }
  const bodies: Readonly<Record<string, object>> = {
    guests: { name: 'Zephyrine Quillfeather', ...contact, notes: 'Zephyrine likes the window' },
    reservations: {
      ...{ guestName: 'Zephyrine Quillfeather', partySize: 2, date: '2026-10-09', time: '19:00' },
      ...{ ...contact, notes: 'For Zephyrine' },
    },
    subscribers: { email: contact.email, firstName: 'Zephyrine', consent: { source: 'Checkout' } },
    leads: { name: 'Zephyrine', ...contact, eventName: 'Zephyrine at 40', notes: 'Zephyrine again' },
    tasks: { title: 'Call Zephyrine', client: 'Zephyrine' },
  }

  /** Creating one of these reveals whether somebody is known (write-to-look-up.test.ts). */
  const lookUps: ReadonlySet<string> = new Set(['guests', 'subscribers'])

  it('gets no name, address or number in lists, records, replies, the feed and their pages; the shape stays', async () => {
    for (const [path, body] of Object.entries(bodies)) {
      const made = await call('POST', path, venue.key, body)
      assert.match(made.text, telling, path)
      if (lookUps.has(path)) continue
      const again = await call('POST', path, masked, body)
      assert.ok(again.status < 300, again.text)
      assert.doesNotMatch(again.text, telling, path)
    }
    let items = 0
    for (const kind of recordKinds) {
      const list = kinds[kind].path.replace('/api/v1/', '')
      const whole = await call('GET', list, venue.key)
      const hidden = await call('GET', list, masked)
      assert.equal(hidden.status, 200)
      assert.doesNotMatch(hidden.text, telling, list)
      for (const [i, record] of hidden.body.entries()) {
        items++
        assert.deepEqual(Object.keys(record), Object.keys(whole.body[i]), list)
        assert.deepEqual(record, maskedFor(withoutContacts, kind, whole.body[i]))
        const path = `${list}/${record.id}`
        const [one, other] = [await call('GET', path, masked), await call('GET', path, venue.key)]
        assert.deepEqual(one.body, record)
        assert.notEqual(
          one.headers.get('etag'),
          other.headers.get('etag'),
          'what is shown differs, so does the tag',
        )
        const tag = { 'if-none-match': other.headers.get('etag') as string }
        assert.equal((await call('GET', path, masked, undefined, tag)).status, 200)
      }
    }
    assert.ok(items >= 6)
    const changes = await call('GET', 'changes', masked)
    assert.ok(changes.body.changes.length >= 6)
    assert.doesNotMatch(changes.text, telling)
    assert.match((await call('GET', 'changes', venue.key)).text, telling)
  })

  it('cannot search for people by contact details', async () => {
    for (const path of [
      'guests/find?email=zephyrine@example.com',
      'guests/find',
      'reservations/find?phone=2125550199',
      'guests?email=zephyrine@example.com',
      'reservations?phone=2125550199',
      'subscribers?email=zephyrine@example.com',
      'leads?email=',
    ]) {
      const answer = await call('GET', path, masked)
      assert.deepEqual([answer.status, answer.body.reason], [403, 'scope-missing'], path)
      assert.doesNotMatch(answer.text, telling)
    }
    assert.equal((await call('GET', 'guests?limit=5', masked)).status, 200)
  })

  it('deliveries to its endpoints have none either, with the same bytes each time; deliveries to other keys’ endpoints do', async () => {
    scene.worker()
    const own = await scene.receiver(500)
    const others = await scene.receiver()
    const house = await scene.service.venue()
    const key = (await house.makeKey('read_write', 'api', { scopes: withoutContacts })).key
    await scene.endpoint({ ...house, key }, own)
    await scene.endpoint(house, others)
    await call('POST', 'guests', house.key, bodies['guests'])
    await scene.quiet()
    scene.pass(65_000)
    await scene.sweep()
    await scene.quiet()
    assert.equal(own.received.length, 2)
    const [first, second] = own.received.map(({ body }) => body.toString())
    assert.equal(first, second)
    assert.doesNotMatch(first as string, telling)
    const { data } = JSON.parse(first as string)
    assert.deepEqual([data.name, data.email, data.visitCount], [null, null, 0])
    assert.match(others.received[0]?.body.toString() ?? '', telling)
  })

  it('sees nulls even when it repeats another key’s request', async () => {
    const headers = { 'idempotency-key': 'one-lead' }
    const first = await call('POST', 'leads', venue.key, bodies['leads'], headers)
    const again = await call('POST', 'leads', masked, bodies['leads'], headers)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.body, { lead: maskedFor(withoutContacts, 'lead', first.body.lead) })
    assert.doesNotMatch(again.text, telling)
  })

  it('does not see the reason of a refund that another key requested', () => {
    const body = { refundRequest: { id: 7, status: 'asked', amountCents: 500, reason: 'Zephyrine is ill.' } }
    const kept = JSON.stringify(body)
    assert.deepEqual(
      JSON.parse(maskedText(withoutContacts, endpoints.requestRefund, { status: 201, body: kept })),
      {
        refundRequest: { ...body.refundRequest, reason: null },
      },
    )
    assert.equal(maskedText(everyScope, endpoints.requestRefund, { status: 201, body: kept }), kept)
  })

  it('a record within a refusal is masked, too', () => {
    const guest = { id: 1, name: 'Zephyrine', email: 'z@example.com' }
    assert.deepEqual(maskedDetails(withoutContacts, endpoints.getGuest, { current: guest, mergedInto: 3 }), {
      current: { id: 1, name: null, email: null },
      mergedInto: 3,
    })
  })

  it('every text of a record is hidden from it, or named here with why it is not', () => {
    for (const kind of recordKinds)
      assert.deepEqual(
        new Set(textsOf(kind)),
        new Set([...kinds[kind].contacts, ...Object.keys(readable[kind])]),
        kind,
      )
    for (const kind of recordKinds)
      for (const field of kinds[kind].contacts) assert.ok(!(field in readable[kind]), `${kind}.${field}`)
  })

  it('every hidden field is nullable', () => {
    for (const kind of recordKinds) {
      const { properties } = kinds[kind].record as unknown as {
        properties: Record<string, { type?: unknown }>
      }
      for (const field of kinds[kind].contacts)
        assert.deepEqual(properties[field]?.type, ['string', 'null'], `${kind}.${field}`)
    }
  })
})
