import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { dnsOf } from '../../../mail/test/dns.ts'
import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { verifyByOperator } from '../../../mail/venue-sender.ts'
import { eventually } from '../../../test/eventually.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { runOperator, settingsOf } from '../../../test/processes/operator.ts'
import { rowsOf } from '../../../test/rows.ts'
import {
  type Answer,
  type TestService,
  type TestVenue,
  aTuesdayAfternoon,
  startService,
} from '../../../test/service.ts'
import { startSending } from '../sending/engine.ts'
import { probeRelay } from '../sending/probe.ts'
import { relayName } from '../sending/relay.ts'
import { campaignCalls, oysters, saveTestAddresses, subscribe } from '../test/list.ts'

/* The sender's part of the checklist, as a send over HTTP meets it. */
describe('POST /campaigns/send looks at the sender', () => {
  const records = {
    'door.test': ['v=spf1 mx -all'],
    'bounce.door.test': ['v=spf1 mx -all'],
    '_dmarc.door.test': ['v=DMARC1; p=none'],
  }
  let relay: TestRelay
  let service: TestService
  let venue: TestVenue
  let dns = dnsOf(records)
  let asked: string[] = []
  before(async () => {
    relay = await startTestRelay()
    service = await startService(
      {
        SMTP_URL: relay.url,
        MAIL_FROM: 'The Blue Door <news@door.test>',
        MAIL_BOUNCE_DOMAIN: 'bounce.door.test',
        PUBLIC_URL: 'https://data.door.test',
      },
      {},
      (name) => {
        asked.push(name)
        return dns(name)
      },
    )
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    dns = dnsOf(records)
    asked = []
    await rows('delete from mail_relay')
    // What earlier tests scheduled is not to leave in later ones.
    await rows(`update campaign set status = 'cancelled', finished_at = now() where status = 'scheduled'`)
    venue = await service.venue()
    await saveTestAddresses(service, venue, ['owner@door.test'])
    await subscribe(service, venue, 3)
  })

  const rows = (text: string, values: unknown[] = []) =>
    rowsOf<Record<string, unknown>>(service, text, values)
  const ready = async (calls = campaignCalls(service, venue)): Promise<number> => {
    const { id } = (await calls.create(oysters)).body.campaign
    await calls.compose({ id })
    const tested = await calls.test({ id })
    assert.equal(tested.status, 200, tested.text)
    return id
  }
  const send = async (id?: number): Promise<Answer> =>
    campaignCalls(service, venue).send({ id: id ?? (await ready()) })
  const assertSent = ({ status, text }: Answer): void => assert.equal(status, 200, text)
  const assertBlocked = (answer: Answer, ...codes: string[]): void => {
    assert.deepEqual([answer.status, answer.body.reason], [409, 'checklist-blocked'], answer.text)
    assert.deepEqual(
      answer.body.blockers.map(({ code }: { code: string }) => code),
      codes,
    )
  }
  const sendFrom = (address: string | null) =>
    rows('update venue set mail_from = $2 where id = $1', [venue.id, address])

  it('takes a sender whose records are there', async () => {
    assertSent(await send())
    assert.ok(asked.includes('bounce.door.test') && asked.includes('_dmarc.door.test'), asked.join())
  })

  describe('sender-auth-missing', () => {
    for (const [what, missing] of [
      ['SPF', { ...records, 'bounce.door.test': [] }],
      ['a second SPF record', { ...records, 'bounce.door.test': ['v=spf1 mx -all', 'v=spf1 a -all'] }],
      ['DMARC', { ...records, '_dmarc.door.test': ['v=DMARC1'] }],
    ] as const) {
      it(`blocks: ${what}`, async () => {
        dns = dnsOf(missing)
        const id = await ready()
        const answer = await send(id)
        assertBlocked(answer, 'sender-auth-missing')
        assert.match(
          answer.body.blockers[0].message,
          /no (SPF record at bounce|DMARC policy at _dmarc)\.door\.test/,
        )
        dns = dnsOf(records)
        assertSent(await send(id))
      })
    }

    it('does not block when the DNS cannot tell', async () => {
      dns = dnsOf({}, ['door.test', 'bounce.door.test', '_dmarc.door.test', '_dmarc.bounce.door.test'])
      assertSent(await send())
    })

    it('asks before anything is locked', async () => {
      const id = await ready()
      const { promise, resolve } = Promise.withResolvers<void>()
      const slow = dnsOf(records)
      dns = async (name) => {
        await promise
        return slow(name)
      }
      asked = []
      const waiting = send(id)
      await eventually(() => asked.length > 0)
      const held = await rows('select id from campaign where id = $1 for update nowait', [id]).finally(
        resolve,
      )
      assert.equal(held.length, 1)
      assertSent(await waiting)
    })
  })

  describe('from-unverified', () => {
    it('blocks an address nobody confirmed; the operator’s word is enough, for this address alone', async () => {
      await sendFrom('hello@door.test')
      const id = await ready()
      assertBlocked(await send(id), 'from-unverified')
      await verifyByOperator(
        service.db,
        { id: venue.id, mail_from: 'Hello@Door.test' },
        service.context.clock(),
      )
      await sendFrom('other@door.test')
      assertBlocked(await send(id), 'from-unverified')
      await sendFrom('hello@door.test')
      assertSent(await send(id))
    })

    it('an address set by the operator’s command needs no link', async () => {
      const ran = await runOperator(
        ['venue', 'update', '--slug', venue.slug, '--mail-from', 'Kitchen@door.test'],
        settingsOf(service),
      )
      assert.equal(ran.code, 0, ran.stderr)
      assertSent(await send())
      await sendFrom('other@door.test')
      assertBlocked(await send(), 'from-unverified')
    })

    it('a test of an unconfirmed sender comes from the service’s own address', async () => {
      await sendFrom('hello@door.test')
      await ready()
      assert.equal((await relay.mails()).at(-1)?.from?.address, 'news@door.test')
      await verifyByOperator(
        service.db,
        { id: venue.id, mail_from: 'hello@door.test' },
        service.context.clock(),
      )
      await ready()
      assert.equal((await relay.mails()).at(-1)?.from?.address, 'hello@door.test')
    })

    it('an address put in after the send was confirmed sends nothing until it is confirmed', async () => {
      const id = await ready()
      assertSent(await send(id))
      await sendFrom('other@door.test')
      const before = relay.received.length
      const state = async () => (await rows('select status, last_error from campaign where id = $1', [id]))[0]
      service.setClock(service.context.clock().add({ minutes: 10 }).toString())
      const sending = startSending({ ...service.context, db: service.context.workerDb }, { lookMs: 20 })
      try {
        await eventually(async () => (await state())?.['last_error'] === 'sender-unconfirmed')
        assert.equal((await state())?.['status'], 'scheduled')
        assert.equal(relay.received.length, before)
        await verifyByOperator(
          service.db,
          { id: venue.id, mail_from: 'other@door.test' },
          service.context.clock(),
        )
        service.setClock(service.context.clock().add({ minutes: 16 }).toString())
        await eventually(async () => (await state())?.['status'] === 'sent')
        assert.equal(relay.received.length, before + 3)
      } finally {
        await sending.stop()
      }
    })

    it('a campaign held for its sender for more than six hours says that', async () => {
      const id = await ready()
      assertSent(await send(id))
      await sendFrom('other@door.test')
      service.setClock(service.context.clock().add({ minutes: 10 }).toString())
      const state = async () =>
        String((await rows('select last_error from campaign where id = $1', [id]))[0]?.['last_error'])
      const sending = startSending({ ...service.context, db: service.context.workerDb }, { lookMs: 20 })
      try {
        await eventually(async () => (await state()) === 'sender-unconfirmed')
        service.setClock(service.context.clock().add({ hours: 6, minutes: 1 }).toString())
        await eventually(async () =>
          (await state()).startsWith("It missed its time: the venue's sender was not confirmed,"),
        )
      } finally {
        await sending.stop()
      }
    })

    it('takes the service’s own address as it is, also where a venue names it', async () => {
      await sendFrom('News@door.test')
      assertSent(await send())
    })

    it('is confirmed by the link mailed to that very address, and by a press only', async () => {
      await sendFrom('hello@door.test')
      const id = await ready()
      const { email } = await staffOf(service, venue, 'manager')
      const manager = visitOffice(service)
      await manager.signIn(email)
      assert.match(
        (await manager.get('/office/settings/venue')).words,
        /hello@door.test ?: not confirmed yet/,
      )

      const before = relay.received.length
      assert.equal((await manager.post('/office/settings/venue/sender')).to, '/office/settings/venue')
      const page = await manager.get('/office/settings/venue')
      assert.match(page.words, /We emailed a link to hello@door.test/)
      assert.match(page.words, /waiting for confirmation/)
      assert.match(page.words, /Email the link again/)
      const received = relay.received.slice(before)
      assert.deepEqual(
        received.map(({ from, to }) => [from, to]),
        [['news@door.test', 'hello@door.test']],
      )
      const mail = (await relay.mails()).at(-1)
      assert.equal(mail?.subject, 'Confirm this address as the sender of The Blue Door')
      assert.equal(mail.from?.address, 'news@door.test')
      const link = /\/s\/[\w-]+/.exec(mail.text ?? '')?.[0] as string

      const open = async (method: string, path = link) => {
        const answer = await fetch(service.url + path, { method, redirect: 'manual' })
        return { status: answer.status, text: await answer.text() }
      }
      for (const method of ['GET', 'HEAD', 'GET']) assert.equal((await open(method)).status, 200)
      assert.match((await open('GET')).text, /Yes, confirm this sender/)
      assertBlocked(await send(id), 'from-unverified')
      assert.equal((await open('POST', `${link}x`)).status, 404)

      for (let press = 0; press < 2; press++) {
        const pressed = await open('POST')
        assert.equal(pressed.status, 200)
        assert.match(pressed.text, /this address is confirmed/)
      }
      assertSent(await send(id))
      assert.match(
        (await manager.get('/office/settings/venue')).words,
        /confirmed by the link, October 6, 2026/,
      )
      const trail = await rows(
        `select action from activity where venue_id = $1 and action like '%Sender%' order by id`,
        [venue.id],
      )
      assert.deepEqual(
        trail.map(({ action }) => action),
        ['mailSenderLink', 'verifySender'],
      )
    })

    it('an older link, one for an address that was changed, and one of last week are over', async () => {
      const { email } = await staffOf(service, venue, 'manager')
      const manager = visitOffice(service)
      await manager.signIn(email)
      const newLink = async (): Promise<string> => {
        const { to } = await manager.post('/office/settings/venue/sender')
        assert.equal(to, '/office/settings/venue')
        return /\/s\/[\w-]+/.exec((await relay.mails()).at(-1)?.text ?? '')?.[0] as string
      }
      const press = async (link: string): Promise<number> =>
        (await fetch(service.url + link, { method: 'POST' })).status
      await sendFrom('hello@door.test')
      const first = await newLink()
      const mails = relay.received.length
      await newLink()
      assert.equal(relay.received.length, mails, 'one a minute')
      service.setClock(service.context.clock().add({ seconds: 61 }).toString())
      const second = await newLink()
      assert.notEqual(first, second)
      assert.equal(await press(first), 404)
      await sendFrom('other@door.test')
      assert.equal(await press(second), 404)
      await sendFrom('hello@door.test')
      service.setClock(
        service.context
          .clock()
          .add({ hours: 24 * 7 })
          .toString(),
      )
      assert.equal(await press(second), 404)
      assertBlocked(await send(), 'from-unverified')
    })

    it('at most ten links leave in a day', async () => {
      await sendFrom('hello@door.test')
      const { email } = await staffOf(service, venue, 'manager')
      const manager = visitOffice(service)
      await manager.signIn(email)
      const before = relay.received.length
      for (let link = 0; link < 12; link++) {
        await manager.post('/office/settings/venue/sender')
        service.setClock(service.context.clock().add({ minutes: 2 }).toString())
      }
      assert.equal(relay.received.length - before, 10)
      assert.match((await manager.get('/office/settings/venue')).words, /Only 10 links are mailed in a day/)
      service.setClock(service.context.clock().add({ hours: 24 }).toString())
      await manager.signIn(email)
      await manager.post('/office/settings/venue/sender')
      assert.equal(relay.received.length - before, 11)
    })
  })

  describe('service-address', () => {
    it('blocks where nobody who gets the mail could unsubscribe: no PUBLIC_URL, or one that is not https', async () => {
      for (const settings of [{}, { PUBLIC_URL: 'http://data.door.test' }] as Record<string, string>[]) {
        const other = await startService(
          { SMTP_URL: relay.url, MAIL_FROM: 'news@door.test', ...settings },
          {},
          dnsOf(records),
        )
        try {
          const there = await other.venue()
          await saveTestAddresses(other, there, ['owner@door.test'])
          await subscribe(other, there, 2)
          const calls = campaignCalls(other, there)
          const answer = await calls.send({ id: await ready(calls) })
          assertBlocked(answer, 'service-address')
          assert.match(answer.body.blockers[0].message, /must set PUBLIC_URL to its https address/)
        } finally {
          await other.stop()
        }
      }
    })
  })

  describe('relay-down', () => {
    it('blocks while the last try of the relay failed, and no longer than that is news', async () => {
      const id = await ready()
      await relay.stop()
      try {
        await probeRelay(service.context)
        assertBlocked(await send(id), 'relay-down')
      } finally {
        await relay.start()
      }
      await probeRelay(service.context)
      assertBlocked(await send(id), 'relay-down')
      service.setClock(service.context.clock().add({ seconds: 60 }).toString())
      await probeRelay(service.context)
      assertSent(await send(id))
      const other = await ready()
      await rows(`update mail_relay set state = state || '{"probe":{"at":0,"isUp":false}}'`)
      assertSent(await send(other))
    })

    it('blocks while the relay is left alone after trouble', async () => {
      const id = await ready()
      const until = service.context.clock().epochMilliseconds + 60_000
      await rows(
        `insert into mail_relay (relay, state)
         values ($1, jsonb_build_object('hold', jsonb_build_object('until', $2::bigint, 'seconds', 60)))`,
        [relayName(service.context.config), until],
      )
      assertBlocked(await send(id), 'relay-down')
      service.setClock(service.context.clock().add({ seconds: 61 }).toString())
      assertSent(await send(id))
    })
  })

  describe('bounce-rate and complaint-rate, of the last 30 days', () => {
    const sentBefore = async (days: number, sent: number): Promise<number> => {
      const [row] = await rows(
        `insert into campaign (venue_id, name, subject, status, row_count, sent_count, started_at, finished_at, created_at, updated_at)
         values ($1, 'old', 'old', 'sent', $2, $2, $3, $3, $3, $3) returning id`,
        [
          venue.id,
          sent,
          service.context
            .clock()
            .subtract({ hours: 24 * days })
            .toString(),
        ],
      )
      return Number(row?.['id'])
    }
    const came = (
      campaign: number,
      kind: string,
      count: number,
      { days = 1, source = 'dsn', from = 1 } = {},
    ) =>
      rows(
        `insert into mail_bounce (venue_id, email_key, kind, source, campaign_id, subscriber_id, report_key, at)
         select $1, 'x', $3, $4, $2, n, $4::text || $3 || $8::text || '-' || n, $5 from generate_series($6::int, $6 + $7::int - 1) n`,
        [
          venue.id,
          campaign,
          kind,
          source,
          service.context
            .clock()
            .subtract({ hours: 24 * days })
            .toString(),
          from,
          count,
          String(campaign),
        ],
      )

    it('5 % that came back are fine, more are not', async () => {
      const id = await ready()
      const old = await sentBefore(10, 200)
      await came(old, 'hard', 10)
      assertSent(await send(id))
      const next = await ready()
      await came(old, 'hard', 1, { from: 11 })
      assertBlocked(await send(next), 'bounce-rate')
    })

    it('soft ones, a second report of one copy, and what is older do not count', async () => {
      const id = await ready()
      const old = await sentBefore(10, 200)
      await came(old, 'hard', 10)
      await came(old, 'hard', 10, { source: 'ses' })
      await came(old, 'soft', 50)
      await came(await sentBefore(31, 10), 'hard', 10, { days: 29 })
      await came(old, 'hard', 10, { days: 31, from: 100 })
      assertSent(await send(id))
    })

    it('addresses that the relay itself turned away count on both sides', async () => {
      const id = await ready()
      const old = await sentBefore(10, 190)
      await came(old, 'hard', 10, { source: 'relay' })
      assertSent(await send(id))
    })

    it('0.3 % complaints are fine, more are not', async () => {
      const id = await ready()
      const old = await sentBefore(10, 1_000)
      await came(old, 'complaint', 3)
      assertSent(await send(id))
      const next = await ready()
      await came(old, 'complaint', 1, { from: 4 })
      assertBlocked(await send(next), 'complaint-rate')
    })
  })

  it('asks nothing of the world where no relay is configured, nor in practice', async () => {
    for (const settings of [{}, { SMTP_URL: relay.url, PRACTICE: 'on' }]) {
      let questions = 0
      const other = await startService(settings, {}, async () => {
        questions++
        return []
      })
      try {
        const there = await other.venue()
        await saveTestAddresses(other, there)
        await subscribe(other, there, 2)
        await rowsOf(other, `update venue set mail_from = 'somebody@gmail.com'`)
        const calls = campaignCalls(other, there)
        const connections = relay.connections()
        await probeRelay(other.context)
        assertSent(await calls.send({ id: await ready(calls) }))
        assert.deepEqual([questions, relay.connections()], [0, connections])
      } finally {
        await other.stop()
      }
    }
  })
})
