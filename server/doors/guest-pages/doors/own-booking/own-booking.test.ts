import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { makePrivateToken } from '../../../../mail/link-token.ts'
import { mailLink } from '../../../../book/reservations/guest/staff-link.ts'
import { staff } from '../../../../book/reservations/test/book.ts'
import { actAt } from '../../../../test/act.ts'
import { setGuestPages } from '../../../../test/guest.ts'
import { setRules } from '../../../../test/open-rules.ts'
import { rowsOf } from '../../../../test/rows.ts'
import { aTuesdayAfternoon } from '../../../../test/service.ts'
import { bookingTables } from '../../test/booking-tables.ts'

describe('a booking at its private link', () => {
  const scene = bookingTables()
  const {
    service,
    relay,
    mails,
    rules,
    path,
    browser,
    choose,
    detailsOf,
    book,
    linkOf,
    post,
    listed,
    told,
    act,
  } = scene

  it('changing a booking marks the time it has, and takes no day that is past or too far', async () => {
    await rules({ maxDaysAhead: 30 })
    const at = linkOf(await book())
    const { text } = await browser().get(`${at}?do=change`)
    const marked = [...text.matchAll(/value="([\d-]+ [\d:]+)"\s+aria-current="true"/g)].map(
      ([, slot]) => slot,
    )
    assert.deepEqual(marked, ['2026-10-06 19:00'])
    assert.match(text, /min="2026-10-06"\s+max="2026-11-05"/)
    assert.doesNotMatch(
      (await browser().get(`${at}?do=change&date=2026-10-07`)).text,
      /<button[^>]*aria-current/,
    )
  })

  it('the token of a private link is in no answer of the API, no row and no delivery', async () => {
    const guest = browser()
    const token = linkOf(await book()).slice('/r/'.length)
    assert.ok(token.length >= 22)
    await mails()
    await guest.post(`/r/${token}`, { do: 'note', note: 'Walnuts' })
    for (const at of [
      'reservations',
      'guests',
      'events',
      'changes',
      'reservations/find?email=maya@example.com',
    ]) {
      const { status, text } = await service.call('GET', `/api/v1/${at}`, { key: scene.venue.key })
      assert.equal(status, 200, at)
      assert.ok(!text.includes(token), at)
    }
    const tables = await rowsOf(
      service,
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    assert.ok(tables.length > 50)
    for (const { name } of tables)
      assert.deepEqual(
        await rowsOf(
          service,
          `select 1 as is from "${String(name)}" t where strpos(t::text, '${token}') > 0 limit 1`,
        ),
        [],
        String(name),
      )
    const page = await guest.get(`/r/${token}`)
    assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(page.headers.get('x-robots-tag') ?? '', /noindex/)
  })

  it('another time of a request applies; of a confirmed booking it is asked, and the old one kept', async () => {
    const guest = browser()
    const at = linkOf(await book())
    const ask = (slot: string) => guest.post(at, { do: 'change', size: '2', slot })
    assert.equal((await ask('2026-10-06 20:00')).status, 303)
    const [made] = await listed()
    assert.deepEqual([made.time, made.status], ['20:00', 'Requested'])
    await act(made.id, 'confirm')
    const before = await guest.post(at, { do: 'ask', size: '2', slot: '2026-10-06 21:00' })
    assert.match(before.text, /Your table at 8:00\sPM stays yours/)
    assert.equal((await ask('2026-10-06 21:00')).status, 303)
    assert.equal((await listed())[0].time, '20:00')
    const page = await guest.get(at)
    assert.match(page.text, /You asked for 9:00\sPM/)
    assert.match(page.text, /Withdraw the change/)
    assert.equal((await guest.post(at, { do: 'withdraw' })).status, 303)
    assert.doesNotMatch((await guest.get(at)).text, /You asked for/)
    await guest.post(at, { do: 'change', size: '1', slot: '2026-10-06 20:00' })
    assert.equal((await listed())[0].partySize, 1, 'fewer guests at the same time apply at once')
  })

  it('says of each change what it changes, answers each press, and what was refused leaves the booking as it is', async () => {
    const guest = browser()
    const at = linkOf(await book('2026-10-06 19:00', '4'))
    const fewer = { size: '2', slot: '2026-10-06 19:00' }
    const asked = await guest.post(at, { do: 'ask', ...fewer })
    assert.match(asked.text, /Change your booking\?/)
    assert.doesNotMatch(asked.text, /Keep 7:00|Change to 7:00/, 'the time stays')
    const done = await guest.post(at, { do: 'change', ...fewer })
    assert.match((await guest.get(done.headers.get('location') ?? '')).text, /Your booking has changed/)
    await post({ guestName: 'Ada', date: '2026-10-06', time: '20:00', partySize: 10 })
    const refused = await guest.post(at, { do: 'change', size: '2', slot: '2026-10-06 20:00' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /8:00\sPM can no longer be booked/)
    assert.match(refused.text, /Your booking is as it was/)
    assert.doesNotMatch((await guest.post(at, { do: 'note', note: ' ' })).text, /Your note was added/)
    await guest.post(at, { do: 'cancel' })
    for (const page of [await guest.get(`${at}?do=coming`), await guest.post(at, { do: 'coming' })]) {
      assert.match(page.text, /Your booking is cancelled/)
      assert.doesNotMatch(page.text, /We’re coming|knows that you are coming/)
    }
  })

  it('shows the guest their own note, once however often it is sent, and nothing that the restaurant wrote', async () => {
    const guest = browser()
    const details = await detailsOf(guest, await choose(guest, '2026-10-06 19:00'))
    const at = linkOf(await guest.post(path(), { ...details, note: 'Walnuts' }))
    const [made] = await listed()
    const record = `/api/v1/reservations/${made.id}`
    const { headers } = await service.call('GET', record, { key: scene.venue.key })
    const noted = await service.call('PATCH', record, {
      key: scene.venue.key,
      body: { notes: 'Walnuts\nComplained about the noise' },
      headers: { 'if-match': headers.get('etag') as string },
    })
    assert.equal(noted.status, 200, noted.text)
    await Promise.all([1, 2, 3].map(() => guest.post(at, { do: 'note', note: 'A stroller' })))
    await guest.post(at, { do: 'note', note: 'A stroller' })
    assert.equal((await listed())[0].notes, 'Walnuts\nComplained about the noise\nA stroller')
    const [mail] = await mails()
    for (const text of [(await guest.get(at)).text, mail?.text ?? '', mail?.html ?? '']) {
      assert.match(text, /Walnuts/)
      assert.match(text, /A stroller/)
      assert.doesNotMatch(text, /Complained/)
    }
  })

  it('cancelling by the link counts as the guest’s and records one event; after the cutoff the page gives the phone number', async () => {
    const policy = 'We hold your table for 15 minutes.'
    await setGuestPages(service, scene.venue, {
      cancelMinutes: 120,
      texts: { en: { welcome: null, policy } },
    })
    const guest = browser()
    const at = linkOf(await book())
    assert.equal((await guest.get(`${at}?do=cancel`)).status, 200)
    assert.equal((await listed())[0].status, 'Requested', 'a GET cancels nothing')
    for (let i = 0; i < 3; i++) assert.equal((await guest.post(at, { do: 'cancel' })).status, 303)
    const [made] = await listed()
    assert.deepEqual([made.status, made.cancelledBy], ['Cancelled', 'guest'])
    assert.deepEqual((await told()).filter((name) => name === 'reservation.cancelled').length, 1)
    const cancelled = (await mails()).at(-1)
    assert.match(cancelled?.subject ?? '', /^Cancelled: /)
    assert.match(
      cancelled?.text ?? '',
      /Book a table:\nhttps:\/\/data\.example\.com\/v\/[\w-]+\/book\?size=2&lang=en/,
    )
    assert.doesNotMatch(cancelled?.text ?? '', /15 minutes/, 'what the policy says of a table they have')
    assert.deepEqual(cancelled?.attachments, [], 'a request was in no calendar')
    const late = linkOf(await book('2026-10-06 19:00', '2', browser('203.0.113.8')))
    service.setClock('2026-10-06T21:30:00Z')
    const page = await guest.get(late)
    assert.match(page.text, /Online changes closed 5:00\sPM on Tuesday, October 6/)
    assert.match(page.text, /Call \+1 212 555 0100/)
    assert.equal((await guest.post(late, { do: 'cancel' })).status, 409)
    assert.equal((await listed()).filter((one: { status: string }) => one.status === 'Requested').length, 1)
  })

  it('a link ends with the service date, follows the booking, and is nothing once the person is erased', async () => {
    const guest = browser()
    const at = linkOf(await book())
    service.setClock('2026-10-07T12:00:00Z')
    assert.equal((await guest.get(at)).status, 404)
    service.setClock(aTuesdayAfternoon)
    await guest.post(at, { do: 'change', size: '2', slot: '2026-10-09 19:00' })
    service.setClock('2026-10-08T12:00:00Z')
    assert.equal((await guest.get(at)).status, 200)
    await rowsOf(service, `delete from guest_booking where venue_id = ${scene.venue.id}`)
    assert.equal((await guest.get(at)).status, 404)
    assert.equal((await guest.get(`${at}A`)).status, 404)
  })

  it('page, mail and .ics agree on a time after midnight and on both of an hour that comes twice in autumn', async () => {
    await setGuestPages(service, scene.venue, { confirmUpTo: 4 })
    await setRules(service, scene.venue, {
      periods: [5, 6].map((weekday) => ({ weekday, name: 'Night', opens: '18:00', closes: '04:00' })),
    })
    const guest = browser()
    const agree = async (at: string, [when, start]: readonly [RegExp, string]) => {
      const page = await guest.get(at)
      assert.match(page.text, when)
      const file = (await guest.get(`${at}/table.ics`)).text
      assert.ok(file.includes(start), file)
      const mail = (await mails()).at(-1)
      assert.ok(mail?.text?.includes(`https://data.example.com${at}`), 'the mail of this booking')
      assert.match(mail?.text ?? '', when)
      assert.match(mail?.html ?? '', when)
      const ics = mail?.attachments[0]?.content
      const attached = typeof ics === 'string' ? ics : Buffer.from(ics as ArrayBuffer).toString()
      assert.equal(attached.replaceAll('\r\n', '\n'), file.replaceAll('\r\n', '\n'))
      relay.received.length = 0
    }
    const evening = await guest.get(`${path()}?size=2&date=2026-10-09`)
    assert.match(evening.text, /value="2026-10-10 00:30">12:30\sAM/, 'under the evening it belongs to')
    await agree(linkOf(await book('2026-10-10 00:30')), [
      /Saturday, October 10, 2026, 12:30\sAM \(New York time\)/,
      'DTSTART;TZID=America/New_York:20261010T003000',
    ])
    const [kept] = await rowsOf(
      service,
      `select service_date::text as evening, starts_at = '2026-10-10T04:30:00Z' as is from reservation where venue_id = ${scene.venue.id}`,
    )
    assert.deepEqual(kept, { evening: '2026-10-09', is: true })
    const twice = /Sunday, November 1, 2026, 1:30\sAM \(New York time\)/
    await agree(linkOf(await book('2026-11-01 01:30')), [twice, 'DTSTART:20261101T053000Z'])
    // The second one is named by its moment, which a program can; its guest gets the link from staff.
    const made = await post({
      ...{ guestName: 'Maya Okafor', email: 'maya@example.com', partySize: 2 },
      ...{ date: '2026-11-01', time: '01:30', startsAt: '2026-11-01T06:30:00Z' },
    })
    assert.equal(made.status, 201, made.text)
    const { id } = made.body.reservation
    await act(id, 'confirm')
    await actAt(service, scene.venue, (work) => mailLink(work, staff('manager'), id))
    const token = makePrivateToken(service.context.secrets, 'booking', {
      venue: scene.venue.id,
      record: id,
      issue: 0,
    })
    await agree(`/r/${token}`, [twice, 'DTSTART:20261101T063000Z'])
  })

  it('each calendar file says when it was made: a later SEQUENCE never has an earlier DTSTAMP', async () => {
    const at = linkOf(await book())
    const fileNow = async () => {
      const { text } = await browser().get(`${at}/table.ics`)
      return [/^SEQUENCE:(\d+)/m, /^DTSTAMP:(\w+)/m].map((line) => line.exec(text)?.[1] ?? '')
    }
    const [first, madeAt] = await fileNow()
    assert.equal(madeAt, '20261006T190000Z')
    service.setClock('2026-10-06T19:10:00Z')
    await browser().post(at, { do: 'change', size: '1', slot: '2026-10-06 19:00' })
    const [second, later] = await fileNow()
    assert.ok(Number(second) > Number(first))
    assert.equal(later, '20261006T191000Z')
  })
})
