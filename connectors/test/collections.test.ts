import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { groups } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { type Reason, reasons } from '@venue-data/contract/reasons.ts'
import { type Demo, makeDemo } from '../../server/demo/make-demo.ts'
import { daysAhead, houseRules } from '../../server/demo/house-rules.ts'
import { erasePerson } from '../../server/data/erasure/erase.ts'
import { staff } from '../../server/book/reservations/test/book.ts'
import { addDays, weekdayOf } from '../../server/platform/kernel/time/calendar.ts'
import type { LocalDate } from '../../server/platform/kernel/time/written-time.ts'
import { rowsOf } from '../../server/test/rows.ts'
import { type TestService, startService } from '../../server/test/service.ts'
import { brunoCollection } from './bruno-file.ts'
import { type Answered, type CollectionRequest, madeAt, runCollection } from './collection.ts'
import { postmanCollection, readPostman } from './postman-file.ts'

/*
 * The collections for Postman and Bruno, every request of them sent to a real service from beginning to end, as somebody
 * who presses Send from top to bottom would.
 */

/** Sent once more, before deliveries are read. */
const moreThanOnce = 'Request a reservation, which is delivered'

const rows: readonly Endpoint[] = Object.values(endpoints)
const rowOf = (summary: string): Endpoint => {
  const row = rows.find(
    (one) => one.summary === summary || (summary === moreThanOnce && one.id === 'createReservation'),
  )
  assert.ok(row, summary)
  return row
}

/** What cannot succeed out of the blue, with the refusal that the reference names for it. */
const refused: Readonly<Record<string, string>> = {
  // One press reads a page of the first copy, not all of it.
  'Compare a copy': '409 cursor-behind',
  'Read the requested change': '404 No change of this reservation waits for an answer.',
  // No key may start a payment at first, so nothing can be read or ended.
  'Start a payment': '403 scope-missing',
  'Read a checkout': '404 There is nothing at this address.',
  'End a checkout': '404 There is nothing at this address.',
  'Request a refund': '409 not-in-state',
  'Withdraw a requested change': '404 No change of this reservation waits for an answer.',
}

const outcome = ({ status, body }: Answered): string => `${status} ${String(body['reason'] ?? body['error'])}`

const isDocumented = ({ request, status, body }: Answered): boolean => {
  const row = rowOf(request.name)
  const reason = body['reason'] as Reason | undefined
  return (
    status in row.replies ||
    (reason !== undefined && row.reasons?.includes(reason) === true && reasons[reason].status === status) ||
    (status === 409 && row.conflict !== undefined) ||
    (status === 403 && reason === 'scope-missing' && row.scope !== undefined) ||
    (status === 404 && row.path.includes('{'))
  )
}

describe('the collections', () => {
  let service: TestService
  let demo: Demo
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
    demo = await makeDemo(service.context, { scale: 0.01 })
    await rowsOf(service, 'update api_key set may_rotate = true where venue_id = $1', [demo.venue.id])
    // So that there is an erasure to confirm.
    const path = '/api/v1/guests?limit=1'
    const [guest] = (await service.call('GET', path, { key: demo.keys.readWrite })).body
    await service.db.transaction((db) =>
      erasePerson(
        { db: db.within(demo.venue.id), venue: { ...demo.venue, plan: 'pro' }, now: service.context.clock },
        staff('owner'),
        { guestId: guest.id, email: guest.email, phone: guest.phone, name: guest.name },
      ),
    )
  })
  after(() => service.stop())

  it('Postman: every endpoint is in the folder of its group, and none of them has a key', () => {
    const file = readPostman()
    assert.deepEqual(
      file.item.map(({ name }) => name),
      Object.keys(groups),
    )
    for (const { name, item } of file.item) {
      const expected = rows.filter(({ group }) => group === name).map(({ summary }) => summary)
      const names = item.map((one) => one.name).filter((one) => one !== moreThanOnce)
      assert.deepEqual(names.toSorted(), expected.toSorted())
    }
    assert.doesNotMatch(
      JSON.stringify(file),
      /service_sk_(?!x{40})|whsec_(?!Zm9yVGhlRG9jc09ubHlOb3RBUmVhbFNlY3JldD)/,
    )
    assert.equal(file.variable.find(({ key }) => key === 'key')?.value, '')
  })

  it('Postman: every request, sent from top to bottom, is answered as the reference says, and checks it', async () => {
    const file = readPostman()
    const collection = postmanCollection(file)
    const variables = Object.fromEntries(file.variable.map(({ key, value }) => [key, value]))
    const answers = await runCollection(collection, {
      variables: { ...variables, baseUrl: service.url, key: demo.keys.readWrite },
      nowMs: service.context.clock().epochMilliseconds,
    })
    for (const answer of answers) {
      assert.ok(isDocumented(answer), `${answer.request.name}: ${outcome(answer)}`)
    }
    const failed = answers.filter(({ status }) => status >= 300)
    assert.deepEqual(Object.fromEntries(failed.map((one) => [one.request.name, outcome(one)])), refused)
  })

  it('book a day on which the practice venue is open as usual, whichever day they are sent on', () => {
    const collection = postmanCollection(readPostman())
    const first = Temporal.PlainDate.from('2026-10-06')
    for (let n = 0; n < 11 * 366; n++) {
      const today = first.add({ days: n })
      const day = today.toString()
      const { epochMilliseconds } = today.toZonedDateTime({ timeZone: 'UTC', plainTime: '19:00' })
      const date = madeAt(collection, epochMilliseconds).get('date') as LocalDate
      const rules = houseRules(day)
      assert.ok(date >= today.add({ days: 7 }).toString() && date <= addDays(day, daysAhead), day)
      const why = [
        rules.periods.every(({ weekday }) => weekday !== weekdayOf(date)) && 'has no hours',
        rules.closures.some(({ from, to }) => from <= date && date <= to) && 'is closed',
        rules.specialDays.some((special) => special.date === date) && 'has hours of its own',
        rules.blocks.some(({ serviceDate }) => serviceDate === date) && 'is taken by a party',
      ].filter(Boolean)
      assert.deepEqual(why, [], `sent on ${day}, they book ${date}`)
    }
  })

  it('Bruno: its requests are those of Postman', () => {
    const [bruno, postman] = [brunoCollection(), postmanCollection(readPostman())]
    /** What a script keeps, in either program's words. */
    const kept = (script = ''): unknown => [
      /expect\((.*)\)\.to\.include/.exec(script)?.[1],
      /found = (.*)/.exec(script)?.[1],
      /et(?:Var)?\(["'](\w+)/.exec(script)?.[1],
    ]
    const plain = (request: CollectionRequest) => ({ ...request, after: kept(request.after) })
    assert.deepEqual(bruno.requests.map(plain), postman.requests.map(plain))
    assert.equal(
      bruno.before.replaceAll('bru.setVar', 'set').replaceAll('"', "'"),
      postman.before.replaceAll('pm.collectionVariables.set', 'set'),
    )
  })
})
