import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { referenceOf } from '../../../book/reservations/reference.ts'
import { referenceKeyOf } from '../../../core/venue/reference-key.ts'
import { setGuestPages } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { bookingTables } from '../test/booking-tables.ts'

describe('booking a table', () => {
  const scene = bookingTables()
  const { service, mails, path, browser, choose, detailsOf, book, linkOf, post, listed, told, act } = scene

  it('goes from the day over the time to the details, and what was booked is a request of source public', async () => {
    const guest = browser()
    const first = await guest.get(`${path()}?size=4`)
    assert.match(first.text, /October 2026/)
    assert.match(first.text, /name="date"\s+value="2026-10-09"\s+aria-label="Friday, October 9, has tables"/)
    const times = await guest.get(`${path()}?size=4&date=2026-10-09`)
    assert.match(times.text, /value="2026-10-09 19:30">7:30\sPM/)
    const details = await choose(guest, '2026-10-09 19:30', '4')
    assert.match((await guest.get(details)).text, /Held for you until 3:05\sPM/)
    const form = await detailsOf(guest, details)
    const done = await guest.post(path(), {
      ...form,
      tel: '(646) 555-0148',
      note: 'Walnuts',
      occasion: 'Birthday',
    })
    assert.equal(done.status, 303)
    const page = await guest.get(done.headers.get('location') ?? '')
    assert.equal(page.status, 200)
    assert.match(page.text, /We have your request/)
    assert.match(page.text, /Friday, October 9, 2026, 7:30\sPM \(New York time\)/)
    const [made] = await listed()
    const reference = referenceOf(await referenceKeyOf(service.db, scene.venue.id), made.id)
    assert.match(page.text, new RegExp(`Booking number</dt>\\s*<dd><span class="num">${reference}<`))
    assert.deepEqual(
      [made.status, made.source, made.partySize, made.date, made.time, made.notes, made.phone],
      ['Requested', 'public', 4, '2026-10-09', '19:30', 'Walnuts', '(646) 555-0148'],
    )
    assert.deepEqual(await told(), ['reservation.created'])
    const [mail] = await mails()
    assert.match(mail?.subject ?? '', /^Requested: The Blue Door, Fri, Oct 9, 7:30\sPM$/)
    assert.ok(mail?.text?.includes(`https://data.example.com${linkOf(done)}`), 'the link of the page')
    assert.ok(mail?.text?.includes(reference), 'the number of the page')
  })

  it('is confirmed at once up to the size and in the services the venue says', async () => {
    await setGuestPages(service, scene.venue, { confirmUpTo: 4, confirmServices: ['Dinner'] })
    const page = await browser().get(linkOf(await book()))
    assert.match(page.text, /Confirmed/)
    await book('2026-10-06 20:00', '5')
    assert.deepEqual((await listed()).map((one: { status: string }) => one.status).toSorted(), [
      'Confirmed',
      'Requested',
    ])
    assert.deepEqual(await told(), ['reservation.created', 'reservation.created'])
    const [mail] = await mails()
    assert.match(mail?.subject ?? '', /^Confirmed: /)
    assert.equal(mail?.attachments[0]?.filename, 'table.ics')
  })

  it('a form sent again and again makes one booking and one event', async () => {
    const guest = browser()
    const form = await detailsOf(guest, await choose(guest, '2026-10-06 19:00'))
    const answers = await Promise.all(Array.from({ length: 6 }, () => guest.post(path(), form)))
    answers.push(await guest.post(path(), form))
    assert.deepEqual(
      new Set(answers.map(linkOf)).size,
      1,
      JSON.stringify(answers.map((one) => [one.status, linkOf(one)])),
    )
    assert.equal((await listed()).length, 1)
    assert.deepEqual(await told(), ['reservation.created'])
    assert.equal((await mails()).length, 1)
  })

  it('no door sets a cookie, framed or not', async () => {
    const guest = browser()
    const at = linkOf(await book())
    for (const one of ['', '/book', '/waitlist', '/news', '/enquire']
      .map((door) => `/v/${scene.venue.slug}${door}`)
      .concat(at))
      assert.equal((await guest.get(one)).headers.get('set-cookie'), null, one)
    for (const door of ['', '/book', '/waitlist', '/news', '/enquire']) {
      const framed = await guest.get(`/v/${scene.venue.slug}${door}?framed=ffd400`)
      assert.equal(framed.headers.get('set-cookie'), null)
      assert.match(framed.text, /<html lang="en" class="framed">/)
      assert.match(framed.text, /href="\/accent\/ffd400.css"/)
      assert.doesNotMatch(framed.text, /<header class="top"|<footer/)
    }
    for (const at of ['/embed.js', '/framed.js'])
      assert.equal((await guest.get(at)).headers.get('set-cookie'), null)
  })

  it('framed, every step stays framed; what was booked is shown there, and only its private link leaves', async () => {
    const guest = browser()
    const held = await guest.post(`${path()}?framed=`, { size: '2', slot: '2026-10-06 19:00' })
    const details = held.headers.get('location') ?? ''
    assert.match(details, /&framed=$/)
    const { text } = await guest.get(details)
    for (const [, to = ''] of text.matchAll(/(?:href|action)="(\/v\/[^"]*)"/g))
      assert.match(to, /[?&;]framed=/)
    const form = await detailsOf(guest, details)
    const done = await guest.post(`${path()}?framed=`, form)
    assert.equal(done.status, 200)
    assert.match(done.text, /We have your request/)
    const [, mine = ''] = /href="(\/r\/[^"]*)" target="_top"/.exec(done.text) ?? []
    assert.doesNotMatch(mine, /framed/)
    const page = await guest.get(mine.replaceAll('&amp;', '&'))
    assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/)
    assert.doesNotMatch((await guest.get(`${mine}&framed=`)).text, /class="framed"/)
    const again = await guest.post(`${path()}?framed=`, form)
    assert.match(again.text, /We have your request/, 'sent again, it is one booking')
    assert.equal((await listed()).length, 1)
  })

  it('a guest booked by API never gets a mail that it was received or confirmed, with any setting', async () => {
    for (const mailConnected of [false, true]) {
      await setGuestPages(service, scene.venue, { mailConnected })
      const { body } = await post({
        guestName: 'Ada',
        email: 'ada@example.com',
        date: '2026-10-06',
        time: '19:00',
        partySize: 2,
      })
      await act(body.reservation.id, 'confirm')
      assert.deepEqual(
        (await mails()).map(({ subject }) => subject),
        [],
      )
      await act(body.reservation.id, 'cancel')
    }
    assert.deepEqual(
      (await mails()).map(({ subject }) => subject?.split(':')[0]),
      ['Cancelled by the restaurant'],
      'with the setting on, the guest hears of the cancellation',
    )
  })

  it('each thing that happens to a booking is mailed once, in the guest’s language', async () => {
    const guest = browser()
    const details = await choose(guest, '2026-10-09 19:00')
    const done = await guest.post(`${path()}?lang=es`, await detailsOf(guest, details))
    const [made] = await listed()
    await act(made.id, 'confirm')
    await guest.post(linkOf(done), { do: 'note', note: 'Llegamos tarde' })
    await act(made.id, 'cancel')
    await mails()
    // Mails are rendered from the current state: the request and the confirmation are no longer true.
    assert.deepEqual(
      (await mails()).map(({ subject }) => subject?.split(':')[0]),
      ['Cancelada por el restaurante'],
    )
    const again = await guest.post(
      `${path()}?lang=es`,
      await detailsOf(guest, await choose(guest, '2026-10-09 20:00')),
    )
    await mails()
    await act((await listed())[0].id, 'confirm')
    assert.deepEqual((await mails()).map(({ subject }) => subject?.split(':')[0]).slice(1), [
      'Solicitada',
      'Confirmada',
    ])
    service.setClock('2026-10-09T00:00:00Z')
    const reminder = (await mails()).at(-1)
    assert.equal(reminder?.subject?.split(':')[0], 'Recordatorio')
    assert.ok(reminder?.text?.includes(`${linkOf(again)}?do=coming`))
    const coming = `${linkOf(again)}?do=coming`
    await guest.get(coming)
    const isComing = async () =>
      (
        await rowsOf(
          service,
          `select 1 as is from guest_booking where venue_id = ${scene.venue.id} and coming_at is not null`,
        )
      ).length
    assert.equal(await isComing(), 0, 'a mail scanner that follows the link says nothing')
    await guest.post(linkOf(again), { do: 'coming' })
    assert.equal(await isComing(), 1)
  })

  it('the newsletter tick is never ticked ahead, and goes the way of every sign-up', async () => {
    const guest = browser()
    const details = await choose(guest, '2026-10-06 19:00')
    assert.doesNotMatch((await guest.get(details)).text, /checked/)
    await guest.post(path(), { ...(await detailsOf(guest, details)), news: 'yes' })
    const [person] = await rowsOf(
      service,
      `select status, source from subscriber where venue_id = ${scene.venue.id}`,
    )
    assert.deepEqual([person?.['status'], person?.['source']], ['pending', 'booking'])
  })
})
