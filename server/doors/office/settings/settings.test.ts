import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { fieldsIn, hiddenIn, make } from '../../../test/office-forms.ts'
import { guestAt } from '../../../test/guest.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, startService } from '../../../test/service.ts'
import { venueOfSlug } from '../../../core/venue/actions.ts'
import { guestSettingsOf } from '../../../core/venue/guest-settings.ts'
import { allBookingRules } from '../../../book/rules/rules-store.ts'
import { shortestStay } from '../../../book/rules/turn-minutes.ts'

describe('settings of the office', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const atVenue = async () => {
    const venue = await service.venue()
    const { email } = await staffOf(service, venue, 'manager')
    const manager = visitOffice(service)
    await manager.signIn(email)
    const seen = async (path: string) =>
      /name="seen" value="([\w-]+)"/.exec((await manager.get(path)).html)?.[1] ?? ''
    return { venue, manager, seen }
  }
  const dinner = { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '22:00', 'lastArrival-0': '21:00' }

  it('edits the hours of a weekday and the API follows at once', async () => {
    const { venue, manager, seen } = await atVenue()
    const book = (time: string) =>
      service.call('POST', '/api/v1/reservations', {
        key: venue.key,
        body: { guestName: 'Maya', partySize: 2, date: '2026-10-09', time },
      })
    assert.equal((await book('19:00')).body.reason, 'closed')
    const saved = await manager.post('/office/settings/hours/5', {
      seen: await seen('/office/settings'),
      ...dinner,
    })
    assert.equal(saved.to, '/office/settings#day-5')
    assert.equal((await book('19:00')).status, 201)
    assert.equal((await book('21:30')).body.reason, 'after-last-arrival')
    const { periods } = await allBookingRules(service.db, venue.id)
    assert.deepEqual(
      periods.map(({ weekday, name, startMinute, endMinute }) => [weekday, name, startMinute, endMinute]),
      [[5, 'Dinner', 1020, 1320]],
    )
  })

  it('takes tables as lines, says what is wrong with them, and turns them on once it was seen who has none', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    for (const guestName of ['Maya Okafor', 'Otto Lang']) {
      const body = { guestName, partySize: 4, date: '2026-10-09', time: '19:00' }
      assert.equal((await service.call('POST', '/api/v1/reservations', { key: venue.key, body })).status, 201)
    }
    const version = await seen(path)
    const wrong = await manager.post(path, {
      seen: version,
      tables: 'label,room,most\n11,Patio,many',
      combinations: '',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrong.words, /Line 2, table 11: most must be[^]*Your tables/)
    const lines = {
      tables: 'label,room,most\n11,Patio,4\n12,Patio,2',
      combinations: 'tables,least,most\n11+12,5,6',
    }
    assert.equal((await manager.post(path, { seen: version, ...lines })).to, path)
    const shown = await manager.get(path)
    assert.match(shown.html, /11,Patio,1,4,square/)
    assert.match(shown.html, /11\+12,5,6/)
    assert.equal((await manager.post(path, { seen: version, ...lines })).status, 409)

    const before = await manager.get(`${path}/turn-on`)
    assert.match(before.words, /1 booking in the next 60 days would have no table/)
    assert.match(before.html, /Otto Lang/)
    assert.equal((await manager.post(`${path}/turn-on`, {})).to, path)
    const third = { guestName: 'Ines', partySize: 2, date: '2026-10-09', time: '19:00' }
    const answer = () => service.call('POST', '/api/v1/reservations', { key: venue.key, body: third })
    assert.equal((await answer()).status, 201)
    assert.equal((await answer()).body.reason, 'tables-full')
    assert.equal((await manager.post(`${path}/turn-off`, {})).to, path)
    assert.equal((await answer()).status, 201)
  })

  it('a table with coming bookings is not taken away: they are listed first', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const save = async (tables: string) =>
      manager.post(path, {
        seen: await seen(path),
        tables: `label,room,most\n${tables}`,
        combinations: 'tables,least,most',
      })
    assert.equal((await save('11,Patio,4\n12,Patio,2')).status, 303)
    await manager.post(`${path}/turn-on`, {})
    await make(manager, '/office/bookings', {
      guestName: 'Maya Okafor',
      partySize: '4',
      date: '2026-10-09',
      time: '19:00',
    })
    const refused = await save('12,Patio,2')
    assert.equal(refused.status, 409)
    assert.match(refused.words, /Table 11 has bookings/)
    assert.match(
      refused.html,
      /href="\/office\/bookings\/\d+">Maya Okafor<\/a>, 4[^]*October 9, 2026, 7:00\sPM/,
    )
    const [row] = await service.db.session(
      async (client) =>
        (await client.query('select id, version from reservation where venue_id = $1', [venue.id])).rows,
    )
    const moved = await manager.post(`/office/bookings/${row.id}/edits`, {
      version: String(row.version),
      guestName: 'Maya Okafor',
      partySize: '4',
      date: '2026-10-09',
      time: '19:00',
      table: 'none',
    })
    assert.equal(moved.status, 303)
    assert.equal((await save('12,Patio,2')).status, 303)
  })

  it('tables trade labels and keep their bookings; the activity says it table by table', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const combinations = 'tables,least,most'
    const rows = (statement: string) =>
      service.db.session(async (client) => (await client.query(statement, [venue.id])).rows)
    const lines = 'label,room,least,most\n11,Patio,1,4\n12,Patio,1,2\n13,Patio,1,2'
    await manager.post(path, { seen: await seen(path), tables: lines, combinations })
    await manager.post(`${path}/turn-on`, {})
    await make(manager, '/office/bookings', {
      guestName: 'Maya Okafor',
      partySize: '4',
      date: '2026-10-09',
      time: '19:00',
    })
    const held = `select d.label, d.most from reservation_table t
                    join dining_table d on d.venue_id = t.venue_id and d.id = t.table_id where t.venue_id = $1`
    assert.deepEqual(await rows(held), [{ label: '11', most: 4 }])
    const traded = {
      tables: 'label,room,least,most\n12,Patio,1,4\n11,Patio,2,2\n13,Patio,1,2',
      combinations,
      renamed: '11\t12\r\n12\t11',
    }
    const version = await seen(path)
    assert.equal((await manager.post(path, { seen: version, ...traded })).status, 303)
    assert.deepEqual(await rows(held), [{ label: '12', most: 4 }])
    assert.equal((await manager.post(path, { seen: version, ...traded })).status, 409)
    const [told] = await rows(
      `select before, after from activity where venue_id = $1 and action = 'change the tables' order by id desc limit 1`,
    )
    assert.deepEqual(JSON.parse(JSON.stringify(told)), {
      before: {
        'table 11': 'Patio, 1 to 4 guests, square, column 1, row 1',
        'table 12': 'Patio, 1 to 2 guests, square, column 1, row 1',
      },
      after: {
        'table 11': 'now 12, Patio, 1 to 4 guests, square, column 1, row 1',
        'table 12': 'now 11, Patio, 2 guests, square, column 1, row 1',
      },
    })
  })

  it('takes a table out of order and back, closes a room, and lets tables rest between parties', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const lines = { tables: 'label,room,most\n11,Patio,4', combinations: 'tables,least,most' }
    await manager.post(path, { seen: await seen(path), ...lines })
    await manager.post(`${path}/turn-on`, {})
    const answer = async (time: string) =>
      (
        await service.call('GET', `/api/v1/availability/check?date=2026-10-09&time=${time}&partySize=4`, {
          key: venue.key,
        })
      ).body.reason
    assert.equal(await answer('19:00'), null)
    const out = {
      table: '11',
      why: 'Leg is loose',
      from: '2026-10-09',
      fromTime: '18:00',
      until: '2026-10-09',
      untilTime: '20:00',
    }
    const wrong = await manager.post(`${path}/out-of-order`, {
      seen: await seen(path),
      ...out,
      untilTime: '17:00',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrong.words, /Out of order, table 11: the end must be after the start\./)
    assert.match(wrong.html, /value="Leg is loose"/)
    const post = async (to: string, fields: Record<string, string>) =>
      assert.equal((await manager.post(`${path}/${to}`, { seen: await seen(path), ...fields })).status, 303)
    await post('out-of-order', out)
    assert.match(
      (await manager.get(path)).words,
      /Table 11 Leg is loose October 9, 2026|Table 11 Leg is loose/,
    )
    assert.equal(await answer('19:00'), 'tables-full')
    assert.equal(await answer('20:00'), null)
    const [, outage = ''] = /name="outage" value="([^"]+)"/.exec((await manager.get(path)).html) ?? []
    await post('out-of-order/end', { outage: outage.replaceAll('&quot;', '"') })
    assert.equal(await answer('19:00'), null)
    await post('rooms', { turnover: '15' })
    assert.equal(await answer('19:00'), 'tables-full', 'the patio is closed')
    await post('rooms', { turnover: '15', 'open-0': 'yes' })
    await make(manager, '/office/bookings', {
      guestName: 'Maya',
      partySize: '4',
      date: '2026-10-09',
      time: '17:00',
    })
    assert.equal(await answer('19:00'), 'tables-full', 'it rests until 19:15')
    assert.equal(await answer('19:15'), null)
    await post('rooms', { turnover: '15' })
    const [closed] = await rowsOf<{ id: number; booking: number }>(
      service,
      `select (select id from dining_table where venue_id = $1)::int as id,
              (select id from reservation where venue_id = $1)::int as booking`,
      [venue.id],
    )
    for (const [page, words] of [
      ['/office/service', /Arriving/],
      ['/office/floor', /11 seats 1–4 Room closed/],
      ['/office/grid?date=2026-10-09', /Off room closed/],
      [`/office/tables/${closed?.id}`, /Room closed/],
      [
        `/office/bookings/${closed?.booking}/table`,
        /No table for \d+ is open for the whole stay[^]*11 seats 1–4, room closed/,
      ],
    ] as const) {
      const shown = await manager.get(page)
      assert.equal(shown.status, 200, page)
      assert.match(shown.words, words)
    }
    assert.equal((await manager.post(`${path}/rooms`, { seen: 'old', turnover: '0' })).status, 409)
  })

  it('closes a room or a table on certain days: in words, in the history, and open again when it is removed', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const lines = { tables: 'label,room,most\n11,Patio,4', combinations: 'tables,least,most' }
    await manager.post(path, { seen: await seen(path), ...lines })
    await manager.post(`${path}/turn-on`, {})
    const answer = async (date: string) =>
      (
        await service.call('GET', `/api/v1/availability/check?date=${date}&time=19:00&partySize=4`, {
          key: venue.key,
        })
      ).body.reason
    const close = async (fields: Record<string, string>) =>
      manager.post(`${path}/by-day`, { seen: await seen(path), place: 'room Patio', ...fields })
    const plan = { 'day-5': 'yes', 'day-1': 'yes', from: '2026-10-09', to: '2026-10-15', service: 'Dinner' }
    const wrong = await close({ ...plan, to: '2026-10-08' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.words, /The last day must not be before the first/)
    assert.match(wrong.html, /name="day-5" value="yes" checked/)
    assert.equal((await close({})).status, 400)
    assert.equal((await close({ ...plan, place: 'room Cellar' })).status, 400)

    assert.equal((await close(plan)).status, 303)
    assert.deepEqual([await answer('2026-10-09'), await answer('2026-10-16')], ['tables-full', null])
    const shown = await manager.get(path)
    assert.match(
      shown.words,
      /Room Patio Mondays and Fridays, Friday, October 9, 2026 through Thursday, October 15, 2026, Dinner only Remove/,
    )
    assert.equal((await close(plan)).status, 400, 'it is listed already')
    assert.equal((await close({ place: 'table 11', from: '2026-10-16', to: '2026-10-16' })).status, 303)
    assert.equal(await answer('2026-10-16'), 'tables-full')
    const [, key = ''] = /name="plan" value="([^"]+)"/.exec(shown.html) ?? []
    const stale = { seen: 'old', plan: key.replaceAll('&quot;', '"') }
    assert.equal((await manager.post(`${path}/by-day/end`, stale)).status, 409)
    assert.equal((await manager.post(`${path}/by-day/end`, { ...stale, seen: await seen(path) })).status, 303)
    assert.deepEqual([await answer('2026-10-09'), await answer('2026-10-16')], [null, 'tables-full'])
    const told = await rowsOf<{ before: unknown; after: unknown }>(
      service,
      `select before, after from activity where venue_id = $1 and action = 'change the tables' order by id desc limit 1`,
      [venue.id],
    )
    const table = 'Table 11: every day, on 2026-10-16'
    assert.deepEqual(JSON.parse(JSON.stringify(told)), [
      {
        before: {
          'closed on certain days': `Room Patio: Mondays and Fridays, 2026-10-09 through 2026-10-15, Dinner only; ${table}`,
        },
        after: { 'closed on certain days': table },
      },
    ])
  })

  it('sets the shortest stays that staff are offered by size; 0 minutes offers none, and no rows mean the usual ones', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/limits'
    const rulesOf = () => allBookingRules(service.context.db.within(venue.id), venue.id)
    assert.match(
      (await manager.get(path)).words,
      /45 minutes for up to 2, 60 minutes for up to 4, 75 for more/,
    )
    assert.deepEqual(
      [1, 2, 3, 4, 5, 12].map((size) => shortestStay({ shortestStays: [] }, size)),
      [45, 45, 60, 60, 75, 75],
    )
    const rows = { 'shortUpTo-0': '6', 'shortMinutes-0': '30', 'shortUpTo-1': '7', 'shortMinutes-1': '0' }
    await manager.post(path, { seen: await seen(path), ...rows })
    const rules = await rulesOf()
    assert.deepEqual(
      [2, 6, 7, 12].map((size) => shortestStay(rules, size)),
      [30, 30, 0, 0],
    )
    assert.match((await manager.get(path)).html, /name="shortMinutes-0"[^>]*value="30"/)
    await manager.post(path, { seen: await seen(path) })
    assert.deepEqual((await rulesOf()).shortestStays, [])
  })

  it('says who holds the same table at the same time, as after a time zone change, by the turn time where no length is noted', async () => {
    const { venue, manager, seen } = await atVenue()
    const path = '/office/settings/tables'
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const turns = { 'upTo-0': '2', 'minutes-0': '60', 'upTo-1': '99', 'minutes-1': '180' }
    await manager.post('/office/settings/limits', { seen: await seen('/office/settings/limits'), ...turns })
    const lines = { tables: 'label,room,most\n11,Patio,4\n12,Patio,4', combinations: 'tables,least,most' }
    await manager.post(path, { seen: await seen(path), ...lines })
    await manager.post(`${path}/turn-on`, {})
    for (const [guestName, partySize, time] of [
      ['Maya Okafor', '4', '17:00'],
      ['Otto Lang', '4', '19:30'],
      ['Ines Roth', '2', '20:45'],
    ] as const)
      await make(manager, '/office/bookings', { guestName, partySize, date: '2026-10-09', time })
    assert.doesNotMatch((await manager.get(path)).words, /Two bookings at one table/)
    await service.db.session((client) =>
      client.query(
        `with first as (select min(table_id) as id from reservation_table where venue_id = $1),
              plain as (update reservation set duration_minutes = null where venue_id = $1)
         update reservation_table set table_id = (select id from first) where venue_id = $1`,
        [venue.id],
      ),
    )
    const { words } = await manager.get(path)
    assert.match(words, /Two bookings at one table: 2/)
    assert.match(words, /Table 11: Maya Okafor , 4, 5:00\sPM and Otto Lang , 4, 7:30\sPM/)
    assert.match(words, /Table 11: Otto Lang , 4, 7:30\sPM and Ines Roth , 2, 8:45\sPM/)
  })

  it('lists every mistake and changes nothing; an outdated page gets a message', async () => {
    const { venue, manager, seen } = await atVenue()
    const version = await seen('/office/settings')
    const wrong = await manager.post('/office/settings/hours/5', {
      seen: version,
      ...dinner,
      'lastArrival-0': '23:30',
      'name-1': 'Late',
      'opens-1': '21:00',
      'closes-1': '02:00',
    })
    assert.equal(wrong.status, 400)
    assert.match(wrong.html, /overlap/)
    assert.deepEqual((await allBookingRules(service.db, venue.id)).periods, [])
    assert.equal((await manager.post('/office/settings/hours/5', { seen: version, ...dinner })).status, 303)
    const stale = await manager.post('/office/settings/hours/5', {
      seen: version,
      ...dinner,
      'name-0': 'Supper',
    })
    assert.equal(stale.status, 409)
    assert.match(stale.html, /just changed by someone else/)
  })

  it('shows the bookings a change would strand before it is saved', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/hours/5', { seen: await seen('/office/settings'), ...dinner })
    const made = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Maya <Okafor>', partySize: 2, date: '2026-10-09', time: '19:00' },
    })
    assert.equal(made.status, 201)
    const closure = { from: '2026-10-08', to: '2026-10-10', name: 'Repairs' }
    const asked = await manager.post('/office/settings/closures', {
      seen: await seen('/office/settings/days'),
      ...closure,
    })
    assert.equal(asked.status, 200)
    assert.match(asked.words, /1 booking on these days/)
    assert.match(asked.html, /Maya &lt;Okafor&gt;/)
    assert.deepEqual((await allBookingRules(service.db, venue.id)).closures, [])
    const confirmed = await manager.post('/office/settings/closures', {
      seen: await seen('/office/settings/days'),
      confirmed: 'yes',
      ...closure,
    })
    assert.equal(confirmed.status, 303)
    const [booking] = (await service.call('GET', '/api/v1/reservations', { key: venue.key })).body
    assert.equal(booking.status, 'Requested', 'bookings inside a new closure stay')
  })

  it('keeps the staff note on a block private, and through other changes', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/hours/4', { seen: await seen('/office/settings'), ...dinner })
    const block = {
      serviceDate: '2026-10-08',
      from: '18:00',
      to: '19:30',
      scope: 'online',
      publicNote: '',
      staffNote: 'Okafor party',
    }
    await manager.post('/office/settings/blocks', { seen: await seen('/office/settings/days'), ...block })
    const refused = await service.call('POST', '/api/v1/reservations', {
      key: venue.key,
      body: { guestName: 'Nia', partySize: 2, date: '2026-10-08', time: '18:30' },
    })
    assert.equal(refused.body.reason, 'blocked')
    assert.ok(!refused.text.includes('Okafor'))
    await manager.post('/office/settings/limits', {
      seen: await seen('/office/settings/limits'),
      minParty: '1',
      maxParty: '8',
    })
    const days = await manager.get('/office/settings/days')
    assert.match(days.html, /staff: Okafor party/)
    const test = await manager.get('/office/settings/test?date=2026-10-08&time=18:30&size=9')
    assert.match(test.html, /<strong>blocked<\/strong>/)
    assert.match(test.html, /parties of up to 8/)
    const key = /name="block" value="([^"]+)"/.exec(days.html)?.[1] ?? ''
    await manager.post('/office/settings/blocks/remove', {
      seen: await seen('/office/settings/days'),
      block: key.replaceAll('&quot;', '"'),
    })
    assert.deepEqual((await allBookingRules(service.db, venue.id)).blocks, [])
  })

  it('adds and takes away special days, saves the venue, and is for managers', async () => {
    const { venue, manager, seen } = await atVenue()
    await manager.post('/office/settings/special-days', {
      seen: await seen('/office/settings/days'),
      date: '2026-12-31',
      name: 'New Year',
      'opens-0': '18:00',
      'closes-0': '02:00',
    })
    assert.match(
      (await manager.get('/office/settings/days')).words,
      /Thursday, December 31, 2026: open 6:00\sPM\s–\s2:00\sAM/,
    )
    await manager.post('/office/settings/special-days/remove', {
      seen: await seen('/office/settings/days'),
      date: '2026-12-31',
    })
    assert.deepEqual((await allBookingRules(service.db, venue.id)).specialDays, [])
    const saved = await manager.post('/office/settings/venue', {
      seen: await seen('/office/settings/venue'),
      phone: '(212) 555-0100',
      mailFrom: 'hello@example.com',
      postalAddress: '1 Blue St\r\nNew York',
      testAddresses: 'a@example.com\r\nb@example.com\r\n',
    })
    assert.equal(saved.status, 303)
    const page = (await manager.get('/office/settings/venue')).html
    assert.match(page, /1 Blue St\nNew York/)
    assert.match(page, /a@example.com\nb@example.com/)
    const refused = await manager.post('/office/settings/venue', {
      seen: await seen('/office/settings/venue'),
      phone: 'x',
      postalAddress: '2 <Blue> St',
    })
    assert.equal(refused.status, 400)
    assert.match(refused.html, /2 &lt;Blue&gt; St/)
    const { email } = await staffOf(service, venue, 'host')
    const host = visitOffice(service)
    await host.signIn(email)
    for (const path of [
      '/office/settings',
      '/office/settings/days',
      '/office/settings/limits',
      '/office/settings/venue',
    ]) {
      assert.equal((await host.get(path)).status, 403, path)
    }
  })

  it('lists the venue’s rooms and brands, which the lead form offers', async () => {
    const { manager, seen } = await atVenue()
    await make(manager, '/office/leads', { contactName: 'Maya', concept: 'The Old Barn' })
    assert.match((await manager.get('/office/leads/new')).html, /<option value="The Old Barn">/)
    assert.match((await manager.get('/office/settings/venue')).words, /Leads also use: The Old Barn\./)
    const save = async (rooms: string) =>
      manager.post('/office/settings/venue', { seen: await seen('/office/settings/venue'), rooms })
    assert.equal((await save('Garden Room\r\n\r\n <b>Cellar</b> \r\n')).status, 303)
    const form = (await manager.get('/office/leads/new')).html
    assert.deepEqual(
      [...form.matchAll(/<option value="([^"]*)"><\/option>/g)].map(([, room]) => room),
      ['Garden Room', '&lt;b&gt;Cellar&lt;/b&gt;'],
      'in the order of the list',
    )
    const twice = await save('Cellar\nGarden Room\ncellar')
    assert.equal(twice.status, 400)
    assert.match(twice.words, /A room or brand is listed twice\./)
    assert.match(twice.html, /Cellar\nGarden Room\ncellar/, 'what was typed is still there')
  })

  it('fields that nobody touched take what somebody else saved meanwhile', async () => {
    const { venue, manager } = await atVenue()
    const path = '/office/settings/limits'
    const shown = fieldsIn(await manager.get(path))
    assert.equal((await manager.post(path, { ...shown, maxCovers: '16' })).status, 303)
    const refused = await manager.post(path, { ...shown, minNoticeMinutes: '45' })
    assert.equal(refused.status, 409)
    assert.match(refused.words, /Nothing was saved\. Your changes are below; save again to apply them\./)
    assert.doesNotMatch(refused.words, /reload/)
    assert.match(refused.words, /It now says: 0/)
    assert.doesNotMatch(refused.words, /It now says: 16/)
    assert.equal((await manager.post(path, fieldsIn(refused))).status, 303)
    const rules = await allBookingRules(service.db, venue.id)
    assert.deepEqual([rules.pacing.maxCovers, rules.minNoticeMinutes], [16, 45])
  })

  it('an out-of-date form says so, and keeps what was typed along with the current values', async () => {
    const { venue, manager, seen } = await atVenue()
    const { email } = await staffOf(service, venue, 'owner')
    const owner = visitOffice(service)
    await owner.signIn(email)
    const rulesSeen = await seen('/office/settings')
    const venueSeen = await seen('/office/settings/venue')
    await owner.post('/office/settings/hours/5', { seen: rulesSeen, ...dinner })
    await owner.post('/office/settings/venue', { seen: venueSeen, phone: '(212) 555-0100' })

    const keeps = async (path: string, fields: Record<string, string>, now?: RegExp) => {
      const answer = await manager.post(path, fields)
      assert.equal(answer.status, 409, path)
      const said = now
        ? /just changed by someone else\. Nothing was saved\. Your changes are below; save again to apply them\./
        : /just changed by someone else; reload and try again\./
      assert.match(answer.words, said, path)
      const { seen: old, ...typed } = fields
      for (const [name, value] of Object.entries(typed)) {
        assert.ok(answer.html.includes(`name="${name}"`), `${path} ${name}`)
        assert.ok(answer.html.includes(value), `${path} ${value}`)
      }
      if (now) assert.match(answer.words, now, path)
      const version = hiddenIn(answer, 'seen')
      assert.notEqual(version, old)
      return version
    }
    const supper = { 'name-0': 'Supper & wine', 'opens-0': '18:15', 'closes-0': '23:45' }
    const version = await keeps(
      '/office/settings/hours/5',
      { seen: rulesSeen, 'name-0': 'Supper', 'opens-0': '18:15', 'closes-0': '23:45', 'seatings-0': '18:15' },
      /It now says: 5:00\sPM/,
    )
    await keeps(
      '/office/settings/limits',
      { seen: rulesSeen, maxParty: '7', 'upTo-0': '3', 'minutes-0': '95' },
      /It now says: nothing/,
    )
    await keeps('/office/settings/closures', { seen: rulesSeen, from: '2026-12-24', name: 'Christmas' })
    await keeps('/office/settings/special-days', { seen: rulesSeen, date: '2026-12-31', 'opens-0': '18:20' })
    await keeps('/office/settings/blocks', {
      seen: rulesSeen,
      serviceDate: '2026-10-09',
      from: '18:05',
      to: '19:35',
      staffNote: 'Inspection',
    })
    await keeps(
      '/office/settings/venue',
      { seen: venueSeen, phone: '(212) 555-0199', postalAddress: '1 Blue St' },
      /It now says: \(212\) 555-0100/,
    )
    const { phone } = await venueOfSlug(service.db, venue.slug)
    assert.equal(phone, '(212) 555-0100')
    const saved = await manager.post('/office/settings/hours/5', { seen: version, ...supper })
    assert.equal(saved.status, 303, 'the same form sent once more puts it in place')
    const removed = await manager.post('/office/settings/closures/remove', { seen: rulesSeen, closure: 'x' })
    assert.equal(removed.to, '/office/settings/days')
    assert.match((await manager.get('/office/settings/days')).words, /just changed by someone else/)
  })

  it('keeps how long tables are held, and what is typed of it', async () => {
    const { venue, manager, seen } = await atVenue()
    const turns = { 'upTo-0': '2', 'minutes-0': '90', 'upTo-1': '99', 'minutes-1': '120' }
    const save = async (fields: Record<string, string>) =>
      manager.post('/office/settings/limits', { seen: await seen('/office/settings/limits'), ...fields })
    assert.equal((await save(turns)).status, 303)
    const { turnTimes } = await allBookingRules(service.db, venue.id)
    assert.deepEqual(
      turnTimes.map(({ upTo, minutes }) => [upTo, minutes]),
      [
        [2, 90],
        [99, 120],
      ],
    )
    const wrong = await save({ ...turns, 'upTo-1': 'many' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.html, /name="upTo-1"[^>]*value="many"/)
    assert.match(wrong.html, /name="upTo-2"/, 'with a row for one more')
    const shown = await manager.get('/office/settings/limits')
    assert.match(shown.html, /name="minutes-1"[^>]*value="120"/)
  })

  it('shows set seatings as the country writes times, and reads them as staff type them', async () => {
    const { venue, manager, seen } = await atVenue()
    const save = async (seatings: string) =>
      manager.post('/office/settings/hours/5', {
        seen: await seen('/office/settings'),
        ...{ 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '23:00', 'seatings-0': seatings },
      })
    for (const typed of [
      '6:00\u00a0PM, 8:15\u00a0PM',
      '6 8:15',
      '6p 8:15 p.m.',
      '18:00;2015',
      '6.00 pm 20.15',
    ]) {
      assert.equal((await save(typed)).status, 303, typed)
      const friday = (await allBookingRules(service.db, venue.id)).periods.find(
        ({ weekday }) => weekday === 5,
      )
      assert.deepEqual(friday?.seatingMinutes, [1080, 1215], typed)
    }
    assert.match(
      (await manager.get('/office/settings')).html,
      /name="seatings-0"[^>]*value="6:00\u00a0PM, 8:15\u00a0PM"/,
    )
    const refused = await save('6:00 PM, late')
    assert.equal(refused.status, 400)
    assert.match(refused.words, /A set seating must be a time such as 7:00\sPM\./)
    assert.match(refused.html, /name="seatings-0"[^>]*value="6:00 PM, late"/)
  })

  it('says what is wrong in the words of the form, not of the document', async () => {
    const { manager, seen } = await atVenue()
    const said = async (path: string, fields: Record<string, string>) => {
      const answer = await manager.post(path, { seen: await seen('/office/settings'), ...fields })
      assert.equal(answer.status, 400)
      const [, words] = /<p class="mistake" role="alert">([^<]*)</.exec(answer.html) ?? []
      return words?.trim()
    }
    assert.equal(
      await said('/office/settings/closures', { from: '2026-12-26', to: '2026-12-24', name: 'x' }),
      '“To” must not be before “From”.',
    )
    assert.equal(
      await said('/office/settings/hours/5', {
        ...dinner,
        'closes-0': 'late',
        'seatings-0': '23:30',
        'lastArrival-0': '',
      }),
      'The closing time must be a time such as 7:00\u00a0PM.',
    )
    assert.equal(
      await said('/office/settings/hours/5', { ...dinner, 'seatings-0': '23:30' }),
      'A set seating must lie within the service, 5:00\u00a0PM to 10:00\u00a0PM, before the close.',
    )
    assert.equal(
      await said('/office/settings/limits', { minParty: '9', maxParty: '8' }),
      'The smallest party must not be above the largest, for the venue.',
    )
    assert.equal(
      await said('/office/settings/limits', { 'upTo-0': '2', 'minutes-0': 'x', maxCovers: '-1' }),
      'Guests per slot must be a whole number from 0 to 100000. “Minutes” must be a whole number from 1 to 1440.',
    )
  })

  it('sets the guest pages, previews them, and lists every mistake with what was typed', async () => {
    const { venue, manager } = await atVenue()
    const path = '/office/settings/guest-pages'
    const shown = await manager.get(path)
    assert.match(shown.html, new RegExp(`/v/${venue.slug}`))
    const version = hiddenIn(shown, 'version')
    const form = {
      ...{ version, 'door-news': 'yes', language: 'es', accent: '#FFD400', 'welcome-es': '¡Hola & pase!' },
      ...{ cancelMinutes: '120', reminderHours: '24', askPhone: 'required', questions: 'One?\nTwo?' },
      ...{ menuUrl: 'https://www.example.com/menu', cuisines: 'Italian\nWine bar', city: 'New York' },
      ...{ frameSites: 'https://www.example.com', staffMail: 'host@example.com', confirmUpTo: '6' },
    }
    const preview = await manager.post(`${path}/preview`, form)
    assert.match(preview.html, /¡Hola &amp; pase!/)
    assert.match(preview.html, /\/accent\/ffd400\.css/)
    assert.match(preview.headers.get('content-security-policy') ?? '', /^sandbox;.*frame-ancestors 'self'$/)
    const wrong = await manager.post(path, { ...form, accent: 'red', offerMinutes: '5', confirmUpTo: 'x' })
    assert.equal(wrong.status, 400)
    for (const said of [
      /The color must be/,
      /held must be a whole number from 10/,
      /confirmed at once must be/,
    ])
      assert.match(wrong.html, said)
    assert.match(wrong.html, /value="host@example\.com"/)
    assert.equal((await manager.post(path, form)).to, path)
    const stale = await manager.post(path, form)
    assert.equal(stale.status, 409)
    const { settings } = await guestSettingsOf(service.db, venue.id)
    assert.deepEqual(
      [settings.doors, settings.language, settings.languages, settings.accent, settings.cancelMinutes],
      [['news'], 'es', ['es'], '#ffd400', 120],
    )
    assert.deepEqual(
      [settings.found, settings.menuUrl, settings.cuisines, settings.address.city, settings.address.street],
      [false, 'https://www.example.com/menu', ['Italian', 'Wine bar'], 'New York', null],
    )
    const page = await guestAt(service, `/v/${venue.slug}`)
    assert.match(page.text, /¡Hola &amp; pase!/)
  })

  it('a host does not set the guest pages', async () => {
    const { venue } = await atVenue()
    const { email } = await staffOf(service, venue, 'host')
    const host = visitOffice(service)
    await host.signIn(email)
    assert.equal((await host.get('/office/settings/guest-pages')).status, 403)
  })
})
