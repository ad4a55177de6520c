import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestVenue } from '../../../test/service.ts'
import { type Scene, hours, minutes, startScene } from '../test/scene.ts'

/* An endpoint's delivery log through the API, and resending from it. */

describe('deliveries by key', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  const jitterMs = 5_000
  const at = (venue: TestVenue, id: string) => {
    const call = (method: string, below: string, body?: object, headers?: Record<string, string>) =>
      scene.service.call(method, `/api/v1/webhooks/${id}/${below}`, {
        key: venue.key,
        ...(body && { body }),
        ...(headers && { headers }),
      })
    return {
      list: (query = '') => call('GET', `deliveries?${query}`),
      read: (delivery: string) => call('GET', `deliveries/${delivery}`),
      resend: (delivery: string, headers?: Record<string, string>) =>
        call('POST', `deliveries/${delivery}/resend`, undefined, headers),
      replay: (body: object, headers?: Record<string, string>) => call('POST', 'replay', body, headers),
    }
  }
  /** An endpoint of a new venue, with a receiver that responds this way, and a worker. */
  const begin = async (statusCode = 204, events = ['guest.created']) => {
    const venue = await scene.service.venue()
    const receiver = await scene.receiver(statusCode)
    const { id } = await scene.endpoint(venue, receiver, events)
    return { venue, receiver, id, log: at(venue, id) }
  }
  const bodiesOf = (receiver: { received: readonly { body: Buffer }[] }) =>
    receiver.received.map(({ body }) => String(body))
  const idsOf = (body: readonly { id: string }[]) => body.map(({ id }) => id)
  const now = () => scene.service.context.clock().toString()

  it('the log shows each delivery with its tries, but not the receiver’s response or the resolver’s', async () => {
    const { venue, receiver, log } = await begin(500)
    scene.worker()
    const { body: made } = await scene.service.call('POST', '/api/v1/guests', {
      key: venue.key,
      body: { email: 'ada@example.com' },
    })
    await scene.quiet()
    receiver.answer(204)
    const [waiting] = (await log.list()).body
    const { id, eventId, ...shown } = waiting
    assert.deepEqual(shown, {
      event: 'guest.created',
      record: { kind: 'guest', id: made.guest.id, revision: 1 },
      occurredAt: waiting.occurredAt,
      status: 'waiting',
      tries: 1,
      nextTryAt: waiting.nextTryAt,
      lastStatus: 'HTTP 500',
    })
    const sent = JSON.parse(bodiesOf(receiver)[0] ?? '')
    assert.deepEqual([id, eventId], [sent.id, sent.eventId])
    assert.ok(waiting.nextTryAt > now())
    scene.pass(minutes(1) + jitterMs)
    await scene.quiet()
    await scene.stopWorkers()
    const { body, status } = await log.read(id)
    assert.equal(status, 200)
    const { attempts, ...delivered } = body
    assert.deepEqual(delivered, {
      ...waiting,
      status: 'delivered',
      tries: 2,
      nextTryAt: null,
      lastStatus: 'ok 204',
    })
    assert.deepEqual(
      attempts.map(({ statusCode, result }: Record<string, unknown>) => [statusCode, result]),
      [
        [500, 'HTTP 500'],
        [204, 'ok 204'],
      ],
    )
    for (const attempt of attempts)
      assert.deepEqual(Object.keys(attempt), ['startedAt', 'durationMs', 'statusCode', 'result'])
  })

  it('comes page by page, by status, event and time', async () => {
    const { venue, receiver, log } = await begin(204, ['guest.*', 'lead.*'])
    scene.worker()
    for (let n = 0; n < 3; n++) {
      await scene.happen(venue)
      await scene.quiet()
      scene.pass(1_000)
    }
    receiver.answer(410)
    const [since, midst] = [now(), now()]
    await scene.happen(venue, 1, 'lead.created')
    await scene.quiet()
    await scene.stopWorkers()
    scene.pass(1_000)
    await scene.happen(venue)
    const all = (await log.list()).body
    assert.deepEqual(
      all.map(({ event, status }: Record<string, unknown>) => [event, status]),
      [
        ['guest.created', 'waiting'],
        ['lead.created', 'failed'],
        ['guest.created', 'delivered'],
        ['guest.created', 'delivered'],
        ['guest.created', 'delivered'],
      ],
    )
    const ids = idsOf(all)
    const told = async (query: string) => idsOf((await log.list(query)).body)
    assert.deepEqual(await told('status=failed'), [ids[1]])
    assert.deepEqual(await told('status=Waiting,FAILED'), ids.slice(0, 2))
    assert.deepEqual(await told('status=dropped'), [])
    assert.deepEqual(await told('event=lead.created'), [ids[1]])
    assert.deepEqual(await told('event=guest.*&status=waiting'), [ids[0]])
    assert.deepEqual(await told(`since=${since}`), ids.slice(0, 2))
    assert.deepEqual(await told(`until=${midst}`), ids.slice(2))
    for (const words of ['', '&event=*']) {
      const walked: string[] = []
      let query: string | undefined = `limit=2${words}`
      for (let pages = 0; query !== undefined && pages < 9; pages++) {
        const answer = await log.list(query)
        walked.push(...idsOf(answer.body))
        const [, next] = /^<\?(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
        assert.equal(next === undefined, answer.headers.get('x-next-cursor') === null)
        query = next
      }
      assert.deepEqual(walked, ids, words)
    }
    const cursor = (await log.list('limit=1')).headers.get('x-next-cursor')
    for (const bad of [
      'status=sent',
      'status=',
      'event=nope',
      'event=guest.created,guest.created',
      'until=tomorrow',
      'since=2026-10-06',
      'limit=0',
      'after=x',
      `after=${cursor}&status=failed`,
      'status=failed&status=failed',
    ]) {
      assert.equal((await log.list(bad)).status, 400, bad)
    }
    const { log: other } = await begin()
    assert.equal((await other.list(`after=${cursor}`)).status, 400)
  })

  it('undeliverable deliveries are dropped: after 48 hours, and when the key is revoked', async () => {
    const { venue, log } = await begin()
    await scene.happen(venue)
    scene.pass(hours(48))
    await scene.sweep()
    assert.deepEqual((await log.list()).body[0].status, 'dropped')
    const other = await begin()
    const maker = await other.venue.makeKey('read_write')
    await scene.query('update webhook_endpoint set key_id = $1 where id = $2', [maker.id, other.id])
    await scene.happen(other.venue)
    await scene.query(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'key-revoked' where id = $1`,
      [other.id],
    )
    await scene.sweep()
    const [{ status, nextTryAt }] = (await other.log.list()).body
    assert.deepEqual([status, nextTryAt], ['dropped', null])
  })

  it('a delivery is resent with the same id and bytes, after any outcome, and as a retry', async () => {
    const { venue, receiver, log } = await begin()
    scene.worker()
    await scene.happen(venue)
    await scene.quiet()
    const [{ id }] = (await log.list()).body
    const again = await log.resend(id, { 'idempotency-key': 'again-1' })
    assert.equal(again.status, 202, again.text)
    const { status, tries, lastStatus } = again.body.delivery
    assert.deepEqual([again.body.delivery.id, status, tries, lastStatus], [id, 'waiting', 1, 'ok 204'])
    scene.service.context.bell.ring()
    await scene.quiet()
    const replayed = await log.resend(id, { 'idempotency-key': 'again-1' })
    assert.deepEqual([replayed.status, replayed.body], [202, again.body])
    await scene.quiet()
    await scene.stopWorkers()
    const bodies = bodiesOf(receiver)
    assert.equal(bodies.length, 2)
    assert.equal(new Set(bodies).size, 1)
    assert.equal((await log.read(id)).body.attempts.length, 2)
    const left = await scene.query('select left_at from event where venue_id = $1', [venue.id])
    assert.notEqual(left[0]?.['left_at'], null)
  })

  it('a delivery is not resent while in flight, after 49 hours, or to an endpoint that is off for good', async () => {
    const { venue, receiver, log, id: endpoint } = await begin(0)
    scene.worker()
    await scene.happen(venue)
    const [{ id } = { id: '' }] = await scene.deliveries(venue)
    await scene.query(
      `update delivery set lease_token = gen_random_uuid(), due_at = $2 where venue_id = $1`,
      [venue.id, scene.service.context.clock().add({ seconds: 20 }).toString()],
    )
    const underway = await log.resend(id)
    assert.deepEqual([underway.status, underway.body.reason], [409, 'delivery-underway'])
    assert.equal((await log.read(id)).body.nextTryAt, null)
    receiver.answer(204)
    await scene.stopWorkers()
    scene.pass(hours(49))
    const old = await log.resend(id)
    assert.deepEqual([old.status, old.body.reason], [409, 'too-old'])
    await scene.query(
      `update webhook_endpoint set status = 'disabled', disabled_reason = 'key-revoked' where id = $1`,
      [endpoint],
    )
    const gone = await log.resend(id)
    assert.deepEqual([gone.status, gone.body.reason], [409, 'endpoint-off-for-good'])
    const replayed = await log.replay({ since: now(), only: 'all' })
    assert.deepEqual([replayed.status, replayed.body.reason], [409, 'endpoint-off-for-good'])
  })

  it('a replay of failures sends exactly those, and immediately sends deliveries waiting after a failed try', async () => {
    const { venue, receiver, log } = await begin()
    scene.worker()
    await scene.happen(venue, 2)
    await scene.quiet()
    scene.pass(1_000)
    const since = now()
    receiver.answer(500)
    await scene.happen(venue, 2)
    await scene.quiet()
    await scene.query(
      `update delivery set done_at = $2, outcome = 'failed' where ctid in (
         select ctid from delivery where venue_id = $1 and done_at is null limit 1)`,
      [venue.id, now()],
    )
    receiver.answer(204)
    await scene.happen(venue)
    await scene.quiet()
    const before = bodiesOf(receiver)
    const failed = (await log.list('status=failed,waiting')).body
    assert.deepEqual(failed.map(({ status }: { status: string }) => status).toSorted(), ['failed', 'waiting'])
    const asked = { since, only: 'failed' }
    const preview = await log.replay({ ...asked, preview: true })
    assert.deepEqual([preview.status, preview.body.count], [202, 2])
    assert.equal((await log.list('status=failed')).body.length, 1)
    const none = await log.replay({ ...asked, preview: true, events: ['lead.*'] })
    assert.deepEqual(none.body, { count: 0, firstDueAt: null })
    const sent = await log.replay(asked)
    assert.deepEqual([sent.status, sent.body.count], [202, 2])
    assert.equal(Temporal.Instant.compare(sent.body.firstDueAt, now()), 0)
    scene.service.context.bell.ring()
    await scene.quiet()
    await scene.stopWorkers()
    const again = bodiesOf(receiver).slice(before.length)
    assert.equal(again.length, 2)
    for (const body of again) assert.ok(before.includes(body))
    assert.deepEqual(idsOf(again.map((body) => JSON.parse(body))).toSorted(), idsOf(failed).toSorted())
    assert.ok((await log.list()).body.every(({ status }: { status: string }) => status === 'delivered'))
  })

  it('a replay of everything does not use up the pace of new events', async () => {
    const { venue, receiver, log } = await begin()
    scene.worker()
    const since = now()
    for (let n = 0; n < 3; n++) {
      await scene.happen(venue, 60)
      await scene.quiet()
      scene.pass(minutes(2))
    }
    assert.equal(receiver.received.length, 180)
    assert.equal((await log.replay({ since, only: 'all' })).body.count, 180)
    await scene.happen(venue, 60)
    await scene.quiet()
    await scene.stopWorkers()
    // Within one minute of the clock, which does not move: sixty first tries, and all the retries.
    const bodies = bodiesOf(receiver)
    assert.equal(bodies.length, 180 + 180 + 60)
    assert.equal(new Set(bodies).size, 240)
  })

  it('a replay is limited to once a minute, two days back, ten thousand deliveries', async () => {
    const { venue, log, id } = await begin()
    await scene.happen(venue, 1)
    const since = now()
    const ask = (more: object = {}) => log.replay({ since, only: 'all', ...more })
    assert.equal((await ask()).body.count, 1)
    assert.equal((await ask({ preview: true })).status, 202)
    const soon = await ask()
    assert.deepEqual([soon.status, soon.headers.get('retry-after')], [429, '60'])
    assert.match(soon.body.error, /try again in 60 seconds\.$/)
    scene.pass(minutes(1) - 1)
    assert.equal((await ask()).status, 429)
    scene.pass(1)
    assert.equal((await ask()).status, 202)
    const long = scene.service.context.clock().subtract({ hours: 48 })
    const old = await ask({ since: long.subtract({ milliseconds: 1 }).toString() })
    assert.deepEqual([old.status, old.body.reason], [409, 'too-old'])
    scene.pass(minutes(1))
    await scene.query(
      `insert into delivery (venue_id, id, event_id, endpoint_id, occurred_at, due_at, tries, done_at, outcome, name)
       select $1, gen_random_uuid(), d.event_id, d.endpoint_id, d.occurred_at, d.due_at, 1, d.occurred_at, 'delivered', d.name
         from delivery d, generate_series(1, 10000) n where d.venue_id = $1 and d.endpoint_id = $2`,
      [venue.id, id],
    )
    const many = await ask()
    assert.deepEqual([many.status, many.body.reason], [409, 'too-many'])
    await scene.query(
      `delete from delivery where ctid in (
         select ctid from delivery where venue_id = $1 and outcome = 'delivered' limit 1)`,
      [venue.id],
    )
    assert.equal((await ask({ preview: true })).body.count, 10_000)
    // A refused replay does not count, so the next one need not wait.
    assert.deepEqual((await ask({ events: ['lead.*'] })).body, { count: 0, firstDueAt: null })
  })

  it('unreadable parameters are 400', async () => {
    const { log } = await begin()
    const since = now()
    for (const bad of [
      {},
      { since },
      { only: 'all' },
      { since: 'yesterday', only: 'all' },
      { since: '2026-10-06', only: 'all' },
      { since, only: 'some' },
      { since, until: since, only: 'all' },
      { since, only: 'all', events: [] },
      { since, only: 'all', events: ['nope.*'] },
      { since, only: 'all', events: 'guest.created' },
      { since, only: 'all', preview: 'yes' },
    ]) {
      assert.equal((await log.replay(bad)).status, 400, JSON.stringify(bad))
    }
  })

  it('only the venue’s own endpoints, no hooks, and only for a key that manages them', async () => {
    const { venue, receiver, log, id } = await begin()
    await scene.happen(venue)
    const [{ id: delivery }] = (await log.list()).body
    const { venue: stranger, id: theirs } = await begin()
    const nobody = '0190a0a0-0000-7000-8000-000000000000'
    const tries: [ReturnType<typeof at>, string, RegExp][] = [
      [at(stranger, id), delivery, /no such webhook endpoint/],
      [at(stranger, theirs), delivery, /no such delivery/],
      [at(venue, nobody), delivery, /no such webhook endpoint/],
      [at(venue, 'x'), delivery, /no such webhook endpoint/],
      [log, nobody, /no such delivery/],
      [log, 'x', /no such delivery/],
    ]
    for (const [other, one, sentence] of tries) {
      for (const answer of [await other.read(one), await other.resend(one)]) {
        assert.equal(answer.status, 404)
        assert.match(answer.body.error, sentence)
      }
    }
    const hook = await scene.hook(venue, receiver)
    assert.equal((await at(venue, hook.id).list()).status, 404)
    assert.equal((await at(stranger, id).list()).status, 404)
    assert.equal((await at(stranger, id).replay({ since: now(), only: 'all' })).status, 404)
    const { key } = await venue.makeKey('read_write', 'automation')
    const answer = await scene.service.call('GET', `/api/v1/webhooks/${id}/deliveries`, { key })
    assert.equal(answer.status, 403)
  })
})
