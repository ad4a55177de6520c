import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Scope } from '@venue-data/contract/scopes.ts'
import { scopesOfWords } from '../../../integrations/access/scopes.ts'
import { runBatches } from '../../../integrations/batches/run.ts'
import { setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { singlePosts } from '../../../worker/single-posts.ts'

/* Writing is no way to find out who is known, nor to read what a key may not read: at every door of the API. */

const everything = scopesOfWords({ kind: 'api', scope: 'read_write' })

describe('a write by a key that may not look people up', () => {
  let service: TestService
  let venue: TestVenue
  let hidden: string
  /** May write everything and read everything but guests. */
  let blind: string
  let known: { id: number; revision: number }
  before(async () => {
    service = await startService()
    venue = await service.venue()
    await setRules(service, venue)
    hidden = await keyWith([...everything, 'contacts:hidden'])
    blind = await keyWith(everything.filter((scope) => scope !== 'guests:read'))
    known = (await call('POST', 'guests', venue.key, maya)).body.guest
    await call('POST', 'subscribers', venue.key, mayasConsent)
  })
  after(() => service.stop())

  const keyWith = async (scopes: readonly Scope[]) =>
    (await venue.makeKey('read_write', 'api', { scopes })).key
  const call = (method: string, path: string, key: string, body?: unknown, headers = {}) =>
    service.call(method, `/api/v1/${path}`, { key, headers, ...(body !== undefined && { body }) })
  const run = () => runBatches(service.context, singlePosts)
  /** Everything that a write could leave behind. */
  const state = async () =>
    JSON.stringify([
      await rowsOf(service, 'select * from guest order by id'),
      await rowsOf(service, 'select * from subscriber order by id'),
      await rowsOf(service, 'select * from suppression order by email_key'),
      await rowsOf(service, 'select count(*) from batch'),
      await rowsOf(service, 'select count(*) from event'),
    ])

  const maya = { name: 'Maya Okafor', email: 'maya@example.com', phone: '(212) 555-0147' }
  const mayasConsent = { email: maya.email, firstName: 'Maya', consent: { source: 'Checkout' } }
  const stranger = { name: 'Nobody', email: 'nobody@example.com' }

  describe('with contact details hidden', () => {
    const looks = () =>
      [
        ...[maya, stranger, { phone: '12125550147' }, {}].map((body) => ['POST', 'guests', body] as const),
        ...[
          { email: maya.email },
          { phone: maya.phone },
          { name: 'Maya', email: stranger.email },
          { email: null },
          { phone: null },
          { phone: 7 },
        ].map((body) => ['PATCH', `guests/${known.id}`, body] as const),
        ...[mayasConsent, { ...mayasConsent, email: stranger.email }].map(
          (body) => ['POST', 'subscribers', body] as const,
        ),
        ...[maya.email, stranger.email].map(
          (email) => ['POST', 'subscribers/unsubscribe', { email, reason: 'Asked' }] as const,
        ),
      ] as const
    const sentence = 'This key may not search by contact details; its owner can allow it.'

    it('is the 403 of the finds, for known and unknown people, and nothing changes', async () => {
      const before = await state()
      for (const [method, path, body] of looks()) {
        const answer = await call(method, path, hidden, body, { 'if-match': '*' })
        assert.deepEqual(
          [answer.status, answer.body],
          [403, { error: sentence, reason: 'scope-missing' }],
          `${method} ${path} ${JSON.stringify(body)}`,
        )
      }
      const found = await call('GET', `guests/find?email=${maya.email}`, hidden)
      assert.deepEqual([found.status, found.body.error], [403, sentence])
      assert.equal(await state(), before)
    })

    it('is that in a dry run, too', async () => {
      for (const [method, path, body] of looks()) {
        const answer = await call('POST', 'dry-run', hidden, { method, path: `/api/v1/${path}`, body })
        assert.deepEqual(
          [answer.status, answer.body],
          [
            200,
            {
              wouldAnswer: { status: 403, body: { error: sentence, reason: 'scope-missing' } },
              events: [],
              changes: [],
            },
          ],
          `${method} ${path} ${JSON.stringify(body)}`,
        )
        // A key may try twenty in a minute.
        service.setClock(service.context.clock().add({ seconds: 61 }).toString())
      }
    })

    it('is that for an answer kept for another key', async () => {
      for (const [path, body] of [
        ['guests', maya],
        ['subscribers', mayasConsent],
        ['subscribers/unsubscribe', { email: 'gone@example.com' }],
      ] as const) {
        const headers = { 'idempotency-key': `kept-${path}` }
        assert.ok((await call('POST', path, venue.key, body, headers)).status < 300)
        const again = await call('POST', path, hidden, body, headers)
        assert.deepEqual([again.status, again.headers.get('idempotent-replayed')], [403, null])
        assert.equal(again.body.error, sentence)
      }
      const headers = { 'idempotency-key': 'kept-patch', 'if-match': '*' }
      const change = { email: 'maya.o@example.com' }
      assert.equal((await call('PATCH', `guests/${known.id}`, venue.key, change, headers)).status, 200)
      assert.equal((await call('PATCH', `guests/${known.id}`, hidden, change, headers)).status, 403)
      await call('PATCH', `guests/${known.id}`, venue.key, { email: maya.email }, { 'if-match': '*' })
    })

    it('is that in a batch: to send one, to check one, to read one’s results', async () => {
      for (const kind of ['guest', 'subscriber'] as const) {
        const body = kind === 'guest' ? maya : mayasConsent
        for (const mode of ['check', 'write']) {
          const sent = { kind, mode, items: [{ ref: 'a', body }] }
          const refused = await call('POST', 'batches', hidden, sent)
          assert.deepEqual([refused.status, refused.body.error], [403, sentence])
          const { batch } = (await call('POST', 'batches', venue.key, sent)).body
          await run()
          assert.equal((await call('GET', `batches/${batch.id}`, venue.key)).body.matched, 1)
          for (const path of [`batches/${batch.id}`, `batches/${batch.id}/results`])
            assert.deepEqual([(await call('GET', path, hidden)).status], [403], path)
        }
      }
    })

    it('stops a batch whose key may no longer see contact details', async () => {
      const { key, id } = await venue.makeKey('read_write')
      const items = [{ ref: 'a', body: stranger }]
      const { batch } = (await call('POST', 'batches', key, { kind: 'guest', mode: 'write', items })).body
      await rowsOf(service, `update api_key set scopes = scopes || '{contacts:hidden}' where id = $1`, [id])
      await run()
      assert.equal((await call('GET', `batches/${batch.id}`, venue.key)).body.status, 'cancelled')
      assert.deepEqual((await call('GET', `guests/find?email=${stranger.email}`, venue.key)).body, [])
    })

    it('a dry run of a booking, a lead or a place in line says the same of known and unknown people', async () => {
      const booking = { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' }
      const told = async (email: string) => {
        const writes = [
          ['POST', 'reservations', { ...booking, email }],
          ['POST', 'leads', { name: 'Maya', email }],
          ['POST', 'waitlist', { guestName: 'Maya', partySize: 2, email }],
        ] as const
        return Promise.all(
          writes.map(async ([method, path, body]) => {
            const asked = { method, path: `/api/v1/${path}`, body }
            const { wouldAnswer, events, changes } = (await call('POST', 'dry-run', hidden, asked)).body
            const names = events.map(({ event }: { event: string }) => event)
            return [method, path, wouldAnswer.status, names, changes]
          }),
        )
      }
      assert.deepEqual(await told(stranger.email), await told(maya.email))
    })

    it('a change of a field that the key cannot see is not tried, whether the guess is right or wrong', async () => {
      const made = async (path: string, body: object, field: string) =>
        `${path}/${(await call('POST', path, venue.key, body)).body[field].id}`
      const guesses = [
        [`guests/${known.id}`, 'name'],
        [
          await made(
            'reservations',
            { guestName: 'Maya', partySize: 2, date: '2026-10-10', time: '19:00' },
            'reservation',
          ),
          'guestName',
        ],
        [await made('leads', { name: 'Maya' }, 'lead'), 'contactName'],
        [
          await made('waitlist', { guestName: 'Maya', partySize: 2, email: maya.email }, 'waitlistEntry'),
          'guestName',
        ],
        [await made('tasks', { title: 'Call Maya' }, 'task'), 'title'],
      ] as const
      for (const [path, field] of guesses)
        for (const value of ['Maya', 'Eve', null, 7]) {
          const asked = { method: 'PATCH', path: `/api/v1/${path}`, body: { [field]: value } }
          const answer = await call('POST', 'dry-run', hidden, asked, { 'if-match': '*' })
          assert.deepEqual([answer.status, answer.body.reason], [409, 'no-dry-run'], `${path} ${value}`)
          service.setClock(service.context.clock().add({ seconds: 61 }).toString())
        }
      const size = { method: 'PATCH', path: `/api/v1/${guesses[1][0]}`, body: { partySize: 3 } }
      const seen = await call('POST', 'dry-run', hidden, size, { 'if-match': '*' })
      assert.deepEqual([seen.status, seen.body.wouldAnswer.status], [200, 200])
    })

    it('is done where it looks nobody up', async () => {
      const seat = await call(
        'PATCH',
        `guests/${known.id}`,
        hidden,
        { seatingPreference: 'Booth' },
        {
          'if-match': '*',
        },
      )
      assert.deepEqual([seat.status, seat.body.guest.seatingPreference], [200, 'Booth'])
      const booked = { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00', ...maya }
      assert.equal((await call('POST', 'reservations', hidden, booked)).status, 201)
      assert.equal((await call('POST', 'leads', hidden, maya)).status, 201)
    })
  })

  describe('without reading guests', () => {
    /** What a matched guest is answered with. */
    const nothingOf = (guest: { id: number; revision: number }) => ({
      ...{ id: guest.id, name: null, email: null, phone: null, seatingPreference: null },
      ...{ referralSource: null, visitCount: null, noShowCount: null, cancellationCount: null },
      ...{ lastVisitDate: null, externalId: null, createdAt: null, updatedAt: null },
      revision: guest.revision,
    })
    const now = async () => (await call('GET', `guests/${known.id}`, venue.key)).body
    const asked = { email: maya.email, name: 'Somebody else', phone: '6465550100' }

    it('a matched guest is an id and a revision, without what differs', async () => {
      for (const body of [asked, { phone: maya.phone }, { email: ' MAYA@example.com ' }]) {
        const answer = await call('POST', 'guests', blind, body)
        assert.equal(answer.status, 200, answer.text)
        assert.deepEqual(answer.body, { created: false, guest: nothingOf(await now()) })
      }
      const whole = await call('POST', 'guests', venue.key, asked)
      assert.deepEqual(whole.body.conflicting, { name: 'Somebody else', phone: '6465550100' })
      assert.equal(whole.body.guest.name, 'Maya Okafor')
    })

    it('a guest it has just made is shown, as the key sent it', async () => {
      const body = { name: 'Nils Holm', email: 'nils@example.com' }
      const answer = await call('POST', 'guests', blind, body, { 'idempotency-key': 'nils' })
      assert.deepEqual([answer.status, answer.body.guest.name], [201, 'Nils Holm'])
      const again = await call('POST', 'guests', blind, body, { 'idempotency-key': 'nils' })
      assert.deepEqual([again.status, again.text], [201, answer.text])
    })

    it('a dry run shows as little, and neither events nor changes of guests', async () => {
      const path = '/api/v1/guests'
      const tried = await call('POST', 'dry-run', blind, { method: 'POST', path, body: asked })
      assert.deepEqual(tried.body, {
        wouldAnswer: { status: 200, body: { created: false, guest: nothingOf(await now()) } },
        events: [],
        changes: [],
      })
    })

    it('so does an answer kept for a key that reads guests', async () => {
      const headers = { 'idempotency-key': 'kept-matched' }
      const whole = await call('POST', 'guests', venue.key, asked, headers)
      assert.equal(whole.body.guest.email, maya.email)
      const again = await call('POST', 'guests', blind, asked, headers)
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
      assert.deepEqual(again.body, { created: false, guest: nothingOf(whole.body.guest) })
    })

    it('results of a batch do not say what differs', async () => {
      const items = [{ ref: 'a', body: asked }]
      const { batch } = (await call('POST', 'batches', venue.key, { kind: 'guest', mode: 'check', items }))
        .body
      await run()
      const path = `batches/${batch.id}/results`
      assert.deepEqual((await call('GET', path, venue.key)).body[0].conflicting, ['name', 'phone'])
      const { conflicting, ...rest } = (await call('GET', path, blind)).body[0]
      assert.equal(conflicting, undefined)
      assert.deepEqual(rest, { ref: 'a', status: 'would-match', id: known.id, reason: null, error: null })
    })

    it('changing a guest, with any tag or a wrong one, shows nothing of the guest either', async () => {
      const path = `guests/${known.id}`
      const change = { seatingPreference: 'Bar' }
      const done = await call('PATCH', path, blind, change, { 'if-match': '*' })
      assert.deepEqual(done.body, { guest: nothingOf(await now()), changed: true, replaced: {} })
      const late = await call('PATCH', path, blind, change, { 'if-match': '"1.aaaa"' })
      assert.equal(late.status, 412)
      assert.deepEqual(late.body.current, nothingOf(await now()))
      const tried = await call(
        'POST',
        'dry-run',
        blind,
        { method: 'PATCH', path: `/api/v1/${path}`, body: change },
        { 'if-match': '"1.aaaa"' },
      )
      assert.equal(tried.body.wouldAnswer.status, 412)
      assert.deepEqual(tried.body.wouldAnswer.body.current, nothingOf(await now()))
    })
  })

  it('neither changing nor moving any record shows it to a key that may not read its kind', async () => {
    const telling = { ...maya, guestName: 'Maya Okafor', notes: 'By the fireplace' }
    const booked = { ...telling, partySize: 2, date: '2026-10-10', time: '19:00' }
    const { reservation } = (await call('POST', 'reservations', venue.key, booked)).body
    const { lead } = (await call('POST', 'leads', venue.key, telling)).body
    const { waitlistEntry } = (await call('POST', 'waitlist', venue.key, { ...telling, partySize: 2 })).body
    const [subscriber] = (await call('GET', 'subscribers', venue.key)).body
    const writes = [
      ['reservations', 'PATCH', `reservations/${reservation.id}`, { notes: 'Near the bar' }],
      ['reservations', 'POST', `reservations/${reservation.id}/cancel`, {}],
      ['leads', 'PATCH', `leads/${lead.id}`, { priority: 'High' }],
      ['waitlist', 'PATCH', `waitlist/${waitlistEntry.id}`, { notes: 'Near the bar' }],
      ['waitlist', 'POST', `waitlist/${waitlistEntry.id}/leave`, undefined],
      ['subscribers', 'PATCH', `subscribers/${subscriber.id}`, { birthMonth: 3, birthDay: 4 }],
      ['subscribers', 'POST', `subscribers/${subscriber.id}/tags`, { add: ['Wine'] }],
      ['subscribers', 'POST', `subscribers/${subscriber.id}/unsubscribe`, undefined],
      ['subscribers', 'POST', 'subscribers', mayasConsent],
      ['subscribers', 'POST', 'subscribers/unsubscribe', { email: maya.email }],
    ] as const
    for (const [kind, method, path, body] of writes) {
      const key = await keyWith([`${kind}:edit`, `${kind}:create`])
      const stale = await call(method, path, key, body, { 'if-match': '"1000.aaaa"' })
      const done = await call(method, path, key, body, { 'if-match': '*' })
      assert.equal(done.status, 200, `${path} ${done.text}`)
      for (const { text } of [stale, done])
        assert.doesNotMatch(text, /maya|555|fireplace|Near the bar|Wine/i, `${path} ${text}`)
    }
  })
})
