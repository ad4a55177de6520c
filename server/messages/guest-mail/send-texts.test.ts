import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { hostAtBook } from '../../test/host-at-book.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../test/office.ts'
import { startProcess } from '../../test/process.ts'
import { type TestBook, dinner } from '../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../book/tables/test/floor.ts'
import { setRules } from '../../test/open-rules.ts'
import { type TestService, startService } from '../../test/service.ts'
import {
  type TextStandIn,
  providerCalls,
  startTextStandIn,
  textAccount,
  textPublicUrl,
} from '../../book/texts/test/stand-in.ts'
import { expireWaitlist } from '../../book/waitlist/jobs.ts'
import { sendGuestTexts } from './send-texts.ts'

const evening = '2026-10-06T23:40:00Z' // 19:40 in New York
const { account, token } = textAccount

describe('texts to parties', () => {
  let service: TestService
  let provider: TextStandIn
  let book: TestBook
  let host: OfficeVisitor
  let manager: OfficeVisitor
  before(async () => {
    provider = await startTextStandIn(account, token)
    service = await startService({ TWILIO_URL: provider.url, PUBLIC_URL: textPublicUrl })
  })
  beforeEach(async () => {
    service.setClock(evening)
    provider.judge = () => 'take'
    provider.taken.length = 0
    ;({ book, host } = await hostAtBook(service))
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
  })
  after(async () => {
    await service.stop()
    await provider.stop()
  })

  const withSender = async () => {
    const sender = { ...textAccount, version: '0' }
    assert.equal((await manager.post('/office/settings/texts', sender)).status, 303)
  }
  /** Puts a party in line and pages it; what the page says. */
  const page = async (
    fields: Record<string, string> = { phone: '(212) 555-0147' },
    stay: Record<string, string> = {},
  ) => {
    const joined = await host.post('/office/waitlist', {
      ...{ token: crypto.randomUUID(), guestName: 'Jack Carter', partySize: '2', quotedMinutes: '10' },
      ...fields,
    })
    const id = Number(/#w(\d+)/.exec(joined.to ?? '')?.[1])
    return { id, words: await pageAgain(id, stay) }
  }
  const pageAgain = async (id: number, stay: Record<string, string> = {}) => {
    const [row] = await book.query('select version, status from waitlist_entry where id = $1', [id])
    const { status, to } = await host.post(`/office/waitlist/${id}/moves`, {
      ...{ version: String(row?.version), status: String(row?.status) },
      ...{ move: 'page', back: '/office/service', ...stay },
    })
    assert.equal(status, 303)
    return (await host.get((to ?? '').replace(/#.*/, ''))).words
  }
  const send = () => sendGuestTexts({ ...service.context, db: service.context.workerDb })
  const texts = () =>
    book.query('select state, answer, segments from guest_text where venue_id = $1 order by id', [
      book.venue.id,
    ])
  const shown = async () => (await host.get('/office/service')).words
  const later = (seconds: number) => service.setClock(service.context.clock().add({ seconds }).toString())
  /** A call of the provider, signed with a token as its library does. */
  const calls = (path: 'status' | 'replies', fields: Record<string, string>, signedWith = token) =>
    providerCalls(service.url, book.venue.slug, path, fields, signedWith)

  it('a page without a provider or an address says to call them, with the number, and pages', async () => {
    const { id, words } = await page()
    assert.ok(words.includes('No text or email goes out: call them at (212) 555-0147'), words)
    const [row] = await book.query(
      'select status, paged_at is not null as paged from waitlist_entry where id = $1',
      [id],
    )
    assert.deepEqual(row, { status: 'offered', paged: true })
    assert.ok((await page({ phone: '' })).words.includes('there is no number: call their name'))
    assert.ok((await page({ phone: 'call me maybe' })).words.includes('there is no number: call their name'))
    await withSender()
    assert.ok(
      (await page({ phone: '555 0147' })).words.includes('call them at 555 0147'),
      'nobody knows which number',
    )
    await send()
    assert.deepEqual([await texts(), provider.calls()], [[], 0], 'nothing pretends')
  })

  it('a page sends one text, in one segment, and the row shows whether it arrived and what they replied', async () => {
    await withSender()
    const { words } = await page()
    assert.ok(words.includes('paged by a text to (212) 555-0147'), words)
    await send()
    await send()
    assert.deepEqual(
      provider.taken.map(({ to, from, body }) => ({ to, from, body })),
      [
        {
          to: '+12125550147',
          from: '+12125550100',
          body: 'The Blue Door: Your table is ready. Please come to the host stand by 7:55 PM. Reply STOP for no more texts.',
        },
      ],
    )
    assert.match(await shown(), /Text sent 7:40\sPM/)
    const { sid = '' } = provider.taken[0] ?? {}
    assert.equal((await calls('status', { MessageSid: sid, MessageStatus: 'delivered' })).status, 200)
    assert.match(await shown(), /Text arrived/)
    const reply = { MessageSid: 'SM1', From: '+12125550147', Body: 'On our way!' }
    await calls('replies', reply)
    await calls('replies', reply)
    assert.match(await shown(), /“On our way!”/)
    const kept = await book.query('select body from text_reply where venue_id = $1', [book.venue.id])
    assert.equal(kept.length, 1, 'handed over twice, kept once')
    assert.match((await manager.get('/office/settings/texts')).words, /1 text, 1 segment/)
  })

  it('a party that was texted about a table and waits again is texted so; one that was not is not', async () => {
    await withSender()
    const { id } = await page()
    const back = async (move: 'notYet' | 'rejoin') => {
      later(1)
      const [row] = await book.query('select version, status from waitlist_entry where id = $1', [id])
      const { to } = await host.post(`/office/waitlist/${id}/moves`, {
        ...{ version: String(row?.version), status: String(row?.status), move, back: '/office/service' },
      })
      return (await host.get((to ?? '').replace(/#.*/, ''))).words
    }
    assert.match(await back('notYet'), /still waiting\.(?! They)/)
    await send()
    assert.equal(provider.taken.length, 0, 'neither that a table is ready, nor that it is not')
    later(1)
    await pageAgain(id)
    await back('notYet')
    await pageAgain(id)
    await send()
    assert.equal(provider.taken.length, 1, 'of two pages in a row one is texted')
    assert.match(await back('notYet'), /still waiting; a text tells them, at \(212\) 555-0147/)
    await send()
    const again =
      'The Blue Door: You are back in line. We text you when your table is ready. Reply STOP for no more texts.'
    assert.equal(provider.taken.at(-1)?.body, again)
    later(1)
    await pageAgain(id)
    await send()
    later(16 * 60)
    await expireWaitlist({ ...service.context, db: service.context.workerDb })
    assert.match(await back('rejoin'), /back on the waitlist; a text tells them/)
    await send()
    assert.deepEqual(
      provider.taken.map(({ body }) => body === again),
      [false, true, false, true],
    )
  })

  it('a text says that a table is held only where one is', async () => {
    await setRules(service, book.venue, dinner(tablesOf([{ label: '9', most: 4 }])))
    await turnTablesOn(service, book.venue)
    await withSender()
    await page()
    await page({ phone: '(212) 555-0148' })
    await send()
    assert.deepEqual(
      provider.taken.map(({ body }) => body),
      [
        'The Blue Door: Your table is ready. We hold it until 7:55 PM. Reply STOP for no more texts.',
        'The Blue Door: Your table is ready. Please come to the host stand by 7:55 PM. Reply STOP for no more texts.',
      ],
    )
  })

  it('a text about a table that is theirs for a while says until when', async () => {
    await setRules(service, book.venue, dinner(tablesOf([{ label: '9', most: 4 }])))
    await turnTablesOn(service, book.venue)
    await withSender()
    await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '21:00' })
    const [table] = await book.query('select id from dining_table where venue_id = $1', [book.venue.id])
    const until = '@2026-10-07T01:00:00Z'
    await page({ phone: '(212) 555-0147' }, { tables: `${Number(table?.id)}${until}` })
    await send()
    assert.deepEqual(
      provider.taken.map(({ body }) => body),
      [
        'The Blue Door: Your table is ready. We hold it until 7:55 PM. The table is yours until 9:00 PM. Reply STOP for no more texts.',
      ],
    )
  })

  it('a test text goes once to the number typed in the settings, and the settings show whether it arrived', async () => {
    const path = '/office/settings/texts'
    const test = (fields: Record<string, string>) =>
      manager.post(`${path}/test`, { token: crypto.randomUUID(), ...fields })
    assert.match((await test({ to: '+12125550147' })).words, /Enter the account and its number first/)
    await withSender()
    const wrong = await test({ to: '555' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.html, /must have its country code[^]*value="555"/)
    const fields = { token: crypto.randomUUID(), to: '(212) 555-0147' }
    assert.equal((await test(fields)).status, 303)
    assert.equal((await test(fields)).status, 303)
    await send()
    assert.deepEqual(
      provider.taken.map(({ to, body }) => [to, body]),
      [
        [
          '+12125550147',
          'The Blue Door: This is a test. Your guests can be texted. Reply STOP for no more texts.',
        ],
      ],
    )
    assert.match((await manager.get(path)).words, /provider has accepted the test/)
    const { sid = '' } = provider.taken[0] ?? {}
    await calls('status', { MessageSid: sid, MessageStatus: 'undelivered', ErrorCode: '30006' })
    assert.match((await manager.get(path)).words, /failed: not delivered \(30006\)/)
    await calls('replies', { MessageSid: 'SM9', From: '+12125550147', Body: 'STOP' })
    assert.match((await test({ to: '+12125550147' })).words, /answered STOP/)
    assert.equal((await host.post(`${path}/test`, fields)).status, 403)
  })

  it('a call that the provider did not sign changes nothing', async () => {
    await withSender()
    await page()
    await send()
    const { sid = '' } = provider.taken[0] ?? {}
    const forged = await calls('status', { MessageSid: sid, MessageStatus: 'failed' }, 'another token')
    assert.equal(forged.status, 403)
    assert.equal((await texts())[0]?.state, 'sent')
    assert.equal(
      (await calls('replies', { From: '+12125550147', Body: 'STOP', MessageSid: 'x' }, '')).status,
      403,
    )
    const nobody = await fetch(`${service.url}/texts/nobody/replies`, { method: 'POST', body: 'x' })
    assert.equal(nobody.status, 403)
  })

  it('STOP ends texts to that number, START allows them again, and the newsletter stays', async () => {
    await withSender()
    const { body } = await service.call('POST', '/api/v1/subscribers', {
      key: book.venue.key,
      body: { email: 'jack@example.com', consent: { source: 'form' } },
    })
    await page()
    await send()
    const from = '+12125550147'
    await calls('replies', { MessageSid: 'SM10', From: from, Body: 'Stop' })
    const { words } = await page({ phone: '212 555 0147' })
    assert.ok(words.includes('call them at (212) 555-0147'), words)
    await send()
    assert.equal(provider.taken.length, 1)
    const [subscriber] = await book.query('select status from subscriber where id = $1', [body.subscriber.id])
    assert.equal(subscriber?.status, 'subscribed')
    const stopped = await book.query('select number_key from text_stop where venue_id = $1', [book.venue.id])
    assert.ok(!JSON.stringify(stopped).includes('5550147'), 'a fingerprint')
    const help = await (await calls('replies', { MessageSid: 'SM11', From: from, Body: 'HELP' })).text()
    assert.match(help, /<Message>The Blue Door: we text you about your table/)
    await calls('replies', { MessageSid: 'SM12', From: from, Body: 'START' })
    assert.ok((await page()).words.includes('paged by a text'))
    await calls('replies', { MessageSid: 'SM13', From: from, Body: 'STOP' })
    assert.ok((await page()).words.includes('call them'))
    // Another venue, of the same account and number: the guest has said nothing there.
    ;({ book, host } = await hostAtBook(service))
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    await withSender()
    assert.ok((await page()).words.includes('paged by a text'), 'STOP is kept per number and venue')
  })

  it('what is not sure is said, and never sent again by itself', async () => {
    await withSender()
    provider.judge = () => 'fail'
    const { id } = await page()
    await send()
    assert.deepEqual((await texts())[0]?.state, 'unknown')
    assert.match(await shown(), /Text may not have arrived: page again, or call \(212\) 555-0147/)
    provider.judge = () => 'take'
    await send()
    assert.equal(provider.taken.length, 0)
    await pageAgain(id)
    await send()
    assert.equal(provider.taken.length, 1, 'a press sends another')
    provider.judge = () => ({ refuse: 21_610 })
    await page({ phone: '+1 646 555 0100' })
    await send()
    assert.match(await shown(), /Text failed: call \(646\) 555-0100/)
    provider.judge = () => 'busy'
    await page({ phone: '+1 646 555 0111' })
    await send()
    assert.equal((await texts()).at(-1)?.state, 'waiting', 'nothing has left')
    later(16 * 60)
    provider.judge = () => 'take'
    await send()
    assert.equal((await texts()).at(-1)?.state, 'failed', 'too late to be of use')
  })

  it('on hold after a restore nothing is taken', async () => {
    await withSender()
    await page()
    await sendGuestTexts({ ...service.context, hold: { ...service.context.hold, isOn: () => true } })
    assert.deepEqual([provider.taken.length, (await texts())[0]?.state], [0, 'waiting'])
  })

  it('the token is sealed and shown to nobody; a page that shows an old sender does not overwrite', async () => {
    await withSender()
    const [row] = await book.query('select token_sealed from text_sender where venue_id = $1', [
      book.venue.id,
    ])
    assert.ok(!String(row?.token_sealed).includes(token))
    const seen = await manager.get('/office/settings/texts')
    assert.ok(!seen.html.includes(token) && seen.html.includes(account))
    const stale = await manager.post('/office/settings/texts', {
      account,
      token: '',
      from: '+12125550100',
      version: '0',
    })
    assert.equal(stale.status, 409)
    const kept = await manager.post('/office/settings/texts', {
      account,
      token: '',
      from: '+12125550101',
      version: '1',
    })
    assert.equal(kept.status, 303)
    await page()
    await send()
    assert.equal(provider.taken.at(-1)?.from, '+12125550101', 'with the token it had')
    assert.equal((await host.get('/office/settings/texts')).status, 403)
    assert.equal((await manager.post('/office/settings/texts/remove')).status, 303)
    assert.ok((await page()).words.includes('call them'))
    const bad = await manager.post('/office/settings/texts', {
      account: 'AC1',
      token,
      from: '+12125550100',
      version: '0',
    })
    assert.match(bad.html, /must be the account SID/)
  })

  it('kill -9 between sending and noting: the text is never sent twice, and the row says so', async () => {
    service.setClock(Temporal.Now.instant().toString())
    await book.rules({
      periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({
        weekday,
        name: 'All day',
        opens: '00:00',
        closes: '23:59',
      })),
    })
    const again = await staffOf(service, book.venue, 'owner')
    manager = visitOffice(service)
    await manager.signIn(again.email)
    host = manager
    await withSender()
    await page()
    const settings = {
      DATABASE_URL: service.databaseUrl,
      SECRETS: service.context.config.secrets as string,
      TWILIO_URL: provider.url,
      ROLE: 'worker',
      DATA_DIR: `${service.context.config.dataDir}-worker`,
      PUBLIC_URL: textPublicUrl,
    }
    // Killed by who takes the text, at that very moment: on a busy machine a look from here comes after the sender gave up.
    const sender = Promise.withResolvers<Awaited<ReturnType<typeof startProcess>>>()
    provider.judge = () => {
      void sender.promise.then((first) => first.signal('SIGKILL'))
      return 'hang'
    }
    sender.resolve(await startProcess(settings))
    await (
      await sender.promise
    ).ended
    assert.equal(provider.taken.length, 1)
    assert.equal((await texts())[0]?.state, 'sending', 'killed in between')
    provider.judge = () => 'take'
    // A minute later, when leftovers are picked up.
    await book.query(`update guest_text set taken_at = taken_at - interval '2 min' where venue_id = $1`, [
      book.venue.id,
    ])
    const second = await startProcess(settings)
    try {
      await eventually(async () => (await texts())[0]?.state === 'unknown')
      await page({ phone: '+1 646 555 0100' })
      await eventually(async () => provider.taken.length === 2)
    } finally {
      await second.stop()
    }
    assert.equal(provider.taken.filter(({ to }) => to === '+12125550147').length, 1)
    assert.match(await shown(), /Text may not have arrived/)
  })
})
