import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import PostalMime from 'postal-mime'
import { writeToStranded } from '../../../book/reservations/guest/stranded-bookings.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import {
  type TextStandIn,
  startTextStandIn,
  textAccount,
  textPublicUrl,
} from '../../../book/texts/test/stand-in.ts'
import { type TestRelay, startTestRelay } from '../../../mail/test/relay.ts'
import { sendGuestMails } from '../../../messages/guest-mail/send-due-mails.ts'
import { sendGuestTexts } from '../../../messages/guest-mail/send-texts.ts'
import { actAt } from '../../../test/act.ts'
import { eventually } from '../../../test/eventually.ts'
import { type OfficeVisitor, type Seen, staffOf, visitOffice } from '../../../test/office.ts'
import { followed, hiddenIn, wordsOf } from '../../../test/office-forms.ts'
import { setRules } from '../../../test/open-rules.ts'
import { startProcess } from '../../../test/process.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'

const path = '/office/bookings/stranded'

describe('bookings that a closed day leaves without a service', () => {
  let service: TestService
  let relay: TestRelay
  let provider: TextStandIn
  let venue: TestVenue
  let manager: OfficeVisitor
  let host: OfficeVisitor
  before(async () => {
    relay = await startTestRelay()
    provider = await startTextStandIn(textAccount.account, textAccount.token)
    service = await startService({
      SMTP_URL: relay.url,
      MAIL_FROM: 'Data <mail@service.example.com>',
      TWILIO_URL: provider.url,
      PUBLIC_URL: textPublicUrl,
    })
  })
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    relay.judge = {}
    relay.received.length = 0
    provider.taken.length = 0
    // What an earlier test left waiting is not this one's.
    await rowsOf(
      service,
      `update guest_mail set state = 'dropped', due_at = null, ended_at = now() where due_at is not null returning id`,
    )
    venue = await service.venue({ name: 'The Blue Door', phone: '+1 212 555 0100' })
    await setRules(service, venue)
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
    host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
  })
  after(async () => {
    await service.stop()
    await relay.stop()
    await provider.stop()
  })

  const books = async (guestName: string, more: object = {}, date = '2026-10-09'): Promise<number> => {
    const body = { guestName, partySize: 2, date, time: '19:00', ...more }
    const made = await service.call('POST', '/api/v1/reservations', { key: venue.key, body })
    assert.equal(made.status, 201, made.text)
    return made.body.reservation.id
  }
  const settings = async (which: string, fields: Record<string, string>): Promise<Seen> => {
    const seen = hiddenIn(await manager.get('/office/settings/days'), 'seen')
    return manager.post(`/office/settings/${which}`, { seen, confirmed: 'yes', ...fields })
  }
  const closes = async (from = '2026-10-09', to = from): Promise<void> =>
    assert.equal((await settings('closures', { from, to, name: 'Repairs' })).to, path)
  const list = async (): Promise<string> => wordsOf(await host.get(path))
  const newest = async (): Promise<number> =>
    Number(
      (
        await rowsOf(
          service,
          `select max(change_id) as change from stranded_booking where venue_id = ${venue.id}`,
        )
      )[0]?.['change'],
    )
  const writes = async (
    booking: readonly number[],
    more: Record<string, string> = {},
    change?: number,
  ): Promise<Seen> =>
    host.post(path, {
      booking: await Promise.all(booking.map(async (id) => `${id}:${change ?? (await newest())}`)),
      message: 'A pipe burst.\nWe are closed on Friday.',
      ...more,
    })
  const sendMails = () => sendGuestMails({ ...service.context, db: service.context.workerDb })
  const mails = () => Promise.all(relay.received.map(({ bytes }) => PostalMime.parse(bytes)))

  it('are listed with their phones, and one message to all selected goes out once to each, with the guest’s own link', async () => {
    const maya = await books('Maya Okafor', { email: 'maya@example.com', phone: '+1 212 555 0147' })
    const otto = await books('Otto Lang', { email: 'otto@example.com' })
    await books('Nia', { email: 'nia@example.com' }, '2026-10-10')
    const silent = await books('Sam Pine', { phone: '(646) 555-0123' })
    await closes()
    assert.match(
      (await host.get('/office/service')).words,
      /3 bookings without a service: write to the guests/,
    )
    const page = await host.get(path)
    const words = wordsOf(page)
    for (const said of ['Maya Okafor', 'Otto Lang', 'Sam Pine', '(212) 555-0147', '(646) 555-0123'])
      assert.ok(words.includes(said), said)
    assert.ok(!words.includes('Nia'))
    assert.ok(page.html.includes('href="tel:+12125550147"'))
    assert.equal(page.html.match(/name="booking"[^>]*checked/g)?.length, 2, 'who has no address is called')
    assert.doesNotMatch((await host.get(`${path}?select=none`)).html, /name="booking"[^>]*checked/)
    const done = await followed(host, await writes([maya, otto, silent]))
    assert.match(done.words, /2 guests written to; 1 skipped/)
    assert.match((await followed(host, await writes([maya, otto]))).words, /Nobody was written to/)
    assert.match(await list(), /Maya Okafor[^]*On its way/)
    await sendMails()
    await sendMails()
    assert.deepEqual(relay.received.map(({ to }) => to).toSorted(), ['maya@example.com', 'otto@example.com'])
    const [mail] = await mails()
    assert.match(mail?.subject ?? '', /^About your booking: The Blue Door/)
    assert.match(mail?.text ?? '', /A pipe burst\.\s+We are closed on Friday\./)
    assert.equal(mail?.attachments.length, 0, 'nothing puts the evening into a calendar')
    const link = /https?:\/\/[^/\s]+(\/r\/[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
    assert.equal((await fetch(service.url + link)).status, 200)
    assert.match(await list(), /Maya Okafor[^]*Written to/)
    const trail = wordsOf(await manager.get('/office/activity'))
    assert.match(
      trail,
      /Wrote to the guest of a booking left without a service: Maya Okafor booking \d+ by host/,
    )
  })

  it('leave the list when they are moved, cancelled, spoken to, or served again; a tick is taken back', async () => {
    const [moved, cancelled, spoken, left] = [
      await books('Moved', { email: 'm@example.com' }),
      await books('Cancelled', { email: 'c@example.com' }),
      await books('Spoken', { email: 's@example.com' }),
      await books('Left', { email: 'l@example.com' }),
    ]
    await closes()
    await writes([moved, left])
    const patch = (id: number, body: object) =>
      service.call('PATCH', `/api/v1/reservations/${id}`, {
        key: venue.key,
        headers: { 'if-match': '*' },
        body,
      })
    assert.equal((await patch(moved, { date: '2026-10-10' })).status, 200)
    await service.call('POST', `/api/v1/reservations/${cancelled}/cancel`, { key: venue.key })
    const ticked = await followed(host, await host.post(`${path}/spoken`, { spoken: String(spoken) }))
    assert.match(ticked.words, /Spoken: spoken to\./)
    const named = async () =>
      ['Moved', 'Cancelled', 'Spoken', 'Left'].filter((name) =>
        new RegExp(`Write to ${name}|>${name}</a>`).test(html),
      )
    let { html } = await host.get(path)
    assert.deepEqual(await named(), ['Left'])
    await sendMails()
    assert.deepEqual(
      relay.received.map(({ to }) => to).includes('m@example.com'),
      false,
      'moved since the press',
    )
    await host.post(`${path}/spoken`, { back: String(spoken) })
    ;({ html } = await host.get(path))
    assert.deepEqual(await named(), ['Spoken', 'Left'])
    const days = await manager.get('/office/settings/days')
    await settings('closures/remove', { closure: hiddenIn(days, 'closure').replaceAll('&quot;', '"') })
    assert.match(await list(), /No upcoming booking is left without a service\./)
    assert.equal((await host.post(`${path}/spoken`, { spoken: '999999' })).status, 404)
  })

  it('are none where only online bookings are closed: who booked is expected', async () => {
    await books('Maya', { email: 'maya@example.com' })
    await books('Otto', { email: 'otto@example.com' }, '2026-10-06')
    const block = { serviceDate: '2026-10-09', from: '18:00', to: '22:00', scope: 'online' }
    assert.equal((await settings('blocks', block)).status, 303)
    const closed = await host.post('/office/service/online', { do: 'close', span: '2026-10-06 1020 1320' })
    assert.equal(closed.status, 303, closed.words)
    assert.doesNotMatch((await host.get('/office/service')).words, /without a service/)
    assert.match(await list(), /No upcoming booking is left without a service\./)
  })

  it('keep the message and who is selected when somebody is spoken to, and when Enter is pressed in a field', async () => {
    const maya = await books('Maya', { email: 'maya@example.com' })
    const otto = await books('Otto', { email: 'otto@example.com' })
    const nia = await books('Nia', { email: 'nia@example.com' })
    await closes()
    const form = /<form class="form"[^]*?<\/form>/.exec((await host.get(path)).html)?.[0] ?? ''
    const first = /<button[^>]*>/.exec(form)?.[0] ?? ''
    assert.match(first, /name="show"/, 'what Enter presses')
    assert.doesNotMatch(first, /formaction/)
    const begun = {
      booking: [`${otto}:${await newest()}`],
      message: 'A pipe burst, dear',
      textWords: 'Closed',
    }
    const ticked = (seen: Seen) =>
      [...seen.html.matchAll(/name="booking" value="(\d+)[^"]*"\s+checked/g)].map(([, id]) => Number(id))
    const keeps = (seen: Seen) => {
      assert.equal(seen.status, 200, seen.words)
      assert.match(seen.html, />\s*A pipe burst, dear<\/textarea/)
      assert.deepEqual(ticked(seen), [otto])
    }
    keeps(await host.post(path, { ...begun, show: 'yes' }))
    const spoken = await host.post(`${path}/spoken`, { ...begun, spoken: String(maya) })
    keeps(spoken)
    assert.match(spoken.words, /Maya: spoken to\. Undo/)
    const back = await host.post(`${path}/spoken`, { ...begun, back: String(maya) })
    keeps(back)
    assert.match(back.words, /Maya is on the list again\./)
    assert.match(back.html, new RegExp(`value="${nia}`))
    await sendMails()
    assert.equal(relay.received.length, 0)
  })

  it('are listed and written to when there are more than one screen takes, those not written to first', async () => {
    const maya = await books('Maya', { email: 'maya@example.com' })
    const columns = await rowsOf<{ name: string }>(
      service,
      `select column_name as name from information_schema.columns
        where table_name = 'reservation' and is_generated = 'NEVER' and column_name <> 'id'`,
    )
    const names = columns.map(({ name }) => `"${name}"`).join(', ')
    const copies = await rowsOf<{ id: number }>(
      service,
      `insert into reservation (${names}) select ${names} from reservation, generate_series(1, 201)
        where venue_id = ${venue.id} and id = ${maya} returning id`,
    )
    const last = Number(copies.at(-1)?.id)
    await rowsOf(service, `update reservation set guest_name = 'Last' where id = ${last} returning id`)
    await closes()
    assert.match(await list(), /And 2 more bookings, listed as these are dealt with\./)
    assert.match((await followed(host, await writes([maya, last]))).words, /2 guests written to\./)
    const page = await list()
    assert.ok(page.includes('Maya') && !page.includes('Last'), 'who was written to comes last')
    await writes(copies.slice(0, 200).map(({ id }) => id))
    assert.doesNotMatch((await host.get(path)).html, /name="booking"/, 'all are written to')
  })

  it('of the newest closing are selected, and who was written to before about the same time is not', async () => {
    const maya = await books('Maya', { email: 'maya@example.com' })
    await books('Otto', { email: 'otto@example.com' }, '2026-10-10')
    const nia = await books('Nia', { email: 'nia@example.com' }, '2026-10-10')
    const selected = async (query = '') =>
      [...(await host.get(path + query)).html.matchAll(/checked[^]*?Write to (\w+)/g)].map(([, name]) => name)
    await closes('2026-10-09')
    await writes([maya])
    const first = await newest()
    const days = await manager.get('/office/settings/days')
    await settings('closures/remove', { closure: hiddenIn(days, 'closure').replaceAll('&quot;', '"') })
    await closes('2026-10-10')
    assert.deepEqual(await selected(), ['Otto', 'Nia'])
    await closes('2026-10-09')
    assert.deepEqual(await selected(), ['Otto', 'Nia'], 'Maya knows')
    assert.match(await list(), /Maya[^]*Written to before/)
    assert.deepEqual(await selected('?select=all'), ['Maya', 'Otto', 'Nia'])
    assert.match(
      (await followed(host, await writes([maya], {}, first))).words,
      /Nobody was written to/,
      'a page from before the last closing',
    )
    await books('Sam', { email: 'sam@example.com' }, '2026-10-14')
    await closes('2026-10-14')
    assert.deepEqual(await selected(), ['Sam'], `one message is about one closing, not ${nia}'s`)
  })

  it('refuse a message to nobody and one without words, and keep what was typed', async () => {
    const maya = await books('Maya', { email: 'maya@example.com' })
    await closes()
    assert.equal((await host.post(path, { message: 'Sorry' })).status, 400)
    const empty = await writes([maya], { message: '  ' })
    assert.equal(empty.status, 400)
    assert.match(empty.words, /Type what to write to these guests\./)
    assert.equal((await writes([maya], { message: 'x'.repeat(2_001) })).status, 400)
    await sendMails()
    assert.equal(relay.received.length, 0)
  })

  it('are texted as well where that is on and in its hours, each number once, with a link that no row keeps', async () => {
    const sam = await books('Sam Pine', { phone: '(646) 555-0123' })
    const maya = await books('Maya', { email: 'maya@example.com', phone: '12' })
    await closes()
    await manager.post('/office/settings/texts', { ...textAccount, version: '0' })
    assert.match((await host.get(path)).html, /Also text those with a phone number/)
    assert.equal((await writes([sam], { texts: 'yes', textWords: '' })).status, 400)
    const odd = await writes([sam], { texts: 'yes', textWords: 'Wir öffnen erst am Łuk' })
    assert.equal(odd.status, 400)
    assert.match(odd.words, /Not every phone has “Ł”/)
    assert.match(odd.html, /value="Wir öffnen erst am Łuk"/)
    const words = { texts: 'yes', textWords: 'We are closed on Friday, please choose another day:' }
    service.setClock('2026-10-07T02:30:00Z')
    assert.match((await host.get(path)).words, /These are quiet hours/)
    assert.equal((await writes([sam, maya], words)).status, 409)
    service.setClock(aTuesdayAfternoon)
    assert.match((await followed(host, await writes([sam, maya], words))).words, /2 guests written to\./)
    await writes([sam, maya], words)
    const sendTexts = () => sendGuestTexts({ ...service.context, db: service.context.workerDb })
    await sendTexts()
    await sendTexts()
    assert.equal(provider.taken.length, 1)
    const body = provider.taken[0]?.body ?? ''
    assert.match(
      body,
      /^The Blue Door: We are closed on Friday, please choose another day: https?:\/\/\S+\/r\/[\w-]+ Reply STOP[^]*$/,
    )
    const link = new URL(/https?:\S+/.exec(body)?.[0] ?? '').pathname
    assert.equal((await fetch(service.url + link)).status, 200)
    const [kept] = await rowsOf(service, `select body from guest_text where venue_id = ${venue.id}`)
    assert.doesNotMatch(String(kept?.['body']), /\/r\//)
  })

  it('are neither emailed nor texted once they were spoken to, cancelled, or have a service again', async () => {
    const words = { texts: 'yes', textWords: 'We are closed on Friday:' }
    await manager.post('/office/settings/texts', { ...textAccount, version: '0' })
    const [left, spoken, cancelled] = [
      await books('Left', { email: 'l@example.com', phone: '(646) 555-0121' }),
      await books('Spoken', { email: 's@example.com', phone: '(646) 555-0122' }),
      await books('Cancelled', { email: 'c@example.com', phone: '(646) 555-0123' }),
    ]
    const reopened = await books('Again', { email: 'a@example.com', phone: '(646) 555-0124' }, '2026-10-10')
    await closes('2026-10-09', '2026-10-10')
    await writes([left, spoken, cancelled, reopened], words)
    await host.post(`${path}/spoken`, { spoken: String(spoken) })
    await service.call('POST', `/api/v1/reservations/${cancelled}/cancel`, { key: venue.key })
    const days = await manager.get('/office/settings/days')
    await settings('closures/remove', { closure: hiddenIn(days, 'closure').replaceAll('&quot;', '"') })
    await settings('closures', { from: '2026-10-09', to: '2026-10-09', name: 'Repairs' })
    await sendMails()
    await sendGuestTexts({ ...service.context, db: service.context.workerDb })
    const about = await mails()
    assert.deepEqual(
      about.filter(({ text }) => text?.includes('A pipe burst.')).map(({ to }) => to?.[0]?.address),
      ['l@example.com'],
    )
    assert.deepEqual(
      provider.taken.map(({ to }) => to),
      ['+16465550121'],
    )
  })

  it('two hosts at once, and workers killed while they send: one Message-ID each', async () => {
    const now = Temporal.Now.instant()
    service.setClock(now.toString())
    manager = visitOffice(service)
    await manager.signIn(`manager@${venue.slug}.example.com`)
    const date = now.toZonedDateTimeISO('America/New_York').add({ days: 3 }).toPlainDate().toString()
    const ids: number[] = []
    for (let n = 0; n < 8; n++) ids.push(await books(`Guest ${n}`, { email: `g${n}@example.com` }, date))
    await closes(date)
    const change = await newest()
    const presses = await Promise.all(
      ['host', 'manager'].map((role) =>
        actAt(service, venue, (work) =>
          writeToStranded(
            work,
            staff(role as 'host'),
            new Map((role === 'host' ? ids : ids.toReversed()).map((id) => [id, change])),
            {
              typed: 'Closed.',
            },
          ),
        ),
      ),
    )
    assert.deepEqual(
      presses.map(({ length }) => length).toSorted((a, b) => a - b),
      [0, 8],
    )
    // The relay takes what is sent, and the worker never hears that it did.
    relay.judge = { end: () => 'hang' }
    const worker = () =>
      startProcess({
        DATABASE_URL: service.databaseUrl,
        SECRETS: service.context.config.secrets as string,
        SMTP_URL: relay.url,
        MAIL_FROM: 'Data <mail@service.example.com>',
        ROLE: 'worker',
        DATA_DIR: `${service.context.config.dataDir}-worker`,
        PUBLIC_URL: 'https://data.example.com',
      })
    const count = async (state: string) =>
      Number(
        (
          await rowsOf(
            service,
            `select count(*) as n from guest_mail where venue_id = ${venue.id} and ${state}`,
          )
        )[0]?.['n'],
      )
    const due = () =>
      rowsOf(
        service,
        `update guest_mail set due_at = now() where due_at is not null and venue_id = ${venue.id}`,
      )
    const killed = await worker()
    await eventually(() => relay.received.length > 0)
    killed.signal('SIGKILL')
    await killed.ended
    relay.judge = {}
    assert.equal(await count(`state = 'sent'`), 0)
    await due()
    const last = await worker()
    try {
      await eventually(async () => {
        await due()
        return (await count(`state = 'sent'`)) === ids.length
      })
    } finally {
      await last.stop()
    }
    const copies = Map.groupBy(relay.received, ({ to }) => to)
    assert.equal(copies.size, ids.length)
    assert.ok(relay.received.length > ids.length, 'one at least was sent again')
    for (const [to, of] of copies) assert.equal(new Set(of.map(({ messageId }) => messageId)).size, 1, to)
  })
})
