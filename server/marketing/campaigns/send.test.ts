import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Database } from '../../platform/db/pool.ts'
import type { Statement } from '../../platform/db/sql.ts'
import { patience } from '../../test/patience.ts'
import { rowsOf } from '../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  aTuesdayAfternoon,
  startService,
} from '../../test/service.ts'
import { cancelCampaign } from './cancel.ts'
import { campaignCalls, oysters, saveTestAddresses, subscribe } from './test/list.ts'

describe('POST /campaigns/send', () => {
  let service: TestService
  let venue: TestVenue
  let calls: ReturnType<typeof campaignCalls>
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    calls = campaignCalls(service, venue)
    await saveTestAddresses(service, venue)
  })

  const rows = (text: string, values: unknown[]) => rowsOf<Record<string, unknown>>(service, text, values)
  const draft = async (more: object = {}): Promise<number> =>
    (await calls.create({ ...oysters, ...more })).body.campaign.id
  /** A draft that may be sent, to so many people. */
  const ready = async (count = 3, more: object = {}): Promise<number> => {
    if (count > 0) await subscribe(service, venue, count)
    const id = await draft(more)
    await calls.compose({ id })
    assert.equal((await calls.test({ id })).status, 200)
    return id
  }
  const assertRefused = async (answer: Answer, status: number, reason: string, id: number): Promise<void> => {
    assert.deepEqual([answer.status, answer.body.reason], [status, reason], answer.text)
    const [row] = await rows('select status, scheduled_at, send_hold_until from campaign where id = $1', [id])
    assert.deepEqual(row, { status: 'draft', scheduled_at: null, send_hold_until: null })
  }
  const plan = (emails: number) =>
    rows('update venue set monthly_emails = $2 where id = $1', [venue.id, emails])

  it('without a time it waits ten minutes, in which no mail leaves', async () => {
    const id = await ready()
    const { status, body } = await calls.send({ id })
    assert.equal(status, 200)
    assert.deepEqual(
      [body.campaign.status, body.campaign.scheduledAt, body.campaign.sendHoldUntil, body.holdUntil],
      ['scheduled', '2026-10-06T19:10:00.000Z', '2026-10-06T19:10:00.000Z', '2026-10-06T19:10:00.000Z'],
    )
    assert.deepEqual([body.recipientsTotal, body.pending, body.retried], [3, 3, 0])
  })

  it('with a time it is scheduled for it, with no hold; a moment in any zone', async () => {
    const id = await ready()
    const { body } = await calls.send({ id, scheduledAt: '2026-10-09T12:00:00+02:00', confirmCount: 3 })
    assert.deepEqual(
      [body.campaign.status, body.campaign.scheduledAt, body.holdUntil],
      ['scheduled', '2026-10-09T10:00:00.000Z', null],
    )
  })

  it('a time may be as far away as a year can be written', async () => {
    const id = await ready()
    assert.equal((await calls.send({ id, scheduledAt: '9999-12-31T23:59:59Z' })).status, 200)
    assert.equal((await calls.cancel({ id })).status, 200)
  })

  it('a time that has passed, or has no zone, is 400', async () => {
    const id = await ready(0)
    for (const [scheduledAt, error] of [
      ['2026-10-06T18:59:59.999Z', 'scheduledAt has passed already; leave it out to send now.'],
      ['2026-10-09T10:00:00', /must be a date and time with a zone/],
      ['tomorrow', /must be a date and time with a zone/],
    ] as const) {
      const answer = await calls.send({ id, scheduledAt })
      assert.equal(answer.status, 400, answer.text)
      if (typeof error === 'string') assert.equal(answer.body.error, error)
      else assert.match(answer.body.error, error)
    }
    for (const confirmCount of [-1, 1.5, '3']) {
      assert.equal((await calls.send({ id, confirmCount })).status, 400)
    }
  })

  describe('refuses, in this order, and leaves the campaign as it was', () => {
    it('one that there is not', async () => {
      assert.equal((await calls.send({ id: 999_999 })).status, 404)
    })

    it('campaign-closed: sent with nothing to send again, or cancelled', async () => {
      const id = await ready(1)
      for (const status of ['sent', 'cancelled']) {
        await rows('update campaign set status = $2, finished_at = now() where id = $1', [id, status])
        const answer = await calls.send({ id })
        assert.deepEqual([answer.status, answer.body.reason], [409, 'campaign-closed'])
      }
    })

    it('already-sending', async () => {
      const id = await ready(1)
      assert.equal((await calls.send({ id })).status, 200)
      const scheduled = await calls.send({ id })
      assert.deepEqual([scheduled.status, scheduled.body.reason], [409, 'already-sending'])
      await rows(`update campaign set status = 'sending' where id = $1`, [id])
      assert.equal((await calls.send({ id, confirmCount: 99 })).body.reason, 'already-sending')
    })

    it('no-test-send before the empty list, no-recipients before the rest', async () => {
      const id = await draft()
      await assertRefused(await calls.send({ id }), 409, 'no-test-send', id)
      await calls.test({ id })
      const unbuilt = await calls.send({ id, confirmCount: 5 })
      await assertRefused(unbuilt, 409, 'no-recipients', id)
      assert.match(unbuilt.body.error, /was not built yet/)
      await calls.compose({ id })
      assert.match((await calls.send({ id })).body.error, /the list is empty/)
    })

    it('list-unreliable: something the list rests on was missing', async () => {
      await subscribe(service, venue, 2)
      const id = await draft({ segment: { type: 'all', exclude: { ticketHoldersOf: 999 } } })
      await calls.compose({ id })
      await calls.test({ id })
      await assertRefused(await calls.send({ id, confirmCount: 99 }), 409, 'list-unreliable', id)
    })

    it('checklist-blocked, with each blocker by code and sentence', async () => {
      const id = await ready(2, { bodyHtml: '', subject: 'Hello {{guestName}}' })
      await rows('update venue set postal_address = null where id = $1', [venue.id])
      const answer = await calls.send({ id, confirmCount: 99 })
      await assertRefused(answer, 409, 'checklist-blocked', id)
      assert.deepEqual(answer.body.blockers.map(({ code }: { code: string }) => code).toSorted(), [
        'body-empty',
        'merge-tag-unknown',
        'postal-address-missing',
      ])
      for (const { message } of answer.body.blockers) assert.match(message, /^[A-Z{].+\.$/)
      assert.deepEqual(Object.keys(answer.body), ['error', 'reason', 'blockers'])
    })

    it('a first name without a fallback blocks when more than one in a hundred has none', async () => {
      const id = await ready(50, { subject: 'Oysters, {{firstName}}' })
      assert.equal((await calls.send({ id })).status, 200)
      await rows(
        `update subscriber set first_name = ' ' where venue_id = $1 and email_key = 'p1@example.com'`,
        [venue.id],
      )
      const other = await ready(0, { subject: 'Oysters, {{firstName}}' })
      const answer = await calls.send({ id: other })
      assert.equal(answer.body.blockers?.[0].code, 'merge-tag-without-fallback', answer.text)
    })

    it('count-changed when confirmCount differs from the present list', async () => {
      const id = await ready(3)
      const answer = await calls.send({ id, confirmCount: 4 })
      await assertRefused(answer, 409, 'count-changed', id)
      assert.equal(answer.body.error, 'The list now has 3 people, not 4. Check it and send again.')
      assert.equal((await calls.send({ id, confirmCount: 3 })).status, 200)
    })

    it('plan-limit, 402, last; the campaign stays a draft and goes once there is room', async () => {
      const id = await ready(3)
      await plan(2)
      assert.equal((await calls.send({ id, confirmCount: 9 })).body.reason, 'count-changed')
      const answer = await calls.send({ id, confirmCount: 3 })
      await assertRefused(answer, 402, 'plan-limit', id)
      assert.equal(answer.body.error, 'This would send 3 e-mails and the plan has 2 left this month.')
      await plan(3)
      assert.equal((await calls.send({ id })).status, 200)
    })
  })

  describe("the month's allowance", () => {
    it('counts what scheduled campaigns of that month still will send', async () => {
      await plan(5)
      const first = await ready(3)
      const second = await ready(0)
      assert.equal((await calls.send({ id: first, scheduledAt: '2026-10-20T15:00:00Z' })).status, 200)
      const answer = await calls.send({ id: second })
      await assertRefused(answer, 402, 'plan-limit', second)
      assert.equal(answer.body.error, 'This would send 3 e-mails and the plan has 2 left this month.')
      // Another month has its own; a month begins on the venue's own clock.
      assert.equal((await calls.send({ id: second, scheduledAt: '2026-11-01T03:59:59Z' })).status, 402)
      assert.equal((await calls.send({ id: second, scheduledAt: '2026-11-01T04:00:00Z' })).status, 200)
      assert.equal((await calls.cancel({ id: first })).status, 200)
      const third = await ready(0)
      assert.equal((await calls.send({ id: third })).status, 200)
    })

    it('counts what was sent in it, also of a campaign that ran over its edge', async () => {
      await plan(4)
      const id = await ready(3)
      const sent = async (campaign: number, startedAt: string, endedAt: readonly string[]) => {
        await rows(
          `update recipient r set state = 'sent', ended_at = e.at
             from unnest($2::timestamptz[]) with ordinality e (at, n)
            where r.campaign_id = $1 and r.email_key = 'p' || e.n || '@example.com'`,
          [campaign, endedAt],
        )
        await rows(
          `update campaign set status = 'sent', scheduled_at = $2, started_at = $2, finished_at = $3, sent_count = 3
            where id = $1`,
          [campaign, startedAt, endedAt.at(-1)],
        )
      }
      // One in September in New York, two in October.
      await sent(id, '2026-10-01T03:00:00Z', [
        '2026-10-01T03:59:00Z',
        '2026-10-01T04:00:00Z',
        '2026-10-01T04:01:00Z',
      ])
      const second = await ready(0)
      const answer = await calls.send({ id: second })
      assert.equal(answer.body.error, 'This would send 3 e-mails and the plan has 2 left this month.')
      await plan(5)
      assert.equal((await calls.send({ id: second })).status, 200)
      await sent(second, '2026-10-06T20:00:00Z', Array(3).fill('2026-10-06T20:01:00Z'))
      const third = await ready(0)
      assert.match((await calls.send({ id: third })).body.error, /has 0 left this month/)
    })

    it('two sends at once are counted one after the other', async () => {
      await plan(5)
      const ids = [await ready(3), await ready(0)]
      const answers = await Promise.all(ids.map((id) => calls.send({ id })))
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 402]))
    })
  })

  describe('a sent campaign', () => {
    it('goes again for the copies that failed for a passing reason; permanent and unknown ones never', async () => {
      const id = await ready(5)
      await rows(
        `update recipient set ended_at = '2026-10-05T12:00:00Z', tries = 8,
           state = case when email_key = 'p1@example.com' then 'sent' else 'failed' end,
           why = case email_key when 'p2@example.com' then 'permanent' when 'p3@example.com' then 'unknown'
                   when 'p1@example.com' then null else 'used-up' end
          where campaign_id = $1`,
        [id],
      )
      await rows(
        `update campaign set status = 'sent', scheduled_at = '2026-10-05T11:00:00Z', started_at = '2026-10-05T11:00:00Z',
           finished_at = '2026-10-05T12:00:00Z', sent_count = 1, failed_count = 4, last_error = 'Two were given up.'
          where id = $1`,
        [id],
      )
      assert.equal((await calls.send({ id, confirmCount: 5 })).body.reason, 'count-changed')
      const { status, body } = await calls.send({ id, confirmCount: 2 })
      assert.equal(status, 200)
      assert.deepEqual([body.recipientsTotal, body.pending, body.retried], [5, 2, 2])
      assert.deepEqual(
        [body.campaign.status, body.campaign.finishedAt, body.campaign.sentCount, body.campaign.failedCount],
        ['scheduled', null, 1, 2],
      )
      const waiting = await rows(
        `select email_key, tries from recipient where campaign_id = $1 and state = 'waiting' order by 1`,
        [id],
      )
      assert.deepEqual(waiting, [
        { email_key: 'p4@example.com', tries: 0 },
        { email_key: 'p5@example.com', tries: 0 },
      ])
      assert.equal((await calls.send({ id })).body.reason, 'already-sending')
    })
  })
})

