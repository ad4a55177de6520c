import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { randomFrom } from '../../../demo/random.ts'
import { clockTimeAt } from '../../../platform/kernel/time/written-time.ts'
import { makePrivateToken } from '../../../mail/link-token.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { referenceOf } from '../../../book/reservations/reference.ts'
import { mailLink } from '../../../book/reservations/guest/staff-link.ts'
import { staff } from '../../../book/reservations/test/book.ts'
import { actAt } from '../../../test/act.ts'
import { eventually } from '../../../test/eventually.ts'
import { guestAt, hiddenFieldsOn, hiddenOn, setGuestPages } from '../../../test/guest.ts'
import { startMailing } from '../../../test/mailing.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestVenue, aTuesdayAfternoon } from '../../../test/service.ts'
import { referenceKeyOf } from '../../../core/venue/reference-key.ts'

describe('booking a table', () => {
  const { service, relay, mails, begin } = startMailing()
  let venue: TestVenue
  beforeEach(async () => {
    await begin(aTuesdayAfternoon)
    venue = await service.venue({ phone: '+1 212 555 0100' })
    await rules({ pacing: { intervalMinutes: 15, maxCovers: 10 } })
  })

  const rules = (more: object = {}) => setRules(service, venue, everyEvening({ maxParty: 10, ...more }))
  const path = () => `/v/${venue.slug}/book`
  /** A browser with an address of its own. */
  const browser = (address = '203.0.113.5') => ({
    get: (at: string) => guestAt(service, at, { headers: { 'x-forwarded-for': address } }),
    post: (at: string, form: Record<string, string>) =>
      guestAt(service, at, { form, headers: { 'x-forwarded-for': address } }),
  })
  type Browser = ReturnType<typeof browser>
  const choose = async (guest: Browser, slot: string, size = '2', more: Record<string, string> = {}) => {
    const held = await guest.post(path(), { size, slot, ...more })
    assert.equal(held.status, 303)
    return held.headers.get('location') ?? ''
  }
  const detailsOf = async (guest: Browser, at: string) => {
    const { text } = await guest.get(at)
    const hidden = hiddenFieldsOn(text, ['token', 'size', 'day', 'time', 'hold'])
    return { ...hidden, name: 'Maya Okafor', email: 'maya@example.com' } as Record<string, string>
  }
  const book = async (slot = '2026-10-06 19:00', size = '2', guest = browser()) =>
    guest.post(path(), await detailsOf(guest, await choose(guest, slot, size)))
  const linkOf = (answer: { headers: Headers }): string =>
    (answer.headers.get('location') ?? '').replace(/\?.*/, '')
  const post = (body: object) => service.call('POST', '/api/v1/reservations', { key: venue.key, body })
  const listed = async () =>
    (await service.call('GET', '/api/v1/reservations?limit=100', { key: venue.key })).body
  const told = async () =>
    (await rowsOf(service, `select name from event where venue_id = ${venue.id} order by id`))
      .map(({ name }) => String(name))
      .filter((name) => name !== 'guest.created')
  const act = async (id: number, move: 'confirm' | 'cancel' | 'arrive') => {
    await actAt(service, venue, (work) =>
      moveReservation(work, staff('manager'), {
        ...{ id, move },
        ...(move === 'cancel' && { decidedBy: 'staff' as const }),
      }),
    )
    // A cancellation of staff is mailed when it can no longer be undone.
    if (move === 'cancel') service.setClock(service.context.clock().add({ seconds: 30 }).toString())
  }

  it('an address with a time that no rule lets anybody have leads to that day’s times, which say why', async () => {
    const guest = browser()
    await rules({ closures: [{ from: '2026-10-08', to: '2026-10-08', name: 'Staff party' }] })
    const at = (day: string, time: string) => guest.get(`${path()}?size=2&day=${day}&time=${time}`)
    const closed = await at('2026-10-08', '18:00')
    assert.equal(closed.status, 303)
    const to = new URL(closed.headers.get('location') ?? '', 'http://local').searchParams
    assert.deepEqual(
      ['size', 'date', 'taken'].map((name) => to.get(name)),
      ['2', '2026-10-08', '18:00'],
    )
    const times = await guest.get(closed.headers.get('location') ?? '')
    assert.match(times.text, /6:00\sPM can no longer be booked/)
    assert.match(times.text, /Thursday, October 8<\/h2>\s*<p>There are no times to book on this day/)
    assert.doesNotMatch(times.text, /name="email"/)
    for (const [day, time] of [
      ['2026-10-09', '09:00'],
      ['2026-10-05', '19:00'],
    ] as const)
      assert.equal((await at(day, time)).status, 303, `${day} ${time}`)
    assert.match((await at('2026-10-09', '19:00')).text, /name="email"/)
  })

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
    const reference = referenceOf(await referenceKeyOf(service.db, venue.id), made.id)
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
    await setGuestPages(service, venue, { confirmUpTo: 4, confirmServices: ['Dinner'] })
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

  /** What check 2 draws; another seed draws other slots. */
  const drawn = { seed: 20_261_006, slots: 300 }

  it('what the picker offers is what a request gets, 300 random slots', async () => {
    await rules({
      pacing: { intervalMinutes: 30, maxCovers: 12, maxParties: 4 },
      minNoticeMinutes: 90,
      maxDaysAhead: 6,
      maxParty: 6,
      blocks: [{ serviceDate: '2026-10-08', from: '18:00', to: '19:00', scope: 'online', publicNote: null }],
      closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Party' }],
    })
    const { integer } = randomFrom(drawn.seed)
    const count = { taken: 0, refused: 0 }
    for (let n = 0; n < drawn.slots; n++) {
      const date = `2026-10-${String(integer(5, 13)).padStart(2, '0')}`
      const time = clockTimeAt(16 * 60 + 15 * integer(0, 27))
      const size = integer(1, 7)
      const { text } = await browser().get(`${path()}?size=${size}&date=${date}`)
      // Where nothing of the day is open, the page offers the nearest of other days instead.
      const isOffered =
        !text.includes('class="near"') &&
        !text.includes('Choose from 1 to 6 guests') &&
        text.includes(`name="slot" value="${date} ${time}"`)
      // Each that is taken stays, so that the next slots are judged by a fuller book.
      const { status, text: answer } = await service.call('POST', '/api/v1/reservations', {
        key: await keyFor(),
        body: { guestName: 'Ada', date, time, partySize: size },
      })
      assert.equal(
        status,
        isOffered ? 201 : 409,
        `${n} of seed ${drawn.seed}: ${date} ${time}, ${size}: ${answer}`,
      )
      count[isOffered ? 'taken' : 'refused']++
    }
    assert.ok(count.taken >= 50 && count.refused >= 50, JSON.stringify(count))
  })
  // A key writes so many times a minute.
  const keys = { key: '', left: 0 }
  const keyFor = async (): Promise<string> => {
    if (keys.left === 0) Object.assign(keys, { key: (await venue.makeKey('read_write')).key, left: 25 })
    keys.left--
    return keys.key
  }

  it('a day that cannot be booked says why, is not called full, and offers what is nearest', async () => {
    await rules({
      pacing: { intervalMinutes: 15, maxCovers: 10 },
      maxDaysAhead: 30,
      closures: [{ from: '2026-10-09', to: '2026-10-09', name: 'Party' }],
      periods: [1, 2, 3, 4, 5, 6, 7].flatMap((weekday) => [
        { weekday, name: 'Lunch', opens: '11:00', closes: '15:00', maxParty: 8 },
        { weekday, name: 'Dinner', opens: '17:00', closes: '22:00', maxParty: 8 },
      ]),
    })
    const at = async (query: string) => (await browser().get(`${path()}?${query}`)).text
    for (const [query, said] of [
      ['size=2&date=2026-10-09', /There are no times to book on this day/],
      ['size=2&date=2026-09-22', /Times that have passed can no longer be booked/],
      ['size=2&date=2027-10-08', /Bookings open 30 days ahead/],
      ['size=10&date=2026-10-08', /parties of up to 8\. Please call for more/],
    ] as const) {
      const text = await at(query)
      assert.match(text, said, query)
      assert.doesNotMatch(text, /is full|No table for/, query)
    }
    const large = await at('size=10&date=2026-10-08')
    assert.equal(large.split('Please call for more').length, 2, 'once, for lunch and dinner together')
    assert.match(await at('size=2&date=2026-10-09'), /nearest times that are open[\s\S]*name="slot"/)
  })

  it('a hold of the last 2 refuses a request by API; 5 minutes later it gets through with the worker stopped', async () => {
    await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize: 8 })
    await choose(browser(), '2026-10-06 19:00')
    const refused = await post({ guestName: 'Ben', date: '2026-10-06', time: '19:00', partySize: 2 })
    assert.deepEqual([refused.status, refused.body.reason], [409, 'pacing-covers-full'])
    service.setClock('2026-10-06T19:05:00Z')
    // No worker ran here: the hold is still there, and counts no more.
    assert.equal(
      (await rowsOf(service, `select 1 as is from booking_hold where venue_id = ${venue.id}`)).length,
      1,
    )
    assert.equal(
      (await post({ guestName: 'Ben', date: '2026-10-06', time: '19:00', partySize: 2 })).status,
      201,
    )
  })

  it('one’s own hold does not refuse oneself; beyond six holds a booking still works', async () => {
    assert.match(linkOf(await book('2026-10-06 19:00', '10')), /^\/r\//)
    const guest = browser('203.0.113.9')
    const slots = ['17:00', '17:30', '18:00', '18:30', '20:00', '20:30']
    for (const time of slots) assert.match(await choose(guest, `2026-10-06 ${time}`), /hold=/)
    const seventh = await choose(guest, '2026-10-06 21:00')
    assert.doesNotMatch(seventh, /hold=/)
    assert.match(linkOf(await guest.post(path(), await detailsOf(guest, seventh))), /^\/r\//)
  })

  it('sells one last table once, however many browsers ask, and what all others are offered can be booked', async () => {
    const [mostCovers, lastTable] = [40, '2026-10-06 19:00']
    await rules({ pacing: { intervalMinutes: 15, maxCovers: mostCovers } })
    for (const partySize of [10, 10, 10, 8])
      await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize })
    const form = { size: '2', name: 'Maya', email: 'maya@example.com' }
    const slotIn = (slot: string) => ({ day: slot.slice(0, 10), time: slot.slice(11) })
    const offeredIn = (text: string) =>
      [...text.matchAll(/name="slot" value="([^"]+)"/g)].map(([, one = '']) => one)
    type Waiting = { readonly guest: Browser; readonly slot: string; readonly hold: string }
    /** As a browser does when asked to try again shortly: sends the same form until the answer changes. */
    const sent = (guest: Browser, more: Record<string, string>) => {
      const token = crypto.randomUUID()
      return eventually(async () => {
        const answer = await guest.post(path(), { ...form, ...more, token })
        return answer.status !== 503 && answer
      })
    }
    const press = async ({ guest, slot, hold }: Waiting) => ({
      guest,
      slot,
      hold,
      answer: await sent(guest, { ...slotIn(slot), hold }),
    })
    const covers = async () =>
      new Map(
        (
          await rowsOf(
            service,
            `select to_char(date, 'YYYY-MM-DD ') || to_char(time, 'HH24:MI') as slot, sum(party_size)::int as covers
               from reservation where venue_id = ${venue.id} group by 1`,
          )
        ).map(({ slot, covers: sum }) => [String(slot), Number(sum)]),
      )
    let waiting: readonly Waiting[] = Array.from({ length: 200 }, (_, n) => ({
      guest: browser(`198.51.0.${n + 1}`),
      slot: lastTable,
      hold: '',
    }))
    const sold: number[] = []
    while (waiting.length > 0) {
      const pressed = await Promise.all(waiting.map(press))
      const kinds = new Set(pressed.map(({ answer }) => answer.status))
      assert.deepEqual(
        [...kinds].filter((one) => one !== 303 && one !== 409),
        [],
        'sold or refused, nothing else',
      )
      const refused = pressed.filter(({ answer }) => answer.status !== 303)
      sold.push(pressed.length - refused.length)
      assert.ok((sold.at(-1) ?? 0) > 0, `nothing that was offered could be booked: ${sold.join()}`)
      const full = await covers()
      // The next round: each takes one of the times offered, whose form comes back filled and is held if it still can be.
      waiting = await Promise.all(
        refused.map(async ({ guest, slot, hold, answer: { status, text } }, n) => {
          assert.equal(status, 409, text)
          assert.match(text, /can no longer be booked[\s\S]*Nothing was booked/)
          assert.match(text, /name="email" value="maya@example.com"/)
          assert.equal(hold, '', `${slot} was held and refused`)
          assert.equal(full.get(slot), mostCovers, `${slot} was offered and refused, and is not full`)
          const offered = offeredIn(text)
          assert.equal(offered.length, 3)
          const next = offered[n % 3] ?? ''
          const again = await sent(guest, { do: 'again', slot: next })
          assert.equal(again.status, 200)
          assert.match(again.text, /value="Maya"/)
          return { guest, slot: next, hold: hiddenOn(again.text, 'hold') }
        }),
      )
    }
    assert.equal(sold[0], 1, 'the last table is sold once')
    assert.equal(
      sold.reduce((sum, one) => sum + one),
      200,
      'everybody has a table in the end',
    )
    for (const [slot, sum] of await covers()) assert.ok(sum <= mostCovers, `${slot}: ${sum}`)
  })

  it('a time that went to somebody else between the page and the press comes back with a sentence', async () => {
    const guest = browser()
    await guest.get(`${path()}?size=2&date=2026-10-06`)
    await post({ guestName: 'Ada', date: '2026-10-06', time: '19:00', partySize: 10 })
    const back = await choose(guest, '2026-10-06 19:00')
    const { text } = await guest.get(back)
    assert.match(text, /role="alert"[^>]*>\s*<h2>7:00\sPM can no longer be booked/)
    assert.match(text, /Time on Tuesday, October 6/)
    for (const made of ['<b>', '99:99'])
      assert.doesNotMatch(
        (await guest.get(`${path()}?date=2026-10-06&taken=${encodeURIComponent(made)}`)).text,
        /can no longer be booked|<b>99|<h2><b>/,
      )
  })

  it('shows weeks from today on, never a day that is over, as far as booking goes', async () => {
    const weeks = async (query: string) => {
      const { text } = await browser().get(`${path()}?size=2${query}`)
      const [table = ''] = /<table class="month">[\s\S]*?<\/table>/.exec(text) ?? []
      const days = [...table.matchAll(/name="date"\s+value="([^"]*)"/g)].map(([, day = '']) => day)
      const arrows = [...text.matchAll(/name="from" value="([^"]*)"/g)].map(([, day]) => day)
      return { first: days[0], last: days.at(-1), count: days.length, arrows }
    }
    const now = { first: '2026-10-06', last: '2026-10-26', count: 21 }
    assert.deepEqual(await weeks(''), { ...now, arrows: ['2026-10-27'] })
    assert.deepEqual(await weeks('&date=2026-09-01'), { ...now, arrows: ['2026-10-27'] })
    const later = { first: '2026-10-27', last: '2026-11-16', count: 21 }
    for (const query of ['&from=2026-10-27', '&from=2026-11-10', '&date=2026-11-16'])
      assert.deepEqual(await weeks(query), { ...later, arrows: ['2026-10-06', '2026-11-17'] }, query)
    await rules({ maxDaysAhead: 30 })
    const end = { first: '2026-10-27', last: '2026-11-05', count: 10, arrows: ['2026-10-06'] }
    for (const query of ['&from=2026-10-27', '&from=2027-05-01', '&date=2027-05-01'])
      assert.deepEqual(await weeks(query), end, query)
    assert.match((await browser().get(`${path()}?from=2026-10-27`)).text, /Time on Tuesday, October 27/)
  })

  it('puts the five open times nearest to the hour first, and folds the rest of the day', async () => {
    const times = async (query: string) => {
      const { text } = await browser().get(`${path()}?size=2&date=2026-10-09${query}`)
      const [large = '', folded = ''] = text.split('<details>')
      const slots = (part: string) =>
        [...part.matchAll(/name="slot" value="2026-10-09 ([^"]*)"/g)].map(([, time]) => time)
      const [, hour] =
        /<option value="(\d+)" selected/.exec(large.slice(large.indexOf('name="around"'))) ?? []
      return { hour, large: slots(large), folded: slots(folded).length, text }
    }
    const evening = await times('')
    assert.deepEqual(evening.large, ['18:30', '18:45', '19:00', '19:15', '19:30'])
    assert.equal(evening.hour, '19')
    const all = evening.large.length + evening.folded
    assert.deepEqual((await times('&around=21')).large, ['20:30', '20:45', '21:00', '21:15', '21:30'])
    await post({ guestName: 'Ada', date: '2026-10-09', time: '19:00', partySize: 10 })
    const without = await times('')
    assert.deepEqual(without.large, ['18:15', '18:30', '18:45', '19:15', '19:30'])
    assert.equal(without.large.length + without.folded, all - 1)
    assert.match(without.text, /<details>[\s\S]*class="no">7:00\sPM<small>full/, 'what is full is said')
    for (const made of ['99', '-1', 'x', ''])
      assert.equal((await times(`&around=${made}`)).large.length, 5, made)
    await rules({ periods: [{ weekday: 5, name: 'Lunch', opens: '11:00', closes: '15:00' }] })
    const lunch = await times('')
    assert.deepEqual([lunch.hour, lunch.large], ['13', ['12:30', '12:45', '13:00', '13:15', '13:30']])
  })

  it('another time gives up the one that is held, which is open to its guest meanwhile', async () => {
    const holds = () => rowsOf(service, `select id from booking_hold where venue_id = ${venue.id}`)
    const guest = browser()
    const { text } = await guest.get(await choose(guest, '2026-10-09 19:00', '10'))
    const [, back = ''] = /<a class="cell" href="([^"]*hold=[^"]*)"/.exec(text) ?? []
    const times = await guest.get(back.replaceAll('&amp;', '&'))
    assert.match(times.text, /name="slot" value="2026-10-09 19:00"/)
    const [before] = await holds()
    assert.equal(hiddenOn(times.text, 'hold'), before?.['id'])
    await choose(guest, '2026-10-09 20:00', '10', { hold: hiddenOn(times.text, 'hold') })
    const after = await holds()
    assert.equal(after.length, 1)
    assert.notEqual(after[0]?.['id'], before?.['id'])
  })

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
      .map((door) => `/v/${venue.slug}${door}`)
      .concat(at))
      assert.equal((await guest.get(one)).headers.get('set-cookie'), null, one)
    for (const door of ['', '/book', '/waitlist', '/news', '/enquire']) {
      const framed = await guest.get(`/v/${venue.slug}${door}?framed=ffd400`)
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
      const { status, text } = await service.call('GET', `/api/v1/${at}`, { key: venue.key })
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
    const { headers } = await service.call('GET', record, { key: venue.key })
    const noted = await service.call('PATCH', record, {
      key: venue.key,
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
    await setGuestPages(service, venue, { cancelMinutes: 120, texts: { en: { welcome: null, policy } } })
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

  it('a guest booked by API never gets a mail that it was received or confirmed, with any setting', async () => {
    for (const mailConnected of [false, true]) {
      await setGuestPages(service, venue, { mailConnected })
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
          `select 1 as is from guest_booking where venue_id = ${venue.id} and coming_at is not null`,
        )
      ).length
    assert.equal(await isComing(), 0, 'a mail scanner that follows the link says nothing')
    await guest.post(linkOf(again), { do: 'coming' })
    assert.equal(await isComing(), 1)
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
    await rowsOf(service, `delete from guest_booking where venue_id = ${venue.id}`)
    assert.equal((await guest.get(at)).status, 404)
    assert.equal((await guest.get(`${at}A`)).status, 404)
  })

  it('00:30 of Friday’s service and the two 01:30 of an autumn night: page, mail and .ics agree', async () => {
    await setGuestPages(service, venue, { confirmUpTo: 4 })
    await setRules(service, venue, {
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
      `select service_date::text as evening, starts_at = '2026-10-10T04:30:00Z' as is from reservation where venue_id = ${venue.id}`,
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
    await actAt(service, venue, (work) => mailLink(work, staff('manager'), id))
    const token = makePrivateToken(service.context.secrets, 'booking', {
      venue: venue.id,
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

  it('a party size that is not taken is asked for again in a sentence, wherever it was sent, and never replaced by another', async () => {
    const mine = linkOf(await book())
    const guest = browser()
    const [day, time] = ['2026-10-06', '20:00']
    const details = await detailsOf(guest, await choose(guest, `${day} ${time}`))
    for (const size of ['0', '-1', '1e9', '1000000000', '11', '2.5', 'two'])
      for (const { at, form, status } of [
        { at: `${path()}?size=${size}`, status: 200 },
        { at: `${path()}?size=${size}&date=${day}`, status: 200 },
        { at: `${path()}?size=${size}&day=${day}&time=${time}`, status: 200 },
        { at: path(), form: { size, slot: `${day} ${time}` }, status: 400 },
        { at: path(), form: { ...details, size }, status: 400 },
        { at: path(), form: { ...details, size, do: 'extend' }, status: 400 },
        { at: `${mine}?do=change&size=${size}`, status: 200 },
        { at: mine, form: { do: 'ask', size, slot: `${day} ${time}` }, status: 400 },
        { at: mine, form: { do: 'change', size, slot: `${day} ${time}` }, status: 400 },
      ]) {
        const { status: answered, text } = form ? await guest.post(at, form) : await guest.get(at)
        const which = `${at} ${JSON.stringify(form)}`
        assert.equal(answered, status, which)
        assert.match(text, /id="mistakes"[\s\S]*href="#f-size">Choose from 1 to 10 guests/, which)
        assert.match(text, /id="f-size"/, which)
      }
    const [made, ...others] = await listed()
    assert.deepEqual([made.partySize, others], [2, []])
    await rules({ minParty: 4 })
    const least = await guest.get(path())
    assert.doesNotMatch(least.text, /id="mistakes"/, 'nothing was said that could be wrong')
    assert.match(least.text, /<option value="4" selected>/)
    assert.match((await guest.get(`${path()}?size=2`)).text, /Choose from 4 to 10 guests/)
    assert.doesNotMatch(
      (await guest.get(`${mine}?do=change`)).text,
      /id="mistakes"/,
      'their own size stays one',
    )
  })

  it('no day, size or time that somebody makes up is a fault', async () => {
    const mine = linkOf(await book())
    const days = ['2026-99-99', '2026-02-30', '0001-01-01', '9999-12-31', 'x', '']
    for (const [n, day] of days.entries()) {
      const guest = browser(`203.0.113.${20 + n}`)
      for (const at of [
        `${path()}?date=${day}`,
        `${path()}?from=${day}`,
        `${path()}?size=9999&date=${day}`,
        `${path()}?day=${day}&time=99:99`,
        `${mine}?do=change&date=${day}`,
      ])
        assert.equal((await guest.get(at)).status, 200, at)
      for (const time of ['19:00', '99:99', 'x'])
        for (const [at, form] of [
          [path(), { size: '2', slot: `${day} ${time}` }],
          [path(), { do: 'extend', size: '-1', day, time, hold: 'x' }],
          [mine, { do: 'ask', size: '9999', slot: `${day} ${time}` }],
          [mine, { do: 'change', size: '0', slot: `${day} ${time}` }],
        ] as const)
          assert.ok((await guest.post(at, form)).status < 500, `${at} ${JSON.stringify(form)}`)
    }
    assert.equal((await listed()).length, 1)
  })

  it('the newsletter tick is never ticked ahead, and goes the way of every sign-up', async () => {
    const guest = browser()
    const details = await choose(guest, '2026-10-06 19:00')
    assert.doesNotMatch((await guest.get(details)).text, /checked/)
    await guest.post(path(), { ...(await detailsOf(guest, details)), news: 'yes' })
    const [person] = await rowsOf(
      service,
      `select status, source from subscriber where venue_id = ${venue.id}`,
    )
    assert.deepEqual([person?.['status'], person?.['source']], ['pending', 'booking'])
  })
})
