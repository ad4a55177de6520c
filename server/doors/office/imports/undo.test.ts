import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { dinner, openBook } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { lookByTheMinute } from '../../../book/waitlist/freed-job.ts'
import { runImports } from '../../../data/imports/run.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { rowsOf } from '../../../test/rows.ts'
import { type TestService, type TestVenue, startService } from '../../../test/service.ts'
import { importingOwner } from './test/importing-owner.ts'

describe('an import undone', () => {
  let service: TestService
  before(async () => {
    service = await startService({ PRACTICE: 'on' })
  })
  after(() => service.stop())
  const now = '2026-10-06T19:00:00Z'

  const guests = [
    'Name,Email,Phone,VIP,Birthday,Tags,Notes,Allergies,Visits,Last visit',
    'Maya Okafor,maya@example.com,+12125550100,yes,Apr 12,Wine list; Press,"Likes the bar\nand the window",Peanuts,12,2026-10-02',
    'Nia Berg,nia@example.com,,yes,,Press,Quiet,,3,2026-09-02',
    'Omar Haddad,omar@example.com,,,,,,,,',
  ].join('\n')
  const bookings = [
    'Date,Time,Party,Name,Email,Status,Visit notes,Occasion',
    '2026-10-20,19:00,2,Maya Okafor,maya@example.com,Confirmed,Window table,Birthday',
    '2026-09-20,19:00,2,Maya Okafor,maya@example.com,Completed,,',
    '2026-09-21,19:00,4,,,Completed,No guest,',
    '2026-10-21,19:00,2,Ada Lind,ada@example.com,Confirmed,,',
  ].join('\n')

  const open = async () => {
    const at = await importingOwner(service)
    const undo = async (to: string) => {
      const answer = await at.owner.post(`${to}/undo`)
      assert.equal(answer.status, 303, answer.words)
      await runImports(service.context)
      return (await at.owner.get(to)).words
    }
    /** What the owner's export has, but for when things were last written. */
    const exported = async () => {
      const all = JSON.parse((await at.owner.get('/office/data/export/everything.json')).html)
      return ['reservations', 'guests', 'saidWhenBooking', 'subscribers', 'doNotEmail'].map((key) =>
        all[key].map(({ updatedAt: _at, revision: _revision, ...one }: Record<string, unknown>) => one),
      )
    }
    const make = async (body: object) =>
      (await service.call('POST', '/api/v1/guests', { key: at.venue.key, body })).body.guest.id as number
    return { ...at, undo, exported, make }
  }
  const namesOf = (venue: TestVenue) =>
    rowsOf(service, 'select name from event where venue_id = $1 order by id', [venue.id]).then((rows) =>
      rows.map(({ name }) => name),
    )

  it('leaves an export as it was: what it made is gone, and who was there is as before', async () => {
    const { venue, bring, undo, exported, make } = await open()
    await make({ email: 'maya@example.com' })
    await rowsOf(service, `update guest set staff_notes = 'Ours' where venue_id = $1 returning id`, [
      venue.id,
    ])
    const before = await exported()
    const one = await bring('guests', guests)
    const two = await bring('reservations', bookings)
    assert.notDeepEqual(await exported(), before)
    assert.match(await undo(two.to), /Undone/)
    const maya = await rowsOf(
      service,
      `select g.visit_count as visits, r.visit_count as regular, e.data::jsonb ->> 'visitCount' as told
         from guest g join guest_regular r on r.venue_id = g.venue_id and r.id = g.id
         join event e on e.venue_id = g.venue_id and e.name = 'guest.updated'
        where g.venue_id = $1 and g.email = 'maya@example.com' order by e.id desc limit 1`,
      [venue.id],
    )
    assert.deepEqual(maya, [{ visits: 12, regular: 12, told: '12' }], 'the guests’ file still counts')
    assert.match(await undo(one.to), /0 kept/)
    assert.deepEqual(await exported(), before)
    const left = await rowsOf(
      service,
      `select (select count(*) from reservation_house where venue_id = $1)::int as houses,
              (select count(*) from guest_house_tag where venue_id = $1)::int as tags,
              (select count(*) from guest_regular where venue_id = $1)::int as regulars`,
      [venue.id],
    )
    assert.deepEqual(left, [{ houses: 0, tags: 0, regulars: 0 }])
  })

  it('tells software of upcoming bookings that they are cancelled, of nothing past, and the feed of all that is gone', async () => {
    const { venue, bring, undo } = await open()
    const { to } = await bring('reservations', bookings)
    await rowsOf(service, 'delete from event where venue_id = $1 returning id', [venue.id])
    const changes = async (query = '') =>
      (await service.call('GET', `/api/v1/changes${query}`, { key: venue.key })).body
    let next = (await changes()).next as string
    for (let page = await changes(`?after=${next}`); page.more; page = await changes(`?after=${next}`))
      next = page.next
    await undo(to)
    const told = await namesOf(venue)
    assert.equal(told.filter((name) => name === 'reservation.cancelled').length, 2)
    assert.equal(told.filter((name) => name === 'guest.deleted').length, 0)
    const { changes: since } = await changes(`?after=${next}`)
    const gone = since.filter(({ change }: { change: string }) => change === 'deleted')
    assert.equal(gone.length, 6, JSON.stringify(since))
  })

  it('takes back a booking that only the service has touched, by giving it a table', async () => {
    const { venue } = await openBook(service, dinner(tablesOf([{ label: '1', most: 2 }])))
    await turnTablesOn(service, venue)
    const { owner, bring } = await importingOwner(service, venue)
    const row = '2026-10-06,20:00,2,Ada Lind,ada@example.com,Confirmed'
    const { to } = await bring('reservations', `Date,Time,Party,Name,Email,Status\n${row}\n`)
    await lookByTheMinute({ ...service.context, db: service.context.workerDb })()
    assert.deepEqual(Object.values(await heldTables(service, venue)), ['1'])
    assert.equal((await owner.post(`${to}/undo`)).status, 303)
    await runImports(service.context)
    assert.match((await owner.get(to)).words, /0 kept/)
    assert.deepEqual(await heldTables(service, venue), {})
  })

  it('sends nothing about guests who are gone before their event had its turn', async () => {
    const { venue, bring, undo, make } = await open()
    const { status } = await service.call('POST', '/api/v1/webhooks', {
      key: venue.key,
      body: { url: 'https://example.com/hook', events: ['guest.created', 'guest.updated'] },
    })
    assert.equal(status, 201)
    await make({ email: 'maya@example.com' })
    const waiting = async () =>
      (
        await rowsOf(
          service,
          `select e.data::jsonb ->> 'email' as email from delivery d
             join event e on e.venue_id = d.venue_id and e.id = d.event_id
            where d.venue_id = $1 and d.name = 'guest.created' order by e.id`,
          [venue.id],
        )
      ).map(({ email }) => email)
    const { to } = await bring('guests', guests)
    assert.deepEqual(await waiting(), ['maya@example.com', 'nia@example.com', 'omar@example.com'])
    await undo(to)
    assert.deepEqual(await waiting(), ['maya@example.com'], 'she was there before')
  })

  it('leaves and lists what was changed, merged, erased or emailed since', async () => {
    const { venue, owner, bring, undo } = await open()
    const two = await bring('reservations', bookings)
    const rows = await rowsOf<{ id: string; name: string; version: number }>(
      service,
      'select id, guest_name as name, version from reservation where venue_id = $1 order by id',
      [venue.id],
    )
    const [maya, past, noGuest, ada] = rows.map(({ id }) => id)
    await service.call('PATCH', `/api/v1/reservations/${maya}`, {
      key: venue.key,
      headers: { 'If-Match': '*' },
      body: { notes: 'By the door' },
    })
    await rowsOf(
      service,
      `insert into guest_mail (venue_id, kind, record_id, message_id, state, made_at, until)
       values ($1, 'bookingReminder', $2, gen_random_uuid(), 'sent', $3, $3) returning id`,
      [venue.id, ada, now],
    )
    const words = await undo(two.to)
    assert.match(words, /This booking was changed since/)
    assert.match(words, /The guest was emailed or texted about this booking since/)
    assert.match(words, /This guest has a booking/)
    const left = await rowsOf(service, 'select id from reservation where venue_id = $1 order by id', [
      venue.id,
    ])
    assert.deepEqual(
      left.map(({ id }) => id),
      [maya, ada],
      `${past} and ${noGuest} are gone`,
    )
    const sheet = (await owner.get(`${two.to}/sheet.csv`)).html
    assert.match(sheet, /4,New booking \d+ \(undone\)/)
    assert.match(sheet, /2,New booking \d+ \(stays: This booking was changed since\.\)/)
  })

  it('a manager sees how an import went and undoes it, and has no other part of the venue’s data; a host has neither', async () => {
    const { venue, upload, bring } = await open()
    const { to } = await bring('guests', guests)
    const [host, manager] = [visitOffice(service), visitOffice(service)]
    for (const [visitor, role] of [
      [host, 'host'],
      [manager, 'manager'],
    ] as const)
      await visitor.signIn((await staffOf(service, venue, role)).email)
    assert.equal((await host.get(to)).status, 403)
    assert.equal((await host.post(`${to}/undo`)).status, 403)
    const seen = await manager.get(to)
    assert.equal(seen.status, 200, seen.words)
    const links = Array.from(
      seen.html.matchAll(/(?:href|action)="(\/office\/data[^"]*)"/g),
      ([, link]) => link,
    )
    assert.deepEqual(links, [`${to}/undo`])
    for (const path of ['/office/data', `${to}/sheet`, `${to}/sheet.csv`, `${to}/skipped.csv`])
      assert.equal((await manager.get(path)).status, 403, path)
    for (const path of [`${to}/start`, `${to}/cancel`])
      assert.equal((await manager.post(path)).status, 403, path)
    const ready = await upload('guests', 'Name,Email\nAda,ada@example.com\n')
    assert.equal((await manager.get(ready.to ?? '')).status, 404)
    assert.match((await manager.get('/office/activity')).html, new RegExp(`href="${to}"`))
    assert.equal((await manager.post(`${to}/undo`)).status, 303)
    await runImports(service.context)
    assert.match((await manager.get(to)).words, /Undone/)
    assert.equal((await rowsOf(service, 'select id from guest where venue_id = $1', [venue.id])).length, 0)
  })

  it('an erased person and an edited guest stay as they are', async () => {
    const { venue, owner, bring, undo } = await open()
    const { to } = await bring('guests', guests)
    const [maya, nia] = (
      await rowsOf(service, 'select id from guest where venue_id = $1 order by id', [venue.id])
    ).map(({ id }) => String(id))
    await owner.post('/office/data/person/erase', { guest: maya ?? '', sure: 'yes' })
    await service.call('PATCH', `/api/v1/guests/${nia}`, {
      key: venue.key,
      headers: { 'If-Match': '*' },
      body: { name: 'Nia B.' },
    })
    const words = await undo(to)
    assert.match(words, /This person was erased since/)
    assert.match(words, /This guest was changed since/)
    const left = await rowsOf(service, 'select name from guest where venue_id = $1 order by id', [venue.id])
    assert.deepEqual(left, [{ name: null }, { name: 'Nia B.' }])
  })

  it('keeps a booking whose guest was written to before the import was continued', async () => {
    const { venue, owner, bring, undo } = await open()
    const { to } = await bring('reservations', bookings)
    await rowsOf(
      service,
      `insert into guest_mail (venue_id, kind, record_id, message_id, state, made_at, until)
       select venue_id, 'bookingReminder', id, gen_random_uuid(), 'sent', $2, $2 from reservation
        where venue_id = $1 and guest_name = 'Ada Lind' returning id`,
      [venue.id, now],
    )
    await rowsOf(service, `update data_import set state = 'failed' where venue_id = $1 returning id`, [
      venue.id,
    ])
    service.setClock('2026-10-06T19:10:00Z')
    const continued = await owner.post(`${to}/start`)
    assert.equal(continued.status, 303, continued.words)
    await runImports(service.context)
    assert.match(await undo(to), /The guest was emailed or texted about this booking since/)
    service.setClock(now)
  })

  it('takes back every rise of a guest whom two rows of the file are about', async () => {
    const { venue, bring, undo, make } = await open()
    await make({ email: 'maya@example.com' })
    const { to } = await bring(
      'guests',
      'Name,Email,Visits\nMaya,maya@example.com,5\nMaya,maya@example.com,9',
    )
    const counts = () =>
      rowsOf(service, 'select visit_count as visits from guest where venue_id = $1', [venue.id])
    assert.deepEqual(await counts(), [{ visits: 9 }])
    await undo(to)
    assert.deepEqual(await counts(), [{ visits: 0 }])
  })

  it('goes for a day, the latest first, and only for guests and bookings', async () => {
    const { venue, owner, bring, undo } = await open()
    const one = await bring('guests', guests)
    service.setClock('2026-10-06T20:00:00Z')
    const two = await bring('reservations', bookings)
    const page = await owner.get(one.to)
    assert.match(page.words, /Undo “reservations\.csv” first, which was imported after it\./)
    assert.doesNotMatch(page.html, /Undo the import/)
    const refused = await owner.post(`${one.to}/undo`)
    assert.equal(refused.status, 409)
    assert.match(refused.words, /Undo “reservations\.csv” first/)
    await undo(two.to)
    assert.match((await owner.get(one.to)).html, /Undo the import/)
    await rowsOf(
      service,
      `update data_import set ended_at = ended_at - interval '24 hours' where venue_id = $1 returning id`,
      [venue.id],
    )
    assert.doesNotMatch((await owner.get(one.to)).html, /Undo the import/)
    assert.equal((await owner.post(`${one.to}/undo`)).status, 409)
    const list = await bring(
      'subscribers',
      'Email,Agreed on,Agreed where\nmaya@example.com,2026-10-01,At the bar\n',
    )
    service.setClock(now)
    assert.equal((await owner.post(`${list.to}/undo`)).status, 409)
  })

  it('what is done is neither stopped nor started again, and keeps its sheet', async () => {
    const { venue, owner, bring, undo } = await open()
    const { to } = await bring('guests', guests)
    await owner.post(`${to}/cancel`)
    assert.equal((await owner.get(`${to}/sheet`)).status, 200)
    await undo(to)
    for (const press of ['start', 'cancel', 'undo']) await owner.post(`${to}/${press}`)
    await runImports(service.context)
    assert.match((await owner.get(to)).words, /Undone/)
    const logged = await rowsOf(
      service,
      `select action from activity where venue_id = $1 and record_kind = 'data_import' order by id`,
      [venue.id],
    )
    assert.deepEqual(
      logged.map(({ action }) => action),
      ['startImport', 'undoImport'],
    )
    const again = await bring('guests', guests)
    assert.equal(again.made, 3, 'it can be brought again')
  })

  it('an interrupted undo goes on where it stopped, and undoes nothing twice', async () => {
    const { venue, owner, bring } = await open()
    const rows = Array.from({ length: 90 }, (_, i) => `g${i}@example.com`)
    const { to } = await bring('guests', `Email\n${rows.join('\n')}\n`)
    await owner.post(`${to}/undo`)
    const count = async () =>
      (
        await rowsOf<{ n: number }>(service, 'select count(*)::int as n from guest where venue_id = $1', [
          venue.id,
        ])
      )[0]?.n
    // One batch, and the worker is asked to end.
    const { bell } = service.context
    const ending = new AbortController()
    await runImports({ ...service.context, bell: { ...bell, ring: () => ending.abort() } }, ending.signal)
    assert.equal(await count(), 50)
    await runImports(service.context)
    assert.equal(await count(), 0)
    const [kept] = await rowsOf(service, 'select state, undone, kept from data_import where venue_id = $1', [
      venue.id,
    ])
    assert.deepEqual(kept, { state: 'undone', undone: 90, kept: 0 })
  })
})
