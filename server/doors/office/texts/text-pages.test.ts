import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sendGuestTexts } from '../../../messages/guest-mail/send-texts.ts'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'
import {
  type TextStandIn,
  providerCalls,
  startTextStandIn,
  textAccount,
  textPublicUrl,
} from '../../../book/texts/test/stand-in.ts'

const evening = '2026-10-06T23:40:00Z' // 19:40 in New York

describe('texts that staff type', () => {
  let service: TestService
  let provider: TextStandIn
  let book: TestBook
  let host: OfficeVisitor
  let manager: OfficeVisitor
  before(async () => {
    provider = await startTextStandIn(textAccount.account, textAccount.token)
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
  const joins = async (fields: Record<string, string> = {}): Promise<string> => {
    const joined = await host.post('/office/waitlist', {
      ...{ token: crypto.randomUUID(), guestName: 'Jack Carter', partySize: '2', quotedMinutes: '10' },
      ...{ phone: '(212) 555-0147', ...fields },
    })
    return `/office/waitlist/${/#w(\d+)/.exec(joined.to ?? '')?.[1]}/text`
  }
  const books = async (fields: Record<string, string> = {}): Promise<string> => {
    const booked = await host.post('/office/bookings', {
      ...{
        token: crypto.randomUUID(),
        date: '2026-10-06',
        time: '20:00',
        partySize: '2',
        guestName: 'Rosa Lind',
      },
      ...{ phone: '(646) 555-0123', ...fields },
    })
    return `/office/bookings/${/#b(\d+)/.exec(booked.to ?? '')?.[1]}/text`
  }
  const types = (path: string, words: string, token: string = crypto.randomUUID()) =>
    host.post(path, { token, words, back: '/office/service' })
  const send = () => sendGuestTexts({ ...service.context, db: service.context.workerDb })
  const bodies = () => provider.taken.map(({ to, body }) => [to, body])
  const shown = async () => (await host.get('/office/service')).words
  const calls = (path: 'status' | 'replies', fields: Record<string, string>) =>
    providerCalls(service.url, book.venue.slug, path, fields)

  it('without a provider no row offers a text, and none is sent', async () => {
    const [party, booking] = [await joins(), await books()]
    const { html } = await host.get('/office/service')
    assert.ok(!html.includes(party) && !html.includes(booking))
    assert.match((await host.get(party)).words, /This venue sends no texts/)
    assert.equal((await types(party, 'Hello')).status, 409)
    await send()
    assert.deepEqual(bodies(), [])
  })

  it('a party in line and a booking are texted once from their rows, and their replies are shown there', async () => {
    await withSender()
    const [party, booking] = [await joins(), await books()]
    const { html } = await host.get('/office/service')
    assert.ok(html.includes(party) && html.includes(booking))
    const token = crypto.randomUUID()
    assert.equal((await types(party, 'About 10 more minutes – “soon”', token)).status, 303)
    assert.equal((await types(party, 'About 10 more minutes – “soon”', token)).status, 303)
    await types(booking, 'Your table is on the terrace tonight.')
    assert.match(await shown(), /Text on its way/)
    await send()
    await send()
    assert.deepEqual(bodies(), [
      ['+12125550147', 'The Blue Door: About 10 more minutes - "soon" Reply STOP for no more texts.'],
      ['+16465550123', 'The Blue Door: Your table is on the terrace tonight. Reply STOP for no more texts.'],
    ])
    await types(booking, 'See you.')
    await send()
    assert.equal(provider.taken[2]?.body, 'The Blue Door: See you.', 'how to stop is said once')
    await calls('status', { MessageSid: provider.taken[2]?.sid ?? '', MessageStatus: 'delivered' })
    await calls('replies', { MessageSid: 'SM1', From: '+12125550147', Body: 'We wait at the bar' })
    await calls('replies', { MessageSid: 'SM2', From: '+16465550123', Body: 'Lovely, thanks' })
    const words = await shown()
    assert.match(words, /Text sent 7:40\sPM[^]*“We wait at the bar”/)
    assert.match(words, /Text arrived 7:40\sPM[^]*“Lovely, thanks”/)
    assert.match((await host.get(booking)).words, /terrace tonight[^]*See you\.[^]*“Lovely, thanks”/)
    assert.match((await manager.get('/office/settings/texts')).words, /3 texts, 3 segments/)
    const trail = await book.query('select action, before, after from activity where venue_id = $1', [
      book.venue.id,
    ])
    assert.ok(trail.some(({ action }) => action === 'sendText'))
    assert.ok(!/terrace|thanks|bar/.test(JSON.stringify(trail)), 'nobody’s words')
  })

  it('one segment is the rule: more is refused with what to take out, and nothing typed is lost', async () => {
    await withSender()
    const party = await joins()
    const { words } = await host.get(party)
    // Of 160: "The Blue Door: " and " Reply STOP for no more texts." are 45.
    assert.ok(words.includes('115 letters fit; with an emoji or a letter such as “á”, 25.'), words)
    const long = await types(party, 'x'.repeat(120))
    assert.equal(long.status, 400)
    assert.match(long.words, /One text takes 160 letters, and this is 165: take out 5\./)
    assert.ok(long.html.includes('x'.repeat(120)))
    const odd = await types(party, `Está ${'x'.repeat(30)}`)
    assert.match(
      odd.words,
      /With “á”, which not every phone has, one text takes 70 letters, and this is 80: take out 10/,
    )
    assert.match((await types(party, ' ')).words, /Type what to text/)
    assert.equal((await types(party, 'x'.repeat(115))).status, 303)
    await send()
    assert.deepEqual(
      provider.taken.map(({ body }) => body.length),
      [160],
    )
  })

  it('in quiet hours nothing that staff type goes out, and the page says from when; a page still does', async () => {
    service.setClock('2026-10-07T01:00:00Z') // 21:00
    await withSender()
    const party = await joins()
    const refused = await types(party, 'Five more minutes')
    assert.equal(refused.status, 409)
    assert.match(refused.words, /quiet hours: a text can go out from 9:00\sAM/)
    assert.match(refused.words, /Five more minutes/)
    await host.post(party.replace('/text', '/moves'), {
      ...{ version: '1', status: 'waiting', move: 'page', back: '/office/service' },
    })
    await send()
    assert.match(provider.taken[0]?.body ?? '', /^The Blue Door: Your table is ready/)
    assert.equal(provider.taken.length, 1)
    // One that the provider could not take in time does not go out in them either.
    service.setClock('2026-10-07T00:50:00Z')
    provider.judge = () => 'busy'
    await types(party, 'Ten more minutes')
    await send()
    service.setClock('2026-10-07T01:00:00Z')
    provider.judge = () => 'take'
    await send()
    assert.equal(provider.taken.length, 1)
    assert.match(await shown(), /Text failed: call \(212\) 555-0147/)
  })

  it('a guest who answered STOP is not texted, and staff read why; likewise for a number of unclear country', async () => {
    await withSender()
    const party = await joins()
    await calls('replies', { MessageSid: 'SM1', From: '+12125550147', Body: 'STOP' })
    assert.match((await host.get(party)).words, /\(212\) 555-0147 answered STOP and gets no more texts/)
    assert.equal((await types(party, 'Hello')).status, 409)
    const unsure = await joins({ phone: '555 0147' })
    assert.match((await types(unsure, 'Hello')).words, /555 0147 has no country code/)
    await send()
    assert.deepEqual(bodies(), [])
  })

  it('a text that may have arrived says so and waits for a press', async () => {
    await withSender()
    const booking = await books()
    provider.judge = () => 'fail'
    await types(booking, 'Your table is ready')
    await send()
    provider.judge = () => 'take'
    await send()
    assert.equal(provider.taken.length, 0)
    assert.match(await shown(), /Text may not have arrived: text again, or call \(646\) 555-0123/)
    await types(booking, 'Your table is ready')
    await send()
    assert.equal(provider.taken.length, 1)
  })

  it('what staff texted and guests answered goes with the person, and with a deleted booking', async () => {
    await withSender()
    const booking = await books({ email: 'rosa@example.com' })
    await types(booking, 'Dear Rosa')
    await send()
    await calls('replies', { MessageSid: 'SM1', From: '+16465550123', Body: 'It is me' })
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    const csv = (await owner.get('/office/data/export/texts.csv')).html
    assert.match(csv, /bookingTyped,\d+,The Blue Door: Dear Rosa/)
    const id = Number(/\d+/.exec(booking)?.[0])
    const [row] = await book.query('select version from reservation where venue_id = $1 and id = $2', [
      book.venue.id,
      id,
    ])
    const gone = await manager.post(`/office/bookings/${id}/delete`, { version: String(row?.version) })
    assert.equal(gone.status, 303)
    const left = await book.query('select body from text_reply where venue_id = $1', [book.venue.id])
    assert.deepEqual(left, [])
  })

  it('another venue’s parties and bookings are not found', async () => {
    await withSender()
    const party = await joins()
    const other = await hostAtBook(service)
    assert.equal((await other.host.get(party)).status, 404)
    assert.equal((await other.host.post(party, { token: crypto.randomUUID(), words: 'x' })).status, 404)
  })
})
