import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { countOf } from '../../test/rows.ts'
import { type Answer, type TestService, type TestVenue, startService } from '../../test/service.ts'
import { campaignCalls, oysters, saveTestAddresses, subscribe } from './test/list.ts'

describe('POST /campaigns', () => {
  let service: TestService
  let venue: TestVenue
  let create: (body: object) => Promise<Answer>

  before(async () => {
    service = await startService()
    venue = await service.venue()
    create = campaignCalls(service, venue).create
  })
  after(() => service.stop())

  it('is saved as a draft; nothing is sent or scheduled', async () => {
    const answer = await create({
      ...oysters,
      preheader: 'Six kinds, a dozen for $24.',
      bodyText: 'Oyster week',
      segment: { type: 'tag', anyOf: ['Wine'], colour: 'red' },
    })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, {
      ok: true,
      campaign: {
        id: answer.body.campaign.id,
        restaurantId: venue.slug,
        name: 'October oyster week',
        subject: 'Oysters all week, {{firstName|friends}}',
        preheader: 'Six kinds, a dozen for $24.',
        bodyHtml: '<h1>Oyster week</h1><p>Six kinds, from Tuesday to Sunday.</p>',
        bodyText: 'Oyster week',
        bodyFormat: 'guided',
        segment: { type: 'tag', anyOf: ['Wine'] },
        status: 'draft',
        scheduledAt: null,
        startedAt: null,
        finishedAt: null,
        testSentAt: null,
        createdBy: null,
        recipientsTotal: 0,
        sentCount: 0,
        failedCount: 0,
        lastError: '',
        sendHoldUntil: null,
        eventId: null,
        seriesKey: '',
        seriesStep: null,
        seriesTotal: null,
        createdAt: '2026-10-06T19:00:00.000Z',
        updatedAt: '2026-10-06T19:00:00.000Z',
        revision: 1,
      },
    })
  })

  it('name and subject are all it needs; everyone subscribed is who it goes to', async () => {
    const { body } = await create({ name: 'N', subject: 'S', preheader: null, segment: null, bodyFormat: '' })
    const { bodyHtml, bodyText, bodyFormat, segment, preheader } = body.campaign
    assert.deepEqual(
      { bodyHtml, bodyText, bodyFormat, segment, preheader },
      {
        bodyHtml: '',
        bodyText: '',
        bodyFormat: 'guided',
        segment: { type: 'all' },
        preheader: '',
      },
    )
  })

  it('a body is made harmless when it is written, and kept so', async () => {
    const { body } = await create({ ...oysters, bodyHtml: '<p onclick="x()">Hi<script>steal()</script></p>' })
    assert.equal(body.campaign.bodyHtml, '<p>Hi</p>')
    const page = await create({
      ...oysters,
      bodyFormat: 'HTML',
      bodyHtml: '<html><head><title>T</title></head><body><form><p>Hi</p></form></body></html>',
    })
    assert.equal(page.body.campaign.bodyFormat, 'html')
    assert.match(page.body.campaign.bodyHtml, /<title>T<\/title>/)
    assert.doesNotMatch(page.body.campaign.bodyHtml, /<form/)
  })

  it('a subject over 200 characters is refused; characters count, not bytes or halves', async () => {
    const most = '🦪'.repeat(limits.subjectCharacters)
    const kept = await create({ ...oysters, subject: most })
    assert.equal(kept.status, 200, kept.text)
    assert.equal(kept.body.campaign.subject, most)
    const answer = await create({ ...oysters, subject: `${most}!` })
    assert.deepEqual(
      [answer.status, answer.body],
      [400, { error: 'subject must be at most 200 characters long.' }],
    )
  })

  it('what is missing or cannot be read is 400 with a sentence', async () => {
    for (const [body, error] of [
      [{ subject: 'S' }, 'name is required.'],
      [{ name: 'N' }, 'subject is required.'],
      [{ name: 'N', subject: ' ' }, 'subject must be more than blanks.'],
      [{ ...oysters, bodyHtml: 5 }, 'bodyHtml must be text.'],
      [{ ...oysters, bodyFormat: 'markdown' }, 'bodyFormat must be one of guided, html.'],
      [{ ...oysters, segment: 'all' }, 'segment must be an object.'],
      [{ ...oysters, segment: [] }, 'segment must be an object.'],
      [{ ...oysters, segment: { type: 'sql' } }, /^segment\.type must be one of all, tag, birthday/],
    ] as const) {
      const answer = await create(body)
      assert.equal(answer.status, 400, answer.text)
      if (typeof error === 'string') assert.deepEqual(answer.body, { error })
      else assert.match(answer.body.error, error)
    }
  })

  it('a request may have 1 MiB and not a byte more, all of it the body if need be', async () => {
    const bare = JSON.stringify({ ...oysters, bodyHtml: '' })
    const bodyHtml = 'x'.repeat(limits.campaignBodyBytes - bare.length)
    const fits = JSON.stringify({ ...oysters, bodyHtml })
    assert.equal(Buffer.byteLength(fits), limits.campaignBodyBytes)
    const kept = await service.call('POST', '/api/v1/campaigns', { key: venue.key, body: fits })
    assert.equal(kept.status, 200, kept.text.slice(0, 200))
    assert.equal(kept.body.campaign.bodyHtml, bodyHtml)
    const over = await service.call('POST', '/api/v1/campaigns', { key: venue.key, body: `${fits} ` })
    assert.equal(over.status, 400)
    assert.match(over.body.error, /too large/)
  })

  it('a body that grows over 1 MiB when it is cleaned, or has more tags than any mail, is 400 and kept nowhere', async () => {
    const before = await countOf(service, 'campaign', venue.id)
    for (const [bodyHtml, error] of [
      ['<'.repeat(1_000_000), /^The body has too many tags or lines: 20,000 tags at most\.$/],
      [`<style>${'<'.repeat(1_000_000)}</style>`, /too many tags/],
      ['<b></b>'.repeat(20_001), /too many tags/],
      ['{{firstName|you}} '.repeat(1_001), /^The body has too many merge tags: 1,000 at most\.$/],
      ['x\n\n'.repeat(200_000), /too many tags or lines/],
      ['& '.repeat(400_000), /^The body is too long once it is cleaned, .*: 1 MiB at most\.$/],
      [`<p>${'"'.repeat(400_000)}</p>`, undefined],
      ['<br>'.repeat(19_000) + 'x'.repeat(960_000), /too long once/],
    ] as const) {
      const answer = await create({ ...oysters, bodyHtml })
      assert.equal(answer.status, error === undefined ? 200 : 400, answer.text.slice(0, 200))
      if (error !== undefined) assert.match(answer.body.error, error)
    }
    assert.equal(await countOf(service, 'campaign', venue.id), before + 1)
  })

  it('a key of the automation platform gets 403 api-key-required on every campaign endpoint regardless of scope, and a read-only key gets 403', async () => {
    const automation = [
      await venue.makeKey('read_write', 'automation'),
      await venue.makeKey('read', 'automation'),
    ]
    const readOnly = await venue.makeKey('read')
    const rows: readonly Endpoint[] = Object.values(endpoints).filter(({ group }) => group === 'Campaigns')
    assert.deepEqual(
      rows.filter(({ method }) => method === 'GET').map(({ path }) => path),
      ['/api/v1/campaigns', '/api/v1/campaigns/{id}'],
    )
    for (const { method, path } of rows) {
      const ask = (key: string) =>
        service.call(method, path.replace('{id}', '1'), { key, ...(method === 'POST' && { body: oysters }) })
      for (const { key } of automation) {
        const answer = await ask(key)
        assert.deepEqual([answer.status, answer.body.reason], [403, 'api-key-required'], `${method} ${path}`)
      }
      const other = await ask(readOnly.key)
      const reason = method === 'GET' ? 'scope-missing' : undefined
      assert.deepEqual([other.status, other.body.reason], [403, reason], `${method} ${path}`)
    }
    // Elsewhere the scope is named first.
    const hooks = await service.call('GET', '/api/v1/webhooks', { key: automation[1]?.key as string })
    assert.deepEqual([hooks.status, hooks.body.reason], [403, undefined])
    assert.match(hooks.body.error, /read-only/)
  })

  it('takes no Idempotency-Key: the header is ignored', async () => {
    const before = await countOf(service, 'campaign', venue.id)
    for (let i = 0; i < 2; i++) {
      const answer = await service.call('POST', '/api/v1/campaigns', {
        key: venue.key,
        body: oysters,
        headers: { 'idempotency-key': 'one' },
      })
      assert.equal(answer.headers.get('idempotent-replayed'), null)
    }
    assert.equal(await countOf(service, 'campaign', venue.id), before + 2)
  })

  it('written, built, tested, sent and cancelled: nobody is mailed inside the ten minutes', async () => {
    venue = await service.venue()
    await saveTestAddresses(service, venue)
    await subscribe(service, venue, 3)
    const { create, compose, test, send, cancel } = campaignCalls(service, venue)
    const { id } = (await create(oysters)).body.campaign
    assert.equal((await compose({ id })).body.recipientsTotal, 3)
    const tested = await test({ id })
    assert.equal(tested.status, 200, tested.text)
    const sent = await send({ id, confirmCount: 3 })
    assert.equal(sent.status, 200, sent.text)
    assert.deepEqual(sent.body, {
      ok: true,
      campaign: {
        ...tested.body.campaign,
        ...sent.body.campaign,
        status: 'scheduled',
        scheduledAt: '2026-10-06T19:10:00.000Z',
        sendHoldUntil: '2026-10-06T19:10:00.000Z',
      },
      recipientsTotal: 3,
      pending: 3,
      retried: 0,
      holdUntil: '2026-10-06T19:10:00.000Z',
    })
    const cancelled = await cancel({ id })
    assert.equal(cancelled.status, 200, cancelled.text)
    assert.equal(cancelled.body.campaign.status, 'cancelled')
    assert.equal(cancelled.body.campaign.finishedAt, '2026-10-06T19:00:00.000Z')
    assert.deepEqual(cancelled.body.counts, {
      total: 3,
      pending: 0,
      sent: 0,
      failed: 0,
      skipped: 3,
      heldBack: 0,
    })
  })
})