describe('POST /campaigns/cancel', () => {
  let service: TestService
  let venue: TestVenue
  let calls: ReturnType<typeof campaignCalls>
  before(async () => {
    service = await startService()
    venue = await service.venue()
    calls = campaignCalls(service, venue)
    await saveTestAddresses(service, venue)
    await subscribe(service, venue, 6)
  })
  after(() => service.stop())
  const rows = (text: string, values: unknown[]) => rowsOf<Record<string, unknown>>(service, text, values)

  const scheduled = async (): Promise<number> => {
    const { id } = (await calls.create(oysters)).body.campaign
    await calls.compose({ id })
    await calls.test({ id })
    assert.equal((await calls.send({ id })).status, 200)
    return id
  }

  it('a draft is 409: there is nothing to stop; unknown is 404', async () => {
    const { id } = (await calls.create(oysters)).body.campaign
    const answer = await calls.cancel({ id })
    assert.deepEqual(
      [answer.status, answer.body],
      [409, { error: 'This campaign is a draft: nothing is scheduled, so there is nothing to stop.' }],
    )
    assert.equal((await calls.cancel({ id: 999_999 })).status, 404)
  })

  it('sent or cancelled already is 409 campaign-closed', async () => {
    const id = await scheduled()
    assert.equal((await calls.cancel({ id })).status, 200)
    for (const status of ['cancelled', 'sent']) {
      await rows('update campaign set status = $2 where id = $1', [id, status])
      const answer = await calls.cancel({ id })
      assert.deepEqual([answer.status, answer.body.reason], [409, 'campaign-closed'])
    }
  })

  it('what is on the wire is waited for until it has ended', async () => {
    const id = await scheduled()
    await rows(`update campaign set status = 'sending', started_at = now() where id = $1`, [id])
    await rows(
      `update recipient set state = 'wire', claim = gen_random_uuid(), lease_until = now()
        where campaign_id = $1 and email_key = 'p1@example.com'`,
      [id],
    )
    const { db, clock } = service.context
    const looks: boolean[] = []
    const looking: Database = {
      ...db,
      maybe: async <Row>(statement: Statement<Row>) => {
        const found = await db.maybe(statement)
        if (!statement.text.includes("state = 'wire' limit 1")) return found
        looks.push(found !== undefined)
        if (looks.length === 2) {
          await rows(
            `update recipient set state = 'sent', claim = null, lease_until = null where campaign_id = $1 and state = 'wire'`,
            [id],
          )
        }
        return found
      },
    }
    const actor = { kind: 'service' } as const
    await cancelCampaign({ db: looking, clock }, { ...venue, plan: 'pro' }, actor, id, patience.ms())
    assert.deepEqual(looks, [true, true, false])
  })

  it('unsent people are skipped, not failed; delivered copies stay; copies on the wire still get their results', async () => {
    const id = await scheduled()
    await rows(
      `update recipient set
         state = s, claim = case when s in ('claimed', 'wire') then gen_random_uuid() end,
         lease_until = case when s in ('claimed', 'wire') then now() end, why = case when s = 'failed' then 'permanent' end
        from (values ('p1@example.com', 'sent'), ('p2@example.com', 'claimed'), ('p3@example.com', 'wire'),
                     ('p4@example.com', 'failed'), ('p5@example.com', 'held')) v (email, s)
       where campaign_id = $1 and email_key = v.email`,
      [id],
    )
    await rows(
      `update campaign set status = 'sending', started_at = now(), sent_count = 1, failed_count = 1, held_count = 1
        where id = $1`,
      [id],
    )
    const { status, body } = await calls.cancel({ id })
    assert.equal(status, 200)
    assert.deepEqual(body.counts, { total: 6, pending: 1, sent: 1, failed: 1, skipped: 2, heldBack: 1 })
    assert.deepEqual([body.campaign.status, body.campaign.recipientsTotal], ['cancelled', 5])
    const skipped = await rows(`select why from recipient where campaign_id = $1 and state = 'skipped'`, [id])
    assert.deepEqual(skipped, [{ why: 'cancelled' }, { why: 'cancelled' }])
  })

  it('ends what was said of trouble, and the hold that came with it', async () => {
    const id = await scheduled()
    await rows(
      `update campaign set status = 'sending', send_hold_until = '2027-01-01Z',
         last_error = 'The mail relay cannot be used. Sending resumes by itself when it can.' where id = $1`,
      [id],
    )
    const { campaign } = (await calls.cancel({ id })).body
    assert.deepEqual([campaign.status, campaign.lastError, campaign.sendHoldUntil], ['cancelled', '', null])
  })

  it('answers as soon as the wire is empty', async () => {
    const id = await scheduled()
    await rows(
      `update recipient set state = 'wire', claim = gen_random_uuid(), lease_until = now()
        where campaign_id = $1 and email_key = 'p3@example.com'`,
      [id],
    )
    await rows(`update campaign set status = 'sending' where id = $1`, [id])
    const cancelling = calls.cancel({ id })
    await rows(
      `with told as (
         update recipient set state = 'sent', claim = null, lease_until = null where campaign_id = $1 and state = 'wire')
       update campaign set sent_count = 1 where id = $1`,
      [id],
    )
    const { body } = await cancelling
    assert.deepEqual(body.counts, { total: 6, pending: 0, sent: 1, failed: 0, skipped: 5, heldBack: 0 })
  })
})
