import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dinner } from '../../../book/reservations/test/book.ts'
import { replaceRulesByOperator } from '../../../book/rules/rules-change.ts'
import { readRulesDocument } from '../../../book/rules/rules-document.ts'
import { actAt } from '../../../test/act.ts'
import { atWork, hiddenIn, idAt, make, wordsOf } from '../../../test/office-forms.ts'
import { type TestService, startService } from '../../../test/service.ts'

describe('the activity of a venue', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  it('shows a manager who changed what, when, from what to what, newest first', async () => {
    const { venue, visitor } = await atWork(service)
    assert.ok(wordsOf(await visitor.get('/office/activity')).includes('No activity yet.'))
    const { visitor: host } = await atWork(service, 'host', venue)
    const guest = idAt(await make(host, '/office/guests', { name: 'Maya', email: 'maya@example.com' }))
    await host.post(`/office/guests/${guest}/edit`, { version: '1', seatingPreference: 'Booth' })
    service.setClock('2026-10-07T02:30:00Z')
    await visitor.post(`/office/guests/${guest}/edit`, { version: '2', seatingPreference: 'Window' })
    const seen = await visitor.get('/office/activity')
    const words = wordsOf(seen)
    assert.ok(words.includes('Tuesday, October 6, 2026 10:30 PM Changed'), 'by the wall of the venue')
    const order = [
      `by manager seating preference: Booth → Window`,
      `by host seating preference: nothing → Booth`,
      'Added',
    ].map((text) => words.indexOf(text))
    assert.ok(!order.includes(-1) && order.toSorted((a, b) => a - b).join() === order.join(), words)
    assert.ok(seen.html.includes(`/office/guests/${guest}"`))
    assert.equal((await host.get('/office/activity')).status, 403)
  })

  it('names people, parties and campaigns as they are called now, with the number behind, and nobody who was erased', async () => {
    const { visitor } = await atWork(service, 'owner')
    const guest = idAt(
      await make(visitor, '/office/guests', { name: 'Zelda Moss', email: 'zelda@example.com' }),
    )
    const made = await make(visitor, '/office/campaigns', {
      name: 'Truffle week',
      subject: 'Truffles are here',
    })
    const campaign = /campaigns\/(\d+)/.exec(made.to ?? '')?.[1]
    const lead = idAt(await make(visitor, '/office/leads', { contactName: 'Ida Brandt' }))
    await visitor.post(`/office/guests/${guest}/edit`, { version: '1', name: 'Zelda Moss-Hart' })
    const words = wordsOf(await visitor.get('/office/activity'))
    assert.match(words, new RegExp(`Added Truffle week campaign ${campaign} by owner`))
    assert.match(words, new RegExp(`Changed Zelda Moss-Hart guest ${guest} by owner`))
    assert.match(words, new RegExp(`Added Zelda Moss-Hart guest ${guest} by owner`))
    assert.match(words, new RegExp(`Added Ida Brandt lead ${lead} by owner`))
    assert.equal((await visitor.post('/office/data/person/erase', { guest, sure: 'yes' })).status, 200)
    const after = wordsOf(await visitor.get('/office/activity'))
    assert.match(after, new RegExp(`Added guest ${guest} by owner`))
    const other = await atWork(service)
    assert.doesNotMatch(wordsOf(await other.visitor.get('/office/activity')), /Ida Brandt/)
  })

  it('says what the operator changed by importing rules', async () => {
    const { visitor, venue } = await atWork(service)
    const read = readRulesDocument(dinner({ maxParty: 9 }))
    assert.ok(read.ok)
    await actAt(service, venue, (work) => replaceRulesByOperator(work, read.rules))
    assert.match(
      wordsOf(await visitor.get('/office/activity')),
      /Replaced the rules of .* by the service .*hours added: Mondays, Dinner/,
    )
  })

  it('says in words what of the rules was added, removed or changed, and nothing else of them', async () => {
    const { visitor } = await atWork(service)
    const days = '/office/settings/days'
    const send = async (path: string, fields: Record<string, string>) => {
      const seen = hiddenIn(await visitor.get(days), 'seen')
      assert.equal((await visitor.post(`/office/settings/${path}`, { seen, ...fields })).status, 303, path)
    }
    const newest = async () =>
      (
        /<li>[^]*?<\/div>/.exec(
          (await visitor.get('/office/activity')).html.replace(/^[^]*<ol/, '<ol'),
        )?.[0] ?? ''
      )
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
    const dinner = { 'name-0': 'Dinner', 'opens-0': '17:00', 'closes-0': '22:00' }
    await send('hours/2', { ...dinner, 'lastArrival-0': '21:00' })
    assert.match(await newest(), /hours added: Tuesdays, Dinner 5:00 – 10:00 PM, last arrival 9:00 PM $/)
    await send('hours/3', dinner)
    assert.match(await newest(), /venue by manager hours added: Wednesdays, Dinner 5:00 – 10:00 PM $/)
    await send('hours/2', { ...dinner, 'closes-0': '23:00' })
    assert.match(
      await newest(),
      /hours: Tuesdays, Dinner 5:00 – 10:00 PM, last arrival 9:00 PM → Tuesdays, Dinner 5:00 – 11:00 PM $/,
    )
    await send('closures', { from: '2026-11-27', to: '2026-11-28', name: 'Boiler' })
    await send('closures', { from: '2026-12-25', to: '', name: 'Christmas' })
    assert.match(await newest(), /closed days added: Friday, December 25, 2026 “Christmas” $/)
    await send('special-days', { ...dinner, date: '2026-12-08', name: 'Staff party', 'closes-0': '20:00' })
    assert.match(
      await newest(),
      /special day added: Tuesday, December 8, 2026 “Staff party”: Dinner 5:00 – 8:00 PM $/,
    )
    await send('special-days/remove', { date: '2026-12-08' })
    assert.match(await newest(), /special day removed: Tuesday, December 8, 2026 “Staff party”/)
    await send('blocks', { serviceDate: '2026-12-01', from: '19:00', to: '20:00', scope: 'online' })
    assert.match(await newest(), /block added: Tuesday, December 1, 2026, 7:00 – 8:00 PM, online only $/)
    await send('limits', { maxParty: '8', maxCovers: '16', 'upTo-0': '2', 'minutes-0': '90' })
    assert.match(
      await newest(),
      /guests per slot: no limit → 16 largest party: no limit → 8 turn time added: party of up to 2: 90 minutes $/,
    )
    await visitor.post('/office/settings/venue', {
      seen: hiddenIn(await visitor.get('/office/settings/venue'), 'seen'),
      clockHours: '24',
    })
    assert.match(await newest(), /clock hours: as the country writes it → 24-hour clock $/)
    const { html } = await visitor.get('/office/activity')
    assert.doesNotMatch(html.slice(html.indexOf('<ol')), /[[{]&quot;|[[{]"|\d{4}-\d{2}-\d{2}/)
  })

  it('names the rules that were overridden', async () => {
    const { venue, visitor } = await atWork(service)
    const overridden = [
      { reason: 'too-short-notice', figure: null },
      { reason: 'pacing-covers-full', figure: '12 of 10' },
    ]
    await service.db.session((client) =>
      client.query(
        `insert into activity (venue_id, at, actor_kind, action, record_kind, record_id, after)
         values ($1, now(), 'service', 'walkIn', 'reservation', 7, $2)`,
        [venue.id, JSON.stringify({ overridden })],
      ),
    )
    const words = wordsOf(await visitor.get('/office/activity'))
    assert.ok(words.includes('Seated as a walk-in: booking 7'), words)
    assert.ok(words.includes('overridden: too short notice, pacing covers full (12 of 10)'), words)
  })

  it('is read page by page to its beginning', async () => {
    const { venue, visitor } = await atWork(service)
    await service.db.session((client) =>
      client.query(
        `insert into activity (venue_id, at, actor_kind, action, record_kind, record_id, after)
         select $1, now(), 'service', 'make', 'task', n, jsonb_build_object('title', 'T' || n) from generate_series(1, 120) n`,
        [venue.id],
      ),
    )
    const titles: string[] = []
    let path: string | undefined = '/office/activity'
    let pages = 0
    while (path !== undefined) {
      const { html } = await visitor.get(path)
      titles.push(...[...html.matchAll(/>(T\d+)</g)].map(([, title]) => title as string))
      path = /rel="next" href="([^"]+)"/.exec(html)?.[1]
      pages++
    }
    assert.equal(pages, 3)
    assert.deepEqual(
      titles,
      Array.from({ length: 120 }, (_, i) => `T${120 - i}`),
    )
  })

  it('is filtered by person, kind and day', async () => {
    service.setClock('2026-10-07T03:30:00Z') // Still the 6th at the venue.
    const { venue, visitor } = await atWork(service)
    const { visitor: host } = await atWork(service, 'host', venue)
    const guest = idAt(await make(host, '/office/guests', { name: 'Maya', email: 'maya@example.com' }))
    service.setClock('2026-10-07T04:30:00Z')
    await visitor.post(`/office/guests/${guest}/edit`, { version: '1', name: 'Maya O' })
    await make(visitor, '/office/tasks', { title: 'Call the florist' })
    const words = async (query: string) => {
      const seen = await visitor.get(`/office/activity?${query}`)
      assert.equal(seen.status, 200, `${query}: ${seen.html}`)
      return wordsOf(seen)
    }
    const id = async (name: string) =>
      new RegExp(`<option value="(\\d+)"\\s*>${name}<`).exec(
        (await visitor.get('/office/activity')).html,
      )?.[1] ?? ''
    const byHost = await words(`staff=${await id('host')}`)
    assert.ok(byHost.includes('Added Maya O') && !byHost.includes('Changed Maya O'), byHost)
    const tasks = await words('kind=task')
    assert.ok(tasks.includes('Call the florist') && !tasks.includes('Changed Maya O'), tasks)
    const ofDay = await words('day=2026-10-07')
    assert.ok(ofDay.includes('Changed Maya O') && !ofDay.includes('Added Maya O'), ofDay)
    assert.ok((await words('day=2026-10-01')).includes('Nothing of this kind.'))
    assert.ok((await words('day=soon&staff=x&kind=odd')).includes('Call the florist'))
  })
})
