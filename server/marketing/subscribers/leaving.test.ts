import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Desk, openDesk, refusal, settled, staffOf } from '../../test/desk.ts'
import { type TestService, startService } from '../../test/service.ts'
import { type TypedSignUp, addSubscriberByStaff } from './add-by-staff.ts'
import { suppress, unsubscribe, unsuppress } from './leaving.ts'
import {
  evidenceOf,
  subscriberCounts,
  subscribersPage,
  suppressionsPage,
  tagsOfVenue,
} from './staff-reads.ts'
import type { SuppressionReason } from './states.ts'

describe('subscribers as staff manage them', () => {
  let service: TestService
  let desk: Desk
  const manager = staffOf('manager')

  const add = (email: string, more: Partial<TypedSignUp> = {}) =>
    desk.act((work) =>
      addSubscriberByStaff(work, manager, {
        email,
        firstName: null,
        tag: null,
        where: 'Card at the door',
        statement: null,
        pageUrl: null,
        agreedAt: null,
        ...more,
      }),
    )
  const aSubscriber = async (email = 'maya@example.com') => {
    const { subscriber } = await add(email)
    assert.ok(subscriber)
    await desk.told()
    await desk.trail()
    return subscriber.id
  }
  const doNotMail = (reason: SuppressionReason, email = 'maya@example.com') =>
    desk.act((work) => suppress(work, manager, { email, reason }))
  const statusOf = async (id: number) => {
    const { rows } = await subscribersPage(service.db, desk.venue.id, {}, { limit: 100, after: null })
    return rows.find((row) => row.id === id)
  }

  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('staff add with evidence: subscribed, source staff, confirmedAt null, subscriber.added', async () => {
    desk = await openDesk(service)
    const agreedAt = Temporal.Instant.from('2026-10-01T20:00:00Z')
    const { added, subscriber } = await add('Maya@Example.com', {
      agreedAt,
      tag: 'Wine',
      statement: 'Yes, please.',
    })
    assert.equal(added, true)
    assert.deepEqual(
      [subscriber?.source, subscriber?.status, subscriber?.consentAt, subscriber?.confirmedAt],
      ['staff', 'subscribed', '2026-10-01T20:00:00.000Z', null],
    )
    assert.deepEqual(
      (await desk.told()).map(({ name }) => name),
      ['subscriber.added'],
    )
    assert.deepEqual(
      (await desk.trail()).map(({ action }) => action),
      ['add'],
    )
    const [evidence] = await evidenceOf(service.db, desk.venue.id, subscriber?.id ?? 0)
    assert.deepEqual(
      [evidence?.source, evidence?.statement, evidence?.recorded_via],
      ['Card at the door', 'Yes, please.', 'staff'],
    )
    const future = Temporal.Instant.from('2026-10-06T19:01:01Z')
    await assert.rejects(add('ben@example.com', { agreedAt: future }), refusal(400, /future/))
    await assert.rejects(add('ben@example.com', { where: ' ' }), refusal(400, /missing/))
  })

  it('the move to unsubscribed emits subscriber.unsubscribed once, however often it is requested', async () => {
    desk = await openDesk(service)
    const id = await aSubscriber()
    const { done } = await settled(
      Array.from({ length: 20 }, () => desk.act((work) => unsubscribe(work, manager, id))),
    )
    assert.equal(done.length, 20)
    assert.equal(done.filter(({ left }) => left).length, 1)
    const told = await desk.told()
    assert.deepEqual(
      told.map(({ name }) => name),
      ['subscriber.unsubscribed'],
    )
    assert.deepEqual(
      [told[0]?.data.status, told[0]?.data.unsubscribedAt],
      ['unsubscribed', '2026-10-06T19:00:00.000Z'],
    )
    assert.equal((await desk.trail()).length, 1)
    const again = await add('maya@example.com')
    assert.deepEqual(
      [again.added, again.status],
      [false, 'unsubscribed'],
      'staff do not bring them back either',
    )
    await assert.rejects(
      desk.act((work) => unsubscribe(work, manager, 999_999)),
      refusal(404, /no such subscriber/),
    )
  })

  describe('an unconfirmed sign-up', () => {
    const waiting = async () => {
      desk = await openDesk(service)
      const id = await aSubscriber()
      await desk.query(`update subscriber set status = 'pending' where id = $1`, [id])
      return id
    }
    const statusesTold = async () => (await desk.told()).map(({ name, data }) => [name, data.status])
    const unsubscribed = [['subscriber.unsubscribed', 'unsubscribed']]

    it('leaves by their own “no thanks” without an event', async () => {
      const id = await waiting()
      const { left, subscriber } = await desk.act((work) => unsubscribe(work, { kind: 'guest' }, id))
      assert.deepEqual([left, subscriber.status], [true, 'unsubscribed'])
      assert.deepEqual(await statusesTold(), [])
    })

    it('unsubscribed by staff, emits subscriber.unsubscribed once', async () => {
      const id = await waiting()
      for (const first of [true, false]) {
        const { left } = await desk.act((work) => unsubscribe(work, manager, id))
        assert.equal(left, first)
      }
      assert.deepEqual(await statusesTold(), unsubscribed)
      assert.deepEqual(
        (await desk.trail()).map(({ action }) => action),
        ['endSignUp'],
      )
    })

    for (const reason of ['spam_report', 'staff_removal'] as const) {
      it(`put on the do-not-email list by staff (${reason}), emits subscriber.unsubscribed`, async () => {
        const id = await waiting()
        await doNotMail(reason)
        assert.deepEqual((await statusOf(id))?.status, 'unsubscribed')
        assert.deepEqual(await statusesTold(), unsubscribed)
      })
    }

    it('a bounce moves nobody, and nobody learns that they left', async () => {
      const id = await waiting()
      await doNotMail('bounced')
      assert.deepEqual(
        [(await statusOf(id))?.status, (await statusOf(id))?.suppression],
        ['pending', 'bounced'],
      )
      assert.deepEqual(await statusesTold(), [])
    })
  })

  for (const reason of ['spam_report', 'staff_removal'] as const) {
    it(`${reason}: unsubscribed and on the do-not-email list`, async () => {
      desk = await openDesk(service)
      const id = await aSubscriber()
      await Promise.all([doNotMail(reason), doNotMail(reason), doNotMail(reason)])
      const row = await statusOf(id)
      assert.deepEqual([row?.status, row?.suppression], ['unsubscribed', reason])
      assert.deepEqual(
        (await desk.told()).map(({ name }) => name),
        ['subscriber.unsubscribed'],
      )
    })
  }

  it('a bounce is suppressed only; a stronger reason takes its place and a weaker one does not', async () => {
    desk = await openDesk(service)
    const id = await aSubscriber()
    await doNotMail('bounced')
    assert.deepEqual(
      [(await statusOf(id))?.status, (await statusOf(id))?.suppression],
      ['subscribed', 'bounced'],
    )
    assert.deepEqual(await desk.told(), [])
    assert.deepEqual(await doNotMail('spam_report'), { reason: 'spam_report', changed: true })
    assert.deepEqual(await doNotMail('bounced'), { reason: 'spam_report', changed: false })
    assert.deepEqual((await desk.trail()).map(({ action }) => action).toSorted(), [
      'suppress',
      'suppress',
      'unsubscribe',
    ])
  })

  it('of reasons given at the same moment the strongest stays', async () => {
    desk = await openDesk(service)
    for (let round = 0; round < 5; round++) {
      const email = `g${round}@example.com`
      await Promise.all(
        (['bounced', 'spam_report', 'staff_removal'] as const).map((reason) => doNotMail(reason, email)),
      )
    }
    const { rows } = await suppressionsPage(service.db, desk.venue.id, { limit: 10, after: null })
    assert.deepEqual(
      rows.map(({ reason }) => reason),
      Array(5).fill('spam_report'),
    )
  })

  it('an address that never subscribed can be on the list: it is not added until staff remove it with a reason', async () => {
    desk = await openDesk(service)
    await doNotMail('staff_removal', 'BEN@example.com')
    const key = { key: desk.venue.key, body: { email: 'ben@example.com', consent: { source: 'Checkout' } } }
    const answer = await service.call('POST', '/api/v1/subscribers', key)
    assert.deepEqual([answer.status, answer.body.status, answer.body.subscriber], [200, 'suppressed', null])
    const off = (why: string) =>
      desk.act((work) => unsuppress(work, manager, { email: 'ben@example.com', why }))
    await assert.rejects(off(' '), refusal(400, /reason is missing/))
    await off('He asked us to.')
    await assert.rejects(off('again'), refusal(404, /do-not-email/))
    assert.equal((await service.call('POST', '/api/v1/subscribers', key)).status, 201)
    const trail = await desk.trail()
    assert.deepEqual(
      trail.map(({ action }) => action),
      ['suppress', 'unsuppress'],
    )
  })

  it('lists by state and by tag', async () => {
    desk = await openDesk(service)
    await add('a@example.com', { tag: 'Wine' })
    await add('b@example.com', { tag: 'Wine' })
    const left = await aSubscriber('c@example.com')
    await desk.act((work) => unsubscribe(work, manager, left))
    await doNotMail('bounced', 'a@example.com')
    const [tag] = await tagsOfVenue(service.db, desk.venue.id)
    const emails = async (by: object, after: string | null = null) =>
      subscribersPage(service.db, desk.venue.id, by, { limit: 1, after })
    const first = await emails({ status: 'subscribed', tag: tag?.id })
    assert.deepEqual([first.rows[0]?.email, first.rows[0]?.tags], ['b@example.com', ['Wine']])
    const second = await emails({ status: 'subscribed', tag: tag?.id }, first.next)
    assert.deepEqual(
      [second.rows[0]?.email, second.rows[0]?.suppression, second.next],
      ['a@example.com', 'bounced', null],
    )
    assert.equal((await emails({ status: 'unsubscribed' })).rows[0]?.id, left)
    assert.deepEqual(Object.fromEntries(await subscriberCounts(service.db, desk.venue.id)), {
      subscribed: 2,
      unsubscribed: 1,
    })
    const listed = await suppressionsPage(service.db, desk.venue.id, { limit: 5, after: null })
    assert.deepEqual(
      listed.rows.map(({ email_key, reason }) => [email_key, reason]),
      [['a@example.com', 'bounced']],
    )
  })
})
