import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import type { OutgoingMail } from '../../mail/mailer.ts'
import { type TestRelay, startTestRelay } from '../../mail/test/relay.ts'
import { eventually } from '../../test/eventually.ts'
import { guestAt, setGuestPages } from '../../test/guest.ts'
import { setRules } from '../../test/open-rules.ts'
import { startProcess } from '../../test/process.ts'
import { rowsOf } from '../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../test/service.ts'
import { sendGuestMails } from './send-due-mails.ts'

describe('mail of the service to guests', () => {
  let service: TestService
  let relay: TestRelay
  let venue: TestVenue
  let people = 0
  before(async () => {
    relay = await startTestRelay()
    service = await startService({ SMTP_URL: relay.url, MAIL_FROM: 'Data <mail@service.example.com>' })
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue({ name: 'Café “Zoë”', phone: '+1 212 555 0100' })
    await setRules(service, venue)
    await relay.start()
    relay.judge = {}
    relay.received.length = 0
  })
  after(async () => {
    await service.stop()
    await relay.stop()
  })

  const send = () => sendGuestMails({ ...service.context, db: service.context.workerDb })
  const signUp = async (): Promise<string> => {
    const email = `guest${++people}@mail.example.com`
    await guestAt(service, `/v/${venue.slug}/news`, { form: { email } })
    return email
  }
  const rows = () =>
    rowsOf(
      service,
      `select state, tries, answer, due_at from guest_mail where venue_id = ${venue.id} order by id`,
    )
  const later = (minutes: number): void =>
    service.setClock(service.context.clock().add({ minutes }).toString())

  /** What a worker of its own process is started with. */
  const worker = () => ({
    DATABASE_URL: service.databaseUrl,
    SECRETS: service.context.config.secrets as string,
    SMTP_URL: relay.url,
    MAIL_FROM: 'Data <mail@service.example.com>',
    ROLE: 'worker',
    DATA_DIR: `${service.context.config.dataDir}-worker`,
    PUBLIC_URL: 'https://data.example.com',
  })

  it('has HTML and text, names the venue, answers to it, and is no bulk mail', async () => {
    await service.db.session((client) =>
      client.query(
        `update venue set mail_from = 'hello@cafe.example.com', postal_address = '1 Main St' where id = $1`,
        [venue.id],
      ),
    )
    const email = await signUp()
    await send()
    const [{ bytes, from } = {}] = relay.received
    const text = String(bytes)
    const mail = await PostalMime.parse(bytes as Buffer)
    assert.equal(from, 'mail@service.example.com', 'its own sender is not confirmed yet')
    assert.deepEqual([mail.from?.name, mail.to?.[0]?.address], ['Café “Zoë”', email])
    assert.equal(mail.replyTo?.[0]?.address, 'hello@cafe.example.com')
    assert.match(mail.html ?? '', /<html lang="en">/)
    assert.match(mail.text ?? '', /Confirm my sign-up:\nhttp/)
    assert.match(mail.text ?? '', /To reach the restaurant, just reply\.\s*$/)
    assert.doesNotMatch(text, /^(List-|Precedence)/m)
    assert.match(text, /^Auto-Submitted: auto-generated/m)
    assert.ok(text.length < 40_960, `${text.length} bytes`)
    for (const line of text.split('\r\n')) assert.ok(line.length <= 998)
    assert.doesNotMatch(text, /[^\r]\n|[^\0-\x7f]/)
  })

  it('does not ask for an answer where none would reach the venue', async () => {
    const silent = await service.venue()
    await setRules(service, silent)
    await guestAt(service, `/v/${silent.slug}/news`, { form: { email: 'ada@example.com' } })
    await send()
    const mail = await PostalMime.parse(relay.received.at(-1)?.bytes as Buffer)
    assert.equal(mail.replyTo, undefined)
    for (const text of [mail.text ?? '', mail.html ?? '']) {
      assert.match(text, /because someone signed up this address for news\./)
      assert.doesNotMatch(text, /a booking or a request/)
      assert.match(text, /one reminder follows, and then nothing more is sent\./)
      assert.doesNotMatch(text, /just reply/)
    }
  })

  it('an address of the venue that no mail can go to keeps its guests from none of theirs', async () => {
    await setGuestPages(service, venue, { staffMail: 'küche@cafe.example.com' })
    const email = 'maya@mail.example.com'
    const inquiry = { token: randomUUID(), occasion: 'Birthday', size: '30', name: 'Maya', email }
    assert.equal((await guestAt(service, `/v/${venue.slug}/enquire`, { form: inquiry })).status, 200)
    await send()
    const got = relay.received.find(({ to }) => to === email)
    assert.ok(got, JSON.stringify(await rows()))
    assert.equal((await PostalMime.parse(got.bytes)).replyTo, undefined)
  })

  it('is tried for a day with one Message-ID, and then seen to have failed', async () => {
    await signUp()
    relay.judge = { to: () => '451 4.3.0 Not now' }
    for (let i = 0; i < 4; i++) {
      await send()
      later(40)
    }
    relay.judge = {}
    await send()
    assert.equal(relay.received.length, 1)
    assert.equal((await rows())[0]?.['state'], 'sent')
    await signUp()
    relay.judge = { to: () => '451 4.3.0 Not now' }
    await send()
    later(24 * 60 + 1)
    await send()
    const [, failed] = await rows()
    assert.deepEqual([failed?.['state'], failed?.['due_at']], ['failed', null])
  })

  it('an answer that was lost is asked for again: the same mail with the same Message-ID', async () => {
    await signUp()
    relay.judge = { end: () => 'drop' }
    await send()
    relay.judge = {}
    later(5)
    await send()
    assert.equal(relay.received.length, 2)
    assert.equal(new Set(relay.received.map(({ messageId }) => messageId)).size, 1)
    assert.equal((await rows())[0]?.['state'], 'sent')
  })

  it('a refusal is kept without the address, and is final', async () => {
    const email = await signUp()
    relay.judge = { to: () => `550 5.1.1 <${email}> has no mailbox here` }
    await send()
    later(120)
    await send()
    const [row] = await rows()
    assert.deepEqual([row?.['state'], row?.['tries']], ['failed', 1])
    assert.ok(!String(row?.['answer']).includes('guest'))
  })

  it('an address that bounced since is not written to', async () => {
    const email = await signUp()
    await rowsOf(
      service,
      `insert into suppression (venue_id, email_key, reason, created_at) values (${venue.id}, '${email}', 'bounced', now())`,
    )
    await send()
    assert.equal(relay.received.length, 0)
    assert.equal((await rows())[0]?.['state'], 'failed')
  })

  it('somebody erased since is not written to', async () => {
    await signUp()
    await rowsOf(service, `delete from subscriber where venue_id = ${venue.id}`)
    await send()
    assert.equal(relay.received.length, 0)
    assert.equal((await rows())[0]?.['state'], 'dropped')
  })

  it('on hold after a restore nothing is taken', async () => {
    await signUp()
    let isOn = true
    const held = { ...service.context, hold: { ...service.context.hold, isOn: () => isOn } }
    await sendGuestMails(held)
    assert.deepEqual([relay.received.length, (await rows())[0]?.['tries']], [0, 0])
    isOn = false
    await sendGuestMails(held)
    assert.equal(relay.received.length, 1)
  })

  it('a venue whose mails cannot be worked on keeps no other venue from its own', async () => {
    const venues = [venue, await service.venue(), await service.venue(), await service.venue()]
    for (const one of venues) {
      await setRules(service, one)
      await guestAt(service, `/v/${one.slug}/news`, { form: { email: `news@${one.slug}.example.com` } })
    }
    const [, broken] = venues
    await rowsOf(
      service,
      `create function refuse_mail() returns trigger language plpgsql as 'begin raise exception ''broken''; end';
       create trigger refuse_mail before update on guest_mail for each row
         when (old.venue_id = ${broken?.id}) execute function refuse_mail()`,
    )
    try {
      await send()
      assert.deepEqual(
        relay.received.map(({ to }) => to).toSorted(),
        venues.flatMap((one) => (one === broken ? [] : [`news@${one.slug}.example.com`])).toSorted(),
      )
    } finally {
      await rowsOf(service, 'drop trigger refuse_mail on guest_mail; drop function refuse_mail()')
    }
    await send()
    assert.equal(relay.received.length, venues.length, 'its own go with the next run')
  })

  it('two workers share what is due: nothing goes twice', async () => {
    for (let i = 0; i < 30; i++) await signUp()
    await Promise.all([send(), send(), send()])
    assert.equal(relay.received.length, 30)
    assert.equal(new Set(relay.received.map(({ messageId }) => messageId)).size, 30)
  })

  it('a relay that takes its time, and a second worker: nothing goes twice', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, signUp))
    const answered = Promise.withResolvers<void>()
    const { mail, clock } = service.context
    const slowly = {
      ...mail,
      deliver: async (one: OutgoingMail) => {
        const outcome = await mail.deliver(one)
        await answered.promise
        return outcome
      },
    }
    const slow = sendGuestMails({ ...service.context, mail: slowly }, undefined, 5)
    await eventually(() => relay.received.length === 1)
    const isKept = async () => {
      const held = `tries = 1 and due_at > '${clock().add({ minutes: 1 }).toString()}'`
      return (await rowsOf(service, `select id from guest_mail where venue_id = ${venue.id} and ${held}`))
        .length
    }
    try {
      for (let minutes = 0; minutes < 20; minutes++) {
        later(1)
        await eventually(async () => (await isKept()) === 1)
        await send()
      }
    } finally {
      answered.resolve()
      await slow
    }
    assert.deepEqual(relay.received.map(({ to }) => to).toSorted(), people.toSorted())
    assert.deepEqual(
      new Set((await rows()).map(({ state, tries }) => `${String(state)} ${String(tries)}`)),
      new Set(['sent 1']),
    )
  })

  it('a mistake of ours is no word about the address: it is tried again', async () => {
    const email = await signUp()
    const settled = (timezone: string) =>
      rowsOf(service, `update venue set timezone = '${timezone}' where id = ${venue.id}`)
    await settled('Mars/Phobos')
    await send()
    const [row] = await rows()
    assert.deepEqual([row?.['state'], row?.['answer']], ['waiting', 'it could not be written'])
    await settled('America/New_York')
    later(5)
    await send()
    assert.deepEqual(
      relay.received.map(({ to }) => to),
      [email],
    )
  })

  it('an address that no mail can go to is said so, once', async () => {
    await guestAt(service, `/v/${venue.slug}/news`, { form: { email: 'zoë@mail.example.com' } })
    await send()
    later(120)
    await send()
    const [row] = await rows()
    assert.deepEqual(
      [row?.['state'], row?.['answer'], row?.['tries']],
      ['failed', 'no address that mail can go to', 1],
    )
  })

  it('the relay down for two hours, a worker killed in between: each mail comes, once, with one Message-ID', async () => {
    // A process goes by the real clock, so the two hours end now.
    const end = Temporal.Now.instant()
    service.setClock(end.subtract({ hours: 2 }).toString())
    await setGuestPages(service, venue, { staffMail: 'host@example.com' })
    const email = 'maya@example.com'
    const people = [email, ...(await Promise.all(Array.from({ length: 8 }, signUp)))]
    const inquiry = {
      ...{ token: randomUUID(), occasion: 'Birthday', size: 'about 30', date: 'a Friday in May', budget: '' },
      ...{ style: '', diet: '', words: 'For ten.', name: 'Maya', email, tel: '' },
    }
    assert.equal((await guestAt(service, `/v/${venue.slug}/enquire`, { form: inquiry })).status, 200)
    await relay.stop()
    for (let minutes = 0; minutes < 120; minutes += 10) {
      service.setClock(end.subtract({ minutes: 120 - minutes }).toString())
      await send()
    }
    const waiting = await rows()
    assert.equal(waiting.length, 10)
    for (const { state, tries } of waiting) assert.deepEqual([state, Number(tries) > 3], ['waiting', true])
    // Due in a while; the process has no while to wait.
    await rowsOf(service, `update guest_mail set due_at = now() where venue_id = ${venue.id}`)
    const tried = async () => Math.max(...(await rows()).map(({ tries }) => Number(tries)))
    const before = await tried()
    const killed = await startProcess(worker())
    await eventually(async () => (await tried()) > before)
    killed.signal('SIGKILL')
    await killed.ended
    await relay.start()
    // What the killed one had taken comes due again by itself.
    service.setClock(end.toString())
    for (let run = 0; run < 6; run++) {
      later(15)
      await send()
    }
    assert.deepEqual(new Set((await rows()).map(({ state }) => state)), new Set(['sent']))
    assert.deepEqual(
      relay.received.map(({ to }) => to).toSorted(),
      [...people, 'host@example.com'].toSorted(),
      'each came, and once',
    )
    assert.equal(new Set(relay.received.map(({ messageId }) => messageId)).size, 10)
  })

  it('a worker killed while a relay takes its time with a mail: another sends it two minutes later', async () => {
    service.setClock(Temporal.Now.instant().toString())
    const email = await signUp()
    relay.judge = { end: () => 'hang' }
    const killed = await startProcess(worker())
    await eventually(() => relay.received.length === 1)
    killed.signal('SIGKILL')
    await killed.ended
    relay.judge = {}
    service.setClock(Temporal.Now.instant().toString())
    later(2)
    await send()
    assert.deepEqual(
      relay.received.map(({ to }) => to),
      [email, email],
    )
    assert.equal(new Set(relay.received.map(({ messageId }) => messageId)).size, 1)
    assert.equal((await rows())[0]?.['state'], 'sent')
  })

  it('workers killed while they send: each mail comes, with one Message-ID', async () => {
    service.setClock(Temporal.Now.instant().toString())
    const people = await Promise.all(Array.from({ length: 12 }, signUp))
    await relay.stop()
    const tried = async (state: string) =>
      Number(
        (
          await rowsOf(
            service,
            `select count(*) as n from guest_mail where venue_id = ${venue.id} and ${state}`,
          )
        )[0]?.['n'],
      )
    const first = await startProcess(worker())
    await eventually(async () => (await tried('tries > 0')) > 0)
    first.signal('SIGKILL')
    await first.ended
    await relay.start()
    relay.judge = { end: () => (relay.received.length % 3 === 1 ? 'drop' : 'take') }
    // Two hours later, everything the killed worker had taken and everything the relay put off is due.
    const due = () =>
      rowsOf(
        service,
        `update guest_mail set due_at = now() where due_at is not null and venue_id = ${venue.id}`,
      )
    await due()
    const second = await startProcess(worker())
    await eventually(async () => (await tried(`state = 'sent'`)) > 3)
    second.signal('SIGKILL')
    await second.ended
    relay.judge = {}
    await due()
    const third = await startProcess(worker())
    try {
      await eventually(async () => {
        await due()
        return (await tried(`state = 'sent'`)) === people.length
      })
    } finally {
      await third.stop()
    }
    const idsOf = Map.groupBy(relay.received, ({ to }) => to)
    assert.deepEqual([...idsOf.keys()].toSorted(), people.toSorted(), 'each came')
    for (const [to, copies] of idsOf)
      assert.equal(new Set(copies.map(({ messageId }) => messageId)).size, 1, `one Message-ID to ${to}`)
  })
})
