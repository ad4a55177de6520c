import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Work } from '../../context.ts'
import { statementsOf } from '../../platform/db/migrate.ts'
import type { Queries } from '../../platform/db/pool.ts'
import type { Venue } from '../../core/venue/venue.ts'
import { type TestService, type TestVenue, startService } from '../../test/service.ts'
import { type Review, createOperatorsKey, reviewAccess } from './actions.ts'
import { revokeKeysOfVenue } from './keys.ts'
import { askForAccess, createOwnersKey } from './owner.ts'
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
  const workOf = (venue: TestVenue, db: Queries): Work => ({
    db: db.within(venue.id),
    venue: venue as Venue,
    now: service.context.clock,
  })
  const ask = (venue: TestVenue) =>
    service.db.transaction((db) => askForAccess(workOf(venue, db), owner, 'Bookings from our own website.'))
  const owner = { kind: 'staff', id: 1, email: 'ines@example.com', role: 'owner' } as const
  const statusOf = async (key: string) => (await service.call('GET', '/api/v1/me', { key })).status

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('moves only as its table of moves allows, and can be withdrawn whenever there are live keys', async () => {
    for (const verb of ['approve', 'decline', 'withdraw'] as const) {
      const { from, to } = accessMoves[verb]
      for (const state of accessStates) {
        for (const hasKey of [true, false]) {
          const what = `${state} ${verb} ${hasKey ? 'with a key' : 'without keys'}`
          const venue = await venueIn(state)
          if (!hasKey) await revokeKeysOfVenue(service.db, venue.id, 'test', service.context.clock())
          const can = state === to || from.some((one) => one === state) || (verb === 'withdraw' && hasKey)
          if (can) assert.equal((await review(venue, verb)).access, to, what)
          else await assert.rejects(review(venue, verb), { name: 'Refusal', status: 409 }, what)
        }
      }
    }
  })

  it('once withdrawn, every key is revoked for good: approved again, only a new key works', async () => {
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

  it('once withdrawn, new keys of either kind do not work until access is given again, and a new request does not lift it', async () => {
    const venue = await service.venue()
    await review(venue, 'withdraw')
    const keys = [await venue.makeKey('read', 'automation'), await venue.makeKey('read', 'api')]
    const statuses = () => Promise.all(keys.map(({ key }) => statusOf(key)))
    assert.deepEqual(await statuses(), [403, 403], 'withdrawn')
    await ask(venue)
    assert.deepEqual(await statuses(), [403, 403], 'requested again')
    await review(venue, 'decline')
    assert.deepEqual(await statuses(), [403, 403], 'declined')
    await ask(venue)
    await review(venue, 'approve')
    assert.deepEqual(await statuses(), [200, 200], 'approved')
    assert.deepEqual([await statusOf(venue.key)], [401], 'what was revoked stays revoked')
  })

  it('withdrawn by an earlier release, it is closed as well, no matter what was requested and answered since', async () => {
    const statusesIn = async (state: AccessState, wasWithdrawn: boolean) => {
      const venue = await venueIn(state)
      const why = wasWithdrawn ? 'access-withdrawn' : 'revoked-by-operator'
      await revokeKeysOfVenue(service.db, venue.id, why, service.context.clock())
      const { key } = await venue.makeKey('read', 'automation')
      const file = new URL('../../platform/db/migrations/0022-access-and-objections.sql', import.meta.url)
      const updates = statementsOf(await readFile(file, 'utf8')).filter((text) => /^update/m.test(text))
      assert.equal(updates.length, 2)
      await service.db.session(async (client) => {
        for (const update of updates) await client.query(update)
      })
      return statusOf(key)
    }
    assert.equal(await statusesIn('withdrawn', true), 403)
    assert.equal(await statusesIn('requested', true), 403)
    assert.equal(await statusesIn('declined', true), 403)
    assert.equal(await statusesIn('requested', false), 200)
    assert.equal(await statusesIn('approved', true), 200)
    assert.equal(await statusesIn('none', false), 200)
  })

  it('declined but never withdrawn, it leaves automation keys to the plan alone', async () => {
    const venue = await venueIn('requested')
    const { key } = await venue.makeKey('read', 'automation')
    await review(venue, 'decline')
    assert.deepEqual([await statusOf(venue.key), await statusOf(key)], [403, 200])
  })

  it('once withdrawn, an API key from the operator gives access again; an automation key does not, and says so', async () => {
    const venue = await service.venue()
    const made = (kind: 'api' | 'automation') =>
      service.db.transaction((db) =>
        createOperatorsKey(service.context, db, venue.id, {
          kind,
          scope: 'read',
          name: kind,
          createdBy: 'operator',
        }),
      )
    await review(venue, 'withdraw')
    const automation = await made('automation')
    assert.deepEqual([automation.obstacle, await statusOf(automation.key)], ['withdrawn', 403])
    const api = await made('api')
    assert.deepEqual([api.obstacle, await statusOf(api.key)], [undefined, 200])
    assert.equal(await statusOf(automation.key), 200)
    const again = await review(venue, 'withdraw')
    assert.equal(again.access, 'withdrawn')
    assert.deepEqual([await statusOf(api.key), await statusOf(automation.key)], [401, 401])
  })

  it('withdrawn while keys are being created, it leaves none that works', async () => {
    for (let round = 0; round < 5; round++) {
      const venue = await service.venue()
      const make = () =>
        service.db.transaction((db) =>
          createOwnersKey(service.context, workOf(venue, db), owner, {
            kind: 'automation',
            scope: 'read_write',
            name: 'Flows',
          }),
        )
      const [, ...made] = await Promise.allSettled([
        review(venue, 'withdraw'),
        ...Array.from({ length: 4 }, make),
      ])
      for (const one of made) {
        if (one.status === 'fulfilled') assert.equal(await statusOf(one.value.key), 401)
        else assert.match(String(one.reason), /Access to the API was withdrawn/)
      }
      await assert.rejects(make(), { status: 409 })
      await ask(venue)
      await assert.rejects(make(), { status: 409 }, 'requested again')
    }
  })

  it('withdrawn twice, it keeps the first time and reason, and keys created in between are revoked too', async () => {
    const venue = await service.venue()
    const first = await review(venue, 'withdraw', 'The keys were published.')
    const { key } = await venue.makeKey('read', 'automation')
    assert.equal(await statusOf(key), 403)
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

  it('answered by two reviewers at once, it is decided by the first, and the second learns so', async () => {
    const venue = await venueIn('requested')
    const answers = await Promise.allSettled([review(venue, 'approve'), review(venue, 'decline')])
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  })

  it('is listed with open requests first, oldest first, without venues that never asked', async () => {
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
