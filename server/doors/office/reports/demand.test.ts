import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { definitions } from '../../../data/reports/definitions.ts'
import type { Refused } from '../../../data/reports/demand/demand.ts'
import { openBook } from '../../../book/reservations/test/book.ts'
import { tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { everyEvening, setRules } from '../../../test/open-rules.ts'
import { atWork, followed, hiddenIn, wordsOf } from '../../../test/office-forms.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'

/* The clock of the tests says Tuesday, October 6, 2026. */
const home = '/office/reports'

describe('what was not served, in the reports of the office', () => {
  let service: TestService
  let venue: TestVenue
  let visitor: OfficeVisitor
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(async () => {
    venue = await service.venue()
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 8, pacing: { intervalMinutes: 15, maxCovers: 4 } }),
    )
    ;({ visitor } = await atWork(service, 'manager', venue))
  })

  let askers = 0
  const refuse = async (
    serviceDate: string,
    more: Partial<Refused & { times: number; size: number }> = {},
  ) => {
    const { times = 1, size = 2, reason = 'pacing-covers-full', ...rest } = more
    for (let n = 0; n < times; n++)
      service.context.demand.refused({
        ...{ venue: venue.id, asker: `${++askers}`, reason, door: 'book' },
        table: { serviceDate, serviceMinute: 1140, partySize: size },
        ...rest,
      })
    await service.context.demand.flush()
  }
  const seen = async (query = '?from=2026-09-01&to=2026-10-05') => wordsOf(await visitor.get(home + query))

  it('say when there was no room, on how many evenings of that weekday, and for how many', async () => {
    await refuse('2026-09-04', { times: 2 })
    await refuse('2026-09-11', { times: 3, size: 7 })
    await refuse('2026-09-12')
    await refuse('2026-09-11', { reason: 'outside-hours', door: 'api' })
    const words = await seen()
    assert.match(
      words,
      /On Fridays at 7:00\sPM, 5 parties were turned away, on 2 of 5 Friday evenings\. In all, 7 requests for a table were refused, 6 for lack of room: your pacing limit\./,
    )
    assert.ok(words.includes(definitions.refused.definition))
    const { html } = await visitor.get(`${home}/refused.csv?from=2026-09-01&to=2026-10-05&compare=none`)
    assert.equal(
      html.replace('\uFEFF', ''),
      [
        'by,of,refused,days_full,days,open_days',
        'time,Friday 19:00,5,2,5,5',
        'time,Saturday 19:00,1,1,5,5',
        'size,2 guests,3,,,',
        'size,7–8 guests,3,,,',
        'reason,Your pacing limit (guests),6,,,',
        'reason,Outside the hours,1,,,',
        ...['weekday,Friday,6,,,', 'weekday_and_reason,Friday: Your pacing limit (guests),5,,,'],
        ...['weekday_and_reason,Friday: Outside the hours,1,,,', 'weekday,Saturday,1,,,'],
        'weekday_and_reason,Saturday: Your pacing limit (guests),1,,,',
        '',
      ].join('\r\n'),
    )
  })

  it('count no evening that was closed among those on which there was no room, or could have been', async () => {
    const pacing = { intervalMinutes: 15, maxCovers: 4 }
    const closures = [{ name: 'Wedding', from: '2026-09-25', to: '2026-09-26' }]
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing, closures }))
    for (const date of ['2026-09-04', '2026-09-11', '2026-09-18', '2026-10-02']) await refuse(date)
    assert.match(
      await seen(),
      /On Fridays at 7:00\sPM, 4 parties were turned away, on 4 of 4 Friday evenings\./,
    )
    const { html } = await visitor.get(`${home}/refused.csv?from=2026-09-01&to=2026-10-05&compare=none`)
    assert.match(html, /\r\ntime,Friday 19:00,4,4,5,4\r\n/)
  })

  it('count a weekday that has no hours now as open on the dates on which somebody came, as averages do', async () => {
    const book = await openBook(service)
    ;({ venue } = book)
    ;({ visitor } = await atWork(service, 'manager', venue))
    const { periods } = everyEvening()
    await setRules(service, venue, { periods: periods.filter(({ weekday }) => weekday !== 3) })
    for (const date of ['2026-09-09', '2026-09-16']) await book.booking('Completed', { date })
    await refuse('2026-09-09')
    const file = async (name: string): Promise<string> =>
      (await visitor.get(`${home}/${name}.csv?from=2026-09-01&to=2026-10-05&compare=none`)).html
    assert.match(await file('refused'), /\r\ntime,Wednesday 19:00,1,1,5,2\r\n/)
    assert.match(await file('weekdays'), /\r\n3,2,2,4\r\n/)
    assert.match(
      await seen(),
      /On Wednesdays at 7:00\sPM, 1 party was turned away, on 1 of 2 Wednesday evenings\./,
    )
  })

  it('make no sentence of what was refused for another reason than room, and say so of nothing', async () => {
    assert.match(await seen(), /Nobody was refused a table on these days\./)
    await refuse('2026-09-11', { reason: 'closed' })
    await refuse('2026-09-11', {
      reason: 'nothing-open',
      times: 2,
      table: { serviceDate: '2026-09-11', partySize: 2 },
    })
    assert.match(
      await seen(),
      /1 request for a table was refused, none for lack of room\. 2 times a guest chose one of these days and no time was open, each guest counted once an hour\. “Your guest pages” counts every look at a day\./,
    )
  })

  it('open a time of a day to come for those who were refused, with one press and one undo', async () => {
    await refuse('2026-10-09', { times: 3 })
    await refuse('2026-10-06')
    await refuse('2026-10-16', { reason: 'tables-full' })
    const roomy = wordsOf(await visitor.get(home))
    assert.doesNotMatch(roomy, /Open 7:00\sPM/, 'there is room for those who asked')
    assert.match(roomy, /On days to come, the times for which guests were turned away have room again\./)
    const sat = { guestName: 'Bea', partySize: 3, date: '2026-10-09', time: '19:00' }
    assert.equal(
      (await service.call('POST', '/api/v1/reservations', { key: venue.key, body: sat })).status,
      201,
    )
    const old = await visitor.get(`${home}?from=2026-07-01&to=2026-08-10`)
    assert.doesNotMatch(old.html, /Open 7:00|name="slot"/, 'a report of days long past gives no advice')
    const ahead = await visitor.get(`${home}?period=this-week`)
    const [, top = ''] = ahead.html.split('id="in-short"')
    const card = (top.split('</section>')[0] ?? '').replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
    assert.match(
      card,
      /3 guests are booked , and nobody was served yet\. 4 requests for a table were turned away/,
    )
    assert.match(
      card,
      /Open 7:00.PM on Fri, Oct 9 for 6 more guests/,
      'before the first guest of a week, too',
    )
    const page = await visitor.get(`${home}?period=year&compare=none`)
    assert.match(
      wordsOf(page),
      /Open 7:00\sPM on Fri, Oct 9 for 6 more guests 3 of 4 guests are booked for these 15 minutes, and 6 guests who asked did not fit\. With this, up to 9 guests may come, so 3 parties of those who asked could book\. Take up to 9 guests/,
    )
    assert.equal(
      page.html.match(/>Open [^<]* more guests</g)?.length,
      1,
      'neither tonight nor what tables are missing for',
    )
    const fields = Object.fromEntries(
      ['date', 'slot', 'seen', 'covers', 'period', 'compare'].map((name) => [name, hiddenIn(page, name)]),
    )
    const book = (partySize: number) =>
      service.call('POST', '/api/v1/reservations', {
        ...{ key: venue.key, body: { guestName: 'Ada', partySize, date: '2026-10-09', time: '19:00' } },
      })
    assert.equal((await book(6)).body.reason, 'pacing-covers-full')
    const pressed = await visitor.post(`${home}/open-more`, fields)
    assert.equal(pressed.headers.get('location'), `${home}?period=year&compare=none#refused`)
    const done = await followed(visitor, pressed)
    assert.match(wordsOf(done), /7:00\sPM on Fri, Oct 9 takes 9 guests now: 4 → 9\./)
    const said = done.html.slice(done.html.indexOf('id="said"'))
    assert.match(said, /takes 9 guests now[^]*name="period" value="year"[^]*Undo/, 'where the window ends')
    assert.doesNotMatch(wordsOf(done), /Open 7:00\sPM on Fri, Oct 9/, 'it is done')
    assert.equal((await visitor.post(`${home}/open-more`, fields)).status, 409, 'pressed twice')
    const undone = await visitor.post(`${home}/open-more`, { ...fields, seen: '9', covers: 'usual' })
    assert.match(wordsOf(await followed(visitor, undone)), /takes what it took before/)
    assert.equal((await book(6)).body.reason, 'pacing-covers-full')
    await visitor.post(`${home}/open-more`, fields)
    assert.equal((await book(6)).status, 201)
    const { visitor: host } = await atWork(service, 'host', venue)
    assert.equal((await host.post(`${home}/open-more`, fields)).status, 403)
    assert.equal((await visitor.post(`${home}/open-more`, { ...fields, slot: 'x' })).status, 400)
  })

  it('advise first to raise a limit that fills a time in most weeks, where there were tables, and call no day to come roomy', async () => {
    const dates = ['2026-09-12', '2026-09-19', '2026-09-26', '2026-10-03']
    const pacing = { intervalMinutes: 15, maxCovers: 4 }
    const pair = tablesOf([1, 2, 3].map((label) => ({ label: `${label}`, most: 4 })))
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing, ...pair }))
    await turnTablesOn(service, venue)
    /** Guests came on each of these evenings, at one table each. */
    const come = (on: readonly string[], tables: number) =>
      rowsOf(
        service,
        `insert into reservation (venue_id, status, source, party_size, service_date, service_minute, starts_at, created_at, updated_at)
         select ${venue.id}, 'Completed', 'public', 4, day::date, 1140, (day || 'T19:00Z')::timestamptz + interval '4 hours', now(), now()
           from unnest(array['${on.join("','")}']) day, generate_series(1, ${tables})`,
      )
    const inShort = async (query: string) => {
      const page = await visitor.get(home + query)
      const card = page.html.split('id="in-short"')[1]?.split('</section>')[0] ?? ''
      return { card: card.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '), page }
    }
    await come([...dates, '2026-10-02', '2026-07-11'], 1)
    assert.match((await inShort('')).card, /Nothing to change from this\./)
    for (const date of dates.slice(1)) await refuse(date, { times: 3 })
    await refuse('2026-10-10')
    for (const [query, span] of [
      ['', true],
      ['?period=4-weeks', false],
      ['?period=quarter', true],
      ['?period=year', true],
      // A Friday by itself has the same advice, and says what it is about.
      ['?from=2026-10-02&to=2026-10-02', true],
    ] as const) {
      const { card, page } = await inShort(query)
      const [, days = '', rest = ''] =
        /((?:From [^.]*, )?on) Saturdays at 7:00.PM, your (.*)/i.exec(card) ?? []
      assert.equal(
        days,
        span ? 'From Sun, Sep 6 to Sat, Oct 3, on' : 'On',
        `${query}: the days, where they are not those of the report`,
      )
      assert.match(
        rest,
        span
          ? /^limit on guests turned away 9 parties, on 3 of 4 Saturdays\. At least 6 of them would have had a table\. This is about the last 4 whole weeks in every report, as what you change holds for days to come\. It takes 4 guests in 15 minutes now; 8 would have been enough for that\. Change how many guests a time takes/
          : /^limit on guests turned away 9 parties, on 3 of 4 Saturdays\. At least 6 of them would have had a table\. It takes 4/,
      )
      assert.match(
        page.html,
        /report-first">[^]*?href="\/office\/settings\/limits\?guests=8#pacing">Change how many/,
      )
      assert.doesNotMatch(wordsOf(page), /have room again/)
    }
    await refuse(dates[0] ?? '', { reason: 'tables-full' })
    const both = await inShort('?period=4-weeks')
    assert.match(
      both.card,
      /10 requests for a table were turned away for lack of room .* your limit on guests turned away 9 of 10 parties that had no room, on 3 of 4 Saturdays\./,
      'the limit alone, and all',
    )
    const old = await inShort('?from=2026-07-01&to=2026-08-01')
    assert.doesNotMatch(old.card, /Change how many/)
    // Where all three tables were taken, no other limit would have helped.
    await come(dates, 2)
    const full = await inShort('')
    assert.doesNotMatch(full.card, /Change how many/)
    assert.match(
      full.card,
      /Your pacing limit turned all of them away; at the times .*, there was no table for them either, so a higher one would not have helped\./,
    )
    assert.match(old.card, /These days are more than 8 weeks ago, so nothing is suggested\./)
  })

  it('lead to the form of a limit, open, with what it is now and what would have been enough', async () => {
    const pacing = { intervalMinutes: 15, maxCovers: 4 }
    await setRules(service, venue, {
      periods: everyEvening().periods.map((period) => ({ ...period, pacing: { maxCovers: 4 } })),
    })
    const day = await visitor.get('/office/settings?day=6&minute=1140&guests=8')
    const [, saturday = ''] = day.html.split('id="day-6"')
    assert.match(
      saturday.split('</section>')[0] ?? '',
      /<details open[^]*By your report, 8 under “Guests per slot” of Dinner would have been enough\.[^]*name="maxCovers-0"[^>]*value="4"/,
    )
    assert.equal(day.html.match(/By your report/g)?.length, 1)
    assert.equal(day.html.match(/<details open>\s*<summary>Change/g)?.length, 1, 'the other days are closed')
    await setRules(service, venue, everyEvening({ pacing }))
    const limits = (await visitor.get('/office/settings/limits?guests=8')).html
    assert.match(limits, /id="pacing"[^]*By your report, 8 under[^]*name="maxCovers"[^>]*value="4"/)
    for (const typed of ['x', '-1', '0', '1000', '<b>'])
      assert.doesNotMatch(
        (await visitor.get(`/office/settings/limits?guests=${encodeURIComponent(typed)}`)).html,
        /By your report/,
      )
  })

  it('advise no limit for a time that is full in half of the weeks or fewer, or that a higher one takes now', async () => {
    for (const date of ['2026-09-26', '2026-10-03']) await refuse(date, { times: 3 })
    await rowsOf(
      service,
      `insert into reservation (venue_id, status, source, party_size, service_date, service_minute, starts_at, created_at, updated_at)
       values (${venue.id}, 'Completed', 'public', 2, '2026-09-30', 1140, '2026-09-30T23:00Z', now(), now())`,
    )
    assert.match(
      wordsOf(await visitor.get(home)),
      /Your pacing limit turned all of them away; in the last 4 whole weeks it did so at no one time on most days of a weekday, which is too seldom to suggest a higher one\./,
    )
    const advice = /your limit on guests turned away .* Saturdays\./
    assert.doesNotMatch(wordsOf(await visitor.get(home)), advice)
    await refuse('2026-09-19', { times: 3 })
    assert.doesNotMatch(
      wordsOf(await visitor.get(home)),
      advice,
      'with what came then, all would be taken now',
    )
  })

  it('open a time that is full behind many that have room again', async () => {
    const sat = { guestName: 'Bea', partySize: 3, date: '2026-10-09', time: '19:00' }
    assert.equal(
      (await service.call('POST', '/api/v1/reservations', { key: venue.key, body: sat })).status,
      201,
    )
    // Of nine evenings five times each.
    for (const day of [10, 11, 12, 13, 14, 15, 16, 17, 18])
      for (const quarter of [0, 1, 2, 3, 4])
        await refuse(`2026-10-${day}`, {
          times: 4,
          table: {
            serviceDate: `2026-10-${day}`,
            serviceMinute: 1080 + 15 * quarter,
            partySize: 2,
          },
        })
    await refuse('2026-10-09')
    const words = wordsOf(await visitor.get(home))
    assert.match(words, /Open 7:00\sPM on Fri, Oct 9 for 2 more guests 3 of 4 guests are booked/)
    assert.doesNotMatch(words, /Open 7:00\sPM on Sat, Oct 10/)
  })

  it('open a time for the largest that a party counted with smaller ones may be, who can then book', async () => {
    await setRules(
      service,
      venue,
      everyEvening({ maxParty: 8, pacing: { intervalMinutes: 15, maxCovers: 8 } }),
    )
    const book = () =>
      service.call('POST', '/api/v1/reservations', {
        ...{ key: venue.key, body: { guestName: 'Bea', partySize: 8, date: '2026-10-09', time: '19:00' } },
      })
    assert.equal((await book()).status, 201)
    await refuse('2026-10-09', { size: 8 })
    const page = await visitor.get(`${home}?period=year&compare=none`)
    assert.match(
      wordsOf(page),
      /for 8 more guests 8 of 8 guests are booked for these 15 minutes, and up to 8 guests who asked did not fit\. With this, up to 16 guests may come, so 1 party of those who asked could book\./,
    )
    await visitor.post(
      `${home}/open-more`,
      Object.fromEntries(
        ['date', 'slot', 'seen', 'covers', 'period', 'compare'].map((name) => [name, hiddenIn(page, name)]),
      ),
    )
    assert.equal((await book()).status, 201)
  })

  it('open a time for no more parties than it takes, those counted who would be taken before them', async () => {
    const pacing = { intervalMinutes: 15, maxCovers: 4, maxParties: 2 }
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing }))
    const sat = { guestName: 'Bea', partySize: 3, date: '2026-10-09', time: '19:00' }
    assert.equal(
      (await service.call('POST', '/api/v1/reservations', { key: venue.key, body: sat })).status,
      201,
    )
    await refuse('2026-10-09', { times: 3 })
    assert.match(
      wordsOf(await visitor.get(home)),
      /Open 7:00\sPM on Fri, Oct 9 for 2 more guests .* 6 guests who asked did not fit\. With this, up to 5 guests may come, so 1 party of those/,
    )
  })

  it('open a time only for parties who could then book, and say where tables are short, or parties are counted', async () => {
    const pacing = { intervalMinutes: 15, maxCovers: 6 }
    const pair = tablesOf([
      { label: '1', most: 2 },
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing, ...pair }))
    await turnTablesOn(service, venue)
    const book = (partySize: number) =>
      service.call('POST', '/api/v1/reservations', {
        ...{ key: venue.key, body: { guestName: 'Ada', partySize, date: '2026-10-09', time: '19:00' } },
      })
    for (const size of [4, 2]) assert.equal((await book(size)).status, 201)
    await refuse('2026-10-09', { size: 4, times: 2 })
    await refuse('2026-10-09', { size: 3 })
    await refuse('2026-10-09', { size: 6 })
    const offered = await visitor.get(`${home}?period=year&compare=none`)
    assert.match(
      wordsOf(offered),
      /Open 7:00\sPM on Fri, Oct 9 for 4 more guests 6 of 6 guests are booked for these 15 minutes, and 17 guests who asked did not fit\. With this, up to 10 guests may come, so 1 party of those who asked could book\. For 13 guests of the others there is no table\./,
    )
    await visitor.post(
      `${home}/open-more`,
      Object.fromEntries(
        ['date', 'slot', 'seen', 'covers', 'period', 'compare'].map((name) => [
          name,
          hiddenIn(offered, name),
        ]),
      ),
    )
    assert.equal((await book(4)).status, 201, 'who was counted can book')
    // Nothing is left at eight, neither for four nor for three.
    const later = (time: string, partySize: number) =>
      service.call('POST', '/api/v1/reservations', {
        ...{ key: venue.key, body: { guestName: 'Bea', partySize, date: '2026-10-10', time } },
      })
    for (const [time, size] of [
      ['19:00', 2],
      ['19:00', 4],
      ['19:15', 4],
    ] as const)
      assert.equal((await later(time, size)).status, 201)
    await refuse('2026-10-10', { size: 4, times: 2 })
    const short = wordsOf(await visitor.get(`${home}?period=year&compare=none`))
    assert.match(
      short,
      /7:00\sPM on Sat, Oct 10: 8 guests who asked did not fit, and opening it for more would not help: there is no table for them\./,
    )
    assert.doesNotMatch(short, /Open 7:00\sPM on Sat, Oct 10/)
    const few = { intervalMinutes: 15, maxCovers: 6, maxParties: 2 }
    await setRules(service, venue, everyEvening({ maxParty: 8, pacing: few, ...pair }))
    await refuse('2026-10-11', { size: 7 })
    for (const partySize of [1, 1])
      await service.call('POST', '/api/v1/reservations', {
        ...{ key: venue.key, body: { guestName: 'Cy', partySize, date: '2026-10-11', time: '19:00' } },
      })
    const counted = wordsOf(await visitor.get(`${home}?period=year&compare=none`))
    assert.match(
      counted,
      /7:00\sPM on Sun, Oct 11: up to 8 guests .* would not help: it takes no more parties\./,
    )
  })

  it('say how far guests came on each page and who sent them, by the campaign’s own name', async () => {
    const [row] = await rowsOf<{ id: string }>(
      service,
      `insert into campaign (venue_id, name, subject, status, created_at, updated_at)
       values (${venue.id}, 'Autumn menu', 'Autumn', 'draft', now(), now()) returning id`,
    )
    const show = (step: 'opened' | 'booked', from: string, times: number, campaign?: string) => {
      for (let n = 0; n < times; n++)
        service.context.demand.shown({
          ...{ venue: venue.id, day: '2026-10-02', door: 'book', step },
          by: { from, language: 'en', device: 'phone', ...(campaign !== undefined && { campaign }) },
        })
    }
    show('opened', 'direct', 30)
    show('opened', 'www.google.com', 8, `c${row?.id}`)
    show('opened', 'www.example.com', 2, '=1+1')
    show('booked', 'www.google.com', 4, `c${row?.id}`)
    await service.context.demand.flush()
    const words = await seen('')
    assert.match(
      words,
      /The page “Book a table” was opened 40 times; it led to 4 bookings \(10%\)\. Of other sites, google\.com sent the most guests\. Views, not people\./,
    )
    assert.ok(words.includes('Autumn menu'))
    assert.ok(words.includes(definitions.funnel.definition))
    const { html } = await visitor.get(`${home}/funnel.csv`)
    assert.match(html, /\r\nbook,opened,campaign,Autumn menu,8\r\nbook,booked,campaign,Autumn menu,4\r\n/)
    assert.match(html, /\r\nbook,opened,campaign,'=1\+1,2\r\n/)
  })

  it('have the money of deposits and cards, and the calls of each key by its name', async () => {
    await service.call('GET', '/api/v1/me', { key: venue.key })
    await service.call('GET', '/api/v1/figures', { key: venue.key })
    await service.context.usage.flush()
    await rowsOf(
      service,
      `with account as (
         insert into processor_account (venue_id, id, live, key_sealed, made_at)
         values (${venue.id}, gen_random_uuid(), true, '', now()) returning id),
       booking as (
         insert into reservation (venue_id, status, source, party_size, service_date, service_minute, created_at, updated_at)
         values (${venue.id}, 'No-show', 'public', 2, '2026-10-05', 1140, now(), now()) returning id)
       insert into guarantee (venue_id, reservation_id, account_id, kind, status, amount_cents, paid_cents, refunded_cents, currency,
         free_until, sentence, language, agreed_at)
       select ${venue.id}, booking.id, account.id, 'deposit', 'paid', 5000, 5000, 2000, 'USD', now(), '', 'en', now() from account, booking`,
    )
    const words = await seen('?from=2026-10-01&to=2026-10-06')
    assert.match(
      words,
      /Deposits of \$50\.00 were paid and cards were charged \$0\.00; \$20\.00 went back or was lost to disputes, and \$30\.00 was kept of no-shows and cancellations\./,
    )
    assert.match(words, /1 key made 2 calls\. 1 of 2 was refused or failed\./)
    assert.match(words, /test 2 1 1 0 0 0 0/)
    // In the order in which managers ask.
    const { html } = await visitor.get(`${home}?from=2026-10-01&to=2026-10-06`)
    const order = ['sources', 'refused', 'no-shows', 'guests', 'guarantees', 'integrations']
    const places = order.map((id) => html.indexOf(`id="${id}"`))
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? 0)),
      places.join(' '),
    )
  })
})
