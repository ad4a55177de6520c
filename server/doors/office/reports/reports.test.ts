import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestBook, openBook } from '../../../book/reservations/test/book.ts'
import { atWork, followed, hiddenIn, wordsOf } from '../../../test/office-forms.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { type GuestLanguage, guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

/* The clock of the tests says Tuesday, October 6, 2026. */
const home = '/office/reports'

describe('the reports of the office', () => {
  let service: TestService
  let book: TestBook
  let visitor: OfficeVisitor
  before(async () => {
    service = await startService()
    book = await openBook(service)
    ;({ visitor } = await atWork(service, 'manager', book.venue))
  })
  after(() => service.stop())

  it('say of last week how many came, and when, in a sentence, a picture and a table', async () => {
    for (const [date, time, partySize] of [
      ['2026-10-02', '19:00', 4],
      ['2026-10-02', '20:00', 2],
      ['2026-10-03', '19:00', 5],
    ] as const) {
      const id = await book.booking('Completed', { date, time, partySize })
      await book.query(
        `update reservation set seated_at = (date + $2::time) at time zone 'America/New_York' where id = $1`,
        [id, time],
      )
    }
    const seen = await visitor.get(home)
    assert.equal(seen.status, 200)
    const words = wordsOf(seen)
    assert.ok(
      words.includes(
        'Sun, Sep 27 – Sat, Oct 3. Nothing to compare with: there are no bookings before October 2, 2026',
      ),
      words.slice(0, 600),
    )
    assert.ok(
      words.includes('11 guests came in 3 parties. The busiest day was Friday, October 2, with 6 guests.'),
    )
    assert.match(
      words,
      /The busiest quarter of an hour: Saturday at 7:00\sPM, when 5 guests sat down\. (?!\S* had booked)/,
    )
    assert.equal(
      seen.html.match(/role="img" aria-label="11 guests came/g)?.length,
      2,
      'wide, and for a phone',
    )
    assert.doesNotMatch(seen.html, /<svg[^>]*style=|NaN|undefined/)
    assert.match(words, /Fri, Oct 2 2 6 0 Open Sat/)
  })

  it('name the days of the weekly letter to who gets it, where last week is about others', async () => {
    const letter = /Your weekly letter is about Mon, Sep 28 – Sun, Oct 4 \./
    const words = async (query = '') => wordsOf(await visitor.get(home + query))
    const wants = (wanted: string) => visitor.post('/office/account/weekly-letter', { wanted })
    assert.doesNotMatch(await words(), letter, 'it was not asked for')
    await wants('yes')
    const page = await visitor.get(home)
    assert.match(wordsOf(page), letter)
    const of = `${home}?from=2026-09-28&to=2026-10-04`
    assert.ok(page.html.includes(`href="${of.replace('&', '&amp;')}"`))
    for (const query of [of.slice(home.length), '?period=this-week', '?period=year'])
      assert.doesNotMatch(await words(query), letter, query)
    const setCountry = (country: string) =>
      rowsOf(service, `update venue set country = '${country}' where id = ${book.venue.id} returning id`)
    await setCountry('GB')
    assert.match(await words(), /Mon 28 Sept? – Sun 4 Oct/, 'the same days where weeks begin on Monday')
    assert.doesNotMatch(await words(), /Your weekly letter/)
    await setCountry('US')
    await wants('')
  })

  it('say the same of days that are over after the weekly hours are changed, and the new hours of days to come', async () => {
    const hours = [5, 6].map((weekday) => ({ weekday, name: 'Dinner', opens: '17:00', closes: '22:00' }))
    const other = await openBook(service, { periods: hours })
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    for (const date of ['2026-09-11', '2026-09-12', '2026-09-18', '2026-10-03'])
      for (const time of ['18:00', '19:00', '20:00'])
        await other.booking('Completed', { date, time, partySize: 8 })
    await other.query(
      `insert into refused_request (venue_id, service_date, service_minute, size, reason, door, n)
       select $1, day, 1140, '4', 'pacing-covers-full', 'book', 3
         from unnest('{2026-09-18,2026-09-25,2026-10-02}'::date[]) day`,
      [other.venue.id],
    )
    const over = '?from=2026-09-08&to=2026-10-05'
    const csv = async (id: string, query = over) => (await there.get(`${home}/${id}.csv${query}`)).html
    const seen = async () => ({
      files: await Promise.all(['covers', 'weekdays', 'refused'].map((id) => csv(id))),
      cards: wordsOf(await there.get(home + over)).split('Counted Tue')[0],
    })
    const was = await seen()
    assert.match(was.files[1] ?? '', /5,12,4,48\r\n6,12,4,48/)
    const seenRules = hiddenIn(await there.get('/office/settings/days'), 'seen')
    for (const [weekday, fields] of [
      [6, {}],
      [1, { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '22:00' }],
    ] as const) {
      const page = await there.get('/office/settings/days')
      const sent = { seen: hiddenIn(page, 'seen'), confirmed: 'yes', ...fields }
      assert.equal((await there.post(`/office/settings/hours/${weekday}`, sent)).status, 303)
    }
    assert.notEqual(hiddenIn(await there.get('/office/settings/days'), 'seen'), seenRules)
    assert.deepEqual(await seen(), was)
    const ahead = await csv('covers', '?from=2026-10-05&to=2026-10-12')
    assert.match(ahead, /2026-10-05,0,0,0,\d*,?0\r\n/, 'yesterday had no service')
    assert.match(ahead, /2026-10-10,0,0,0,\d*,?0\r\n[^]*2026-10-12,0,0,0,\d*,?1\r\n/)
  })

  it('count no day before the first booking as open, in any table', async () => {
    const young = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', young.venue)
    await young.booking('Completed', { date: '2026-09-25', time: '19:00', partySize: 8 })
    await young.booking('Completed', { date: '2026-10-02', time: '19:00', partySize: 8 })
    await young.query(
      `insert into refused_request (venue_id, service_date, service_minute, size, reason, door, n)
       values ($1, '2026-10-02', 1140, '4', 'pacing-covers-full', 'book', 3)`,
      [young.venue.id],
    )
    const csv = async (id: string, query: string) => (await there.get(`${home}/${id}.csv${query}`)).html
    const year = '?period=year&compare=none'
    assert.match(await csv('weekdays', year), /5,8,2,16/)
    assert.match(await csv('refused', year), /time,Friday 19:00,3,1,52,2/)
    assert.match(
      await csv('covers', year),
      /2026-09-13,0,0,0,0,7\r\n2026-09-20,1,8,0,2,7\r\n2026-09-27,1,8,0,7,7/,
    )
    const days = '?from=2026-09-24&to=2026-09-26&compare=none'
    assert.match(await csv('covers', days), /2026-09-24,0,0,0,\r\n2026-09-25,1,8,0,1\r\n2026-09-26,0,0,0,1/)
    assert.match(wordsOf(await there.get(home + days)), /Thu, Sep 24 0 0 0 – Fri, Sep 25 1 8 0 Open/)
  })

  it('compare one day with the same weekday, and weeks by what they had of open days', async () => {
    const other = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    for (const date of [
      '2026-09-13',
      '2026-09-19',
      '2026-09-24',
      '2026-09-25',
      '2026-09-26',
      '2026-10-02',
      '2026-10-03',
    ])
      for (let at = 0; at < (date === '2026-09-24' || date === '2026-09-25' ? 1 : 3); at++)
        await other.booking('Completed', { date, time: '19:00', partySize: 8 })
    const words = async (query: string) => wordsOf(await there.get(home + query))
    assert.match(
      await words('?from=2026-09-26&to=2026-09-26'),
      /24 guests came, as many as the Saturday before, in 3 parties\./,
    )
    assert.match(
      await words('?from=2026-09-20&to=2026-09-26'),
      /40 guests came, 17% fewer than the 7 days before, in 5 parties\. The busiest day was Saturday, September 26, with 24 guests\. 5\.7 guests a day over 7 open days\./,
    )
    await other.booking('Confirmed', { date: '2026-09-26', time: '19:00', partySize: 2 })
    assert.match(
      await words('?from=2026-09-26&to=2026-09-26'),
      /24 guests came in 3 parties\. 1 booking of past days was never closed, so it counts neither as served nor as a no-show\./,
    )
  })

  it('lead to each day that is over and has bookings that nobody marked', async () => {
    const [own, other] = [await openBook(service), await openBook(service)]
    const left = ['2026-09-24', '2026-09-26', '2026-09-26', '2026-10-06', '2026-10-09']
    for (const date of left) await own.booking('Confirmed', { date, time: '19:00' })
    await own.booking('Completed', { date: '2026-09-25', time: '19:00' })
    await own.booking('Confirmed', { date: '2026-09-19', time: '19:00' })
    await other.booking('Confirmed', { date: '2026-09-25', time: '19:00' })
    const { visitor: there } = await atWork(service, 'manager', own.venue)
    const { html } = await there.get(`${home}?from=2026-09-20&to=2026-10-10`)
    const links = [...html.matchAll(/\/office\/today\?date=([\d-]+)">([^<]*)</g)].map(([, date, words]) =>
      [date, words].join(' '),
    )
    assert.deepEqual(links, ['2026-09-26 Sat, Sep 26: 2 bookings', '2026-09-24 Thu, Sep 24: 1 booking'])
    for (const _ of Array.from({ length: 30 })) await own.booking('Completed', { date: '2026-09-25' })
    const few = wordsOf(await there.get(`${home}?from=2026-09-20&to=2026-09-26`))
    assert.doesNotMatch(few, /figures are too low/)
    assert.match(
      few,
      /Thu, Sep 24 and Sat, Sep 26 are left out, as a tenth or more of their bookings were never marked\./,
    )
    assert.match(
      few,
      /3 bookings of past days were never closed, .* Mark them: 2 days Sat, Sep 26: 2 bookings/,
    )
  })

  it('say what is wrong with typed days, and keep the form', async () => {
    const seen = await visitor.get(`${home}?from=2026-10-05&to=2026-10-01&compare=year`)
    assert.equal(seen.status, 400)
    assert.match(wordsOf(seen), /The last day must not be before the first\./)
    assert.match(seen.html, /name="from" type="date" value="2026-10-05"/)
    assert.match(seen.html, /name="to" type="date" value="2026-10-01"/)
    assert.match(seen.html, /value="year" selected/)
  })

  it('give each table as a file with raw numbers under names that stay', async () => {
    const { headers } = await visitor.get(`${home}/covers.csv?from=2026-10-02&to=2026-10-03&compare=none`)
    assert.match(headers.get('content-disposition') ?? '', /-covers-2026-10-02-2026-10-03\.csv"/)
    const answer = await fetch(
      `${service.url}${home}/covers.csv?from=2026-10-02&to=2026-10-03&compare=none`,
      {
        headers: { cookie: visitor.cookie() },
      },
    )
    assert.deepEqual(
      [...new Uint8Array(await answer.clone().arrayBuffer()).slice(0, 3)],
      [0xef, 0xbb, 0xbf],
      'begins with the mark of UTF-8',
    )
    assert.equal(
      await answer.text(),
      'date,parties,guests,guests_to_come,open_days\r\n2026-10-02,2,6,0,1\r\n2026-10-03,1,5,0,1\r\n',
    )
    assert.equal((await visitor.get(`${home}/nothing.csv`)).status, 404)
  })

  it('refuse dates that do not exist, that run backward, or that are too many', async () => {
    for (const [from, to, sentence] of [
      ['2026-02-30', '2026-03-01', 'must both be real dates'],
      ['2026-10-02', '', 'must both be real dates'],
      ['2026-10-02', '2026-10-01', 'must not be before the first'],
      ['2025-01-01', '2026-10-01', 'at most 400 days'],
    ] as const) {
      const refused = await visitor.get(`${home}?from=${from}&to=${to}`)
      assert.equal(refused.status, 400, sentence)
      assert.ok(wordsOf(refused).includes(sentence), sentence)
    }
  })

  it('write a share from 20 cases on, and below that how many of how many', async () => {
    const other = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    await other.booking('No-show', { date: '2026-10-02', partySize: 2 })
    for (let at = 0; at < 18; at++) await other.booking('Completed', { date: '2026-10-02', partySize: 2 })
    const nineteen = await there.get(home)
    assert.ok(wordsOf(nineteen).includes('1 of 19 parties that booked did not come.'))
    assert.match(nineteen.html, /class="too-few"/)
    await other.booking('Completed', { date: '2026-10-02', partySize: 2 })
    const twenty = await there.get(home)
    assert.ok(wordsOf(twenty).includes('1 of 20 parties that booked did not come: 5%.'))
    const csv = async () => (await there.get(`${home}/no-shows.csv?compare=none`)).html
    assert.match(await csv(), /^by,of,no_shows,parties,rate,guests_missed,guests\r\nall,,1,20,0\.05,2,40\r\n/)
  })

  it('write what a spreadsheet would run as plain text', async () => {
    const other = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    const id = await other.booking('Completed', { date: '2026-10-02' })
    await other.query("update reservation set source = '=1+1' where id = $1", [id])
    const { html } = await there.get(`${home}/sources.csv`)
    assert.match(html, /\r\n'=1\+1,1,1,\r\n/)
  })

  it('take the real stay over as a turn time, after the numbers and with an undo', async () => {
    const other = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    for (let at = 0; at < 20; at++) {
      const id = await other.booking('Completed', { date: '2026-10-02', time: '19:00', partySize: 4 })
      await other.query(
        `update reservation set seated_at = timestamptz '2026-10-02T23:00Z' + $2::int * interval '1 minute',
                completed_at = timestamptz '2026-10-02T23:00Z' + ($2::int * 2 + 130) * interval '1 minute',
                duration_minutes = 90 where id = $1`,
        [id, at],
      )
    }
    const seen = await there.get(home)
    assert.match(
      wordsOf(seen),
      /another turn time would help most with parties of 3–4 \((?:all 20|20 of \d+) parties\): three quarters leave within 144 minutes; their table is held for 120, so more than a quarter stay longer, beyond chance\./,
    )
    assert.match(
      wordsOf(seen),
      /Hold tables for parties of 3–4 for 145 minutes instead of 120 100% of 20 parties stayed longer than 120 minutes, and three quarters had left within 144\./,
    )
    const [sizes, minutes, version] = ['sizes', 'minutes', 'seen'].map((name) => hiddenIn(seen, name)) as [
      string,
      string,
      string,
    ]
    const saved = await there.post(`${home}/turn-time`, { sizes, minutes, seen: version })
    const done = await followed(there, saved)
    assert.match(wordsOf(done), /their table is held for 145.*Turn time saved\..*Undo/)
    const said = done.html.slice(done.html.indexOf('id="said"'))
    const [usual, now] = ['usual', 'seen'].map((name) => hiddenIn({ ...done, html: said }, name))
    const stale = await there.post(`${home}/turn-time`, { sizes, minutes, seen: version })
    assert.equal(stale.status, 409)
    const undone = await there.post(`${home}/turn-time`, { usual: usual ?? '', seen: now ?? '' })
    assert.match(
      wordsOf(await followed(there, undone)),
      /held for 120.*The turn times are as they were before\./,
    )
    assert.equal((await there.post(`${home}/turn-time`, { sizes: '3', minutes, seen: version })).status, 400)
  })

  it('lead to a draft for guests who stayed away, with who it goes to chosen', async () => {
    const other = await openBook(service)
    const { visitor: there } = await atWork(service, 'manager', other.venue)
    for (let at = 0; at < 20; at++) await other.booking('Completed', { date: '2026-10-02', partySize: 2 })
    await other.query(
      `with made as (
         insert into guest (venue_id, name, created_at, updated_at) values ($1, 'Ada', now(), now()) returning id)
       update reservation set guest_id = (select id from made) where venue_id = $1`,
      [other.venue.id],
    )
    const [, path = ''] = /href="(\/office\/campaigns\/new[^"]*)"/.exec((await there.get(home)).html) ?? []
    const form = await there.get(path)
    assert.ok(wordsOf(form).includes('It goes to subscribers who have not visited in 180 days.'))
    const made = await there.post('/office/campaigns', {
      ...{ token: hiddenIn(form, 'token'), notSinceDays: hiddenIn(form, 'notSinceDays') },
      ...{ name: 'We miss you', subject: 'Come back' },
    })
    assert.equal(made.status, 303)
    const [campaign] = await rowsOf(service, 'select segment from campaign where venue_id = $1', [
      other.venue.id,
    ])
    assert.deepEqual(campaign?.['segment'], { type: 'lapsed', notSinceDays: 180 })
    const plain = await there.get('/office/campaigns/new?notSinceDays=soon')
    assert.doesNotMatch(plain.html, /notSinceDays/)
  })

  it('have the same figures however the country and the clock of the venue write them, whatever language a browser prefers', async () => {
    const files = async (language: GuestLanguage = 'en') => {
      const prefers = { 'accept-language': `${language},en;q=0.1` }
      const seen = await visitor.get(`${home}?from=2026-09-27&to=2026-10-03`, prefers)
      const paths = [...seen.html.matchAll(/href="(\/office\/reports\/[\w-]+\.csv[^"]*)"/g)].map(([, path]) =>
        (path ?? '').replaceAll('&amp;', '&'),
      )
      const texts = await Promise.all(paths.map(async (path) => (await visitor.get(path, prefers)).html))
      return { words: wordsOf(seen), texts }
    }
    const american = await files()
    await book.query(`update venue set country = 'GB', clock_hours = 24 where id = $1`, [book.venue.id])
    const british = await files()
    for (const language of guestLanguages) {
      const { words, texts } = await files(language)
      assert.deepEqual(texts.toSorted(byText), american.texts.toSorted(byText), language)
      assert.equal(words, british.words, language)
    }
    await book.query(`update venue set country = 'US', clock_hours = null where id = $1`, [book.venue.id])
    assert.ok(american.texts.length >= 5)
    assert.deepEqual(british.texts.toSorted(byText), american.texts.toSorted(byText))
    assert.ok(american.words.includes('Friday, October 2') && british.words.includes('Friday 2 October'))
  })

  it('are for managers and owners', async () => {
    const { visitor: host } = await atWork(service, 'host', book.venue)
    assert.equal((await host.get(home)).status, 403)
    const { visitor: owner } = await atWork(service, 'owner', book.venue)
    assert.equal((await owner.get(home)).status, 200)
  })

  it('of a venue without a booking say so, in every period', async () => {
    const { visitor: fresh } = await atWork(service, 'owner')
    for (const period of ['last-week', 'this-week', '4-weeks', 'quarter', 'year']) {
      const seen = await fresh.get(`${home}?period=${period}`)
      assert.equal(seen.status, 200, period)
      assert.ok(wordsOf(seen).includes('Nobody was served on these days.'), period)
      assert.doesNotMatch(seen.html, /NaN|Infinity|undefined/)
    }
  })
})
