import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { OfficeVisitor, Seen } from '../../../test/office.ts'
import { atWork, fieldsIn, followed, hiddenIn } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('days, blocks and tables out of order in the settings', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const days = '/office/settings/days'
  const dinner = { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '23:00' }

  /** Sends a form of the settings as a page just opened would, and shows where it led. */
  const send = async (visitor: OfficeVisitor, page: string, path: string, fields: Record<string, string>) => {
    const answer = await visitor.post(path, { seen: hiddenIn(await visitor.get(page), 'seen'), ...fields })
    return answer.status === 303 ? followed(visitor, answer) : answer
  }

  /** The forms of a page that go to an address, each with what it sends. */
  const formsTo = ({ html }: Seen, path: string): Record<string, string>[] =>
    [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([^]*?)<\/form>/g)].flatMap(([, to, inner = '']) =>
      to === path ? [fieldsIn({ html: `<main>${inner}` } as Seen)] : [],
    )

  /** Presses the first Remove of a kind, and then the same once more, as from a page that is still open. */
  const removeTwice = async (visitor: OfficeVisitor, page: string, path: string) => {
    const shown = await visitor.get(page)
    const [form] = formsTo(shown, path)
    assert.ok(form, `a form to ${path}`)
    const done = await followed(visitor, await visitor.post(path, form))
    const again = await visitor.post(path, { ...form, seen: hiddenIn(done, 'seen') })
    return { done, again: again.status === 303 ? await followed(visitor, again) : again }
  }

  const atVenue = async () => {
    const { venue, visitor } = await atWork(service)
    for (const weekday of [1, 2, 3, 4, 5, 6, 7])
      await send(visitor, '/office/settings', `/office/settings/hours/${weekday}`, dinner)
    const reasonOn = async (date: string, time = '19:00') =>
      (
        await service.call('GET', `/api/v1/availability/check?date=${date}&time=${time}&partySize=2`, {
          key: venue.key,
        })
      ).body.reason
    return { venue, visitor, reasonOn }
  }

  it('a day that is over may be closed afterwards, and reports count it as closed', async () => {
    const { visitor } = await atVenue()
    const day = '2026-09-30'
    const open = async (): Promise<string> =>
      (await visitor.get(`/office/reports/covers.csv?from=${day}&to=${day}&compare=none`)).html
    assert.match(await open(), /2026-09-30,0,0,0,1\r\n/)
    const saved = await send(visitor, days, '/office/settings/closures', { from: day, to: '', name: 'Rain' })
    assert.match(saved.html, /Closure saved\. Reports leave these days out of averages now\./)
    assert.match(await open(), /2026-09-30,0,0,0,0\r\n/)
    assert.match((await visitor.get(`/office/reports?from=${day}&to=${day}`)).html, /Closed on [^<]*\(Rain\)/)
  })

  it('closed days, a special day and a block are removed as they were added; a removal that finds nothing says so', async () => {
    const { visitor, reasonOn } = await atVenue()
    const add = (what: string, fields: Record<string, string>) =>
      send(visitor, days, `/office/settings/${what}`, fields)
    await add('closures', { from: '2026-11-27', to: '2026-11-28', name: 'Boiler "B" <2>' })
    await add('closures', { from: '2026-12-01', to: '', name: 'Painting' })
    await add('special-days', { date: '2026-12-08', name: 'Staff party' })
    await add('blocks', { serviceDate: '2026-12-10', from: '18:00', to: '20:00', scope: 'all' })
    const dates = ['2026-11-28', '2026-12-01', '2026-12-08', '2026-12-10'] as const
    assert.deepEqual(await Promise.all(dates.map((date) => reasonOn(date))), [
      ...['closed', 'closed', 'closed', 'blocked'],
    ])
    for (const [what, said, left] of [
      ['closures', /Closure removed\./, [null, 'closed', 'closed', 'blocked']],
      ['closures', /Closure removed\./, [null, null, 'closed', 'blocked']],
      ['special-days', /back to its usual hours\./, [null, null, null, 'blocked']],
      ['blocks', /Block removed\./, [null, null, null, null]],
    ] as const) {
      const { done, again } = await removeTwice(visitor, days, `/office/settings/${what}/remove`)
      assert.match(done.words, said)
      assert.deepEqual(await Promise.all(dates.map((date) => reasonOn(date))), left)
      assert.match(again.words, /That is no longer on the list\. Nothing was removed\./)
      assert.doesNotMatch(again.words, said)
    }
  })

  it('a table out of order and a room closed by day are ended as they were added; what is not listed is not', async () => {
    const { visitor } = await atVenue()
    const home = '/office/settings/tables'
    const add = (path: string, fields: Record<string, string>) =>
      send(visitor, home, `${home}${path}`, fields)
    await add('', { tables: 'label,room,most\n11,Patio,4', combinations: 'tables,least,most' })
    const outage = { table: '11', why: 'Leg', from: '2026-10-09', until: '2026-10-12' }
    await add('/out-of-order', outage)
    const twice = await add('/out-of-order', outage)
    assert.equal(twice.status, 400)
    assert.match(twice.words, /That is already on the list\./)
    await add('/by-day', { place: 'room Patio', from: '2026-10-09', to: '2026-10-10' })
    for (const [path, said, gone] of [
      ['out-of-order/end', /The table can be used again\./, /Every table can be used\./],
      ['by-day/end', /Removed\. It is used on these days again\./, /used on every day\./],
    ] as const) {
      const { done, again } = await removeTwice(visitor, home, `${home}/${path}`)
      assert.match(done.words, said)
      assert.match(done.words, gone)
      assert.equal(again.status, 409)
      assert.match(again.words, /That is no longer on the list\. Nothing was removed\./)
    }
  })

  it('a special day says what it replaces before it is saved', async () => {
    const { visitor } = await atVenue()
    const path = '/office/settings/special-days'
    const early = { date: '2026-12-08', 'name-0': 'Early dinner', 'opens-0': '17:00', 'closes-0': '20:00' }
    await send(visitor, days, path, { ...early, name: 'Staff party' })
    const asked = await send(visitor, days, path, { ...early, name: 'Late <party>', 'closes-0': '21:00' })
    assert.equal(asked.status, 200)
    assert.match(asked.words, /This replaces “Staff party”/)
    assert.match(
      asked.words,
      /Nothing is saved yet\. Now planned: Tuesday, December 8, 2026: Early dinner 5:00\s–\s8:00\sPM\. Replace Cancel/,
    )
    assert.match((await visitor.get(days)).words, /Staff party Tuesday/)
    const replaced = await followed(visitor, await visitor.post(path, fieldsIn(asked)))
    assert.match(
      replaced.words,
      /Special day saved\.[^]*Late &lt;party&gt; Tuesday, December 8, 2026: Early dinner 5:00\s–\s9:00\sPM/,
    )
    assert.doesNotMatch(replaced.words, /Staff party/)
  })

  it('what ends where it begins, before it begins, or before today is refused with one sentence', async () => {
    const { visitor } = await atVenue()
    const said = async (path: string, fields: Record<string, string>, page = days) => {
      const answer = await send(visitor, page, path, fields)
      assert.equal(answer.status, 400, answer.words)
      return /<p class="mistake" role="alert">([^<]*)</
        .exec(answer.html)?.[1]
        ?.trim()
        .replaceAll('\u00a0', ' ')
    }
    const block = { serviceDate: '2026-12-02', scope: 'all' }
    const settings = '/office/settings'
    for (const [path, fields, sentence] of [
      ['/blocks', { ...block, from: '20:00', to: '19:00' }, '“To” must be after “From”.'],
      ['/blocks', { ...block, from: '20:00', to: '20:00' }, '“To” must be after “From”.'],
      [
        '/blocks',
        { ...block, serviceDate: '2020-12-02', from: '18:00', to: '19:00' },
        'December 2, 2020 is over. Choose a later day.',
      ],
      [
        '/closures',
        { from: '2020-01-01', to: '', name: 'Old' },
        'January 1, 2020 is over. Choose a later day.',
      ],
      ['/closures', { from: '2026-02-30', to: '', name: 'Never' }, '“From” must be a day on the calendar.'],
      [
        '/special-days',
        { date: '2026-12-09', 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '17:00' },
        'Dinner opens and closes at the same time. To stay open around the clock, enter 12:00 AM for both.',
      ],
      ['/hours/1', { ...dinner, 'opens-0': '' }, 'The opening time is missing.'],
      [
        '/tables/out-of-order',
        { table: '11', from: '2020-01-01', until: '2020-01-02' },
        'January 2, 2020 is over. Choose a later day.',
      ],
    ] as const) {
      if (path.startsWith('/tables'))
        await send(visitor, `${settings}/tables`, `${settings}/tables`, {
          tables: 'label,room,most\n11,Patio,4',
          combinations: 'tables,least,most',
        })
      const page = path.startsWith('/tables') ? `${settings}/tables` : days
      assert.equal(await said(`${settings}${path}`, fields, page), sentence)
    }
    await send(visitor, settings, `${settings}/hours/3`, { ...dinner, 'closes-0': '02:00' })
    assert.equal(
      await said(`${settings}/blocks`, { ...block, from: '23:00', to: '03:00' }),
      '“To” must be after “From”. The last service of that evening ends at 2:00 AM.',
    )
    const late = await send(visitor, days, `${settings}/blocks`, { ...block, from: '23:00', to: '01:00' })
    assert.match(late.words, /Block saved\./)
    const toMidnight = await send(visitor, days, `${settings}/blocks`, {
      ...{ ...block, serviceDate: '2026-12-03' },
      ...{ from: '21:00', to: '00:00' },
    })
    assert.match(toMidnight.words, /Block saved\./)
  })

  it('a block over bookings says how many are in it; a service is removed by its tick', async () => {
    const { venue, visitor } = await atVenue()
    const body = { guestName: 'Maya', partySize: 2, date: '2026-10-09', time: '19:00' }
    assert.equal((await service.call('POST', '/api/v1/reservations', { key: venue.key, body })).status, 201)
    const block = { serviceDate: '2026-10-09', from: '18:00', to: '20:00', scope: 'all' }
    const asked = await send(visitor, days, '/office/settings/blocks', block)
    assert.match(asked.words, /1 booking in this block/)
    assert.match(asked.words, /the block only stops new ones/)
    assert.doesNotMatch(asked.words, /without a service/)

    const two = { ...dinner, 'name-1': 'Lunch', 'opens-1': '12:00', 'closes-1': '15:00' }
    const hours = '/office/settings/hours/1'
    assert.match((await send(visitor, '/office/settings', hours, two)).words, /Remove this service/)
    await send(visitor, '/office/settings', hours, { ...two, 'remove-1': 'yes' })
    const monday = /id="day-1"[^]*?<\/header>/.exec((await visitor.get('/office/settings')).html)?.[0] ?? ''
    assert.match(monday, /Dinner/)
    assert.doesNotMatch(monday, /Lunch/)
  })

  it('a smallest party above the largest is said once, for the venue', async () => {
    const { visitor } = await atVenue()
    const limits = '/office/settings/limits'
    const answer = await send(visitor, limits, limits, { minParty: '9', maxParty: '3' })
    assert.equal(answer.status, 400)
    assert.equal(answer.words.split('must not be above the largest').length, 2)
    assert.match(answer.words, /The smallest party must not be above the largest, for the venue\./)
  })

  it('the same closed days and the same block are listed once; a note for staff stays with its own block', async () => {
    const { visitor } = await atVenue()
    const closure = { from: '2026-12-24', to: '2026-12-26', name: 'Christmas' }
    const block = { serviceDate: '2026-12-01', from: '19:00', to: '20:00', scope: 'online' }
    for (const [what, fields] of [
      ['closures', closure],
      ['blocks', block],
    ] as const) {
      const path = `/office/settings/${what}`
      assert.equal((await send(visitor, days, path, fields)).status, 200)
      const twice = await send(visitor, days, path, fields)
      assert.equal(twice.status, 400)
      assert.match(twice.words, /That is already on the list\./)
      assert.equal(formsTo(await visitor.get(days), `${path}/remove`).length, 1)
    }
    const longer = { ...block, to: '21:00', staffNote: 'Okafor party' }
    const shown = await send(visitor, days, '/office/settings/blocks', longer)
    assert.match(shown.words, /7:00\s–\s9:00\sPM online only No public note · staff: Okafor party/)
    assert.doesNotMatch(shown.words, /7:00\s–\s8:00\sPM online only No public note · staff/)
  })
})
