import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { randomFrom } from '../../../demo/random.ts'
import { clockTimeAt } from '../../../platform/kernel/time/written-time.ts'
import { bookingTables } from '../test/booking-tables.ts'

describe('the times that a guest may book', () => {
  const scene = bookingTables()
  const { service, rules, path, browser, choose, detailsOf, book, linkOf, post, listed } = scene

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

  // A key writes so many times a minute.
  const keys = { key: '', left: 0 }
  const keyFor = async (): Promise<string> => {
    if (keys.left === 0) Object.assign(keys, { key: (await scene.venue.makeKey('read_write')).key, left: 25 })
    keys.left--
    return keys.key
  }

  /** What is drawn; another seed draws other slots. */
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
})
