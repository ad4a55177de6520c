import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { request } from 'undici'
import { startCountingProxy } from '../../../test/processes/counting-proxy.ts'
import { freshDatabase } from '../../../test/database.ts'
import {
  bookByPage,
  guestAt,
  hiddenFieldsOn,
  hiddenOn,
  sendByPage,
  setGuestPages,
} from '../../../test/guest.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, aTuesdayAfternoon, startService } from '../../../test/service.ts'
import { wordsIn } from '../../../messages/guest-words/words.ts'
import { html, textOf } from '../../../platform/html/html.ts'
import { guestLanguages } from '../../../platform/kernel/guest-language.ts'
import { contentsOf } from '../../../test/statements/table-contents.ts'

describe('pages of the guest doors, counted', () => {
  let service: TestService
  let venue: TestVenue
  before(async () => {
    service = await startService({ TRUST_PROXY: '1' })
  })
  after(() => service.stop())
  beforeEach(async () => {
    service.setClock(aTuesdayAfternoon)
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 8, pacing: { intervalMinutes: 15, maxCovers: 4 } }),
    )
  })

  const path = (door = 'book') => `/v/${venue.slug}/${door}`
  const open = (at: string, headers: Record<string, string> = {}) => guestAt(service, at, { headers })
  const pages = async (dimension = 'all'): Promise<string[]> => {
    await service.context.demand.flush()
    const rows = await rowsOf(
      service,
      `select day::text, door, step, value, n from visit_day
        where venue_id = ${venue.id} and dimension = '${dimension}' and n > 0 order by door, step, value`,
    )
    return rows.map(
      ({ door, step, value, n }) =>
        `${String(door)} ${String(step)}${dimension === 'all' ? '' : ` ${String(value)}`}: ${String(n)}`,
    )
  }
  const refused = async () => {
    await service.context.demand.flush()
    return rowsOf(
      service,
      `select service_date::text as date, service_minute as minute, size, reason, door, n::int
         from refused_request where venue_id = ${venue.id} order by 1, 2`,
    )
  }
  const maya = { name: 'Maya', email: 'maya@example.com' }

  it('booking is opened, times are shown, one is chosen, details are typed and it is booked', async () => {
    await open(path())
    await bookByPage(service, venue, { slot: '2026-10-09 19:00', ...maya })
    assert.deepEqual(await pages(), [
      'book booked: 1',
      'book chosen: 1',
      'book details: 1',
      'book opened: 1',
      'book times: 1',
    ])
    assert.deepEqual(
      await pages('device'),
      (await pages()).map((row) => row.replace(':', ' other:')),
    )
    assert.deepEqual(await pages('site'), [])
  })

  it('a booking at the end of a campaign’s link counts for the campaign, and the reservation has nothing of it', async () => {
    const link = `${path()}?utm_source=mail&utm_campaign=c12`
    const first = await open(link, { referer: 'https://news.example.com/read' })
    const came = hiddenOn(first.text, 'came')
    const held = await guestAt(service, path(), { form: { size: '2', slot: '2026-10-09 19:00', came } })
    const { text } = await open(held.headers.get('location') ?? '')
    const names = ['token', 'size', 'day', 'time', 'hold', 'came']
    const hidden = hiddenFieldsOn(text, names)
    const before = (await contentsOf(service.db)).tables
    const done = await guestAt(service, path(), { form: { ...hidden, ...maya } })
    assert.equal(done.status, 303)
    assert.deepEqual(await pages('campaign'), [
      'book booked c12: 1',
      'book chosen c12: 1',
      'book details c12: 1',
      'book opened c12: 1',
      'book times c12: 1',
    ])
    assert.deepEqual(
      await pages('from'),
      (await pages('campaign')).map((row) => row.replace('c12', 'news.example.com')),
    )
    // Each row of each table that the booking changed.
    const after = (await contentsOf(service.db)).tables
    const changed = Object.keys(after).filter((table) => after[table] !== before[table])
    assert.ok(changed.includes('reservation'))
    for (const table of changed) {
      const rows = await rowsOf(service, `select t::text as row from ${table} t`)
      for (const { row } of rows) assert.doesNotMatch(String(row), /\bc12\b|news\.example|utm_/, table)
    }
    // Who presses twice is counted once.
    await guestAt(service, path(), { form: { ...hidden, ...maya } })
    assert.ok((await pages()).includes('book booked: 1'))
  })

  it('a campaign’s link to the venue’s own page counts at the door that it leads on to', async () => {
    const home = await open(`/v/${venue.slug}?utm_campaign=c7`)
    const [, to = ''] = /href="(\/v\/[^"]*\/enquire[^"]*)"/.exec(home.text) ?? []
    assert.deepEqual(await pages(), [], 'the page itself is no door')
    await open(to)
    assert.deepEqual(await pages('campaign'), ['enquire opened c7: 1'])
    const plain = await open(`/v/${venue.slug}`)
    assert.doesNotMatch(plain.text, /came=/)
  })

  it('of sixty sites with a link on one day, fifty count by themselves and ten as others', async () => {
    for (let n = 0; n < 60; n++)
      await open(path(), { referer: `https://www.site${n}.example/guide?list=${n}` })
    const opened = (await pages('from')).filter((row) => row.startsWith('book opened '))
    assert.equal(opened.length, 51)
    assert.ok(opened.includes('book opened other: 10'), opened.join('; '))
    assert.equal(opened.filter((row) => /^book opened www\.site\d+\.example: 1$/.test(row)).length, 50)
    assert.ok((await pages()).includes('book opened: 60'))
  })

  it('a visit leaves no cookie, and no row: twenty of them are the same sums', async () => {
    const link = `${path()}?date=2026-10-09&utm_campaign=c1`
    const headers = { referer: 'https://www.example.com/', 'user-agent': 'Mozilla/5.0 Firefox/140.0' }
    for (let n = 0; n < 2; n++) assert.equal((await open(link, headers)).headers.get('set-cookie'), null)
    await service.context.demand.flush()
    const before = (await contentsOf(service.db)).tables
    const sums = async () =>
      rowsOf(service, `select count(*)::int as rows from visit_day where venue_id = ${venue.id}`)
    const rows = await sums()
    for (let n = 0; n < 20; n++) await open(link, { ...headers, 'x-forwarded-for': `198.51.100.${n}` })
    await service.context.demand.flush()
    assert.deepEqual((await contentsOf(service.db)).tables, before)
    assert.deepEqual(await sums(), rows, 'twenty visits are the same rows')
    assert.ok((await pages()).includes('book opened: 22'))
    const kept = await rowsOf(service, 'select v::text as row from visit_day v')
    for (const { row } of kept) assert.doesNotMatch(String(row), /198\.51|Firefox|127\.0/)
  })

  it('a page that is counted asks the database no more than one that is not', async (t) => {
    const database = await freshDatabase()
    const proxy = await startCountingProxy(database.url)
    const counting = await startService({ DATABASE_URL: proxy.url })
    t.after(async () => {
      await counting.stop()
      await proxy.stop()
      await database.drop()
    })
    const there = await counting.venue()
    await setRules(counting, there)
    const page = (headers: Record<string, string>) => () =>
      guestAt(counting, `/v/${there.slug}/book?date=2026-10-09&utm_campaign=c1`, { headers })
    for (let n = 0; n < 3; n++) await page({})()
    const uncounted = await proxy.counted(page({ 'sec-purpose': 'prefetch' }))
    assert.ok(uncounted.statements > 0)
    assert.deepEqual(await proxy.counted(page({})), uncounted)
    await counting.context.demand.flush()
    const [row] = await rowsOf<{ n: string }>(
      counting,
      `select n from visit_day where dimension = 'campaign' and step = 'opened'`,
    )
    assert.equal(Number(row?.n), 4)
  })

  it('what is fetched beforehand, by a program, by HEAD, by a script or by staff is not counted', async () => {
    const link = path()
    const phone = { 'user-agent': 'Mozilla/5.0 (iPhone) Mobile', 'sec-fetch-mode': 'navigate' }
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-mode': 'no-cors' },
      { 'user-agent': 'WhatsApp/2.23.20.0 A' },
      { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
      { 'user-agent': 'facebookexternalhit/1.1' },
    ])
      assert.equal((await open(link, { ...phone, ...headers })).status, 200)
    assert.equal((await request(service.url + link, { method: 'HEAD', headers: phone })).statusCode, 200)
    assert.equal((await fetch(service.url + link)).status, 200)
    const office = visitOffice(service)
    await office.signIn((await staffOf(service, venue, 'host')).email)
    assert.equal((await open(link, { ...phone, cookie: office.cookie() })).status, 200)
    assert.equal((await open(path('nothing'), phone)).status, 404)
    assert.deepEqual(await pages(), [])
    await open(link, phone)
    assert.deepEqual(await pages('device'), ['book opened phone: 1', 'book times phone: 1'])
  })

  it('a day without an open time is one when somebody chose it, by date and size', async () => {
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 8, pacing: { intervalMinutes: 15, maxCovers: 0 } }),
    )
    await open(`${path()}?size=4`)
    assert.deepEqual(await refused(), [], 'nobody chose that day')
    const chosen = `${path()}?size=4&date=2026-10-09`
    for (let n = 0; n < 3; n++) await open(chosen)
    const full = { date: '2026-10-09', minute: -1, size: '4', reason: 'nothing-open', door: 'book', n: 1 }
    assert.deepEqual(await refused(), [full])
    assert.ok((await pages()).includes('book none-open: 4'))
    assert.ok(!(await pages()).some((row) => row.startsWith('book times')))
    await open(chosen, { 'user-agent': 'bingbot/2.0' })
    await open(chosen, { 'x-forwarded-for': '198.51.100.9' })
    assert.deepEqual(await refused(), [{ ...full, n: 2 }])
  })

  it('a time that a rule refuses as it is pressed is a refused request, whichever press it is', async () => {
    const slot = '2026-10-09 19:00'
    assert.equal((await guestAt(service, path(), { form: { size: '6', slot } })).status, 303)
    const [day = '', time = ''] = slot.split(' ')
    const sent = await guestAt(service, path(), { form: { size: '5', day, time, ...maya } })
    assert.equal(sent.status, 409)
    const common = { date: '2026-10-09', minute: 1140, reason: 'pacing-covers-full', door: 'book', n: 1 }
    assert.deepEqual(
      (await refused()).toSorted((a, b) => (String(a['size']) < String(b['size']) ? -1 : 1)),
      [
        { ...common, size: '5' },
        { ...common, size: '6' },
      ],
    )
    assert.deepEqual(await pages(), [], 'neither shows the next page')
  })

  it('each of them says in the language it is in that it counts views, not people', async () => {
    await setGuestPages(service, venue, { languages: [...guestLanguages] })
    const sentences = new Set<string>()
    for (const language of guestLanguages) {
      const { views } = wordsIn(language).page
      for (const at of [`/v/${venue.slug}`, ...['book', 'waitlist', 'enquire', 'news'].map(path)]) {
        const { status, text } = await guestAt(service, `${at}?lang=${language}`)
        assert.equal(status, 200, at)
        assert.match(text, new RegExp(`<html[^>]* lang="${language}`), at)
        assert.ok(text.includes(textOf(html`<p>${views}</p>`)), `${language} at ${at}`)
      }
      sentences.add(views)
    }
    assert.equal(sentences.size, 8)
    assert.ok(sentences.has('This page counts views, not people.'))
  })

  it('the line, an inquiry and the news are opened and done', async () => {
    service.setClock('2026-10-06T22:00:00Z')
    await open(path('waitlist'))
    await sendByPage(service, path('waitlist'), { size: '2', quote: '120', ...maya })
    await open(path('enquire'))
    await guestAt(service, path('enquire'), { form: { ...maya, size: '40' } })
    await open(path('news'))
    await guestAt(service, path('news'), { form: { email: 'maya@example.com' } })
    assert.deepEqual(await pages(), [
      'enquire done: 1',
      'enquire opened: 1',
      'news done: 1',
      'news opened: 1',
      'waitlist done: 1',
      'waitlist opened: 1',
    ])
  })

  it('in a frame the site around it is where they came from, and nobody else’s value counts', async () => {
    await setGuestPages(service, venue, { frameSites: ['https://www.blue.example'] })
    const first = await open(`${path()}?framed=`, {
      ...{ 'sec-fetch-dest': 'iframe', referer: 'https://www.blue.example/book' },
    })
    const came = hiddenOn(first.text, 'came')
    await open(`${path()}?framed=&date=2026-10-09&came=${came}`)
    assert.deepEqual(await pages('site'), [
      'book opened https://www.blue.example: 1',
      'book times https://www.blue.example: 2',
    ])
    assert.deepEqual(await pages('from'), [
      'book opened www.blue.example: 1',
      'book times www.blue.example: 2',
    ])
    const other = await service.venue()
    await setRules(service, other)
    await open(`/v/${other.slug}/book?came=${came}`)
    await open(`/v/${other.slug}/book?came=${came}x&utm_campaign=${'long '.repeat(40)}`)
    await open(`/v/${other.slug}/book?utm_campaign=maya@example.com`)
    await service.context.demand.flush()
    const values = await rowsOf(
      service,
      `select distinct dimension, value from visit_day where venue_id = ${other.id} and dimension in ('from', 'site', 'campaign') order by 1, 2`,
    )
    assert.deepEqual(values, [
      { dimension: 'campaign', value: 'long '.repeat(12).trim() },
      { dimension: 'from', value: 'direct' },
    ])
  })

  it('the next day it is where nobody knows from', async () => {
    const first = await open(`${path()}?utm_campaign=c9`)
    const came = hiddenOn(first.text, 'came')
    service.setClock(Temporal.Instant.from(aTuesdayAfternoon).add({ hours: 25 }).toString())
    await open(`${path()}?date=2026-10-09&came=${came}`)
    assert.deepEqual(await pages('campaign'), ['book opened c9: 1', 'book times c9: 1'])
  })
})
