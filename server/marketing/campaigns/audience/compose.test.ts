import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Composed } from '@venue-data/contract/records/campaign.ts'
import fc from 'fast-check'
import pg from 'pg'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { addTicketedEvent, campaignCalls, oysters, subscribe } from '../test/list.ts'

/** Someone the venue knows in one way or another. */
const person = fc.record({
  subscriber: fc.constantFrom(null, 'pending', 'subscribed', 'subscribed', 'unsubscribed'),
  suppressed: fc.constantFrom(false, false, true),
  /** Visits in all, the last so many days ago. */
  guest: fc.option(fc.record({ visits: fc.nat(4), daysAgo: fc.integer({ min: 1, max: 60 }) })),
  ticket: fc.constantFrom(
    null,
    null,
    'paid',
    'paid_unconfirmed',
    'partially_refunded',
    'refunded',
    'cancelled',
  ),
  tags: fc.subarray(['Wine', 'VIP']),
  birthMonth: fc.constantFrom(null, 10, 11),
  wantsBirthdayMail: fc.boolean(),
  paused: fc.constantFrom(false, false, false, true),
})
type Person = typeof person extends fc.Arbitrary<infer P> ? P : never

type Rule = { readonly json: object; readonly fits: (one: Person) => boolean; readonly isBirthday?: boolean }
const carries = (one: Person, tag: string): boolean => one.subscriber !== null && one.tags.includes(tag)
const holdsTicket = (one: Person): boolean =>
  one.ticket !== null && ['paid', 'paid_unconfirmed', 'partially_refunded'].includes(one.ticket)

const rules = (event: number): Rule[] => [
  { json: { type: 'all' }, fits: (one) => one.subscriber !== null && one.subscriber !== 'pending' },
  { json: { type: 'tag', anyOf: ['wine', 'no such tag'] }, fits: (one) => carries(one, 'Wine') },
  {
    json: { type: 'tag', allOf: ['Wine', 'VIP'] },
    fits: (one) => carries(one, 'Wine') && carries(one, 'VIP'),
  },
  { json: { type: 'tag', noneOf: ['VIP'] }, fits: (one) => one.subscriber !== null && !carries(one, 'VIP') },
  {
    json: { type: 'birthday' },
    fits: (one) => one.subscriber !== null && one.birthMonth === 10,
    isBirthday: true,
  },
  { json: { type: 'visited', minVisits: 2 }, fits: ({ guest }) => (guest?.visits ?? 0) >= 2 },
  {
    json: { type: 'visited', withinDays: 30 },
    fits: ({ guest }) => guest !== null && guest.visits > 0 && guest.daysAgo <= 30,
  },
  {
    json: { type: 'lapsed', notSinceDays: 30 },
    fits: ({ guest }) => guest !== null && guest.visits > 0 && guest.daysAgo > 30,
  },
  { json: { type: 'ticketBuyers', eventId: event }, fits: holdsTicket },
]

/** The counters, worked out person by person: each counts once, in the first line that fits. */
const expected = (
  people: readonly Person[],
  rule: Rule,
  cut: (one: Person) => boolean,
  leavesOutHolders: boolean,
) => {
  const counters = { matched: 0, suppressed: 0, unsubscribed: 0, excludedTicketHolders: 0, mailed: 0 }
  for (const one of people) {
    if (!rule.fits(one) || cut(one)) continue
    counters.matched++
    if (one.suppressed) counters.suppressed++
    else if (one.subscriber !== 'subscribed' || one.paused) counters.unsubscribed++
    else if (rule.isBirthday && !one.wantsBirthdayMail) counters.unsubscribed++
    else if (leavesOutHolders && holdsTicket(one)) counters.excludedTicketHolders++
    else counters.mailed++
  }
  return counters
}

const assertIdentity = (composed: Composed, about: string): void => {
  assert.equal(
    composed.matched,
    composed.noEmail +
      composed.suppressed +
      composed.unsubscribed +
      composed.excludedTicketHolders +
      composed.heldBack +
      composed.added +
      composed.alreadyPresent,
    about,
  )
}

