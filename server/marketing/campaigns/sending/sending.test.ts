import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { readLinkToken } from '../../../mail/link-token.ts'
import { eventually } from '../../../test/eventually.ts'
import { type SendingScene, startSendingScene } from '../test/sending-scene.ts'

describe('a campaign that is due', () => {
  let scene: SendingScene
  before(async () => {
    scene = await startSendingScene({
      MAIL_BOUNCE_DOMAIN: 'bounces.example.com',
      PUBLIC_URL: 'https://data.example.com',
    })
  })
  afterEach(async () => {
    await scene.stopProcesses()
    scene.relay.received.length = 0
    scene.relay.judge = {}
  })
  after(() => scene.stop())

  it('goes to everybody on its list once, under a Message-ID of their own', async () => {
    const venue = await scene.service.venue({ name: 'The Blue Door' })
    const campaign = await scene.campaign(venue, { people: 45 })
    scene.process()
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual(
      [ended.sent_count, ended.failed_count, ended.skipped_count, ended.last_error, ended.send_hold_until],
      [45, 0, 0, '', null],
    )
    assert.ok(ended.started_at && ended.finished_at)
    const { received } = scene.relay
    assert.deepEqual(received.map(({ to }) => to).toSorted(), campaign.emails.toSorted())
    const stored = new Set((await scene.copies(campaign)).map(({ message_id }) => message_id))
    assert.deepEqual(new Set(received.map(({ messageId }) => messageId)), stored)
    assert.equal(stored.size, 45)
  })

  it('comes from the venue, names the person, and says how to leave', async () => {
    const venue = await scene.service.venue({ name: 'The Blue Door' })
    await scene.query(`update venue set mail_from = 'hello@bluedoor.example' where id = $1`, [venue.id])
    await scene.query(
      `insert into venue_sender (venue_id, address, verified_at, verified_by)
       values ($1, 'hello@bluedoor.example', now(), 'operator')`,
      [venue.id],
    )
    const campaign = await scene.campaign(venue, { emails: ['maya@example.com'], names: ['Maya'] })
    scene.process()
    await scene.until(campaign, 'sent')
    const [mail] = await scene.relay.mails()
    const [envelope] = scene.relay.received
    const [copy] = await scene.copies(campaign)
    assert.deepEqual(mail?.from, { name: 'The Blue Door', address: 'hello@bluedoor.example' })
    assert.equal(mail?.to?.[0]?.address, 'maya@example.com')
    assert.equal(mail?.subject, 'Oysters all week, Maya')
    assert.match(mail?.html ?? '', /Hello Maya\./)
    assert.match(mail?.text ?? '', /Hello Maya\./)
    const header = (name: string) => mail?.headers.find(({ key }) => key === name)?.value ?? ''
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    const [, token = ''] = /<https:\/\/data\.example\.com\/u\/([^>]+)>/.exec(header('list-unsubscribe')) ?? []
    const about = { venue: venue.id, subscriber: Number(copy?.subscriber_id), campaign: campaign.id }
    assert.deepEqual(readLinkToken(scene.service.context.secrets, 'unsubscribe', token), about)
    assert.match(header('list-unsubscribe'), new RegExp(`<mailto:u\\+${token}@bounces\\.example\\.com`))
    const [, bounce = ''] = /^b\+(.+)@bounces\.example\.com$/.exec(envelope?.from ?? '') ?? []
    assert.deepEqual(readLinkToken(scene.service.context.secrets, 'bounce', bounce), about)
  })

  it('does not begin before its time, nor inside of its hold', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { dueIn: 600 })
    const sending = scene.process()
    scene.pass(599_000)
    const marker = await scene.campaign(venue, { people: 1 })
    await scene.until(marker, 'sent')
    assert.equal((await scene.state(campaign)).status, 'scheduled')
    scene.pass(1_000)
    await scene.until(campaign, 'sent')
    assert.equal(sending.counts().onTheWire, 0)
  })

  it('that is cancelled inside of its hold mails nobody', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue, { dueIn: 600 })
    scene.process()
    scene.pass(599_000)
    const { status, text } = await scene.service.call('POST', '/api/v1/campaigns/cancel', {
      key: venue.key,
      body: { id: campaign.id },
    })
    assert.equal(status, 200, text)
    scene.pass(600_000)
    const marker = await scene.campaign(venue, { people: 1 })
    await scene.until(marker, 'sent')
    assert.equal(scene.relay.received.length, 1)
    assert.equal((await scene.state(campaign)).status, 'cancelled')
  })

  it('is not sent more than six hours late, and says so', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue)
    scene.pass(6 * 3_600_000 + 1)
    scene.process()
    const ended = await scene.until(campaign, 'cancelled')
    assert.match(ended.last_error, /^It missed its time: the service was not running,/)
    assert.deepEqual([ended.sent_count, ended.skipped_count], [0, 5])
    assert.equal(scene.relay.received.length, 0)
  })

  it('does not go to who left, was suppressed, erased, paused or bought a ticket since the list was built', async () => {
    const venue = await scene.service.venue()
    const [event] = await scene.query<{ id: string }>(
      `insert into ticketed_event (venue_id, name, created_at) values ($1, 'Oyster night', now()) returning id`,
      [venue.id],
    )
    const campaign = await scene.campaign(venue, { people: 6, eventId: Number(event?.id) })
    const [left, suppressed, erased, paused, buyer, kept] = campaign.emails
    const of = (email: string | undefined) => [venue.id, email]
    await scene.query(
      `update subscriber set status = 'unsubscribed' where venue_id = $1 and email_key = $2`,
      of(left),
    )
    await scene.query(`insert into suppression values ($1, $2, 'staff_removal', now())`, of(suppressed))
    await scene.query(`delete from subscriber where venue_id = $1 and email_key = $2`, of(erased))
    await scene.query(
      `update subscriber set mail_paused_until = '2027-01-01Z' where venue_id = $1 and email_key = $2`,
      of(paused),
    )
    await scene.query(
      `with o as (insert into occurrence (venue_id, event_id, date, capacity, price_cents) values ($1, $3, '2026-12-01', 9, 0) returning id)
       insert into ticket_order (venue_id, occurrence_id, order_number, status, channel, payment_method, buyer_email,
         buyer_email_key, seats, subtotal_cents, total_cents, created_at, updated_at)
       select $1, id, 'A1', 'paid', 'public', 'free', $2, $2, 1, 0, 0, now(), now() from o`,
      [...of(buyer), Number(event?.id)],
    )
    scene.process()
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.skipped_count], [1, 5])
    assert.deepEqual(
      scene.relay.received.map(({ to }) => to),
      [kept],
    )
    assert.deepEqual(
      (await scene.copies(campaign)).map(({ why }) => why),
      ['unsubscribed', 'suppressed', 'deleted', 'paused', 'ticket-holder', null],
    )
  })

  it('of a paused venue waits until it goes on', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue)
    await scene.query('update venue set paused = true where id = $1', [venue.id])
    scene.process()
    await eventually(async () => /paused/.test((await scene.state(campaign)).last_error))
    assert.equal(scene.relay.received.length, 0)
    await scene.query('update venue set paused = false where id = $1', [venue.id])
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.sent_count, ended.last_error], [5, ''])
  })

  it('of a venue that was paused for more than six hours says that', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue)
    await scene.query('update venue set paused = true where id = $1', [venue.id])
    scene.process()
    await eventually(async () => /paused/.test((await scene.state(campaign)).last_error))
    scene.pass(6 * 3_600_000 + 1)
    const ended = await scene.until(campaign, 'cancelled')
    assert.match(
      ended.last_error,
      /^It missed its time: the venue was paused, and it was more than six hours/,
    )
  })

  it('started when the first message was handed to the relay: not at all when everybody is skipped', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue)
    await scene.query(`update subscriber set status = 'unsubscribed' where venue_id = $1`, [venue.id])
    scene.process()
    const ended = await scene.until(campaign, 'sent')
    assert.deepEqual([ended.skipped_count, ended.started_at], [5, null])
    assert.ok(ended.finished_at)
  })

  it('started when the first message was handed to the relay: not while that cannot be reached', async () => {
    const venue = await scene.service.venue()
    const campaign = await scene.campaign(venue)
    await scene.relay.stop()
    try {
      scene.process()
      assert.equal((await scene.untilTroubled(campaign)).started_at, null)
    } finally {
      await scene.relay.start()
    }
    scene.pass(30_000)
    const at = scene.service.context.clock().toString()
    const ended = await scene.until(campaign, 'sent')
    assert.equal(new Date(ended.started_at ?? 0).toISOString(), new Date(at).toISOString())
    await scene.query('delete from mail_relay')
  })

  it('whose mailbox is full for the third time in a row suppresses it at once', async () => {
    const venue = await scene.service.venue()
    const emails = ['full@example.com']
    scene.relay.judge = { to: () => '552 5.2.2 Mailbox full' }
    const reasons = () => scene.query('select reason from suppression where venue_id = $1', [venue.id])
    scene.process()
    for (const found of [[], [], [{ reason: 'bounced' }]]) {
      const ended = await scene.until(await scene.campaign(venue, { emails }), 'sent')
      assert.equal(ended.failed_count, 1)
      assert.deepEqual(await reasons(), found)
      scene.pass(1_000)
    }
  })

  it('sends names that are no names as plain words', async () => {
    const venue = await scene.service.venue()
    const names = [
      'Ann\r\nBcc: all@example.com',
      '{{unsubscribeUrl}}',
      '<script>alert(1)</script>',
      '=cmd|x!A1',
    ]
    const campaign = await scene.campaign(venue, {
      names,
      emails: names.map((_, n) => `odd${n}@example.com`),
    })
    scene.process()
    await scene.until(campaign, 'sent')
    const mails = await scene.relay.mails()
    assert.equal(mails.length, 4)
    for (const mail of mails) {
      assert.deepEqual(mail.bcc ?? [], [])
      assert.doesNotMatch(mail.html ?? '', /<script>/)
      assert.equal(mail.headers.filter(({ key }) => key === 'bcc').length, 0)
    }
  })
})
