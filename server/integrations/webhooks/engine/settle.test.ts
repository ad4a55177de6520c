import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestVenue } from '../../../test/service.ts'
import { UNANSWERED_TO_SLOW } from '../schedule.ts'
import type { Outcome } from '../sending/sender.ts'
import { type Scene, startScene } from '../test/scene.ts'
import { takeAt } from '../test/take-at.ts'
import { resultOf } from './dispatch.ts'
import type { Leased } from './lease.ts'
import { startTurns } from './look.ts'
import { type Tried, settleTries } from './settle.ts'

const answered = (statusCode: number): Outcome => ({
  kind: 'answered',
  statusCode,
  body: Buffer.alloc(0),
  durationMs: 5,
})
const ok = answered(204)
const broken = answered(500)
const gone = answered(410)
const timeout: Outcome = { kind: 'timeout', durationMs: 10_000 }
const refused: Outcome = { kind: 'connection failed', durationMs: 1 }
const times = (count: number, outcome: Outcome): Outcome[] => Array.from({ length: count }, () => outcome)

describe('the effect of a try on its endpoint', () => {
  let scene: Scene
  before(async () => {
    scene = await startScene()
  })
  after(() => scene.stop())

  const endpoint = async (): Promise<{ venue: TestVenue; id: string }> => {
    const venue = await scene.service.venue()
    const { id } = await scene.endpoint(venue, await scene.receiver())
    return { venue, id }
  }

  /** That many new deliveries of the venue, each taken for one attempt. */
  const take = async (venue: TestVenue, count: number): Promise<Leased[]> => {
    const known = new Set((await scene.deliveries(venue)).map(({ id }) => id))
    await scene.happen(venue, count)
    const fresh = (await scene.deliveries(venue)).map(({ id }) => id).filter((id) => !known.has(id))
    await startTurns(scene.service.db, venue.id)
    const [{ number } = {}] = await scene.query('select number from delivery_turn where venue_id = $1', [
      venue.id,
    ])
    return takeAt(scene, venue, { turn: Number(number), deliveries: fresh })
  }

  const settle = async (leased: readonly Leased[], outcomes: readonly Outcome[]) => {
    const { context, db } = scene.service
    const results = leased.map(
      (one, n) => resultOf(context, one, outcomes[n] ?? ok, context.clock()) as Tried,
    )
    await settleTries(db, results)
  }

  /** The endpoint after attempts with these outcomes, one after the other. */
  const afterTries = async (outcomes: readonly Outcome[], known?: { venue: TestVenue; id: string }) => {
    const { venue, id } = known ?? (await endpoint())
    const leased = await take(venue, outcomes.length)
    for (const [n, one] of leased.entries()) await settle([one], [outcomes[n] ?? ok])
    return stateOf(id)
  }
  const stateOf = async (id: string) => {
    const [row] = await scene.query(
      'select status, disabled_reason, failure_count, unanswered_count from webhook_endpoint where id = $1',
      [id],
    )
    return {
      status: row?.status,
      why: row?.disabled_reason,
      failures: row?.failure_count,
      isSlow: Number(row?.unanswered_count) >= UNANSWERED_TO_SLOW,
    }
  }
  const fresh = { status: 'active', why: null, failures: 0, isSlow: false }

  it('20 failures in a row switch it off, 19 do not', async () => {
    const mixed = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? broken : timeout))
    const known = await endpoint()
    const before = await afterTries(mixed.slice(0, 19), known)
    assert.deepEqual([before.status, before.failures], ['active', 19])
    const { status, why, failures } = await afterTries(mixed.slice(19), known)
    assert.deepEqual([status, why, failures], ['disabled', 'too-many-failures', 20])
  })

  it('as many failures reported at once do the same', async () => {
    const { venue, id } = await endpoint()
    await settle(await take(venue, 20), times(20, broken))
    assert.deepEqual(await stateOf(id), {
      ...fresh,
      status: 'disabled',
      why: 'too-many-failures',
      failures: 20,
    })
  })

  it('a success in between resets the count', async () => {
    assert.equal((await afterTries([...times(19, broken), ok, ...times(19, timeout)])).status, 'active')
    assert.deepEqual(await afterTries([...times(19, timeout), ok]), fresh)
  })

  it('an answer of 410 switches it off at once', async () => {
    assert.deepEqual(await afterTries([gone]), { ...fresh, status: 'disabled', why: 'gone', failures: 1 })
    assert.equal((await afterTries([...times(19, broken), gone])).why, 'gone')
  })

  it('tries still running when it went off neither change the reason nor switch it on', async () => {
    const { venue, id } = await endpoint()
    const leased = await take(venue, 16)
    for (const why of ['gone', 'too-many-failures', 'key-revoked', 'access-withdrawn']) {
      await scene.query(
        `update webhook_endpoint set status = 'disabled', disabled_reason = $1, failure_count = 19 where id = $2`,
        [why, id],
      )
      for (const outcome of [broken, gone, timeout, ok]) {
        await settle(leased.splice(0, 1), [outcome])
        const state = await stateOf(id)
        assert.deepEqual([state.status, state.why], ['disabled', why])
      }
    }
  })

  it('five tries in a row without an answer make it slow, until one succeeds', async () => {
    assert.equal((await afterTries(times(4, timeout))).isSlow, false)
    const known = await endpoint()
    assert.equal((await afterTries([timeout, refused, timeout, refused, timeout], known)).isSlow, true)
    assert.equal((await afterTries([broken, broken], known)).isSlow, true)
    assert.equal((await afterTries([ok], known)).isSlow, false)
    assert.equal((await afterTries(times(20, timeout), known)).why, 'too-many-failures')
  })

  it('fast 5xx answers do not slow it, and one ends a run of silence', async () => {
    assert.equal((await afterTries(times(19, broken))).isSlow, false)
    assert.equal((await afterTries([...times(4, timeout), broken, ...times(4, timeout)])).isSlow, false)
  })

  it('shows the outcome of the try that ended last, even when an earlier one is written later', async () => {
    const { venue, id } = await endpoint()
    const { context, db } = scene.service
    const leased = await take(venue, 2)
    const resultNow = (n: number, outcome: Outcome) =>
      resultOf(context, leased[n] as Leased, outcome, context.clock()) as Tried
    const earlier = resultNow(0, broken)
    scene.pass(2_000)
    const later = resultNow(1, ok)
    for (const result of [later, earlier]) await settleTries(db, [result])
    const { lastDeliveryAt, lastDeliveryStatus } = await scene.shown(venue, id)
    assert.deepEqual(
      [lastDeliveryAt, lastDeliveryStatus],
      [later.endedAt.toString({ smallestUnit: 'millisecond' }), 'ok 204'],
    )
  })
})