describe('POST /campaigns/compose', () => {
  let service: TestService
  let client: pg.Client
  before(async () => {
    service = await startService()
    client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
  })
  after(async () => {
    await client.end()
    await service.stop()
  })

  const rows = async <Row extends Record<string, unknown>>(text: string, values: unknown[]): Promise<Row[]> =>
    (await client.query<Row>(text, values)).rows
  const draft = async (venue: TestVenue, more: object = {}): Promise<number> =>
    (await campaignCalls(service, venue).create({ ...oysters, ...more })).body.campaign.id
  const addressOf = (n: number): string => `p${n}@example.com`

  /** All in four statements. */
  const write = async (venue: TestVenue, occurrence: number, people: readonly Person[]): Promise<void> => {
    const given = JSON.stringify(people.map((one, n) => ({ ...one, ...one.guest, email: addressOf(n), n })))
    const from = `from jsonb_to_recordset($2::jsonb) as p (n int, email text, subscriber text, suppressed bool, visits int,
      "daysAgo" int, ticket text, tags text[], "birthMonth" int, "wantsBirthdayMail" bool, paused bool)`
    await rows(
      `insert into suppression (venue_id, email_key, reason, created_at)
       select $1, email, 'bounced', now() ${from} where suppressed`,
      [venue.id, given],
    )
    await rows(
      `insert into guest (venue_id, email, email_key, visit_count, last_visit_date, created_at, updated_at)
       select $1, upper(email), email, visits, case when visits > 0 then date '2026-10-06' - "daysAgo" end, now(), now()
       ${from} where visits is not null`,
      [venue.id, given],
    )
    // A visit that was imported: the last of them has a date.
    await rows('update guest set imported_last_visit_date = last_visit_date where venue_id = $1', [venue.id])
    await rows(
      `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_email,
         buyer_email_key, seats, subtotal_cents, total_cents, created_at, updated_at)
       select $1, $3, 'T-' || n, ticket, 'public', 'cash', email, email, 1, 2500, 2500, now(), now()
       ${from} where ticket is not null`,
      [venue.id, given, occurrence],
    )
    await rows(
      `with tags as (
         insert into tag (venue_id, name, name_key) values ($1, 'Wine', 'wine'), ($1, 'VIP', 'vip') returning id, name),
       made as (
         insert into subscriber (venue_id, email, email_key, status, source, birth_month, birth_day, birthday_mails,
           mail_paused_until, created_at, updated_at)
         select $1, email, email, subscriber, 'automation', "birthMonth", case when "birthMonth" > 0 then 1 end,
                "wantsBirthdayMail", case when paused then timestamptz '2026-12-01' end, now(), now()
         ${from} where subscriber is not null
         returning id, email_key)
       insert into subscriber_tag (venue_id, subscriber_id, tag_id)
       select $1, made.id, tags.id
         from made join (select email, unnest(tags) as tag ${from}) t on t.email = made.email_key
         join tags on tags.name = t.tag`,
      [venue.id, given],
    )
  }

  it('counts everybody once, in the first rule that fits, for every segment', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(person, { minLength: 4, maxLength: 14 }),
        fc.nat(),
        fc.option(fc.nat()),
        fc.boolean(),
        fc.boolean(),
        async (people, one, two, cutsVip, leavesOutHolders) => {
          const venue = await service.venue()
          const { event, occurrence } = await addTicketedEvent(service, venue)
          await write(venue, occurrence, people)
          const all = rules(event)
          const first = all[one % all.length] as Rule
          const second = two === null ? undefined : (all[two % all.length] as Rule)
          const rule: Rule = second
            ? {
                json: { type: 'and', of: [first.json, second.json] },
                fits: (who) => first.fits(who) && second.fits(who),
                isBirthday: first.isBirthday === true || second.isBirthday === true,
              }
            : first
          const exclude = {
            ...(cutsVip && { tags: ['vip'] }),
            ...(leavesOutHolders && { ticketHoldersOf: event }),
          }
          const id = await draft(venue, { segment: { ...rule.json, exclude } })
          const { compose } = campaignCalls(service, venue)
          const answer = await compose({ id })
          assert.equal(answer.status, 200, answer.text)
          const composed: Composed = answer.body
          const should = expected(people, rule, (who) => cutsVip && carries(who, 'VIP'), leavesOutHolders)
          const { matched, suppressed, unsubscribed, excludedTicketHolders, added } = composed
          assert.deepEqual(
            { matched, suppressed, unsubscribed, excludedTicketHolders, mailed: added },
            should,
          )
          assertIdentity(composed, answer.text)
          assert.equal(composed.recipientsTotal, composed.added)

          const again: Composed = (await compose({ id })).body
          assert.deepEqual([again.added, again.alreadyPresent, again.removed], [0, added, 0])
          assertIdentity(again, 'again')
        },
      ),
      { numRuns: 60 },
    )
  })

  it('merges people by lower-cased address, and counts who has none', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 1)
    await rows(
      `insert into guest (venue_id, name, email, email_key, visit_count, last_visit_date, created_at, updated_at)
       values ($1, 'A', 'P1@Example.com', 'p1@example.com', 3, '2026-10-01', now(), now()),
              ($1, 'B', null, null, 2, '2026-10-01', now(), now()),
              ($1, 'C', 'never@example.com', 'never@example.com', 2, '2026-10-01', now(), now()),
              ($1, 'D', 'maría@example.com', 'maría@example.com', 2, '2026-10-01', now(), now()),
              ($1, 'E', 'e@exámple.com', 'e@exámple.com', 2, '2026-10-01', now(), now())`,
      [venue.id],
    )
    // A domain beyond ASCII has another spelling for the wire; the part before the @ has none.
    for (const email of ['maría@example.com', 'e@exámple.com']) {
      await rows(
        `insert into subscriber (venue_id, email, email_key, status, source, created_at, updated_at)
         values ($1, $2, $2, 'subscribed', 'automation', now(), now())`,
        [venue.id, email],
      )
    }
    const id = await draft(venue, { segment: { type: 'visited', minVisits: 2 } })
    const { body } = await campaignCalls(service, venue).compose({ id })
    assert.deepEqual(
      [body.matched, body.noEmail, body.unsubscribed, body.added, body.matchedKnown, body.reliable],
      [5, 2, 1, 2, true, true],
    )
    assert.deepEqual(body.notes, ['1 person never subscribed and was left out.'])
  })

  it('counts visits of the last days one by one', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 2)
    await rows(
      `with g as (
         insert into guest (venue_id, email, email_key, visit_count, last_visit_date, imported_visit_count,
           imported_last_visit_date, created_at, updated_at)
         values ($1, 'p1@example.com', 'p1@example.com', 9, '2026-10-01', 7, '2026-07-01', now(), now()),
                ($1, 'p2@example.com', 'p2@example.com', 2, '2026-10-01', 1, '2026-09-20', now(), now())
         returning id)
       insert into reservation (venue_id, guest_id, status, source, party_size, service_date, created_at, updated_at)
       select $1, id, 'Completed', 'phone', 2, d, now(), now() from g cross join unnest('{2026-08-01,2026-10-01}'::date[]) d`,
      [venue.id],
    )
    const ask = async (segment: object) => {
      const id = await draft(venue, { segment })
      return (await campaignCalls(service, venue).compose({ id })).body.added
    }
    // One booking each, and the second guest's imported visit, in the last thirty days.
    assert.equal(await ask({ type: 'visited', withinDays: 30 }), 2)
    assert.equal(await ask({ type: 'visited', withinDays: 30, minVisits: 2 }), 1)
    assert.equal(await ask({ type: 'visited', withinDays: 80, minVisits: 2 }), 2)
    assert.equal(await ask({ type: 'visited', withinDays: 80, minVisits: 4 }), 0)
  })

  it('a draft is rebuilt with added, alreadyPresent and removed counts, and nobody is queued twice', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 5)
    const id = await draft(venue)
    const { compose } = campaignCalls(service, venue)
    assert.equal((await compose({ id })).body.added, 5)
    await rows(
      `update subscriber set status = 'unsubscribed' where venue_id = $1 and email_key = 'p1@example.com'`,
      [venue.id],
    )
    await subscribe(service, venue, 2, { prefix: 'new' })
    const { body } = await compose({ id })
    assert.deepEqual(
      [body.added, body.alreadyPresent, body.removed, body.unsubscribed, body.recipientsTotal, body.matched],
      [2, 4, 1, 1, 6, 7],
    )
    assert.equal(body.campaign.status, 'draft')
    assert.equal(body.campaign.recipientsTotal, 6)
    const kept = await rows('select email_key from recipient where venue_id = $1', [venue.id])
    assert.equal(new Set(kept.map(({ email_key }) => email_key)).size, 6)
  })

  it('a segment in the call replaces the campaign’s own for this list only', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 3)
    const id = await draft(venue)
    const { compose } = campaignCalls(service, venue)
    const other = await compose({ id, segment: { type: 'birthday', month: 2 } })
    assert.deepEqual([other.body.matched, other.body.campaign.segment], [0, { type: 'all' }])
    assert.equal((await compose({ id })).body.added, 3)
  })

  describe('the control group', () => {
    const holdBack = (venue: TestVenue, percent: number) =>
      rows(
        `insert into mail_settings (venue_id, holdout_pct) values ($1, $2)
         on conflict (venue_id) do update set holdout_pct = excluded.holdout_pct`,
        [venue.id, percent],
      )
    const heldOf = async (venue: TestVenue, id: number): Promise<string[]> =>
      (
        await rows<{ email_key: string }>(
          `select email_key from recipient where venue_id = $1 and campaign_id = $2 and state = 'held' order by 1`,
          [venue.id, id],
        )
      ).map(({ email_key }) => email_key)

    it('is drawn by a stable hash: a repeat, and every campaign of a series, holds back the same people', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 400)
      await holdBack(venue, 20)
      const { compose } = campaignCalls(service, venue)
      const id = await draft(venue)
      const { body } = await compose({ id })
      assert.equal(body.holdoutPct, 20)
      assert.ok(body.heldBack > 40 && body.heldBack < 120, String(body.heldBack))
      assert.equal(body.heldBack + body.added, 400)
      assert.equal(body.recipientsTotal, body.added)
      assertIdentity(body, 'first')
      const held = await heldOf(venue, id)
      const again = (await compose({ id })).body
      assert.deepEqual([again.heldBack, again.added, again.alreadyPresent], [body.heldBack, 0, body.added])
      assert.deepEqual(await heldOf(venue, id), held)

      const other = await draft(venue)
      await compose({ id: other })
      assert.notDeepEqual(await heldOf(venue, other), held)
      const series: string[][] = []
      for (const step of [1, 2]) {
        const one = await draft(venue)
        await rows(
          `update campaign set series_key = 'oysters', series_step = $3, series_total = 2 where venue_id = $1 and id = $2`,
          [venue.id, one, step],
        )
        await compose({ id: one })
        series.push(await heldOf(venue, one))
      }
      assert.deepEqual(series[0], series[1])

      // Who was held back is let go when the share shrinks, and the other way round.
      await holdBack(venue, 5)
      const fewer = (await compose({ id })).body
      assertIdentity(fewer, 'fewer')
      assert.equal(fewer.added, body.heldBack - fewer.heldBack)
      assert.ok((await heldOf(venue, id)).every((email) => held.includes(email)))
      await holdBack(venue, 50)
      const more = (await compose({ id })).body
      assertIdentity(more, 'more')
      assert.equal(more.added, 0)
      assert.equal(more.recipientsTotal + more.heldBack, 400)
    })

    it('is nobody under 100 people, and a note says so', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 99)
      await holdBack(venue, 50)
      const id = await draft(venue)
      const { compose } = campaignCalls(service, venue)
      const { body } = await compose({ id })
      assert.deepEqual([body.heldBack, body.holdoutPct, body.added], [0, 0, 99])
      assert.match(body.notes.join(), /^Nobody was held back, because the list has fewer than 100 people\.$/)
      await subscribe(service, venue, 1, { prefix: 'more' })
      assert.ok((await compose({ id })).body.heldBack > 20)
    })
  })

  describe('matchedKnown and reliable', () => {
    it('are false when what the segment names is gone, and the notes say so', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 2)
      const { compose } = campaignCalls(service, venue)
      const gone = await compose({
        id: await draft(venue),
        segment: { type: 'ticketBuyers', eventId: 999 },
      })
      assert.deepEqual([gone.body.matchedKnown, gone.body.reliable, gone.body.matched], [false, false, 0])
      const holders = await compose({
        id: await draft(venue),
        segment: { type: 'all', exclude: { ticketHoldersOf: 999 } },
      })
      assert.deepEqual(
        [holders.body.matchedKnown, holders.body.reliable, holders.body.added],
        [true, false, 2],
      )
      const campaigns = await compose({
        id: await draft(venue),
        segment: { type: 'all', exclude: { campaigns: [999_999] } },
      })
      assert.deepEqual([campaigns.body.matchedKnown, campaigns.body.reliable], [false, false])
      const tags = await compose({ id: await draft(venue), segment: { type: 'tag', anyOf: ['nobody'] } })
      assert.deepEqual([tags.body.matchedKnown, tags.body.reliable, tags.body.matched], [true, true, 0])
      assert.deepEqual(tags.body.notes, ['One of the tags is not in use at this venue.'])
    })

    it('an event or a campaign of another venue is one that does not exist', async () => {
      const venue = await service.venue()
      const other = await service.venue()
      const { event } = await addTicketedEvent(service, other)
      const { compose } = campaignCalls(service, venue)
      const { body } = await compose({
        id: await draft(venue),
        segment: { type: 'ticketBuyers', eventId: event },
      })
      assert.deepEqual([body.matchedKnown, body.reliable], [false, false])
    })
  })

  describe('exclude', () => {
    it('leaves out who was mailed lately or by certain campaigns, and a note counts them', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 4)
      const { compose } = campaignCalls(service, venue)
      const earlier = await draft(venue)
      await compose({ id: earlier })
      await rows(
        `update campaign set status = 'sent', started_at = '2026-10-04T10:00:00Z', finished_at = '2026-10-04T11:00:00Z',
           sent_count = 2, failed_count = 2 where venue_id = $1 and id = $2`,
        [venue.id, earlier],
      )
      await rows(
        `update recipient set ended_at = '2026-10-04T10:30:00Z',
           state = case when email_key in ('p1@example.com', 'p2@example.com') then 'sent' else 'failed' end,
           why = case when email_key = 'p3@example.com' then 'unknown' when email_key = 'p4@example.com' then 'permanent' end
          where venue_id = $1`,
        [venue.id],
      )
      const ask = async (exclude: object) =>
        (await compose({ id: await draft(venue), segment: { type: 'all', exclude } })).body
      const lately = await ask({ mailedWithinDays: 3 })
      // Of the third nobody knows whether they got it; the fourth did not.
      assert.deepEqual([lately.added, lately.matched, lately.reliable], [1, 1, true])
      assert.deepEqual(lately.notes, ["3 people were left out by the segment's own exclusions."])
      assertIdentity(lately, 'lately')
      assert.equal((await ask({ mailedWithinDays: 1 })).added, 4)
      assert.equal((await ask({ campaigns: [earlier] })).added, 1)
    })

    it('a campaign for an event leaves out its ticket holders unless the request says not to', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 3)
      const { event, occurrence } = await addTicketedEvent(service, venue)
      await rows(
        `insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_email,
           buyer_email_key, seats, subtotal_cents, total_cents, created_at, updated_at)
         values ($1, $2, 'T-1', 'paid', 'public', 'cash', 'P1@example.com', 'p1@example.com', 1, 0, 0, now(), now())`,
        [venue.id, occurrence],
      )
      const ask = async (segment: object) => {
        const id = await draft(venue, { segment })
        await rows('update campaign set event_id = $3 where venue_id = $1 and id = $2', [venue.id, id, event])
        const { body } = await campaignCalls(service, venue).compose({ id })
        assert.equal(body.campaign.eventId, event)
        return [body.matched, body.excludedTicketHolders, body.added]
      }
      assert.deepEqual(await ask({ type: 'all' }), [3, 1, 2])
      assert.deepEqual(await ask({ type: 'all', exclude: { ticketHoldersOf: true } }), [3, 1, 2])
      assert.deepEqual(await ask({ type: 'all', exclude: { ticketHoldersOf: false } }), [3, 0, 3])
      assert.deepEqual(await ask({ type: 'ticketBuyers', eventId: event }), [1, 0, 1])
    })
  })

  it('a topic that somebody switched off is not theirs', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 2)
    await rows(
      `with t as (insert into tag (venue_id, name, name_key, topic) values ($1, 'Wine', 'wine', true) returning id),
        tagged as (insert into subscriber_tag select $1, s.id, t.id from subscriber s, t where s.venue_id = $1)
       insert into topic_off select $1, s.id, t.id from subscriber s, t
        where s.venue_id = $1 and s.email_key = 'p1@example.com'`,
      [venue.id],
    )
    const id = await draft(venue, { segment: { type: 'tag', anyOf: ['Wine'] } })
    assert.equal((await campaignCalls(service, venue).compose({ id })).body.added, 1)
  })

  describe('of a scheduled or sending campaign', () => {
    it('only shrinks: new people are left out, dropped ones are skipped, those in flight are kept', async () => {
      const state = fc.constantFrom('waiting', 'claimed', 'wire', 'sent', 'failed', 'skipped', 'held')
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ state, isGone: fc.boolean() }), { minLength: 1, maxLength: 12 }),
          fc.nat(3),
          fc.constantFrom('scheduled', 'sending'),
          async (copies, newcomers, status) => {
            const venue = await service.venue()
            await subscribe(service, venue, copies.length)
            const id = await draft(venue)
            const { compose } = campaignCalls(service, venue)
            await compose({ id })
            const given = JSON.stringify(copies.map((one, n) => ({ ...one, email: addressOf(n + 1) })))
            const from = `from jsonb_to_recordset($2::jsonb) as p (email text, state text, "isGone" bool)`
            await rows(
              `update recipient set state = p.state,
                 why = case p.state when 'failed' then 'permanent' when 'skipped' then 'paused' end,
                 claim = case when p.state in ('claimed', 'wire') then gen_random_uuid() end,
                 lease_until = case when p.state in ('claimed', 'wire') then now() end
                 ${from} where venue_id = $1 and email_key = p.email`,
              [venue.id, given],
            )
            await rows(
              `update subscriber set status = 'unsubscribed' ${from}
                where venue_id = $1 and email_key = p.email and p."isGone"`,
              [venue.id, given],
            )
            const count = (...states: string[]) => copies.filter((one) => states.includes(one.state)).length
            await rows(
              `update campaign set status = $3, scheduled_at = now(), held_count = $4, sent_count = $5,
                 failed_count = $6, skipped_count = $7 where venue_id = $1 and id = $2`,
              [venue.id, id, status, count('held'), count('sent'), count('failed'), count('skipped')],
            )
            await subscribe(service, venue, newcomers, { prefix: 'new' })

            const { body } = await compose({ id })
            const gone = copies.filter(({ isGone }) => isGone)
            const dropped = gone.filter((one) => one.state === 'waiting').length
            assert.equal(body.added, 0)
            assert.equal(body.removed, dropped)
            assert.equal(
              body.keptInFlight,
              gone.filter((one) => ['claimed', 'wire', 'sent', 'failed'].includes(one.state)).length,
            )
            assert.equal(body.recipientsTotal, copies.length - count('held'))
            assert.equal(body.heldBack, copies.filter((one) => one.state === 'held' && !one.isGone).length)
            // Still on the list: neither held back nor skipped before.
            assert.equal(
              body.alreadyPresent,
              copies.filter((one) => !one.isGone && one.state !== 'held' && one.state !== 'skipped').length,
            )
            assert.equal(body.campaign.status, status)
            assertIdentity(body, JSON.stringify(body))
            if (newcomers > 0) assert.match(body.notes.join(' '), /would be new and (was|were) left out/)
            const [row] = await rows<Record<string, number>>(
              `select c.row_count, c.held_count, c.sent_count, c.failed_count, c.skipped_count,
                      count(*)::int as all, count(*) filter (where state = 'skipped')::int as skipped,
                      count(*) filter (where state = 'held')::int as held
                 from campaign c join recipient r on r.venue_id = c.venue_id and r.campaign_id = c.id
                where c.venue_id = $1 and c.id = $2 group by c.venue_id, c.id`,
              [venue.id, id],
            )
            assert.deepEqual(
              [row?.row_count, row?.held_count, row?.skipped_count],
              [row?.all, row?.held, row?.skipped],
            )
            assert.equal(row?.skipped_count, count('skipped') + dropped)
          },
        ),
        { numRuns: 40 },
      )
    })

    it('who was dropped once is gone, and a note says so', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 3)
      await rows(
        `update subscriber set birth_month = 5, birth_day = 1 where email_key < 'p3' and venue_id = $1`,
        [venue.id],
      )
      const id = await draft(venue)
      const { compose } = campaignCalls(service, venue)
      await compose({ id })
      await rows(`update campaign set status = 'scheduled', scheduled_at = now() where id = $1`, [id])
      const fewer = (await compose({ id, segment: { type: 'birthday', month: 5 } })).body
      assert.deepEqual([fewer.removed, fewer.alreadyPresent], [1, 2])
      const again = (await compose({ id })).body
      assertIdentity(again, 'again')
      assert.deepEqual([again.matched, again.alreadyPresent, again.added, again.removed], [2, 2, 0, 0])
      assert.deepEqual(again.notes, ['1 person was taken off the list before and was not put back.'])
    })

    it('without a segment shrinks by the one the list was built with', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 3)
      await rows('update subscriber set birth_month = 5, birth_day = 1 where venue_id = $1', [venue.id])
      const id = await draft(venue)
      const { compose } = campaignCalls(service, venue)
      await compose({ id, segment: { type: 'birthday', month: 5 } })
      await rows(`update campaign set status = 'scheduled', scheduled_at = now() where id = $1`, [id])
      await rows(
        `update subscriber set birth_month = 6 where venue_id = $1 and email_key = 'p1@example.com'`,
        [venue.id],
      )
      const { body } = await compose({ id })
      assert.deepEqual([body.matched, body.alreadyPresent, body.removed], [2, 2, 1])
    })

    it('is 409 list-unreliable and changes nothing when what the segment names is gone', async () => {
      const venue = await service.venue()
      await subscribe(service, venue, 3)
      const id = await draft(venue)
      const { compose } = campaignCalls(service, venue)
      await compose({ id })
      const kept = () =>
        rows(
          `select c.*, (select jsonb_agg(r order by subscriber_id) from recipient r where r.campaign_id = c.id) as list
             from campaign c where c.id = $1`,
          [id],
        )
      for (const status of ['scheduled', 'sending']) {
        await rows('update campaign set status = $2, scheduled_at = now() where id = $1', [id, status])
        const before = await kept()
        for (const segment of [
          { type: 'ticketBuyers', eventId: 999 },
          { type: 'all', exclude: { ticketHoldersOf: 999 } },
          { type: 'all', exclude: { campaigns: [999_999] } },
        ]) {
          const answer = await compose({ id, segment })
          assert.deepEqual([answer.status, answer.body.reason], [409, 'list-unreliable'], answer.text)
          assert.deepEqual(await kept(), before)
        }
      }
    })
  })

  it('sent or cancelled is closed: 409; unknown is 404', async () => {
    const venue = await service.venue()
    const { compose } = campaignCalls(service, venue)
    const id = await draft(venue)
    for (const status of ['sent', 'cancelled']) {
      await rows('update campaign set status = $3, finished_at = now() where venue_id = $1 and id = $2', [
        venue.id,
        id,
        status,
      ])
      const answer = await compose({ id })
      assert.deepEqual([answer.status, answer.body.reason], [409, 'campaign-closed'])
    }
    const unknown = await compose({ id: 999_999 })
    assert.deepEqual(
      [unknown.status, unknown.body],
      [404, { error: 'There is no such campaign at this venue.' }],
    )
  })

  it('never names anybody in a note', async () => {
    const venue = await service.venue()
    for (const status of ['subscribed', 'unsubscribed', 'pending']) {
      await subscribe(service, venue, 2, { status, prefix: status })
    }
    const { body } = await campaignCalls(service, venue).compose({ id: await draft(venue) })
    assert.deepEqual(body.notes, [
      '2 people have not confirmed their sign-up and were left out.',
      '2 people are unsubscribed and were left out.',
    ])
    assert.deepEqual([body.matched, body.unsubscribed, body.added], [4, 2, 2])
  })

  it('twenty at once give one list', async () => {
    const venue = await service.venue()
    await subscribe(service, venue, 2_000)
    const id = await draft(venue)
    const { compose } = campaignCalls(service, venue)
    const answers = await Promise.all(Array.from({ length: 20 }, () => compose({ id })))
    assert.ok(answers.every(({ status, body }) => status === 200 && body.recipientsTotal === 2_000))
    const [counted] = await rows('select count(*)::int as n from recipient where venue_id = $1', [venue.id])
    assert.equal(counted?.n, 2_000)
  })
})
