import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { countOf, rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'

describe('POST /subscribers', () => {
  let service: TestService
  let venue: TestVenue
  const consent = { source: 'Checkout page' }
  const add = (body: object) => service.call('POST', '/api/v1/subscribers', { key: venue.key, body })
  const have = async (email: string, status: string) => {
    await rowsOf(
      service,
      `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
       values ($1, $2, lower($2), $3, 'signup_form', '2026-01-01Z', '2026-01-01Z')`,
      [venue.id, email, status],
    )
  }
  const suppress = (email: string, reason: string) =>
    rowsOf(service, 'insert into suppression values ($1, $2, $3, now())', [venue.id, email, reason])

  before(async () => {
    service = await startService()
  })
  beforeEach(async () => {
    venue = await service.venue()
  })
  after(() => service.stop())

  it('adds someone new: 201, subscribed, the evidence stored to the letter, one subscriber.added', async () => {
    const evidence = {
      source: ' Checkout "page" ',
      statement: 'Send me news\nfrom The Blue Door ☕',
      at: '2026-10-05T09:30:00.1239+02:00',
      pageUrl: 'https://bluedoor.example/checkout?step=2&x=ü',
    }
    const answer = await add({
      email: ' Maya@Example.com ',
      firstName: ' Maya',
      tag: 'Wine evenings',
      consent: { ...evidence, ip: '127.0.0.1' },
    })
    assert.equal(answer.status, 201, answer.text)
    const { subscriber } = answer.body
    assert.deepEqual(answer.body, {
      added: true,
      status: 'subscribed',
      message: 'They were added to the e-mail list.',
      subscriber: {
        id: subscriber.id,
        email: 'Maya@Example.com',
        firstName: ' Maya',
        status: 'subscribed',
        source: 'automation',
        birthMonth: null,
        birthDay: null,
        consentAt: '2026-10-05T07:30:00.123Z',
        confirmedAt: null,
        unsubscribedAt: null,
        tags: ['Wine evenings'],
        suppressed: false,
        createdAt: '2026-10-06T19:00:00.000Z',
        updatedAt: '2026-10-06T19:00:00.000Z',
        revision: 1,
      },
    })
    const [kept] = await rowsOf(
      service,
      `select source, statement, page_url, to_char(agreed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS') as agreed,
              recorded_via from consent where venue_id = $1 and subscriber_id = $2`,
      [venue.id, subscriber.id],
    )
    assert.deepEqual(kept, {
      source: evidence.source,
      statement: evidence.statement,
      page_url: evidence.pageUrl,
      agreed: '2026-10-05T07:30:00.123',
      recorded_via: 'automation',
    })
    const events = await rowsOf<{ name: string; data: string }>(
      service,
      'select name, data from event where venue_id = $1',
      [venue.id],
    )
    assert.deepEqual(
      events.map(({ name, data }) => [name, JSON.parse(data)]),
      [['subscriber.added', subscriber]],
    )
  })

  it('omitted consent.at is now, up to a minute ahead is tolerated, more is 400, the past is accepted', async () => {
    const at = async (moment: string | undefined, n: number) =>
      add({ email: `a${n}@example.com`, consent: { ...consent, at: moment } })
    assert.equal((await at(undefined, 0)).body.subscriber.consentAt, '2026-10-06T19:00:00.000Z')
    assert.equal((await at('2026-10-06T19:01:00Z', 1)).body.subscriber.consentAt, '2026-10-06T19:01:00.000Z')
    assert.equal((await at('0001-01-01T00:00:00Z', 2)).body.subscriber.consentAt, '0001-01-01T00:00:00.000Z')
    const future = await at('2026-10-06T19:01:00.001Z', 3)
    assert.equal(future.status, 400)
    assert.equal(future.body.error, 'consent.at must not be in the future.')
  })

  describe('an address that is not added is a normal reply, not an error', () => {
    for (const status of ['unsubscribed', 'pending'] as const) {
      it(`${status} stays ${status}: 200, added false, nothing changed and no event`, async () => {
        await have('maya@example.com', status)
        await suppress('maya@example.com', 'bounced')
        const answer = await add({ email: 'MAYA@example.com', firstName: 'Maya', tag: 'x', consent })
        assert.equal(answer.status, 200)
        assert.equal(answer.body.added, false)
        assert.equal(answer.body.status, status)
        assert.match(answer.body.message, /^[A-Z].+\.$/)
        assert.equal(answer.body.subscriber.status, status)
        assert.equal(answer.body.subscriber.firstName, null)
        assert.equal(answer.body.subscriber.updatedAt, '2026-01-01T00:00:00.000Z')
        for (const table of ['event', 'consent', 'tag', 'subscriber_tag']) {
          assert.equal(await countOf(service, table, venue.id), 0, table)
        }
      })
    }

    for (const reason of ['bounced', 'spam_report', 'staff_removal']) {
      it(`on the do-not-email list (${reason}): 200, suppressed, subscriber null, nobody made`, async () => {
        await suppress('maya@example.com', reason)
        const answer = await add({ email: ' Maya@example.com', consent })
        assert.equal(answer.status, 200)
        assert.deepEqual(answer.body, {
          added: false,
          status: 'suppressed',
          message: 'This address is on the do-not-email list and was not added.',
          subscriber: null,
        })
        assert.equal(await countOf(service, 'subscriber', venue.id), 0)
      })
    }

    it('subscribed already: 200, an empty first name is filled, the tag added, the evidence kept, an update event recorded', async () => {
      await have('maya@example.com', 'subscribed')
      const first = await add({ email: 'Maya@Example.com', firstName: 'Maya', tag: 'Wine', consent })
      assert.equal(first.status, 200)
      assert.equal(first.body.added, false)
      assert.equal(first.body.status, 'subscribed')
      assert.equal(first.body.subscriber.firstName, 'Maya')
      assert.equal(first.body.subscriber.email, 'maya@example.com')
      const second = await add({ email: 'maya@example.com', firstName: 'Other', tag: 'wine', consent })
      assert.equal(second.body.subscriber.firstName, 'Maya')
      assert.equal(await countOf(service, 'consent', venue.id), 2)
      assert.equal(await countOf(service, 'subscriber_tag', venue.id), 1)
      const told = await rowsOf<{ names: string[]; changed: string[] }>(
        service,
        'select names, changed from event where venue_id = $1',
        [venue.id],
      )
      assert.deepEqual(told, [{ names: ['subscriber.updated'], changed: ['firstName', 'tags'] }])
    })

    it('subscribed but on the do-not-email list is suppressed', async () => {
      await have('maya@example.com', 'subscribed')
      await suppress('maya@example.com', 'bounced')
      const answer = await add({ email: 'maya@example.com', consent })
      assert.deepEqual([answer.body.status, answer.body.subscriber], ['suppressed', null])
    })
  })

  it('tags are made on first use in their first spelling, and letter case does not matter', async () => {
    for (const [email, tag] of [
      ['a@example.com', 'Wine Évenings'],
      ['b@example.com', ' wine évenings '],
      ['c@example.com', 'WINE E\u0301VENINGS'],
      ['d@example.com', '🍷'.repeat(60)],
      ['e@example.com', null],
    ]) {
      assert.equal((await add({ email, tag, consent })).status, 201)
    }
    const tags = await rowsOf(service, 'select name from tag where venue_id = $1 order by id', [venue.id])
    assert.deepEqual(tags, [{ name: 'Wine Évenings' }, { name: '🍷'.repeat(60) }])
    assert.equal(await countOf(service, 'subscriber_tag', venue.id), 4)
  })

  it('of 30 parallel adds of one address exactly one is added', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        add({ email: i % 2 ? 'maya@example.com' : 'MAYA@example.com', tag: `t${i % 3}`, consent }),
      ),
    )
    assert.deepEqual(
      [201, 200].map((one) => answers.filter(({ status }) => status === one).length),
      [1, 29],
    )
    assert.ok(answers.every(({ body }) => body.status === 'subscribed'))
    assert.equal(new Set(answers.map(({ body }) => body.subscriber.id)).size, 1)
    assert.equal(await countOf(service, 'subscriber', venue.id), 1)
    assert.equal(await countOf(service, 'tag', venue.id), 3)
    const told = await rowsOf(service, 'select name from event where venue_id = $1 order by id', [venue.id])
    assert.deepEqual(
      told.map(({ name }) => name),
      ['subscriber.added', 'subscriber.updated', 'subscriber.updated'],
      'the other two tags come later',
    )
  })

  it('parallel adds of other addresses under one new tag make one tag', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => add({ email: `a${i}@example.com`, tag: 'Wine', consent })),
    )
    assert.ok(answers.every(({ status }) => status === 201))
    assert.equal(await countOf(service, 'tag', venue.id), 1)
    assert.equal(await countOf(service, 'subscriber_tag', venue.id), 30)
  })
})
