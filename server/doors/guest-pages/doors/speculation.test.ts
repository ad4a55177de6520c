import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { forgetUnmade } from '../../../book/reservations/guest/booking-proof.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { actAt } from '../../../test/act.ts'
import { bookByPage, guestAt, setGuestPages } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'

describe('speculation with a venue’s tables', () => {
  const { service, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue({ phone: '+1 212 555 0100' })
    await setRules(service, venue, everyEvening())
  })

  const from = (address: string) => ({ 'x-forwarded-for': address })
  const statuses = async () =>
    (await rowsOf(service, `select status from reservation where venue_id = ${venue.id} order by id`)).map(
      ({ status }) => status,
    )

  it('guests hold a quarter of a service’s covers together, at least eight; the next one is judged at the button', async () => {
    const hold = async (network: number, size: number, time = '19:00') => {
      const { headers } = await guestAt(service, `/v/${venue.slug}/book`, {
        form: { size: String(size), slot: `2026-10-06 ${time}` },
        headers: from(`203.0.113.${network}`),
      })
      return new URL(headers.get('location') ?? '', 'http://local').searchParams.has('hold')
    }
    const periods = [{ weekday: 2, name: 'Dinner', opens: '18:00', closes: '21:00' }]
    // Twelve slots of 31 covers: a quarter of the 372 is 93.
    await setRules(service, venue, { periods, maxParty: 15, pacing: { intervalMinutes: 15, maxCovers: 31 } })
    for (const [n, time] of ['18:00', '18:15', '18:30', '18:45', '19:00', '19:15'].entries())
      assert.equal(await hold(n, 15, time), true)
    assert.equal(await hold(10, 4, '20:00'), false)
    assert.equal(await hold(11, 3, '20:00'), true)
    await rowsOf(service, `delete from booking_hold where venue_id = ${venue.id}`)
    await setRules(service, venue, { periods, pacing: { intervalMinutes: 180, maxCovers: 12 } })
    for (let n = 20; n < 24; n++) assert.equal(await hold(n, 2), true)
    assert.equal(await hold(24, 2), false, 'a quarter of 12 is less than eight')
    await bookByPage(
      service,
      venue,
      { slot: '2026-10-06 19:00', name: 'Maya', email: 'maya@example.com' },
      from('203.0.113.25'),
    )
    assert.deepEqual(await statuses(), ['Requested'])
  })

  it('a contact’s third open booking of overlapping time waits for staff, who see why; the guest sees a request like any other', async () => {
    await setGuestPages(service, venue, { confirmUpTo: 6 })
    const book = (slot: string, more: Record<string, string> = {}) =>
      bookByPage(service, venue, { slot, name: 'Maya Okafor', email: 'maya@example.com', ...more })
    await book('2026-10-06 19:00', { tel: '(646) 555-0148' })
    await book('2026-10-06 20:45')
    const third = await book('2026-10-06 19:30', { email: 'Maya@Example.com' })
    await book('2026-10-06 19:15', { email: 'other@example.com', tel: '646 555 0148' })
    await book('2026-10-07 19:30')
    assert.deepEqual(await statuses(), ['Confirmed', 'Confirmed', 'Requested', 'Confirmed', 'Confirmed'])
    const page = await guestAt(service, third)
    assert.match(page.text, /We have your request/)
    assert.doesNotMatch(page.text, /two|third|other booking/i)
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'host')).email)
    assert.match((await office.get('/office/today?date=2026-10-06')).html, /Third booking at that time/)
    const [row] = await rowsOf(
      service,
      `select id from reservation where venue_id = ${venue.id} and status = 'Requested'`,
    )
    const { html } = await office.get(`/office/bookings/${Number(row?.['id'])}`)
    assert.match(html, /They had two other bookings at that time/)
  })

  /** Sends the form of a booking as a guest does; what it is answered with. */
  const send = (slot: string, address: string, more: Record<string, string> = {}) => {
    const [day = '', time = ''] = slot.split(' ')
    return guestAt(service, `/v/${venue.slug}/book`, {
      form: {
        size: '2',
        day,
        time,
        name: 'Maya Okafor',
        email: `${crypto.randomUUID()}@example.com`,
        ...more,
      },
      headers: from(address),
    })
  }
  const isAsked = ({ status, text }: { status: number; text: string }): boolean => {
    if (status === 303) return false
    assert.match(text, /Check your email/)
    return true
  }
  const fill = async (covers: number, slot: string, address: string) => {
    for (let n = 0; n < covers / 4; n++)
      assert.equal(isAsked(await send(slot, address, { size: '4' })), false, `${n * 4} covers`)
  }
  const linkOf = async (email: string) => {
    const mail = (await mails()).findLast(({ to }) => to?.[0]?.address === email)
    assert.match(mail?.subject ?? '', /^One more press: The Blue Door/)
    assert.match(mail?.text ?? '', /Nothing is booked yet/)
    return /https:\/\/data\.example\.com(\/b\/[\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
  }

  it('beyond 24 covers of an evening that nobody answered for, a network’s bookings are made by a link in a mail', async () => {
    const wifi = '203.0.113.40'
    await setGuestPages(service, venue, { confirmUpTo: 6 })
    await fill(24, '2026-10-06 19:00', wifi)
    const asked = await send('2026-10-06 21:00', wifi, { email: 'maya@example.com' })
    assert.equal(isAsked(asked), true)
    assert.match(asked.text, /href="tel:\+12125550100"/)
    assert.equal((await statuses()).length, 6, 'nothing is booked')
    assert.equal(isAsked(await send('2026-10-07 21:00', wifi)), false, 'another evening')
    assert.equal(isAsked(await send('2026-10-06 21:00', '203.0.113.41')), false, 'another network')
    const at = await linkOf('maya@example.com')
    for (let n = 0; n < 2; n++) {
      const page = await guestAt(service, at)
      assert.equal(page.status, 200)
      assert.match(page.text, /Press once more to book/)
    }
    assert.equal((await statuses()).length, 8, 'a GET books nothing')
    const [one, other] = await Promise.all([1, 2].map(() => guestAt(service, at, { form: {} })))
    assert.match(one?.headers.get('location') ?? '', /^\/r\//)
    assert.equal(other?.headers.get('location'), one?.headers.get('location'))
    assert.equal((await statuses()).length, 9, 'two presses make one booking')
    assert.equal((await statuses()).at(-1), 'Confirmed')
    assert.equal((await guestAt(service, at)).status, 303, 'and the link leads to it')
    assert.equal(
      isAsked(await send('2026-10-06 21:00', wifi)),
      true,
      'what was made by a link is not counted, nor forgotten',
    )
  })

  it('beyond that bound, too, a time that cannot be booked is refused at once, and no link is mailed for it', async () => {
    const wifi = '203.0.113.46'
    await fill(24, '2026-10-06 19:00', wifi)
    const periods = [{ weekday: 2, name: 'Dinner', opens: '18:00', closes: '21:00' }]
    // Of twelve slots of 10 covers a fifth is no more than 24.
    await setRules(service, venue, { periods, pacing: { intervalMinutes: 15, maxCovers: 10 } })
    for (const slot of ['2026-10-06 19:00', '2026-10-06 09:00']) {
      const refused = await send(slot, wifi)
      assert.equal(refused.status, 409, slot)
      assert.match(refused.text, /can no longer be booked/, slot)
    }
    const large = await send('2026-10-06 20:00', wifi, { size: '6' })
    assert.equal(isAsked(large), true, 'what could be booked asks for the press')
    // The last places of a quarter of an hour: what the guest holds does not count against them.
    const toDetails = await guestAt(service, `/v/${venue.slug}/book`, {
      form: { size: '8', slot: '2026-10-06 20:30' },
      headers: from(wifi),
    })
    const hold = new URL(toDetails.headers.get('location') ?? '', 'http://local').searchParams.get('hold')
    assert.ok(hold !== null)
    assert.equal((await send('2026-10-06 20:30', wifi, { size: '4' })).status, 409, 'held by others')
    assert.equal(isAsked(await send('2026-10-06 20:30', wifi, { size: '8', hold })), true)
    const kept = await rowsOf(
      service,
      `select asked->>'time' as time from unmade_booking where venue_id = ${venue.id} order by id`,
    )
    assert.deepEqual(kept, [{ time: '20:00' }, { time: '20:30' }])
  })

  it('the link works for 15 minutes; a form sent twice mails one; a refusal at the press books nothing', async () => {
    const wifi = '203.0.113.42'
    await fill(24, '2026-10-06 19:00', wifi)
    const token = crypto.randomUUID()
    for (let n = 0; n < 2; n++)
      assert.equal(isAsked(await send('2026-10-06 20:00', wifi, { email: 'two@example.com', token })), true)
    const first = await linkOf('two@example.com')
    assert.equal((await mails()).filter(({ to }) => to?.[0]?.address === 'two@example.com').length, 1)
    await setRules(service, venue, { ...everyEvening(), pacing: { intervalMinutes: 15, maxCovers: 1 } })
    const refused = await guestAt(service, first, { form: {} })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /8:00\sPM can no longer be booked/)
    service.setClock(service.context.clock().add({ minutes: 15 }).toString())
    assert.equal((await guestAt(service, first)).status, 404)
    assert.match((await guestAt(service, first, { form: {} })).text, /This link has expired/)
    assert.equal((await statuses()).length, 6)
    await forgetUnmade(service.context)
    assert.deepEqual(await rowsOf(service, `select id from unmade_booking where venue_id = ${venue.id}`), [])
  })

  it('what waits for the press is found by its person, in their export, and erased with them', async () => {
    const wifi = '203.0.113.47'
    await fill(24, '2026-10-06 19:00', wifi)
    const zoe = { name: 'Zoe Adeyemi', email: 'zoe@example.com', tel: '+1 646 555 0148' }
    const typed = { ...zoe, note: 'Walnuts', occasion: 'Birthday', news: 'yes' }
    assert.equal(isAsked(await send('2026-10-06 20:00', wifi, typed)), true)
    assert.equal(isAsked(await send('2026-10-06 20:00', wifi, { email: 'ada@example.com' })), true)
    const link = await linkOf(zoe.email)
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, venue, 'owner')).email)
    for (const q of [zoe.email, zoe.tel, zoe.name]) {
      const { html } = await owner.get(`/office/data/person?${new URLSearchParams({ q }).toString()}`)
      assert.match(html, /person\?email=zoe%40example\.com/, q)
    }
    const one = new URLSearchParams({ email: zoe.email }).toString()
    const { words } = await owner.get(`/office/data/person?${one}`)
    assert.match(words, /Bookings to confirm by email October 6, 2026 8:00\sPM, 2/)
    const { bookingsWaitingForAPress: kept } = JSON.parse(
      (await owner.get(`/office/data/person.json?${one}`)).html,
    )
    assert.deepEqual(kept, [
      {
        guestName: zoe.name,
        email: zoe.email,
        phone: zoe.tel,
        date: '2026-10-06',
        time: '20:00',
        partySize: 2,
        notes: 'Walnuts',
        occasion: 'Birthday',
        seating: null,
        answers: [],
        language: 'en',
        wantsNews: true,
      },
    ])
    const done = await owner.post('/office/data/person/erase', { email: zoe.email, sure: 'yes' })
    assert.match(done.words, /The person was erased\.[\s\S]*Nothing left under their email/)
    assert.equal((await guestAt(service, link, { form: {} })).status, 404)
    const left = await rowsOf(service, `select email_key from unmade_booking where venue_id = ${venue.id}`)
    assert.deepEqual(left, [{ email_key: 'ada@example.com' }])
    assert.equal((await statuses()).length, 6)
  })

  it('what staff confirmed is answered for; of a large evening a fifth goes unasked', async () => {
    const wifi = '203.0.113.43'
    await fill(24, '2026-10-06 19:00', wifi)
    assert.equal(isAsked(await send('2026-10-06 21:00', wifi)), true)
    const ids = await rowsOf(service, `select min(id) as id from reservation where venue_id = ${venue.id}`)
    await actAt(service, venue, (work) =>
      moveReservation(work, staff('manager'), { id: Number(ids[0]?.['id']), move: 'confirm' }),
    )
    assert.equal(isAsked(await send('2026-10-06 21:00', wifi, { size: '4' })), false)
    assert.equal(isAsked(await send('2026-10-06 21:00', wifi)), true)
    const periods = [{ weekday: 2, name: 'Dinner', opens: '18:00', closes: '22:00' }]
    // Sixteen slots of 15 covers: a fifth of the 240 is 48.
    await setRules(service, venue, { periods, pacing: { intervalMinutes: 15, maxCovers: 15 } })
    for (const time of ['18:00', '18:15', '18:30', '20:00', '20:15', '20:30'])
      assert.equal(isAsked(await send(`2026-10-06 ${time}`, wifi, { size: '4' })), false, time)
    assert.equal(isAsked(await send('2026-10-06 20:30', wifi)), true)
  })

  it('of IPv6 a household may take as much as one address, and its provider’s block four times that', async () => {
    const inBlock = (network: string) => `2001:db8:1:${network}::1`
    for (const network of ['1000', '1001', '1002', '1003'])
      await fill(24, '2026-10-06 19:00', inBlock(network))
    assert.equal(isAsked(await send('2026-10-06 21:00', '2001:db8:1:1003:ffff::2')), true, 'the same /64')
    assert.equal(isAsked(await send('2026-10-06 21:00', inBlock('10ff'))), true, 'the same /56')
    assert.equal(isAsked(await send('2026-10-06 21:00', inBlock('1100'))), false, 'the same /48')
  })

  it('the Wi-Fi of a hotel is not asked: thirty bookings for two within ten minutes, for three evenings', async () => {
    for (let n = 0; n < 30; n++) {
      const slot = `2026-10-0${6 + (n % 3)} ${18 + (n % 4)}:00`
      assert.match(
        await bookByPage(
          service,
          venue,
          { slot, name: `Guest ${n}`, email: `guest${n}@example.com` },
          from('203.0.113.44'),
        ),
        /^\/r\//,
      )
    }
    assert.equal((await statuses()).length, 30)
    assert.deepEqual(
      await rowsOf(service, `select id from guest_mail where venue_id = ${venue.id} and kind = 'proofAsked'`),
      [],
    )
  })

  /** The link of a booking that was made. */
  const linkTo = ({ headers, text }: { headers: Headers; text: string }) => {
    assert.match(headers.get('location') ?? text, /^\/r\//)
    return (headers.get('location') ?? '').replace(/\?.*/, '')
  }
  const change = (link: string, size: number, slot: string, address: string) =>
    guestAt(service, link, { form: { do: 'change', size: String(size), slot }, headers: from(address) })
  const booked = async () =>
    (
      await rowsOf<{ booked: string }>(
        service,
        `select service_date || ' ' || party_size as booked from reservation where venue_id = ${venue.id} order by id`,
      )
    ).map((row) => row.booked)

  it('a booking that nobody answered for grows, and moves to another evening, as far as its guest’s network may book', async () => {
    const [wifi, home] = ['203.0.113.60', '203.0.113.61']
    await setRules(service, venue, everyEvening({ maxParty: 20 }))
    const links: string[] = []
    for (let n = 0; n < 12; n++) links.push(linkTo(await send('2026-10-06 19:00', wifi)))
    const [first = '', second = ''] = links
    const refused = await change(first, 4, '2026-10-06 19:00', wifi)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /Please call for this change[\s\S]*href="tel:\+12125550100"/)
    const elsewhere = linkTo(await send('2026-10-07 19:00', home))
    assert.equal((await change(elsewhere, 2, '2026-10-06 19:00', wifi)).status, 409, 'another evening')
    const tonight = linkTo(await send('2026-10-06 20:00', home))
    assert.equal((await change(tonight, 3, '2026-10-06 20:00', wifi)).status, 409, 'no matter who booked it')
    assert.deepEqual(new Set(await booked()), new Set(['2026-10-06 2', '2026-10-07 2']))
    assert.equal((await change(second, 2, '2026-10-06 21:00', wifi)).status, 303, 'no larger')
    assert.equal((await change(second, 1, '2026-10-06 21:00', wifi)).status, 303, 'smaller')
    assert.equal((await change(first, 3, '2026-10-06 19:00', wifi)).status, 303, 'within the bound')
    assert.equal((await change(first, 4, '2026-10-06 19:00', wifi)).status, 409)
    assert.equal((await change(tonight, 20, '2026-10-06 20:00', home)).status, 303, 'their own network')
    assert.equal(isAsked(await send('2026-10-06 21:00', home, { size: '6' })), true, 'which it counts for')
    assert.deepEqual((await booked()).slice(0, 2), ['2026-10-06 3', '2026-10-06 1'])
  })

  it('what a booking asks to become counts as well; what staff confirmed grows as ever', async () => {
    const wifi = '203.0.113.62'
    await setGuestPages(service, venue, { confirmUpTo: 2 })
    const first = linkTo(await send('2026-10-06 19:00', wifi))
    assert.equal((await change(first, 8, '2026-10-06 19:00', wifi)).status, 303)
    assert.match((await guestAt(service, first)).text, /You asked for 8 guests/)
    for (let n = 0; n < 8; n++) assert.equal(isAsked(await send('2026-10-06 19:00', wifi)), false)
    assert.equal(isAsked(await send('2026-10-06 19:00', wifi)), true)
    await guestAt(service, first, { form: { do: 'withdraw' } })
    assert.equal(isAsked(await send('2026-10-06 19:00', wifi, { size: '6' })), false)
    const other = linkTo(await send('2026-10-06 20:00', '203.0.113.63', { size: '4' }))
    const [row] = await rowsOf(service, `select max(id) as id from reservation where venue_id = ${venue.id}`)
    assert.equal((await change(other, 6, '2026-10-06 20:00', wifi)).status, 409)
    await actAt(service, venue, (work) =>
      moveReservation(work, staff('manager'), { id: Number(row?.['id']), move: 'confirm' }),
    )
    assert.equal((await change(other, 6, '2026-10-06 20:00', wifi)).status, 303)
  })

  it('forms sent at once are counted one after the other', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send('2026-10-06 19:00', '203.0.113.45', { size: '4' })),
    )
    assert.equal(answers.filter((answer) => !isAsked(answer)).length, 6)
  })
})
