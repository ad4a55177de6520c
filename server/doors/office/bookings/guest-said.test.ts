import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { sql } from '../../../platform/db/sql.ts'
import { guestAt, hiddenFieldsOn, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'

describe('what staff see of a guest who booked online', () => {
  const { service, relay, send, begin } = startMailing()
  let venue: TestVenue
  let host: OfficeVisitor
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(service, venue, everyEvening())
    await setGuestPages(service, venue, { questions: ['Is it your first visit?'] })
    host = visitOffice(service)
    await host.signIn((await staffOf(service, venue, 'host')).email)
  })

  const path = () => `/v/${venue.slug}/book`
  const bookOnline = async (more: Record<string, string> = {}) => {
    const { text } = await guestAt(service, `${path()}?size=2&day=2026-10-06&time=19:00`)
    const names = ['token', 'size', 'day', 'time', 'hold']
    const form = hiddenFieldsOn(text, names)
    const done = await guestAt(service, path(), {
      form: { ...form, name: 'Maya Okafor', email: 'maya@example.com', ...more },
    })
    assert.equal(done.status, 303, done.text)
    const { body } = await service.call('GET', '/api/v1/reservations?limit=1', { key: venue.key })
    return { link: (done.headers.get('location') ?? '').replace(/\?.*/, ''), id: Number(body[0].id) }
  }
  const byApi = async (more: object = {}) => {
    const { body } = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Ada', date: '2026-10-06', time: '20:00', partySize: 2, ...more },
    })
    return Number(body.reservation.id)
  }
  const byStaff = async () => {
    const booking = { date: '2026-10-06', time: '18:00', partySize: '2', guestName: 'Ben' }
    await host.post('/office/bookings', { ...booking, token: crypto.randomUUID(), email: 'ben@example.com' })
    const { body } = await service.call('GET', '/api/v1/reservations?limit=1', { key: venue.key })
    assert.equal(body[0].email, 'ben@example.com')
    return Number(body[0].id)
  }
  const linksMailed = () =>
    relay.received.map(({ bytes }) => {
      const text = String(bytes).replaceAll('=\r\n', '').replaceAll('=3D', '=')
      return /https:\/\/data\.example\.com(\/r\/[\w-]+)/.exec(text)?.[1] ?? ''
    })

  it('shows occasion, seating, answers, that they are coming, and the mail that went out', async () => {
    const { id, link } = await bookOnline({ occasion: 'Birthday', seat: 'Outside', q0: 'yes' })
    await send()
    await guestAt(service, link, { form: { do: 'coming' } })
    const { words, html } = await host.get(`/office/bookings/${id}`)
    assert.match(words, /With the guest/)
    assert.match(words, /Coming Said so/)
    assert.match(words, /Occasion Birthday Seating Outside Opted in to Is it your first visit\?/)
    assert.match(words, /Request received sent/)
    assert.ok(!html.includes('/r/'), 'the link itself is the guest’s')
    const plain = await host.get(`/office/bookings/${await byApi()}`)
    assert.doesNotMatch(plain.words, /With the guest/, 'no address, so no link')
  })

  it('is answered to who undoes a cancellation: that an email says so, or that they are to call', async () => {
    const { id } = await bookOnline()
    const press = async (move: string) => {
      const { html } = await host.get(`/office/bookings/${id}`)
      const seen = { version: hiddenOn(html, 'version'), status: hiddenOn(html, 'status') }
      await host.post(`/office/bookings/${id}/moves`, { ...seen, move, back: `/office/bookings/${id}` })
      return (await host.get(`/office/bookings/${id}`)).words
    }
    const later = async (seconds: number) => {
      service.setClock(service.context.clock().add({ seconds }).toString())
      await send()
    }
    await press('cancel:staff')
    await later(10)
    assert.match(await press('undoCancel'), /Maya Okafor, 2 guests: back in the book\. (?!They were told)/)
    await press('cancel:staff')
    await later(40)
    const mailed = await press('undoCancel')
    assert.match(
      mailed,
      /back in the book\. They were told that it is cancelled: an email now says that it is on\./,
    )
    await press('cancel:staff')
    await later(40)
    await service.context.db.within(venue.id)
      .run(sql()`update reservation set email = null, phone = '+1 212 555 0142'
               where venue_id = ${venue.id} and id = ${id}`)
    const called = await press('undoCancel')
    assert.match(called, /They were told that it is cancelled: call them at \(212\) 555-0142\./)
  })

  it('emails the link of any booking that has an address, and only of one that is ahead', async () => {
    const id = await byApi({ email: 'ada@example.com' })
    const page = `/office/bookings/${id}`
    assert.match((await host.get(page)).words, /Email the guest’s link/)
    assert.equal((await host.post(`${page}/link`, { do: 'mail' })).to, page)
    await send()
    const [link = ''] = linksMailed()
    const mine = await guestAt(service, link)
    assert.equal(mine.status, 200)
    assert.match(mine.text, /Requested/)
    assert.match((await host.get(page)).words, /Link sent/)
    service.setClock('2026-10-07T00:30:00Z')
    await host.post(`${page}/link`, { do: 'mail' })
    await send()
    assert.equal(relay.received.length, 1)
  })

  it('says why a guest with an address gets no mail, and nothing of the kind where they get it', async () => {
    const byApp = await byApi({ email: 'ada@example.com' })
    const entered = await byStaff()
    const email = async (id: number) =>
      /Email (?!the guest)[^]*/.exec((await host.get(`/office/bookings/${id}`)).words)?.[0] ?? ''
    assert.match(await email(byApp), /The app that made this booking keeps its guest informed\./)
    assert.match(await email(entered), /was not made online, so its guest is not emailed automatically\./)
    await setGuestPages(service, venue, { mailConnected: true })
    assert.match(
      await email(byApp),
      /confirms it to the guest\. We email changes, cancellations and reminders\./,
    )
    assert.doesNotMatch(await email((await bookOnline()).id), /not made online|The app/)
    await send()
    assert.equal(relay.received.length, 1, 'only who booked online was written to')
  })

  it('says why a guest who booked online gets no reminder, and nothing of it while one waits', async () => {
    await setGuestPages(service, venue, { confirmUpTo: 4 })
    const noReminder = async (id: number) =>
      /No reminder is emailed: ([^.]*)\./.exec((await host.get(`/office/bookings/${id}`)).words)?.[1]
    // Booked four and a half hours ahead.
    const late = await bookOnline()
    assert.match(
      (await noReminder(late.id)) ?? '',
      /it would go out 24 hours before, and the booking was made/,
    )
    await setGuestPages(service, venue, { reminderHours: 0 })
    assert.match((await noReminder(late.id)) ?? '', /reminders are off in Settings, Guest pages/)
    await setGuestPages(service, venue, { reminderHours: 1 })
    assert.match((await noReminder(late.id)) ?? '', /reminders were off when/)
    const reminded = await bookOnline({ name: 'Ada', email: 'ada@example.com' })
    assert.equal(await noReminder(reminded.id), undefined)
    assert.match((await host.get(`/office/bookings/${reminded.id}`)).words, /Reminder goes out/)
  })

  it('ends a link; the next one is mailed and works', async () => {
    const { id, link } = await bookOnline()
    await send()
    assert.equal((await guestAt(service, link)).status, 200)
    await host.post(`/office/bookings/${id}/link`, { do: 'renew' })
    assert.equal((await guestAt(service, link)).status, 404)
    await send()
    const last = linksMailed().at(-1) ?? ''
    assert.notEqual(last, link)
    assert.equal((await guestAt(service, last)).status, 200)
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, venue, 'manager')).email)
    assert.match((await manager.get('/office/activity')).words, /Ended the guest’s link to/)
  })

  it('a mail that reached nobody is seen at the booking and on the first screen, until one does', async () => {
    relay.judge = { to: () => '550 5.1.1 No such user' }
    const { id } = await bookOnline()
    await send()
    assert.match((await host.get(`/office/bookings/${id}`)).words, /Request received Not delivered/)
    const first = await host.get('/office/service')
    assert.match(first.words, /An email did not reach its guest Maya Okafor today 7:00\sPM · Requested/)
    assert.match(first.html, new RegExp(`/office/bookings/${id}#guest-said`))
    relay.judge = {}
    await host.post(`/office/bookings/${id}/link`, { do: 'mail' })
    await send()
    assert.doesNotMatch((await host.get('/office/service')).words, /did not reach/)
  })

  it('nobody of another venue can end or mail it', async () => {
    const { id, link } = await bookOnline()
    const other = await service.venue()
    const stranger = visitOffice(service)
    await stranger.signIn((await staffOf(service, other, 'owner')).email)
    assert.equal((await stranger.post(`/office/bookings/${id}/link`, { do: 'renew' })).status, 404)
    assert.equal((await guestAt(service, link)).status, 200)
  })
})
