import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestService, type TestVenue, startService } from '../test/service.ts'
import { type Review, reviewAccess } from './actions.ts'
import { venuesWithAccess } from './reads.ts'
import { type AccessState, accessMoves, accessStates } from './states.ts'

describe("a venue's access", () => {
  let service: TestService
  const review = (venue: TestVenue, verb: Review, why?: string) =>
    service.db.transaction((db) => reviewAccess({ db, now: service.context.clock }, venue.id, verb, why))
  /** A venue in a state that it came to at this clock. */
  const venueIn = async (state: AccessState, more: Parameters<TestService['venue']>[0] = {}) => {
    const venue = await service.venue(more)
    await service.db.session((client) =>
      client.query('update venue set access = $1, access_changed_at = $2 where id = $3', [
        state,
        service.context.clock().toString(),
        venue.id,
      ]),
    )
    return venue
  }
  const statusOf = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('moves as decision 4.3 says and in no other way', async () => {
    for (const verb of ['approve', 'decline', 'withdraw'] as const) {
      const { from, to } = accessMoves[verb]
      for (const state of accessStates) {
        const venue = await venueIn(state)
        if (state === to || from.some((one) => one === state))
          assert.equal((await review(venue, verb)).access, to, `${state} ${verb}`)
        else await assert.rejects(review(venue, verb), { name: 'Refusal', status: 409 }, `${state} ${verb}`)
      }
    }
  })

  it('withdrawn, every key is revoked for good: approved again, only a new key works', async () => {
    const venue = await service.venue()
    const withdrawn = await review(venue, 'withdraw', 'The keys were published.')
    assert.deepEqual(
      [withdrawn.access, withdrawn.access_answer, withdrawn.live_keys],
      ['withdrawn', 'The keys were published.', 0],
    )
    const made = await venue.makeKey('read')
    assert.deepEqual([await statusOf(venue.key), await statusOf(made.key)], [401, 403])
    await service.db.session((client) =>
      client.query(`update venue set access = 'requested' where id = ${venue.id}`),
    )
    await review(venue, 'approve')
    assert.deepEqual([await statusOf(venue.key), await statusOf(made.key)], [401, 200])
  })

  it('withdrawn twice, it keeps the first moment and reason, and keys made in between are revoked too', async () => {
    const venue = await service.venue()
    const first = await review(venue, 'withdraw', 'The keys were published.')
    const { key } = await venue.makeKey('read', 'automation')
    assert.equal(await statusOf(key), 200)
    service.setClock('2026-10-06T19:30:00Z')
    const second = await review(venue, 'withdraw')
    service.setClock('2026-10-06T19:00:00Z')
    assert.deepEqual(second, first)
    assert.equal(await statusOf(key), 401)
  })

  it('is not approved on a plan without the API', async () => {
    const venue = await venueIn('requested', { plan: 'starter' })
    await assert.rejects(review(venue, 'approve'), { message: /starter, does not include the API/ })
  })

  it('answered by two reviewers at once, one is told that the other was first', async () => {
    const venue = await venueIn('requested')
    const answers = await Promise.allSettled([review(venue, 'approve'), review(venue, 'decline')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  it('is listed with open requests first, the oldest first, without venues that never asked', async () => {
    await service.db.session((client) => client.query(`update venue set access = 'none'`))
    await venueIn('approved', { slug: 'first-approved' })
    await venueIn('requested', { slug: 'later-request' })
    service.setClock('2026-10-05T19:00:00Z')
    await venueIn('requested', { slug: 'older-request' })
    service.setClock('2026-10-06T19:00:00Z')
    assert.deepEqual(
      (await venuesWithAccess(service.db)).map(({ slug }) => slug),
      ['older-request', 'later-request', 'first-approved'],
    )
  })
})
