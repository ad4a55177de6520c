import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Endpoint } from '@venue-data/contract/webhooks/endpoint.ts'
import { endpoints } from '@venue-data/contract/endpoints.ts'
import { eventNames } from '@venue-data/contract/webhooks/events.ts'
import { moveReservation } from '../../../book/reservations/moves.ts'
import { type TestBook, dinner, staff } from '../../../book/reservations/test/book.ts'
import { saveLineUp } from '../../../book/servers/save-line-up.ts'
import { chooseTables } from '../../../book/tables/choose-tables.ts'
import { heldTables, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { followed, hiddenIn, make, wordsOf } from '../../../test/office-forms.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

const settings = '/office/settings/servers'

describe('servers and their sections', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  let manager: OfficeVisitor
  let ids: Record<string, string>
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())

  const open = async (at = '2026-10-06T23:00:00Z', labels = ['1', '2', '3', '4']) => {
    service.setClock(at) // Tuesday, 19:00 in New York
    const tables = labels.map((label) => ({ label, most: 4 }))
    ;({ book, host } = await hostAtBook(service, dinner(tablesOf(tables))))
    await turnTablesOn(service, book.venue)
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    for (const name of ['Ann Lee', 'Bo Park']) await make(manager, settings, { name })
    const rows = await book.query('select id, name from server where venue_id = $1', [book.venue.id])
    ids = Object.fromEntries(rows.map(({ id, name }) => [String(name), String(id)]))
  }
  const plan = () =>
    manager.post(`${settings}/sections`, {
      token: crypto.randomUUID(),
      plan: '',
      name: 'Usual',
      section: ['1, 2', '3 4', '', ''],
    })
  const planId = async () =>
    String((await book.query('select id from section_plan where venue_id = $1', [book.venue.id]))[0]?.id)
  const lineUp = async (fields: Record<string, string | string[]>, address = '/office/line-up') => {
    const seen = await host.get(address)
    return host.post('/office/line-up', {
      version: hiddenIn(seen, 'version'),
      date: hiddenIn(seen, 'date'),
      from: hiddenIn(seen, 'from'),
      plan: await planId(),
      ...fields,
    })
  }

  it('are made by a manager, each with initials and a color of their own, and tables in sections by their labels', async () => {
    await open()
    const saved = await followed(manager, await plan())
    assert.match(saved.words, /The section plan was saved/)
    assert.match(saved.html, /class="server blue"[^]*Ann Lee[^]*class="server orange"[^]*Bo Park/)
    assert.match(saved.html, /value="1 2"[^]*value="3 4"/)
    assert.equal((await host.get(settings)).status, 403)
  })

  it('have tables whose labels have blanks, as they are suggested and as they are typed', async () => {
    await open(undefined, ['Bar 1', 'Bar 11', 'Bar', '1'])
    assert.match((await manager.get(settings)).html, /name="section" value="Bar 1, Bar 11, Bar, 1"/)
    const typed = { token: crypto.randomUUID(), plan: '', name: 'Usual' }
    const saved = await manager.post(`${settings}/sections`, {
      ...typed,
      section: ['bar 11 BAR 1', 'Bar; 1'],
    })
    const { html, words } = await followed(manager, saved)
    assert.match(html, /value="Bar 1, Bar 11"[^]*value="Bar 1"/)
    assert.doesNotMatch(words, /In no section yet[^]*In no section yet/)
    const wrong = await make(manager, `${settings}/sections`, { plan: '', name: 'Other', section: 'Bar 12' })
    assert.match(wrong.words, /There is no table 12\./)
  })

  it('have sections as lines of a spreadsheet, out and in again; a plan that is not in them stays', async () => {
    await open(undefined, ['Bar 1', '1', '2', '3'])
    for (const [name, section] of [
      ['Usual', ['1 2', 'Bar 1', '', '3']],
      ['Brunch, small', ['1 2 3']],
    ] as const)
      await manager.post(`${settings}/sections`, {
        ...{ token: crypto.randomUUID(), plan: '', name },
        section: [...section],
      })
    const file = async () => (await manager.get(`${settings}/sections.csv`)).html
    const out = await file()
    assert.equal(
      out,
      'plan,section,tables\r\n"Brunch, small",1,1 2 3\r\nUsual,1,1 2\r\nUsual,2,Bar 1\r\nUsual,4,3\r\n',
    )
    const send = async (lines: string) => {
      const seen = hiddenIn(await manager.get(settings), 'seen')
      return followed(manager, await manager.post(`${settings}/sections-csv`, { seen, lines }))
    }
    const again = await send(out)
    assert.match(again.words, /The section plans were saved/)
    const trail = () =>
      book.query(`select 1 from activity where venue_id = $1 and action = 'change the sections'`, [
        book.venue.id,
      ])
    assert.equal((await trail()).length, 2, 'the same lines change nothing')
    await send('Plan;Section;Tables\nusual;1;Bar 1, 3\nLate;1;1 2\n')
    assert.equal(
      await file(),
      'plan,section,tables\r\n"Brunch, small",1,1 2 3\r\nLate,1,1 2\r\nusual,1,"Bar 1, 3"\r\n',
    )
  })

  it('refuse lines that are none, each with its sentence, and change nothing', async () => {
    await open()
    await plan()
    const seen = hiddenIn(await manager.get(settings), 'seen')
    const send = (lines: string) => manager.post(`${settings}/sections-csv`, { seen, lines })
    for (const [lines, sentence] of [
      ['plan,tables\nUsual,1\n', /The column section is missing\./],
      ['plan,section,tables\n', /There is no line of a section\./],
      ['plan,section,tables\nUsual,x,1\n', /Line 2: section must be a whole number from 1 to 20\./],
      ['plan,section,tables\nUsual,1,1\nusual,1,2\n', /Line 3: section.1 of Usual is there twice\./],
      ['plan,section,tables\nUsual,1,1\nUsual,2,1\n', /Table 1 is in sections.1 and 2/],
      ['plan,section,tables\nNew,1,1\nUsual,1,77\n', /There is no table 77\./],
    ] as const) {
      const answer = await send(lines)
      assert.equal(answer.status, 400, lines)
      assert.match(answer.words, sentence)
    }
    const csv = (await manager.get(`${settings}/sections.csv`)).html
    assert.equal(csv, 'plan,section,tables\r\nUsual,1,1 2\r\nUsual,2,3 4\r\n')
    await send('plan,section,tables\nUsual,1,1\n')
    const stale = await send('plan,section,tables\nUsual,1,2\n')
    assert.equal(stale.status, 409)
    assert.match(stale.html, />Usual,1,2|Usual,1,2\n/, 'what was typed is there')
    assert.equal((await host.get(`${settings}/sections.csv`)).status, 403)
  })

  it('make a line-up of a press for each server and one to save, and the service screen shows whose each party is', async () => {
    await open()
    await plan()
    const id = await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '19:00' })
    assert.doesNotMatch((await host.get('/office/service')).html, /class="server /)
    const saved = await followed(host, await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] }))
    assert.match(saved.words, /Line-up saved/)
    const { html } = await host.get('/office/service')
    const row = new RegExp(`<li id="b${id}"[^]*?</li>`).exec(html)?.[0] ?? ''
    assert.match(row, /class="server blue" title="Ann Lee"><span class="hidden-text">Server Ann Lee<\/span>/)
    const floor = await host.get('/office/floor')
    // Two tables, the row, who is next up, and whose tables can be shown alone.
    assert.equal(floor.html.match(/class="server blue"/g)?.length, 5)
    assert.equal(floor.html.match(/class="server orange"/g)?.length, 3)
    assert.equal((await host.get('/office/grid')).html.match(/class="server (?:blue|orange)"/g)?.length, 4)
    const only = await host.get(`/office/floor?server=${ids['Bo Park']}`)
    assert.equal(only.html.match(/class="tt  away/g)?.length, 2)
    assert.match(only.html, new RegExp(`hx-get="/office/floor\\?server=${ids['Bo Park']}`))
  })

  it('are those of the shift of each booking, also while another one runs', async () => {
    await open('2026-10-06T18:00:00Z') // 14:00
    await plan()
    const planned = Number(await planId())
    for (const [name, fromMinute, untilMinute] of [
      ['Ann Lee', 660, 900],
      ['Bo Park', 1020, 1380],
    ] as const)
      await book.act((work) =>
        saveLineUp(work, staff('host'), {
          shift: { date: '2026-10-06', fromMinute, toMinute: untilMinute, plan: planned },
          seenVersion: 0,
          lineUp: [{ server: Number(ids[name]), sections: '1, 2', fromMinute, untilMinute }],
        }),
      )
    const id = await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '19:00' })
    const { html } = await host.get('/office/service')
    assert.match(new RegExp(`<li id="b${id}"[^]*?</li>`).exec(html)?.[0] ?? '', /title="Bo Park"/)
    const sheet = wordsOf(await manager.get('/office/service/sheet'))
    assert.match(sheet, /BP Bo Park 2 /)
    assert.doesNotMatch(sheet, /Ann Lee/)
    assert.match((await host.get(`/office/bookings/${id}/table`)).html, /title="Bo Park"/)
  })

  it('are cut, and the line names who is left to move because no other table is open', async () => {
    await open('2026-10-06T20:30:00Z') // 16:30
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    for (const guestName of ['Howard', 'Winnie', 'Stern', 'Okafor'])
      await book.booking('Confirmed', { guestName, time: '19:00', partySize: 2 })
    const shift = hiddenIn(await host.get('/office/line-up'), 'shift')
    const cut = await followed(
      host,
      await host.post('/office/line-up/now', { shift, server: ids['Ann Lee'] ?? '', do: 'cut' }),
    )
    assert.match(cut.words, /To move by hand: \w+, 7:00\sPM, table \d; \w+, 7:00\sPM, table \d\./)
  })

  it('are cut, and who is left to move at a table of somebody else that is out of order is not named', async () => {
    await open('2026-10-06T20:30:00Z') // 16:30
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    for (const [guestName, label] of [
      ['Howard', '1'],
      ['Layla', '3'],
    ] as const) {
      const id = await book.booking('Confirmed', { guestName, time: '19:00', partySize: 2 })
      const [table] = await book.query('select id from dining_table where venue_id = $1 and label = $2', [
        book.venue.id,
        label,
      ])
      await book.act((work) =>
        chooseTables(work, staff('host'), { id, tables: [Number(table?.id)], pinned: true }),
      )
    }
    await book.query(
      `insert into table_outage (venue_id, table_id, from_date, from_minute, until_date, until_minute, why)
       select venue_id, id, '2026-10-06', 0, '2026-10-07', 0, 'broken' from dining_table where venue_id = $1 and label = '3'`,
      [book.venue.id],
    )
    const shift = hiddenIn(await host.get('/office/line-up'), 'shift')
    const cut = await followed(
      host,
      await host.post('/office/line-up/now', { shift, server: ids['Ann Lee'] ?? '', do: 'cut' }),
    )
    assert.match(cut.words, /To move by hand: Howard, 7:00\sPM, table 1\./)
    assert.doesNotMatch(cut.words, /Layla/)
  })

  it('of a plan changed while somebody is cut: who is booked at a table that is cut now moves, who sits there is named and stays', async () => {
    await open('2026-10-06T23:10:00Z', ['1', '2', '3', '4']) // 19:10
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const tables = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
    const at = async (guestName: string, time: string, label: string): Promise<number> => {
      const id = await book.booking('Confirmed', { guestName, time, partySize: 2 })
      const table = Number(tables.find((one) => one.label === label)?.id)
      await book.act((work) =>
        chooseTables(work, staff('host'), { id, tables: [table], pinned: time === '20:15' }),
      )
      return id
    }
    const sits = await at('Ana Costa', '19:00', '3')
    await book.act((work) => moveReservation(work, staff('host'), { id: sits, move: 'seat' }))
    const [moves, stays] = [await at('Ron Howard', '21:30', '3'), await at('Ada Lind', '20:15', '4')]
    const shift = hiddenIn(await host.get('/office/line-up'), 'shift')
    await host.post('/office/line-up/now', { shift, server: ids['Ann Lee'] ?? '', do: 'cut' })
    const before = await heldTables(service, book.venue)
    assert.deepEqual(before, { [sits]: '3', [moves]: '3', [stays]: '4!' }, 'Ann had tables 1 and 2')
    const id = await planId()
    const page = await manager.get('/office/settings/servers')
    const version = new RegExp(`name="version" value="(\\d+)"[^]*?name="plan" value="${id}"`).exec(
      page.html,
    )?.[1]
    const saved = await followed(
      manager,
      await manager.post('/office/settings/servers/sections', {
        ...{ version: version ?? '1', plan: id, name: 'Usual', isOn: 'yes' },
        section: ['3 4', '1 2'],
      }),
    )
    assert.match(
      saved.words,
      /The section plan was saved\. Ron Howard is now at table [12]\. To move by hand: Ada Lind, 8:15\sPM, table 4\. Still seated there: Ana Costa at 3\./,
    )
    const after = await heldTables(service, book.venue)
    assert.deepEqual({ ...after, [moves]: '3' }, before)
    assert.match(after[moves] ?? '', /^[12]$/)
  })

  it('are cut and taken back: whom the cut moved is back at their table, and who was put elsewhere since stays, by name', async () => {
    await open('2026-10-06T20:30:00Z', ['1', '2', '3', '4', '5']) // 16:30
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const held = () => heldTables(service, book.venue)
    const choose = async (id: number, label: string | undefined, pinned: boolean) => {
      const [table] = await book.query('select id from dining_table where venue_id = $1 and label = $2', [
        book.venue.id,
        label,
      ])
      const tables = [Number(table?.id)]
      await book.act((work) => chooseTables(work, staff('host'), { id, tables, pinned }))
    }
    const booked = async (guestName: string, label: string) => {
      const id = await book.booking('Confirmed', { guestName, time: '19:00', partySize: 2 })
      await choose(id, label, false)
      return id
    }
    const [howard, winnie] = [await booked('Howard', '1'), await booked('Winnie', '2')]
    const before = { [howard]: '1', [winnie]: '2' }
    const about = {
      shift: hiddenIn(await host.get('/office/line-up'), 'shift'),
      server: ids['Ann Lee'] ?? '',
    }
    const cutAndUndo = async (moves: number, between: () => Promise<unknown> = async () => {}) => {
      const cut = await followed(host, await host.post('/office/line-up/now', { ...about, do: 'cut' }))
      assert.equal(cut.words.match(/is now at table \w+/g)?.length, moves, cut.words)
      const moved = hiddenIn(cut, 'moved')
      await between()
      const press = () => host.post('/office/line-up/now', { ...about, do: 'uncut', moved })
      const undone = await followed(host, await press())
      return { words: undone.words, again: (await followed(host, await press())).words }
    }
    const first = await cutAndUndo(2)
    assert.match(first.words, /in use again\. 2 bookings are back at their tables\./)
    assert.doesNotMatch(first.again, /stays|back at/)
    assert.deepEqual(await held(), before)
    const between = await cutAndUndo(2, async () => {
      // A host gives Howard's table to Priya, and a machine finds him another.
      const label = (await held())[howard]
      const priya = await book.booking('Confirmed', { guestName: 'Priya', time: '19:00', partySize: 2 })
      await choose(priya, label, true)
      assert.notEqual((await held())[howard], label)
    })
    assert.match(between.words, /2 bookings are back at their tables\./)
    assert.equal((await held())[howard], '1')
    const second = await cutAndUndo(2, async () => choose(winnie, (await held())[winnie], true))
    assert.match(second.words, /1 booking is back at its table\. Winnie stays at table \w+\./)
    assert.equal((await held())[howard], '1')
    const third = await cutAndUndo(1, async () => {
      await book.act((work) => moveReservation(work, staff('host'), { id: howard, move: 'seat' }))
    })
    assert.match(third.words, /Howard stays at table \w+\./, 'who sits there keeps the table')
    assert.notEqual((await held())[howard], '1')
  })

  it('are cut and taken back, and the line counts who only made room; back without the undo it says that they stay', async () => {
    await open('2026-10-06T20:30:00Z') // 16:30
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const about = {
      shift: hiddenIn(await host.get('/office/line-up'), 'shift'),
      server: ids['Ann Lee'] ?? '',
    }
    const press = async (fields: Record<string, string>) =>
      followed(host, await host.post('/office/line-up/now', { ...about, ...fields }))
    assert.match((await press({ do: 'cut' })).words, /Cut: the tables of Ann Lee take nobody new\./)
    await press({ do: 'uncut', moved: '' })
    const booked = async (guestName: string, time: string, label: string) => {
      const id = await book.booking('Confirmed', { guestName, time, partySize: 2 })
      const [table] = await book.query('select id from dining_table where venue_id = $1 and label = $2', [
        book.venue.id,
        label,
      ])
      await book.act((work) =>
        chooseTables(work, staff('host'), { id, tables: [Number(table?.id)], pinned: false }),
      )
      return id
    }
    const [ron, ada] = [await booked('Ron', '19:00', '1'), await booked('Ada', '20:00', '3')]
    const bo = await booked('Bo', '18:00', '4')
    const before = { [ron]: '1', [ada]: '3', [bo]: '4' }
    const moved = { [ron]: '3', [ada]: '4', [bo]: '4' }
    const cut = await press({ do: 'cut' })
    assert.deepEqual(await heldTables(service, book.venue), moved)
    assert.match(cut.words, /new\. Ron is now at table 3; Ada is now at table 4\./)
    const undone = await press({ do: 'uncut', moved: hiddenIn(cut, 'moved') })
    assert.match(undone.words, /Ann Lee are in use again\. 2 bookings are back at their tables\./)
    assert.deepEqual(await heldTables(service, book.venue), before)
    await press({ do: 'cut' })
    const back = await press({ do: 'uncut' })
    assert.match(back.words, /Ann Lee are in use again\. Who was moved from them stays where they are\./)
    assert.deepEqual(await heldTables(service, book.venue), moved)
  })

  it('begins as the last line-up of that weekday, which one press saves', async () => {
    await open()
    await plan()
    await lineUp({
      server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''],
      [`sections-${ids['Ann Lee']}`]: '2',
    })
    service.setClock('2026-10-13T23:00:00Z')
    host = visitOffice(service)
    await host.signIn((await staffOf(service, book.venue, 'host', 'next@example.com')).email)
    const next = await host.get('/office/line-up')
    assert.match(wordsOf(next), /As on Tuesday, October 6; not saved yet/)
    assert.match(next.html, new RegExp(`name="sections-${ids['Ann Lee']}" value="2"`))
    assert.equal(next.html.match(/name="server" value="\d+" checked/g)?.length, 2)
    assert.match(
      (await host.get('/office/line-up?date=2026-10-14')).words,
      /anyone without a section gets the next one/,
    )
  })

  it('begins as that line-up was saved, not as hand-overs of its night left it', async () => {
    await open()
    await plan()
    const [ann, bo] = [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? '']
    const [annHas, boHas] = [`sections-${ann}`, `sections-${bo}`]
    await lineUp({ server: [ann, bo], [annHas]: '2', [boHas]: '1' })
    const shift = hiddenIn(await host.get('/office/line-up'), 'shift')
    const handOver = (server: string, to: string) =>
      host.post('/office/line-up/now', { shift, server, to, do: 'hand over' })
    await handOver(bo, ann)
    assert.match((await host.get('/office/line-up')).html, new RegExp(`name="${annHas}" value="1, 2"`))
    const trail = (await manager.get('/office/activity')).words
    assert.match(trail, /Handed a section over at/)
    assert.doesNotMatch(trail, /handed:|shift:/)
    const nextWeek = async () => (await host.get('/office/line-up?date=2026-10-13')).html
    const has = (name: string, value: string) => new RegExp(`name="${name}" value="${value}"`)
    assert.match(await nextWeek(), has(annHas, '2'))
    assert.match(await nextWeek(), has(boHas, '1'))
    await handOver(ann, bo)
    assert.match(await nextWeek(), has(annHas, '2'))
    assert.match(await nextWeek(), has(boHas, '1'))
    await lineUp({ server: [ann, bo], [annHas]: '1', [boHas]: '2' })
    assert.match(await nextWeek(), has(annHas, '1'))
    await handOver(ann, bo)
    assert.match(await nextWeek(), has(annHas, '1'))
  })

  it('takes the hours as they are typed in a hurry: in the evening, before the doors open, or after midnight', async () => {
    await open()
    await plan()
    const ann = ids['Ann Lee'] ?? ''
    const typed = async (from: string, until: string) => {
      const saved = await lineUp({ server: [ann], [`from-${ann}`]: from, [`until-${ann}`]: until })
      assert.equal(saved.status, 303, `from ${from} until ${until}: ${saved.words}`)
      const [row] = await book.query(
        'select from_minute, until_minute from shift_server where venue_id = $1 and server_id = $2',
        [book.venue.id, ann],
      )
      return [row?.from_minute, row?.until_minute]
    }
    assert.deepEqual(await typed('4', '9'), [16 * 60, 21 * 60])
    assert.deepEqual(await typed('5.30', '9:15'), [17 * 60 + 30, 21 * 60 + 15])
    assert.deepEqual(await typed('16:00', '1'), [16 * 60, 25 * 60])
    assert.deepEqual(await typed('5p', '12:30 AM'), [17 * 60, 24 * 60 + 30])
  })

  it('comes back with its sentence and what was typed', async () => {
    await open()
    await plan()
    const refused = await lineUp({ server: [ids['Ann Lee'] ?? ''], [`sections-${ids['Ann Lee']}`]: '9' })
    assert.equal(refused.status, 400)
    assert.match(refused.words, /This plan has no section.9; it has 1, 2\./)
    assert.match(refused.html, new RegExp(`name="sections-${ids['Ann Lee']}" value="9"`))
    const late = await lineUp({ server: [ids['Ann Lee'] ?? ''], [`from-${ids['Ann Lee']}`]: 'soon' })
    assert.match(late.words, /Enter times such as 5:00\sPM/)
    const twice = await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Ann Lee'] ?? ''] })
    assert.equal(twice.status, 303)
    const gone = { plan: '424242', version: '1', name: 'Other', section: ['1'] }
    assert.equal((await manager.post(`${settings}/sections`, gone)).status, 404)
    const yesterday = await lineUp({ server: [ids['Ann Lee'] ?? ''], date: '2026-10-05' })
    assert.match(yesterday.words, /There is no such service that day; open the page again\./)
    const stranger = await make(manager, settings, { name: 'Di Fox', account: '424242' })
    assert.match(stranger.words, /Choose an account from the list\./)
    const wrong = await make(manager, settings, { name: 'Al Long' })
    assert.match(wrong.words, /Ann Lee has the initials AL; choose others\./)
  })

  it('deletes a server who was in no line-up, and turns anybody else off', async () => {
    await open()
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? ''] })
    assert.equal(
      (await manager.post(`${settings}/${ids['Bo Park']}`, { delete: 'yes', version: '1' })).status,
      303,
    )
    const kept = await manager.post(`${settings}/${ids['Ann Lee']}`, { delete: 'yes', version: '1' })
    assert.match(kept.words, /they can only be turned off/)
    const off = await manager.post(`${settings}/${ids['Ann Lee']}`, {
      ...{ name: 'Ann Lee', initials: 'AL', color: 'blue', account: '' },
      version: '1',
    })
    assert.equal(off.status, 303)
    const { words } = await manager.get(settings)
    assert.match(words, /Ann Lee off/)
    assert.doesNotMatch(words, /Bo Park/)
  })

  it('say on the pad, in the picker, in the booking sheet and on a table’s card whose table is offered and who is next up; a skip and its undo change whose turn it is', async () => {
    await open()
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const pad = async () => (await host.get('/office/service?size=2')).html
    const offered = /id="pad-answer"[^]*?<\/form>/
    assert.match(offered.exec(await pad())?.[0] ?? '', /Server Ann Lee[^]*?next up/)
    assert.match(await pad(), /class="next-up" href="\/office\/line-up">next <span class="server blue"/)
    const booking = await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '19:00' })
    const sheet = await host.get('/office/bookings/new?date=2026-10-06&time=20:00&partySize=2')
    assert.match(sheet.html, /id="pick-\d+"[^]*?class="server (?:blue|orange)"/)
    const picks = /<fieldset id="table-picks"[^]*?<\/fieldset>/.exec(sheet.html)?.[0] ?? ''
    assert.match(picks, /Server Ann Lee[^<]*<\/span>[^]*?next up/)
    assert.equal(picks.match(/next up/g)?.length, 1)
    const picker = await host.get(`/office/bookings/${booking}/table`)
    assert.match(picker.html, /class="server blue"[^]*?next up[^]*?class="server orange"/)
    const [table] = await book.query(`select id from dining_table where venue_id = $1 and label = '1'`, [
      book.venue.id,
    ])
    assert.match(
      (await host.get(`/office/tables/${Number(table?.id)}`)).words,
      /Table 1 [^]*? Server Ann Lee AL next up/,
    )
    const now = await host.get('/office/line-up')
    assert.match(wordsOf(now), /Next up: Server Ann Lee AL Ann Lee/)
    const about = { shift: hiddenIn(now, 'shift'), server: ids['Ann Lee'] ?? '' }
    const skipped = await followed(host, await host.post('/office/line-up/now', { ...about, do: 'skip' }))
    assert.match(
      wordsOf(skipped),
      /\S.* is skipped until the next party sits\. Undo [^]*Next up: Server Bo Park/,
    )
    await host.post('/office/line-up/now', { ...about, do: 'unskip' })
    assert.match(wordsOf(await host.get('/office/line-up')), /Next up: Server Ann Lee/)
  })

  it('who have gone home by the line-up have no tables on any page, which the line-up says', async () => {
    await open()
    await plan()
    const [ann, bo] = [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? '']
    await lineUp({
      server: [ann, bo],
      [`sections-${ann}`]: '1',
      [`sections-${bo}`]: '2',
      [`until-${ann}`]: '8',
    })
    const chips = async () =>
      [...(await host.get('/office/floor')).html.matchAll(/class="server \w+"/g)].length
    const before = await chips()
    assert.match((await host.get('/office/line-up')).words, /Ann Lee section \d · (?:1st|2nd) up/)
    service.setClock('2026-10-07T00:01:00Z')
    assert.ok((await chips()) < before, 'the floor shows Ann at none of her tables')
    const late = await book.booking('Confirmed', { guestName: 'Late', partySize: 2, time: '19:30' })
    const picker = await host.get(`/office/bookings/${late}/table`)
    assert.match(picker.html, /title="Bo Park"/)
    assert.doesNotMatch(
      picker.html,
      /title="Ann Lee"/,
      'nor does the choice of a table, for who was booked before she left',
    )
    assert.match(
      (await host.get('/office/line-up')).words,
      /Ann Lee section \d · left at 8:00\sPM, nobody has these tables/,
    )
  })

  it('have no turn while they have no section', async () => {
    await open()
    await plan()
    await make(manager, settings, { name: 'Cy Dunn' })
    const [row] = await book.query(`select id from server where venue_id = $1 and name = 'Cy Dunn'`, [
      book.venue.id,
    ])
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? '', String(row?.['id'])] })
    const now = await host.get('/office/line-up')
    assert.match(wordsOf(now), /Cy Dunn no section · not in the rotation/)
    const shift = hiddenIn(now, 'shift')
    for (const server of [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''])
      await host.post('/office/line-up/now', { shift, server, do: 'cut' })
    assert.match(wordsOf(await host.get('/office/line-up')), /Nobody is up now\./)
    assert.doesNotMatch((await host.get('/office/service')).html, /class="next-up"/)
  })

  it('are in no answer of the API, no event and no delivery; an owner’s export has them', async () => {
    service.setClock('2026-10-06T23:00:00Z')
    const table = { label: '1', most: 4 }
    ;({ book, host } = await hostAtBook(service, dinner(tablesOf([table]))))
    await turnTablesOn(service, book.venue)
    manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    const owner = visitOffice(service)
    await owner.signIn((await staffOf(service, book.venue, 'owner')).email)
    const { key } = book.venue
    const hooked = await service.call('POST', '/api/v1/webhooks', {
      key,
      body: { url: 'https://hook.example.com/', events: [...eventNames] },
      headers: { 'idempotency-key': crypto.randomUUID() },
    })
    assert.equal(hooked.status, 201, hooked.text)
    await make(manager, settings, { name: 'Zebulon Quokka', initials: 'ZQX' })
    await manager.post(`${settings}/sections`, {
      ...{ token: crypto.randomUUID(), plan: '', name: 'Narwhalplan' },
      section: ['1'],
    })
    const [row] = await book.query('select id from server where venue_id = $1', [book.venue.id])
    const server = String(row?.['id'])
    await lineUp({ server: [server] })
    const id = await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '19:00' })
    for (const move of ['seat', 'undoSeat', 'seat', 'complete'] as const)
      await book.act((work) => moveReservation(work, staff('owner'), { id, move }))
    const shift = hiddenIn(await host.get('/office/line-up'), 'shift')
    for (const press of ['skip', 'cut', 'uncut'])
      assert.equal((await host.post('/office/line-up/now', { shift, server, do: press })).status, 303)
    const secret = /Zebulon|Quokka|ZQX|Narwhalplan|"server|"section|"shift/
    const asked: string[] = []
    for (const { method, path } of Object.values(endpoints) as readonly Endpoint[]) {
      if (method !== 'GET') continue
      const address = path.replace(/\{\w+\}/, String(id))
      for (const query of ['', '?date=2026-10-06&partySize=2', '?expand=visit']) {
        const { status, text } = await service.call('GET', `${address}${query}`, { key })
        assert.doesNotMatch(text, secret, `${address}${query}`)
        if (status === 200) asked.push(path)
      }
    }
    for (const path of [
      '/api/v1/reservations',
      '/api/v1/changes',
      '/api/v1/events',
      '/api/v1/reservations/{id}',
    ])
      assert.ok(asked.includes(path), path)
    for (const table of ['event', 'delivery']) {
      const rows = await book.query(`select to_jsonb(t) as is from ${table} t where venue_id = $1`, [
        book.venue.id,
      ])
      assert.ok(rows.length > 0, table)
      assert.doesNotMatch(JSON.stringify(rows), secret, table)
    }
    const taken = await owner.get('/office/data/export/everything.json')
    assert.match(
      taken.html,
      /"name":"Zebulon Quokka"[^]*"servers":\["Zebulon Quokka 1"\][^]*"server":"Zebulon Quokka"/,
    )
  })

  it('have their covers and parties by the hour on the pre-shift and the close-out sheet, for managers only', async () => {
    await open()
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const [row] = await book.query(`select id from dining_table where venue_id = $1 and label = '1'`, [
      book.venue.id,
    ])
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '3', guestName: 'Ben' },
      tables: String(row?.['id']),
    })
    await manager.post(`${settings}/sections`, {
      ...{ plan: await planId(), version: '1', name: 'Usual', isOn: 'yes' },
      section: ['1 2', '3'],
    })
    const [free] = await book.query(`select id from dining_table where venue_id = $1 and label = '4'`, [
      book.venue.id,
    ])
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '4', guestName: 'Cy' },
      tables: String(free?.['id']),
    })
    await book.booking('Confirmed', { guestName: 'Howard', partySize: 2, time: '20:30' })
    const sheet = wordsOf(await manager.get('/office/service/sheet'))
    assert.match(sheet, /Seated and expected, by server and hour [^]* Server Total 7:00\sPM 8:00\sPM/)
    assert.match(
      sheet,
      /AL Ann Lee 3 covers, 1 party 3 covers, 1 party – [^]*BP Bo Park 2 covers, 1 party – 2 covers, 1 party No server 4 covers, 1 party 4 covers, 1 party –/,
    )
    assert.doesNotMatch(wordsOf(await host.get('/office/service/sheet')), /by server and hour|Close-out/)
    const closeOut = wordsOf(await manager.get('/office/service/close-out'))
    assert.match(closeOut, /Close-out, Tuesday, October 6 [^]* 7 covers 2 parties 2 still seated 0 no-shows/)
    assert.match(
      closeOut,
      /By server and hour [^]* AL Ann Lee 3 covers, 1 party 3 covers, 1 party No server 4 covers, 1 party/,
    )
    assert.doesNotMatch(closeOut, /Bo Park/)
    assert.equal((await host.get('/office/service/close-out')).status, 403)
    assert.match(
      wordsOf(await manager.get('/office/service/close-out?date=2026-10-05')),
      /No line-up was made that day\./,
    )
  })

  it('a party that sits and moves to somebody else’s table keeps its server, and the press says so', async () => {
    await open()
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const rows = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
    const table = (label: string): string => String(rows.find((one) => one['label'] === label)?.['id'])
    const token = crypto.randomUUID()
    const walkIn = { token, partySize: '3', guestName: 'Ben Ito', tables: table('1') }
    await host.post('/office/service/walk-ins', walkIn)
    const [party] = await book.query('select id, version from reservation where venue_id = $1', [
      book.venue.id,
    ])
    const move = async (label: string): Promise<string> => {
      const about = { version: String(party?.['version']), status: 'Seated', back: '/office/floor' }
      const to = `/office/bookings/${String(party?.['id'])}/table`
      return (await followed(host, await host.post(to, { ...about, do: `assign ${table(label)}` }))).words
    }
    assert.match(await move('3'), /now at 3\. Ann Lee still serves them, at a table of Bo Park\./)
    assert.doesNotMatch(await move('2'), /still serves/)
  })

  it('a saved line-up says who has no section because others have them all', async () => {
    await open()
    await plan()
    const [ann, bo] = [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? '']
    await lineUp({ server: [ann, bo], [`sections-${ann}`]: '1, 2' })
    const saved = await host.get('/office/line-up')
    assert.match(saved.words, /Bo Park has no section and no turn: others have them all\./)
    await lineUp({ server: [ann, bo], [`sections-${ann}`]: '1', [`sections-${bo}`]: '2' })
    assert.doesNotMatch((await host.get('/office/line-up')).words, /no section/)
  })

  it('a party that sits is given to another server in the panel of its table, and back by the undo', async () => {
    await open()
    await plan()
    await lineUp({ server: [ids['Ann Lee'] ?? ''] })
    const saved = await host.get('/office/line-up')
    assert.match(saved.words, /Nobody has section.2\./)
    await lineUp({ server: [ids['Ann Lee'] ?? '', ids['Bo Park'] ?? ''] })
    const [row] = await book.query(`select id from dining_table where venue_id = $1 and label = '1'`, [
      book.venue.id,
    ])
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '3', guestName: 'Ben' },
      tables: String(row?.['id']),
    })
    const panel = async () => await host.get(`/office/tables/${Number(row?.['id'])}`)
    assert.match((await panel()).html, new RegExp(`value="${ids['Ann Lee']}" selected>Ann Lee`))
    const about = {
      shift: hiddenIn(await panel(), 'shift'),
      party: hiddenIn(await panel(), 'party'),
      do: 'serve',
    }
    const given = await host.post('/office/line-up/now', {
      ...about,
      server: ids['Bo Park'] ?? '',
      back: '/office/floor',
    })
    assert.match((await followed(host, given)).words, /Their server is changed\. Undo/)
    assert.match((await panel()).html, new RegExp(`value="${ids['Bo Park']}" selected>Bo Park`))
    const toAnn = { ...about, server: ids['Ann Lee'] ?? '' }
    await followed(host, await host.post('/office/line-up/now', toAnn))
    assert.match((await panel()).html, new RegExp(`value="${ids['Ann Lee']}" selected>Ann Lee`))
    const bo = { ...about, server: ids['Bo Park'] ?? '' }
    for (const had of ['nobody', 'Ann Lee']) {
      if (had === 'nobody')
        await book.query('delete from reservation_server where venue_id = $1', [book.venue.id])
      else await lineUp({ server: [ids['Bo Park'] ?? ''] })
      const { html } = await followed(host, await host.post('/office/line-up/now', bo))
      const was = hiddenIn({ html } as Parameters<typeof hiddenIn>[0], 'was')
      assert.equal(was, had === 'nobody' ? '' : ids[had])
      await followed(host, await host.post('/office/line-up/now', { ...bo, was }))
      assert.match((await panel()).html, new RegExp(` selected>${had}|>${had}</option>`))
      assert.match((await host.post('/office/line-up/now', { ...bo, was })).words, /changed again/)
      if (had === 'nobody') await followed(host, await host.post('/office/line-up/now', toAnn))
    }
    await book.query(`update shift set service_date = '2026-10-05' where venue_id = $1`, [book.venue.id])
    assert.match((await host.post('/office/line-up/now', bo)).words, /of another day/)
    const nobody = await host.post('/office/line-up/now', { ...about, server: '99' })
    assert.match(nobody.words, /not in this line-up/)
  })
})
