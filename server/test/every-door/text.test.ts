import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { setRules } from '../open-rules.ts'
import { type TestService, type TestVenue, startService } from '../service.ts'

/** Text that other systems bend: it comes back from this one exactly as it was sent. */
const texts = [
  ' leading and trailing ',
  '\ttab, \n line feed, \r\n both, \r return',
  'quotes \' " ` « » “ ” and \\ backslashes \\n \\u0041',
  '<script>alert("x")</script> &amp; & %00 %s {{x}} ${x} $1 ?',
  "'); drop table guest; --",
  '👩🏽‍🍳 family 👨‍👩‍👧‍👦 flag 🇫🇷 heart ❤️',
  'שלום עולם and مرحبا بالعالم \u202Ereversed\u202C \u200F',
  'Zoë in NFC and Zoe\u0308 in NFD, ﬁ and ½ and Ⅷ',
  'zero\u200Bwidth, no\u00A0break, soft\u00ADhyphen, \uFEFF mark',
  '中文 日本語 한국어 ไทย हिन्दी',
  'İstanbul ı ß ẞ ſ K (Kelvin)',
  '\u{10FFFF}\u{1F600}\uE000\uFFFD',
  '\u0001\u0008\u000B\u001B[31m\u007F\u0085',
  '{"json":["inside",null]}',
  'null',
  '0',
  'a'.repeat(200),
  '👍'.repeat(200),
]

describe('text comes back exactly as it was sent', () => {
  let service: TestService
  let venue: TestVenue
  const post = async (path: string, body: object) => {
    const answer = await service.call('POST', path, { key: venue.key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const newest = async (path: string) =>
    (await service.call('GET', `${path}?limit=1`, { key: venue.key })).body[0]
  let people = 0
  const someone = (): string => `someone${++people}@example.com`

  const roundTrip = async (text: string): Promise<void> => {
    const { reservation } = await post('/api/v1/reservations', {
      guestName: text,
      notes: text,
      phone: text.slice(0, 20).isWellFormed() ? text.slice(0, 20) : 'x',
      partySize: 1,
      date: '2026-10-09',
      time: '19:00',
    })
    for (const one of [reservation, await newest('/api/v1/reservations')]) {
      assert.equal(one.guestName, text)
      assert.equal(one.notes, text)
    }
    const { guest } = await post('/api/v1/guests', { name: text, email: someone(), notes: text })
    assert.equal(guest.name, text)
    const { subscriber } = await post('/api/v1/subscribers', {
      email: someone(),
      firstName: text,
      consent: { source: text, statement: text, pageUrl: text },
    })
    assert.equal(subscriber.firstName, text)
    const { lead } = await post('/api/v1/leads', {
      name: text,
      eventName: text,
      occasion: text,
      guestCount: text,
      budgetPerPerson: text,
      notes: text,
    })
    for (const one of [lead, await newest('/api/v1/leads')]) {
      assert.deepEqual(
        [one.contactName, one.eventName, one.occasion, one.guestCount, one.budgetPerPerson, one.notes],
        Array.from({ length: 6 }, () => text),
      )
    }
    const { task } = await post('/api/v1/tasks', { title: text, client: text })
    assert.deepEqual([task.title, task.client], [text, text])
    const [proof] = await service.db.session(
      async (client) =>
        (
          await client.query(
            'select source, statement, page_url from consent where venue_id = $1 and subscriber_id = $2',
            [venue.id, subscriber.id],
          )
        ).rows,
    )
    assert.deepEqual(proof, { source: text, statement: text, page_url: text })
  }

  before(async () => {
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
  })
  after(() => service.stop())

  for (const text of texts) {
    it(JSON.stringify(text.slice(0, 40)), () => roundTrip(text))
  }

  it('counts every character toward a length, however many marks are piled on one letter', async () => {
    const piled = `a${'\u0301'.repeat(600)}`
    const answer = await service.call('POST', '/api/v1/tasks', { key: venue.key, body: { title: piled } })
    assert.deepEqual([answer.status, answer.body.error], [400, 'title must be at most 500 characters long.'])
    const fits = await service.call('POST', '/api/v1/tasks', {
      key: venue.key,
      body: { title: '😀'.repeat(500) },
    })
    assert.equal(fits.status, 201)
  })

  it('any text there is', async () => {
    const visible = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 150 })
      .filter((text) => /\S/.test(text) && !text.includes('\0'))
    await fc.assert(
      fc.asyncProperty(visible, (text) => roundTrip(text)),
      { numRuns: 40 },
    )
  })
})
