import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import { heldTables, tablesOf, type TestTable, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { type OfficeVisitor, staffOf, visitOffice } from '../../../test/office.ts'
import { type TestService, startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 19:40 in New York. */
const evening = '2026-10-06T23:40:00Z'

const three: readonly TestTable[] = [
  { label: '1', most: 2 },
  { label: '2', most: 4 },
  { label: '3', most: 4 },
]

describe('tables in service', () => {
  let service: TestService
  let book: TestBook
  let host: OfficeVisitor
  before(async () => {
    service = await startService()
  })
  after(() => service.stop())
  beforeEach(() => service.setClock(evening))

  const open = async (tables = three, more: object = {}) => {
    ;({ book, host } = await hostAtBook(service, dinner({ ...tablesOf(tables), ...more })))
    await turnTablesOn(service, book.venue)
  }
  const held = () => heldTables(service, book.venue)
  const tableIds = async (): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])).map(
        ({ id, label }) => [label, String(id)],
      ),
    )
  const back = '/office/service'
  const seenOf = async (id: number) => {
    const { version, status } = await book.row(id)
    return { version: String(version), status, back }
  }
  /** The row of a booking as the service screen shows it. */
  const rowOf = async (id: number, by = host): Promise<string> => {
    const { html } = await by.get(back)
    const row = new RegExp(`<li id="b${id}"[^]*?</form>`).exec(html)?.[0]
    assert.ok(row, `a row of ${id}`)
    return row
  }
  /** What the cell of a row reads out. */
  const cellOf = (row: string): string =>
    (/<a\s+id="t\d+"[^>]*>([^]*?)<\/a/.exec(row)?.[1] ?? '')
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim()
  /** What the row's form sends when its button is pressed. */
  const fieldsOf = (row: string): Record<string, string> => {
    const form = row.slice(row.lastIndexOf('<form'))
    return Object.fromEntries(
      Array.from(form.matchAll(/name="(\w+)"\s+value="([^"]*)"/g), ([, name, value]) => [
        name as string,
        value as string,
      ]).filter(([name]) => name !== 'move'),
    )
  }

  it('with tables off the service screen shows no tables, and seats without one', async () => {
    ;({ book, host } = await hostAtBook(service, dinner(tablesOf(three))))
    const id = await book.booking('Confirmed', { guestName: 'Ana', time: '19:30' })
    const { html } = await host.get(back)
    assert.doesNotMatch(html, /table-cell|id="pick"|name="tables"/)
    await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'seat' })
    assert.match((await host.get(back)).words, /Ana, 2 guests: seated\. /)
    assert.deepEqual(await held(), {})
    const choice = await host.get(`/office/bookings/${id}/table`)
    assert.equal(choice.status, 400)
    assert.match(choice.words, /Tables are off/)
  })

  it('the table is next to the verb; one press seats them at it, one press undoes it', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Priya Raman', partySize: 4, time: '19:30' })
    const known = await tableIds()
    const row = await rowOf(id)
    assert.match(cellOf(row), /^Table 2, free, for Priya Raman: change$/)
    assert.match(row, /class="primary"[^>]*>\s*Seat/)
    const fields = fieldsOf(row)
    assert.equal(fields.tables, known['2'])
    await host.post(`/office/bookings/${id}/moves`, { ...fields, move: 'seat' })
    assert.match((await host.get(back)).words, /Priya Raman, 4 guests: seated at 2\./)
    assert.deepEqual(await held(), { [id]: '2' }, 'nobody chose it, so nothing pins it')
    await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'undoSeat' })
    assert.equal((await book.row(id)).status, 'Confirmed')
    assert.deepEqual(await held(), { [id]: '2' })
  })

  it('a table that is still taken is dashed, with when it is likely to be free', async () => {
    await open([{ label: '2', most: 4 }])
    service.setClock('2026-10-06T22:00:00Z')
    const there = await book.booking('Confirmed', { guestName: 'Desai', partySize: 4, time: '18:00' })
    await host.post(`/office/bookings/${there}/moves`, { ...(await seenOf(there)), move: 'seat' })
    const next = await book.booking('Confirmed', { guestName: 'Brennan', partySize: 4, time: '20:00' })
    service.setClock('2026-10-06T23:50:00Z')
    const row = await rowOf(next)
    assert.match(row, /class="table-cell\s+taken"/)
    assert.match(cellOf(row), /^Table 2, taken to 8:00\sPM, for Brennan: change$/)
    assert.doesNotMatch(row, /class="primary"/, 'nothing that cannot happen this minute is filled')
    service.setClock('2026-10-07T00:06:00Z')
    assert.match(cellOf(await rowOf(next)), /^Table 2, taken, free soon, for Brennan: change$/)
    const { version, status } = await book.row(next)
    const sent = {
      version: String(version),
      status,
      back,
      move: 'seat',
      tables: fieldsOf(await rowOf(next)).tables ?? '',
    }
    await host.post(`/office/bookings/${next}/moves`, sent)
    assert.match(
      (await host.get(back)).words,
      /Table 2 is taken by Desai, 4 guests, since 6:00\sPM and running over\. Nothing was done\./,
    )
    assert.equal((await book.row(next)).status, 'Confirmed')
  })

  it('tables ticked in the choice are theirs by its own button: any one, or several joined', async () => {
    await open([...three, { label: '4', most: 4 }])
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    const tick = async (...labels: string[]) => {
      const { html } = await host.get(`/office/bookings/${id}/table?back=${back}`)
      assert.doesNotMatch(html, /name="tables"[^>]*checked/, 'what is ticked is where they go')
      const name =
        /name="do" value="([^"]*)"[^>]*aria-label="Assign at the checked tables"/.exec(html)?.[1] ?? ''
      const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
      const tables = labels.map((label) => known[label] as string)
      await host.post(`/office/bookings/${id}/table`, { ...(await seenOf(id)), seen, tables, do: name })
      return held()
    }
    assert.deepEqual(await tick('4'), { [id]: '4!' })
    assert.deepEqual(await tick('2', '3'), { [id]: '2!+3!' })
    assert.deepEqual(await tick('1'), { [id]: '2!+3!' }, 'asked first: it is too small')
  })

  it('a table that is out of order is not shown as free to the party that has it, its button is not filled, and a press asks', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    const { html } = await host.get(`/office/bookings/${id}/table?back=${back}`)
    const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
    await host.post(`/office/bookings/${id}/table`, {
      ...(await seenOf(id)),
      seen,
      do: `assign ${known['2']}`,
    })
    assert.match(cellOf(await rowOf(id)), /^Table 2, free, for Ana: change$/)
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    const settings = '/office/settings/tables'
    const [, rules = ''] = /name="seen" value="([^"]*)"/.exec((await manager.get(settings)).html) ?? []
    const out = { table: '2', why: 'Wobbly', from: '2026-10-06', fromTime: '19:00' }
    const until = { until: '2026-10-06', untilTime: '23:00' }
    await manager.post(`${settings}/out-of-order`, { seen: rules, ...out, ...until })
    const row = await rowOf(id)
    assert.match(cellOf(row), /^Table 2, off, for Ana: change$/)
    assert.doesNotMatch(row, /class="primary"/)

    // If pressed anyway, it asks, and does what is pressed next.
    const seat = { ...(await seenOf(id)), ...fieldsOf(row), move: 'seat' }
    const chosen = { ...(await seenOf(id)), do: `seat ${known['2']}` }
    for (const [door, pressed] of [
      ['moves', seat],
      ['table', chosen],
    ] as const) {
      const { status, words } = await host.post(`/office/bookings/${id}/${door}`, pressed)
      assert.equal(status, 409, door)
      assert.match(words, /Table 2 is out of order until 11:00\sPM\./)
      assert.match(words, /Seat anyway/)
      assert.equal((await book.row(id)).status, 'Confirmed')
    }
    await host.post(`/office/bookings/${id}/moves`, { ...seat, confirmed: 'table-off' })
    assert.equal((await book.row(id)).status, 'Seated')
    assert.deepEqual(await held(), { [id]: '2!' })
  })

  it('who is to sit at a table that is off by then is to be moved: said in the row, the strip, the rooms and the settings', async () => {
    await open([{ label: '2', most: 4 }])
    const sits = await book.booking('Confirmed', { guestName: 'Torres', partySize: 3, time: '19:30' })
    await host.post(`/office/bookings/${sits}/moves`, { ...(await seenOf(sits)), move: 'seat' })
    const later = await book.booking('Confirmed', { guestName: 'Kevin Donovan', partySize: 2, time: '22:00' })
    const early = await book.booking('Confirmed', {
      guestName: 'Next Week',
      partySize: 2,
      date: '2026-10-13',
    })
    assert.equal(Object.keys(await held()).length, 3)
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    const settings = '/office/settings/tables'
    const put = async (fields: Record<string, string>) => {
      const [, rules = ''] = /name="seen" value="([^"]*)"/.exec((await manager.get(settings)).html) ?? []
      const { to } = await manager.post(`${settings}/out-of-order`, {
        seen: rules,
        table: '2',
        why: 'Wobbly',
        fromTime: '21:30',
        untilTime: '23:59',
        ...fields,
      })
      return (await manager.get(to as string)).words
    }
    // Out of order before they come: still theirs.
    assert.doesNotMatch(
      await put({ from: '2026-10-06', fromTime: '20:00', until: '2026-10-06', untilTime: '21:59' }),
      /to move/,
    )
    assert.match(
      await put({ from: '2026-10-06', until: '2026-10-06' }),
      /Saved\. 1 booking to move: see below\./,
    )
    const seen = await put({ from: '2026-10-13', until: '2026-10-13', fromTime: '17:00' })
    assert.match(
      seen,
      /2 bookings at a table that is off[^]*Table 2 \(Wobbly\): Kevin Donovan\s*, 2[^]*Next Week/,
    )
    assert.match(cellOf(await rowOf(later)), /^Table 2, off, for Kevin Donovan: change$/)
    const { words } = await host.get('/office/service')
    assert.match(words, /1 to move/)
    assert.match(words, /Table out of order or closed 1 10:00\sPM Kevin Donovan\s*, 2 guests/)
    const floor = await host.get('/office/floor')
    assert.match(floor.words, /then off to 11:59\sPM\s*, move Donovan 10:00\sPM/)
    assert.ok(early > 0)
  })

  it('a party whose table is out of order and is seated by a press that names none: the last line says where, and why', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    await host.post(`/office/bookings/${id}/table`, {
      ...(await seenOf(id)),
      seen: '',
      do: `assign ${known['2']}`,
      unpinned: 'yes',
    })
    assert.deepEqual(await held(), { [id]: '2' })
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    const settings = '/office/settings/tables'
    const [, rules = ''] = /name="seen" value="([^"]*)"/.exec((await manager.get(settings)).html) ?? []
    const out = { table: '2', why: 'Wobbly', from: '2026-10-06', fromTime: '19:00' }
    const until = { until: '2026-10-06', untilTime: '23:00' }
    await manager.post(`${settings}/out-of-order`, { seen: rules, ...out, ...until })
    const pressed = await host.post(`/office/bookings/${id}/moves`, {
      ...(await seenOf(id)),
      move: 'seat',
      back: '/office/service',
    })
    assert.equal(pressed.status, 303, pressed.words)
    const { words } = await host.get('/office/service')
    const [, table = ''] =
      /Ana, 3 guests: seated at (\S+)\. Table 2 is out of order until 11:00\sPM\./.exec(words) ?? []
    assert.deepEqual(await held(), { [id]: table })
    assert.notEqual(table, '2')
  })

  it('the undo of "seat at another table" gives a party the table it had, or none, as it had it', async () => {
    await open()
    const ana = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    const undo = async (html: string) => {
      const form = Array.from(html.matchAll(/<form[^]*?<\/form>/g), ([one]) => one).find((one) =>
        one.includes(`id="u${ana}-undoSeat"`),
      )
      assert.ok(form, 'an Undo in the last line')
      await host.post(`/office/bookings/${ana}/moves`, { ...fieldsOf(form), move: 'undoSeat' })
      assert.equal((await book.row(ana)).status, 'Confirmed')
    }
    const seatAt3 = [
      ['table', { do: `seat ${known['3']}` }],
      ['moves', { move: 'seat', tables: known['3'] as string }],
    ] as const
    const give = async (tables: string) => {
      await host.post(`/office/bookings/${ana}/table`, { ...(await seenOf(ana)), do: tables })
      return held()
    }
    for (const before of [await give(`assign ${known['2']}`), await give('unpin'), await give('none')]) {
      for (const [door, pressed] of seatAt3) {
        await book.query('delete from reservation_table where venue_id = $1', [book.venue.id])
        const had = before[ana]
        if (had !== undefined) {
          const [is, unpinned] = [`assign ${known['2']}`, { unpinned: 'yes' }]
          const more = had.endsWith('!') ? {} : unpinned
          await host.post(`/office/bookings/${ana}/table`, { ...(await seenOf(ana)), ...more, do: is })
        }
        assert.deepEqual(await held(), before)
        const answer = await host.post(
          `/office/bookings/${ana}/${door}`,
          { ...(await seenOf(ana)), ...pressed },
          { 'hx-request': 'true' },
        )
        assert.deepEqual(await held(), { [ana]: '3!' })
        await undo(answer.html)
        assert.deepEqual(await held(), before, `${door} ${JSON.stringify(before)}`)
      }
    }
  })

  it('a page says which table is held, or that none is', async () => {
    await open([{ label: '9', most: 4 }])
    const page = async (guestName: string) => {
      const party = { token: crypto.randomUUID(), partySize: '2', guestName, quotedMinutes: '10' }
      await host.post('/office/waitlist', party)
      const [, id = ''] =
        Array.from((await host.get(back)).html.matchAll(/<li id="w(\d+)"/g)).findLast(
          ([, one]) => one !== undefined,
        ) ?? []
      await host.post(`/office/waitlist/${id}/moves`, { version: '1', status: 'waiting', back, move: 'page' })
      return (await host.get(back)).words
    }
    const first = await page('Ivy')
    assert.match(first, /Ivy, 2 guests: paged; table 9 is held for 15 minutes/)
    assert.match(first, /Paged, table 9 held 15 min/)
    const second = await page('Olga')
    assert.match(second, /Olga, 2 guests: paged; no table is held for them/)
    assert.match(second, /No table held, paged just now/)
    assert.match((await host.get('/office/waitlist')).words, /table 9 held until[^]*no table held/)
  })

  it('two presses seat them at another table: the choice, and the table in it', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    assert.deepEqual(await held(), { [id]: '2' })
    const choice = await host.get(`/office/bookings/${id}/table`)
    assert.match(choice.words, /table 2[^]*free tonight[^]*seats 1–4, Dining room/)
    const fields = { ...(await seenOf(id)), seen: known['2'] as string }
    await host.post(`/office/bookings/${id}/table`, { ...fields, do: `seat ${known['3']}` })
    assert.match((await host.get(back)).words, /Ana, 3 guests: seated at 3\./)
    assert.deepEqual(await held(), { [id]: '3!' })
    await host.post(`/office/bookings/${id}/table`, { ...(await seenOf(id)), do: `assign ${known['2']}` })
    assert.deepEqual(await held(), { [id]: '2!' }, 'who sits may move')
  })

  it('who sits is moved to the table of a party that is expected later, once that is seen, and back with the Undo', async () => {
    await open([
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const known = await tableIds()
    const sits = await book.booking('Confirmed', { guestName: 'Ana', partySize: 4, time: '19:30' })
    const move =
      (doing: string, more: Record<string, string> = {}) =>
      async (id: number) =>
        host.post(`/office/bookings/${id}/table`, { ...(await seenOf(id)), do: doing, ...more })
    await move(`seat ${known['2']}`)(sits)
    const weiss = await book.booking('Confirmed', { guestName: 'Weiss', partySize: 4, time: '22:00' })
    await move(`assign ${known['2']}`)(weiss)
    const okafor = await book.booking('Confirmed', { guestName: 'Okafor', partySize: 4, time: '20:30' })
    const before = await held()
    assert.equal(before[okafor], '3')
    const question = await move(`assign ${known['3']}`)(sits)
    assert.equal(question.status, 409)
    assert.match(
      question.words,
      /Ana, 4 guests: move anyway\?.*Table 3 is taken by Okafor, 4 guests, from 8:30\sPM to 10:30\sPM\. They get another table, or wait for one\./,
    )
    assert.deepEqual(await held(), before)
    await move(`assign ${known['3']}`, { confirmed: 'table-kept' })(sits)
    const { words, html } = await host.get(back)
    assert.match(words, /Ana, 4 guests: now at 3\. Okafor now waits for a table\./)
    const { [okafor]: _, ...others } = before
    assert.deepEqual(await held(), { ...others, [sits]: '3!' })
    const undo = html.split('<form').find((one) => one.includes('>Undo</button>')) ?? ''
    await host.post(
      `/office/bookings/${sits}/table`,
      Object.fromEntries(
        Array.from(undo.matchAll(/name="(\w+)"\s+value="([^"]*)"/g), ([, name, value]) => [name, value]),
      ),
    )
    assert.deepEqual(await held(), before)
  })

  it('an undo that names no press is refused, and changes nothing', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const before = await held()
    await host.post(`/office/bookings/${id}/table`, { ...(await seenOf(id)), do: 'undo' })
    assert.match((await host.get(back)).words, /Nothing was done/)
    assert.deepEqual(await held(), before)
  })

  it('the choice of a table as a page of its own comes back to a page, and says the same end of a stay as the row', async () => {
    await open([{ label: '2', most: 4 }])
    const known = await tableIds()
    service.setClock('2026-10-06T23:04:35Z')
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), partySize: '4', guestName: 'Sitting', tables: String(known['2']) },
    })
    const id = await book.booking('Confirmed', { guestName: 'Raman', partySize: 4, time: '19:30' })
    const { html, words } = await host.get(`/office/bookings/${id}/table`)
    const form = new RegExp(`<form[^>]*action="/office/bookings/${id}/table"[^>]*>`).exec(html)?.[0] ?? ''
    assert.doesNotMatch(form, /hx-post/)
    assert.match(form, /method="post"/)
    assert.match(words, /Sitting, to 9:04\sPM/)
  })

  it('who is expected at the table is seen first, then given another one, or waits for one', async () => {
    await open([
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const [late, other] = [
      await book.booking('Confirmed', { guestName: 'Raman', partySize: 4, time: '19:30' }),
      await book.booking('Confirmed', { guestName: 'Okafor', partySize: 4, time: '19:30' }),
    ]
    const walk = await book.booking('Requested', { guestName: 'Weiss', partySize: 4, time: '19:40' })
    const known = await tableIds()
    const ask = { do: `seat ${known['2']}` }
    const question = await host.post(`/office/bookings/${walk}/table`, { ...(await seenOf(walk)), ...ask })
    assert.equal(question.status, 409)
    assert.match(
      question.words,
      /Table 2 is taken by Raman, 4 guests, from 7:30\sPM to 9:30\sPM\. They get another table, or wait for one\./,
    )
    assert.equal((await book.row(walk)).status, 'Requested')
    await host.post(`/office/bookings/${walk}/moves`, {
      ...(await seenOf(walk)),
      move: 'seat',
      tables: known['2'] as string,
      confirmed: 'table-kept',
    })
    assert.deepEqual(await held(), { [other]: '3', [walk]: '2!' })
    const { words } = await host.get(back)
    assert.match(words, /1 without a table/)
    assert.match(cellOf(await rowOf(late)), /No table yet, for Raman: change$/)
  })

  it('of two hosts who seat two parties at one table one gets it and the other reads who, 100 of 100', async () => {
    await open([
      { label: '1', most: 4 },
      { label: '2', most: 4 },
      { label: '3', most: 4 },
    ])
    const there = book
    const second = visitOffice(service)
    await second.signIn((await staffOf(service, there.venue, 'manager')).email)
    const hosts = [host, second] as const
    const known = await tableIds()
    const parties = [
      await there.booking('Confirmed', { guestName: 'Okafor', partySize: 3, time: '19:30' }),
      await there.booking('Confirmed', { guestName: 'Weiss', partySize: 4, time: '19:30' }),
    ]
    for (let round = 0; round < 100; round++) {
      const fields = await Promise.all(parties.map(seenOf))
      const answers = await Promise.all(
        parties.map((id, n) =>
          (hosts[n] as OfficeVisitor).post(
            `/office/bookings/${id}/table`,
            { ...fields[n], do: `seat ${known['3']}` },
            { 'hx-request': 'true' },
          ),
        ),
      )
      const said = answers.map(({ html }) => /<div id="said"[^]*?<p>([^<]+)<\/p>/.exec(html)?.[1] ?? html)
      const won = said.find((words) => words.endsWith('seated at 3.'))
      const lost = said.filter((words) =>
        /^Table 3 is taken by (?:Okafor, 3|Weiss, 4) guests, from 7:40\sPM to 9:40\sPM\. Nothing was done\.$/.test(
          words,
        ),
      )
      assert.ok(won !== undefined && lost.length === 1, said.join(' | '))
      const winner = won.split(',')[0] as string
      assert.ok(lost[0]?.includes(winner), 'the second reads who was faster')
      const rows = await Promise.all(parties.map((id) => there.row(id)))
      assert.deepEqual(rows.map(({ status }) => status).toSorted(), ['Confirmed', 'Seated'])
      const seated = rows.find(({ status }) => status === 'Seated')
      assert.equal((await held())[seated?.id ?? 0], '3!')
      await host.post(`/office/bookings/${seated?.id}/moves`, {
        ...(await seenOf(seated?.id ?? 0)),
        move: 'undoSeat',
      })
      await there.query('delete from reservation_table where venue_id = $1', [there.venue.id])
    }
  })

  it('moving a party to another table records no event and keeps its revision', async () => {
    await open()
    const id = await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:45' })
    const known = await tableIds()
    await book.toldAll()
    const get = () => service.call('GET', `/api/v1/reservations/${id}`, { key: book.venue.key })
    const first = await get()
    await host.post(`/office/bookings/${id}/table`, {
      ...(await seenOf(id)),
      seen: known['2'] as string,
      do: `assign ${known['3']}`,
    })
    assert.deepEqual(await held(), { [id]: '3!' })
    const second = await get()
    assert.deepEqual([second.text, second.headers.get('etag')], [first.text, first.headers.get('etag')])
    assert.deepEqual(await book.toldAll(), [])
    const undo = (await host.get(back)).html
    assert.match(undo, /Ana, 3 guests: now at 3\./)
  })

  describe('a walk-in', () => {
    const ask = async (size: number) => (await host.get(`/office/service?size=${size}`)).html
    const padOf = (html: string) => /<div id="pad-answer"[^]*?<\/form>/.exec(html)?.[0] ?? ''
    const wordsOf = (html: string) =>
      html
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .replaceAll(' ,', ',')
    const seat = (size: number, tables: string, more: Record<string, string> = {}) =>
      host.post('/office/service/walk-ins', {
        token: crypto.randomUUID(),
        partySize: String(size),
        guestName: 'Ben',
        tables,
        ...more,
      })

    it('the size leads to the best table and until when, with two more next to it', async () => {
      await open([...three, { label: '4', most: 4 }])
      await book.booking('Confirmed', { guestName: 'Later', partySize: 4, time: '21:45' })
      const known = await tableIds()
      const pad = padOf(await ask(3))
      assert.match(wordsOf(pad), /3 guests\. Table 2, free until 9:45\sPM\./)
      assert.match(pad, /aria-label="Seat 3 at 3, free tonight"/)
      assert.match(pad, /aria-label="Seat 3 at 4, free tonight"/)
      await seat(3, known['2'] as string)
      assert.match((await host.get(back)).words, /Ben, 3 guests: seated at 2\./)
      const [made] = await book.query(
        `select id from reservation where venue_id = $1 and source = 'walkin'`,
        [book.venue.id],
      )
      assert.equal((await held())[Number(made?.id)], '2!')
    })

    it('where none is open it says so, and which is likely next; the pad keeps its place', async () => {
      await open([{ label: '2', most: 4 }])
      const id = await book.booking('Confirmed', { guestName: 'Desai', partySize: 4, time: '19:30' })
      await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'seat' })
      const html = await ask(2)
      assert.match(
        wordsOf(padOf(html)),
        /2 guests\. No table for 2 is open now\. Likely next: table 2 at 9:40\sPM \(Desai, 120 min left\)\.(?! There is no table)/,
      )
      assert.match(padOf(html), /name="wait" value="120" class="primary"/)
      assert.match(html, /id="walk-in"[^]*id="pad-answer"/)
      const { to } = await host.post('/office/service/walk-ins', {
        token: crypto.randomUUID(),
        partySize: '2',
        guestName: 'Ben',
        confirmed: 'tables-full',
      })
      assert.match(to ?? '', /#b\d+$/)
      assert.deepEqual(await held(), { [id]: '2' }, 'without a table')
    })

    it('names a party in line that was promised a table and would wait longer, before the press and last', async () => {
      const joined = { combinations: [{ tables: ['1', '2'], least: 3, most: 4 }] }
      const tables = [
        { label: '1', most: 2 },
        { label: '2', most: 2 },
        { label: '9', most: 3, least: 2 },
      ]
      await open([], tablesOf(tables, joined))
      const [desai, other] = [
        await book.booking('Confirmed', { guestName: 'Desai', partySize: 2, time: '18:00' }),
        await book.booking('Confirmed', { guestName: 'Other', partySize: 3, time: '19:30' }),
      ]
      const known = await tableIds()
      for (const [id, label] of [
        [desai, '2'],
        [other, '9'],
      ] as const)
        await host.post(`/office/bookings/${id}/moves`, {
          ...(await seenOf(id)),
          ...{ move: 'seat', tables: known[label] as string, confirmed: 'table-kept' },
        })
      // Who sits at 2 leaves in ten minutes, and then 1 and 2 are Quinn's.
      await book.query(`update reservation set seated_at = '2026-10-06T21:50:00Z' where id = $1`, [desai])
      await host.post('/office/waitlist', {
        ...{ token: crypto.randomUUID(), guestName: 'Ada Quinn', partySize: '4', quotedMinutes: '15' },
      })
      const pad = padOf(await ask(2))
      assert.match(
        wordsOf(pad),
        /2 guests\. Table 1, free tonight\. Quinn, 4, was told 7:55\sPM and would wait until 9:40\sPM\./,
      )
      assert.match(pad, /name="wait" value="\d+" class="primary"/)
      assert.match(
        pad,
        /<details class="ask-once">\s*<summary>Seat 2 at 1…<\/summary>\s*<button name="tables"/,
        'a press more than other tables take',
      )
      await book.query(`update waitlist_entry set quoted_minutes = 240 where venue_id = $1`, [book.venue.id])
      assert.doesNotMatch(wordsOf(padOf(await ask(2))), /Quinn, 4, was told/, 'nothing is broken')
    })

    it('says one time where a party is likely to leave before the end it booked', async () => {
      await open([{ label: '2', most: 4 }])
      const id = await book.booking('Confirmed', { guestName: 'Desai', partySize: 4, time: '19:30' })
      await book.query('update reservation set duration_minutes = 165 where id = $1', [id])
      await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'seat' })
      assert.match(wordsOf(padOf(await ask(2))), /Likely next: table 2 at 9:40\sPM \(Desai, 120 min left\)\./)
    })

    it('names whom the quote rests on where smaller parties wait longer, and not who leaves sooner', async () => {
      await open([
        { label: '2', most: 2 },
        { label: '5', least: 3, most: 4 },
      ])
      const [two, four] = await Promise.all([
        book.booking('Confirmed', { guestName: 'Desai', partySize: 2, time: '19:30' }),
        book.booking('Confirmed', { guestName: 'Palumbo', partySize: 4, time: '19:30' }),
      ])
      for (const id of [two, four])
        await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'seat' })
      await book.query(`update reservation set seated_at = seated_at - interval '1 hour' where id = $1`, [
        four,
      ])
      const pad = padOf(await ask(4))
      assert.match(
        wordsOf(pad),
        /Likely next: table 5 at 8:40\sPM\. Quoted as for 2 guests: table 2 at 9:40\sPM \(Desai, 120 min left\)\./,
      )
      assert.match(pad, /name="wait" value="120"/)
      assert.match(wordsOf(padOf(await ask(2))), /Likely next: table 2 at 9:40\sPM \(Desai, 120 min left\)\./)
    })

    it('a table that was taken meanwhile seats nobody, and says who has it', async () => {
      await open([{ label: '2', most: 4 }])
      const known = await tableIds()
      await seat(2, known['2'] as string)
      const second = await seat(2, known['2'] as string, { guestName: 'Cy' })
      assert.equal(second.status, 409)
      assert.match(
        second.words,
        /Table 2 is taken by Ben, 2 guests, from 7:40\sPM to 9:40\sPM\. Nobody was seated\./,
      )
      const rows = await book.query('select guest_name from reservation where venue_id = $1', [book.venue.id])
      assert.deepEqual(rows, [{ guest_name: 'Ben' }])
    })
  })

  describe('the floor', () => {
    const tileOf = (html: string, label: string): string => {
      const tiles = Array.from(html.matchAll(/<li\s+id="tt\d+"[^]*?<\/li>/g), ([tile]) => tile)
      const found = tiles.find((tile) => tile.includes(`Table </span>${label}<`))
      assert.ok(found, `a tile of ${label}`)
      return found
    }
    const readOf = (tile: string) =>
      tile
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim()

    it('each table says its seats, who is there, for how long, at what stage, and who comes next', async () => {
      await open([...three, { label: '4', most: 4 }], {})
      const [sits, due, late, alsoLate, later] = [
        await book.booking('Confirmed', { guestName: 'Kavya Desai', partySize: 4, time: '19:00' }),
        await book.booking('Confirmed', { guestName: 'Minh Nguyen', partySize: 3, time: '19:45' }),
        await book.booking('Confirmed', { guestName: 'Priya Raman', partySize: 4, time: '19:05' }),
        await book.booking('Confirmed', { guestName: 'Luca Ferro', partySize: 2, time: '19:25' }),
        await book.booking('Confirmed', { guestName: 'Tom Brennan', partySize: 2, time: '21:30' }),
      ]
      const known = await tableIds()
      for (const [id, label] of [
        [sits, '2'],
        [due, '3'],
        [late, '4'],
        [alsoLate, '4'],
        [later, '2'],
      ] as const) {
        await book.query('delete from reservation_table where venue_id = $1 and reservation_id = $2', [
          book.venue.id,
          id,
        ])
        await book.query(
          'insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)',
          [book.venue.id, id, known[label]],
        )
      }
      service.setClock('2026-10-06T23:00:00Z')
      await host.post(`/office/bookings/${sits}/moves`, { ...(await seenOf(sits)), move: 'seat' })
      await host.post(`/office/bookings/${sits}/moves`, {
        ...(await seenOf(sits)),
        move: 'setFloorStage:Mains',
      })
      service.setClock(evening)
      const { html, status } = await host.get('/office/floor')
      assert.equal(status, 200)
      const [second, third, fourth, first] = ['2', '3', '4', '1'].map((label) => tileOf(html, label)) as [
        string,
        string,
        string,
        string,
      ]
      assert.equal(readOf(second), 'Table 2 seats 1–4 Desai 4 80 left Entrées then Brennan 9:30 PM')
      assert.match(second, /class="tt\s+seated/)
      assert.equal(readOf(third), 'Table 3 seats 1–4 Nguyen 3 Due 7:45 PM')
      assert.equal(readOf(fourth), 'Table 4 seats 1–4 Raman 4 35 late and Ferro, late')
      assert.equal(readOf(first), 'Table 1 seats 1–2 Free tonight')
      assert.doesNotMatch(html, /style="/)
      assert.match(html, /href="\/office\/assets\/floor\.css\?v=/)
      assert.doesNotMatch((await host.get(back)).html, /floor\.css/, 'only the floor loads its places')
      service.setClock('2026-10-07T01:10:00Z')
      assert.match(readOf(tileOf((await host.get('/office/floor')).html, '2')), /Desai 4 10 over Entrées/)
    })

    it('a table that is needed soon says for whom: who is booked without one, or asks for one', async () => {
      await open([{ label: '1', most: 4 }])
      const howard = await book.booking('Confirmed', { guestName: 'Ron Howard', partySize: 4, time: '20:00' })
      await book.query('delete from reservation_table where reservation_id = $1', [howard])
      const tile = async () => readOf(tileOf((await host.get('/office/floor')).html, '1'))
      assert.equal(await tile(), 'Table 1 seats 1–4 Needed soon for Howard 4')
      await book.query('delete from reservation where id = $1', [howard])
      assert.equal(await tile(), 'Table 1 seats 1–4 Free tonight')
      await book.booking('Requested', { guestName: 'Minh Zhao', partySize: 3, time: '20:00' })
      assert.equal(await tile(), 'Table 1 seats 1–4 Needed soon for Zhao 3')
    })

    it('the panel of a table has the line by what was promised, as Waiting has it, and one button that stands out', async () => {
      await open()
      const ids = await tableIds()
      for (const [guestName, wait] of [
        ['Later Lou', '60'],
        ['Sooner Sam', '20'],
      ] as const)
        await host.post('/office/service/walk-ins', {
          ...{ token: crypto.randomUUID(), partySize: '2', guestName, phone: '', back: '/office/floor' },
          wait,
        })
      const { html, words } = await host.get(`/office/tables/${ids['3']}?back=/office/floor`)
      assert.match(words, /Seat here[^]*Sooner Sam[^]*Later Lou/)
      assert.equal(/<h3>Seat here[^]*?<\/ul>/.exec(html)?.[0].match(/class="primary"/g)?.length, 1)
    })

    it('two presses seat a party, without script too: the table, and the party in it', async () => {
      await open()
      const id = await book.booking('Confirmed', { guestName: 'Priya Raman', partySize: 3, time: '19:30' })
      const known = await tableIds()
      const { html } = await host.get('/office/floor')
      const link = /href="(\/office\/tables\/\d+\?back=[^"]+)"/
        .exec(tileOf(html, '3'))?.[1]
        ?.replaceAll('&amp;', '&')
      const panel = await host.get(link ?? '')
      assert.match(
        panel.words,
        /Table 3[^]*Seat here[^]*Priya Raman , 3 guests 7:30\sPM, 10 late, table 2 Seat/,
      )
      assert.match(panel.html, new RegExp(`name="tables" value="${known['3']}"`))
      const done = await host.post(`/office/bookings/${id}/moves`, {
        ...(await seenOf(id)),
        back: '/office/floor',
        move: 'seat',
        tables: known['3'] as string,
      })
      assert.equal(done.to, `/office/floor#b${id}`)
      const after = await host.get('/office/floor')
      assert.match(after.words, /Priya Raman, 3 guests: seated at 3\./)
      assert.match(readOf(tileOf(after.html, '3')), /Raman 3 120 left Seated/)
      assert.match(
        (await host.get(`/office/tables/${known['3']}`)).words,
        /Done: they left Move Undo seating/,
      )
      assert.equal((await host.get('/office/tables/999999')).status, 404)
    })

    it('lists to swap with only whom a press would swap', async () => {
      await open()
      const known = await tableIds()
      const at = async (guestName: string, time: string, label: string): Promise<number> => {
        const id = await book.booking('Confirmed', { guestName, partySize: 2, time })
        await book.query('delete from reservation_table where reservation_id = $1', [id])
        await book.query(
          'insert into reservation_table (venue_id, reservation_id, table_id, pinned) values ($1, $2, $3, true)',
          [book.venue.id, id, known[label]],
        )
        return id
      }
      const ana = await at('Ana Early', '20:00', '2')
      const kit = await at('Kit Same', '20:00', '3')
      await at('Rob Vandermeer', '20:00', '1')
      const lou = await at('Lou Late', '22:30', '1')
      const { html, words } = await host.get(`/office/bookings/${ana}/table?back=${back}`)
      assert.match(html, new RegExp(`value="swap ${kit}"`))
      assert.doesNotMatch(words, /Lou Late/, 'Rob has table 1 while Ana would sit there')
      assert.match(words, /Swap with another party/)
      const refused = await host.post(
        `/office/bookings/${ana}/table`,
        { ...(await seenOf(ana)), seen: known['2'] as string, do: `swap ${lou}` },
        { 'hx-request': 'true' },
      )
      assert.match(refused.words, /Table 1 is taken by Rob Vandermeer/)
    })

    it('parties at tables move, join, split and swap, each with one press to take it back', async () => {
      await open([...three, { label: '4', most: 4 }])
      const [one, other] = [
        await book.booking('Confirmed', { guestName: 'Ana', partySize: 3, time: '19:30' }),
        await book.booking('Confirmed', { guestName: 'Ben', partySize: 4, time: '19:30' }),
      ]
      const known = await tableIds()
      const table = (label: string) => known[label] as string
      const press = async (id: number, what: string, more: Record<string, string | string[]> = {}) => {
        await host.post(`/office/bookings/${id}/table`, { ...(await seenOf(id)), ...more, do: what })
        return held()
      }
      for (const id of [one, other])
        await host.post(`/office/bookings/${id}/moves`, { ...(await seenOf(id)), move: 'seat' })
      assert.deepEqual(await held(), { [one]: '2', [other]: '3' })
      assert.deepEqual(await press(one, `swap ${other}`), { [one]: '3!', [other]: '2!' })
      assert.match((await host.get(back)).words, /Ana, 3 guests: now at 3\. Ben is now at table 2\./)
      const twice = { seen: table('2') }
      assert.deepEqual(await press(one, `swap ${other}`, twice), { [one]: '3!', [other]: '2!' }, 'sent twice')
      assert.match(
        (await host.get(back)).words,
        /Somebody else just put this party at table 3\. Nothing was done/,
      )
      assert.deepEqual(await press(one, `swap ${other}`), { [one]: '2!', [other]: '3!' }, 'undone')
      const joined = { tables: [table('2'), table('4')], seen: table('2') }
      assert.deepEqual(await press(one, 'assign', joined), { [one]: '2!+4!', [other]: '3!' })
      const { html } = await host.get('/office/floor')
      assert.match(readOf(tileOf(html, '2')), /^Table 2 \+4 seats/)
      assert.match(readOf(tileOf(html, '4')), /^Table 4 \+2 seats/)
      assert.deepEqual(await press(one, `assign ${table('4')}`), { [one]: '4!', [other]: '3!' }, 'split')
      const stale = await host.post(`/office/bookings/${one}/table`, {
        ...(await seenOf(one)),
        seen: table('3'),
        do: `assign ${table('2')}`,
      })
      assert.match(stale.to ?? '', new RegExp(`#b${one}$`))
      assert.match(
        (await host.get(back)).words,
        /Somebody else just put this party at table 4\. Nothing was done\./,
      )
    })

    it('with tables off there is no floor among the places, and its address leads to Service', async () => {
      ;({ book, host } = await hostAtBook(service, dinner(tablesOf(three))))
      assert.equal((await host.get('/office/floor')).to, '/office/service')
      assert.doesNotMatch((await host.get(back)).html, /href="\/office\/floor"/)
      assert.match((await host.get('/office/today')).html, /view=floor/)
      await turnTablesOn(service, book.venue)
      assert.match((await host.get(back)).html, /<a href="\/office\/floor"/)
      assert.doesNotMatch((await host.get('/office/today')).html, /view=floor/)
    })
  })
})
