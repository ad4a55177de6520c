import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TestBook, dinner } from '../../../book/reservations/test/book.ts'
import { type TestTable, tablesOf } from '../../../book/tables/test/floor.ts'
import { bookedAt, hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

/** Tuesday 6 October 2026, 19:36 in New York. */
const now = '2026-10-06T23:36:00Z'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('who waits and can sit nowhere now: when they are likely to', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor
  let table: Record<string, string>

  const open = async (tables: readonly TestTable[], more: object = {}) => {
    service.setClock(now)
    ;({ book, host, table } = await hostAtTables(service, tables, { ...ninety, ...more }))
  }
  const booked = (guestName: string, time: string, label?: string): Promise<number> =>
    bookedAt({ book, table }, { guestName, time }, label)
  const sits = async (guestName: string, since: string, label: string): Promise<void> => {
    const id = await booked(guestName, since, label)
    await book.query(
      `update reservation set status = 'Seated', floor_stage = 'Seated', checked_in_at = starts_at, seated_at = starts_at where id = $1`,
      [id],
    )
  }
  const waits = async (guestName: string, quoted: number, partySize = '2'): Promise<void> => {
    await host.post('/office/waitlist', { token: crypto.randomUUID(), partySize, guestName })
    await book.query('update waitlist_entry set quoted_minutes = $2, quoted_at = $3 where guest_name = $1', [
      guestName,
      quoted,
      now,
    ])
  }
  const row = async (of: string): Promise<string> => {
    const { html } = await host.get('/office/service')
    return words(html.split('<li ').find((one) => one.includes(of) && /^id="[bw]\d/.test(one)) ?? '')
  }

  it('a row of the line says so where that is later than they were promised, whoever took the table since', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    await waits('Ada', 35)
    assert.doesNotMatch(await row('>Ada<'), /likely/, '8:10 PM is what was promised')
    await booked('Vera Ipson', '20:15', 'B3')
    assert.match(await row('>Ada<'), /likely B3, 9:45\sPM/)
  })

  it('a party that is here and has not sat down yet is counted from now, not from when it was booked', async () => {
    await open([{ label: 'B3', most: 2 }])
    const here = await booked('Amir Mansour', '18:30', 'B3')
    await book.query('update reservation set checked_in_at = $2 where id = $1', [here, now])
    await waits('Ada', 35)
    assert.match(await row('>Ada<'), /likely B3, 9:06\sPM/)
  })

  it('an offer says whose turn it is at its own table', async () => {
    await open([
      { label: '6', most: 2 },
      { label: '7', most: 2 },
    ])
    await booked('Vera Ipson', '20:45', '6')
    await booked('Rosa Palumbo', '20:40', '7')
    await waits('Ada', 5)
    await waits('Ben', 5)
    await waits('Cleo', 60)
    const cleo = (await host.get('/office/service')).html.split('<li ').find((one) => one.includes('>Cleo<'))
    assert.match(words(cleo ?? ''), /Seat at 6[^;]*; if Ada doesn’t take it/)
    assert.match(words(cleo ?? ''), /Seat at 7[^;]*; if Ben doesn’t take it/)
  })

  it('each after those who go before it', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    await waits('Ada', 35)
    await waits('Ben', 40)
    assert.doesNotMatch(await row('>Ada<'), /likely/)
    assert.match(await row('>Ben<'), /likely B3, 9:40\sPM/)
  })

  it('an offer says of whom before it in line it takes the table that they were promised', async () => {
    await open([
      { label: 'T8', least: 2, most: 6 },
      { label: '9', least: 2, most: 4 },
    ])
    await sits('Rosa Palumbo', '18:40', 'T8')
    await booked('Vera Ipson', '20:15', '9')
    await waits('Rowan', 40, '6')
    await waits('Ben', 90)
    assert.doesNotMatch(await row('>Rowan<'), /likely/, 'T8 at 8:10 PM is what was promised')
    const broken = (told: string) =>
      new RegExp(`9 when Ipson moves; Rowan, 6, was told ${told}\\sPM and would wait until 9:45\\sPM`)
    assert.match(await row('>Ben<'), broken('8:16'))
    assert.match(await row('>Ben<'), /9 when Ipson moves; Rowan then 9:45/, 'where there is less room')
    const { html } = await host.get('/office/service')
    const ben = html.split('<li ').find((one) => one.includes('>Ben<') && one.startsWith('id="w')) ?? ''
    const [go = ''] = ben.split('class="row-menu"')
    assert.match(go, /popovertarget="wm\d+"[^>]*>Page…</, 'it is read in the menu first')
    assert.doesNotMatch(go, /name="move" value="page/)
    assert.match(ben.slice(go.length), /name="move" value="page"/)
    assert.match(ben, /<summary>Seat at 9…<\/summary>\s*<button [^>]*name="move" value="seatNow/)
    const menu = words(html)
    assert.match(menu, /Seat at 9 when Ipson moves; Rowan, 6, was told 8:16\sPM/)
    const quoted = (minutes: number) =>
      book.query(`update waitlist_entry set quoted_minutes = $1 where guest_name = 'Rowan'`, [minutes])
    await quoted(0)
    assert.match(await row('>Ben<'), broken('7:36'), 'late already, they would wait much longer')
    await book.query(`update waitlist_entry set quoted_minutes = 240 where guest_name in ('Rowan', 'Ben')`)
    assert.match(await row('>Ben<'), /9 when Ipson moves(?!; Rowan)/, 'it keeps what they were promised')
  })

  it('it says so where the table is one of two that they were to have joined', async () => {
    const tables = [
      { label: 'T6', most: 4 },
      { label: 'T7', most: 4 },
    ]
    await open(tables, tablesOf(tables, { combinations: [{ tables: ['T6', 'T7'], least: 5, most: 8 }] }))
    await sits('Rosa Palumbo', '18:40', 'T7')
    await waits('Rowan', 40, '7')
    await waits('Ben', 90)
    assert.match(
      await row('>Ben<'),
      /T6 free; Rowan then 9:06\sPM.*T6 free tonight; Rowan, 7, was told 8:16\sPM/,
    )
  })

  it('a booked party that is here without a table is told, before the line', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    const here = await booked('Vera Ipson', '19:30')
    await book.query(`update reservation set checked_in_at = '2026-10-06T23:30:00Z' where id = $1`, [here])
    await waits('Ada', 35)
    assert.match(await row('>Vera Ipson<'), /likely B3 at 8:10\sPM/)
    assert.match(await row('>Ada<'), /likely B3, 9:40\sPM/)
  })

  it('one that was booked online and is here or late may get a table that staff keep, and the line comes after it', async () => {
    await open([
      { label: '1', most: 2 },
      { label: 'B1', most: 2, online: false },
    ])
    await sits('Rosa Palumbo', '19:20', '1')
    await sits('Ann Le', '18:20', 'B1')
    const olive = await booked('Olive Ipson', '19:30')
    await book.query(`update reservation set source = 'automation' where id = $1`, [olive])
    const ofOlive = /likely B1 at 7:50\sPM/
    assert.match(await row('>Olive Ipson<'), ofOlive, 'who is late is seated by staff, too, once they come')
    await book.query(`update reservation set checked_in_at = '2026-10-06T23:36:00Z' where id = $1`, [olive])
    assert.match(await row('>Olive Ipson<'), ofOlive)
    assert.match(words(await pad()), /Likely next: table 1 at 8:50\sPM/)
  })

  const isHere = (id: number) =>
    book.query(`update reservation set checked_in_at = $2 where id = $1`, [id, now])

  it('who is here is told before who is late, whenever they were booked', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    await booked('Ann Zhao', '19:25')
    await isHere(await booked('Vera Ipson', '19:30'))
    assert.match(await row('>Vera Ipson<'), /likely B3 at 8:10\sPM/)
    assert.match(await row('>Ann Zhao<'), /likely B3 at 9:40\sPM/)
  })

  it('nobody waits for a party without a table that may not come; its row says what it would get', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    await waits('Ada', 35)
    await booked('Ann Zhao', '19:22')
    assert.match(await row('>Ada<'), /likely B3, 9:26\sPM/, 'who is 14 minutes late is on the way')
    await booked('Howard Le', '19:00')
    await book.query(
      `update reservation set status = 'Cancelled' where venue_id = $1 and guest_name = 'Ann Zhao'`,
      [book.venue.id],
    )
    assert.doesNotMatch(await row('>Ada<'), /likely/, '8:10 PM is what was promised')
    assert.match(await row('>Howard Le<'), /likely B3 at 8:10\sPM/)
  })

  it('a table kept for a party that may not come is anybody’s from its booked end on, however late it is', async () => {
    await open([{ label: 'B3', most: 2 }])
    const late = await booked('Vera Ipson', '18:50', 'B3')
    assert.match(words(await pad()), /Otherwise likely next: table B3 at 8:20\sPM/)
    await isHere(late)
    assert.match(words(await pad()), /Likely next: table B3 at 9:06\sPM/)
  })

  /** Of a party at the door. */
  const pad = async (size = 2): Promise<string> => padIn(await host.get(`/office/service?size=${size}`))

  it('at the door it is said that the last arrival is over, beside a table that is free and a wait without minutes', async () => {
    const { periods } = dinner() as { readonly periods: readonly object[] }
    await open([{ label: 'B3', most: 2 }], {
      periods: periods.map((period) => ({ ...period, lastArrival: '19:30' })),
    })
    service.setClock('2026-10-06T23:30:00Z')
    assert.doesNotMatch(words(await pad()), /last arrival/)
    service.setClock('2026-10-06T23:31:00Z')
    assert.match(
      words(await pad()),
      /Table B3, free tonight\. After the last arrival, 7:30\sPM\. .*Seat 2 at B3 /,
    )
  })

  it('at the door no minutes are said where that is more than four hours away: the row of who waits has the same moment', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    for (const time of ['20:10', '21:40']) await booked('Vera Ipson', time, 'B3')
    assert.match(words(await pad()), /Likely next: table B3 at 11:10\sPM\. .*Wait, quote 3 h 35 min/)
    await booked('Howard Le', '23:10', 'B3')
    const html = await pad()
    assert.match(
      words(html),
      /No table for 2 is open now\. Nothing for 2 opens before 12:40\sAM\. .*Wait anyway/,
    )
    assert.doesNotMatch(words(html), /quote|likely| h /i)
    const wait = /name="wait" value="(\d+)"/.exec(html)?.[1] ?? ''
    const party = { partySize: '2', guestName: 'Ada', back: '/office/service' }
    await host.post('/office/service/walk-ins', { token: crypto.randomUUID(), ...party, wait })
    assert.match(await row('>Ada<'), /12:41\sAM in 5:05/)
  })

  it('a party that no table takes, not even joined ones, is promised no time, at the door and in the line', async () => {
    const tables = [
      { label: 'T6', most: 4 },
      { label: 'T7', most: 4 },
    ]
    await open(tables, tablesOf(tables, { combinations: [{ tables: ['T6', 'T7'], least: 5, most: 8 }] }))
    await sits('Rosa Palumbo', '18:40', 'T6')
    assert.match(words(await pad(8)), /No table for 8 is open now\. Likely next: tables? T6\+.*Wait, quote/)
    const html = await pad(14)
    assert.match(words(html), /No table takes 14, not even joined ones: 8 is the most\. .*Wait anyway/)
    assert.doesNotMatch(words(html), /quote|likely| h /i)
    const wait = /name="wait" value="(\d*)"/.exec(html)?.[1]
    assert.equal(wait, '')
    const party = { partySize: '14', guestName: 'Ada', back: '/office/service' }
    await host.post('/office/service/walk-ins', { token: crypto.randomUUID(), ...party, wait: '' })
    assert.match((await host.get('/office/service')).words, /Ada, 14 guests: on the waitlist, not quoted\./)
    const [entry] = await book.query(
      'select quoted_minutes, quoted_at from waitlist_entry where party_size = 14',
      [],
    )
    assert.deepEqual(entry, { quoted_minutes: null, quoted_at: null })
    assert.match(await row('>Ada<'), /7:36\sPM no quote .*Waiting 0 min/)

    const move = async (who: string, more: Record<string, string>) => {
      const [shown] = await book.query(
        'select id, version, status from waitlist_entry where venue_id = $1 and guest_name = $2',
        [book.venue.id, who],
      )
      assert.ok(shown)
      const sent = {
        version: String(shown['version']),
        status: String(shown['status']),
        back: '/office/service',
        ...more,
      }
      return host.post(`/office/waitlist/${Number(shown['id'])}/moves`, sent)
    }
    await move('Ada', { move: 'quote', quotedMinutes: '' })
    assert.match(
      (await host.get('/office/service')).words,
      /No table takes 14, not even joined ones: say yourself how many minutes\./,
    )
    assert.match(await row('>Ada<'), /no quote/)
    await host.post('/office/service/walk-ins', {
      ...{ token: crypto.randomUUID(), ...party, guestName: 'Bo', partySize: '8', wait: '60' },
    })
    await move('Bo', { move: 'change', partySize: '9', guestName: 'Bo', phone: '', notes: '' })
    assert.match(
      (await host.get('/office/service')).words,
      /Bo, 8 guests: 9 guests now; no table takes so many, and their old quote was for fewer\./,
    )
  })

  it('at the door no minutes are said where that is after the last arrival of the evening', async () => {
    const { periods } = dinner() as { readonly periods: readonly object[] }
    await open([{ label: 'B3', most: 2 }], {
      periods: periods.map((period) => ({ ...period, lastArrival: '22:00' })),
    })
    await sits('Rosa Palumbo', '18:40', 'B3')
    await booked('Vera Ipson', '20:10', 'B3')
    assert.match(words(await pad()), /Likely next: table B3 at 9:40\sPM\. .*Wait, quote 2 h 5 min/)
    await booked('Howard Le', '21:40', 'B3')
    assert.match(words(await pad()), /Nothing for 2 opens before the last arrival, 10:00\sPM\. .*Wait anyway/)
  })

  it('at the door a quote that staff gave says so beside when a table is likely', async () => {
    await open([{ label: 'B3', most: 2 }])
    await sits('Rosa Palumbo', '18:40', 'B3')
    await waits('Ada', 35)
    await book.query('update waitlist_entry set quoted_by_hand = true, quoted_minutes = 45')
    assert.match(
      words(await pad()),
      /Likely next: table B3 at 9:40\sPM\. The quote is what was said last\. .*Wait, quote 45 min/,
    )
    await book.query('update waitlist_entry set quoted_minutes = 0')
    assert.match(
      words(await pad()),
      /Likely next: table B3 at 9:40\sPM\. The quote is what was said last\. .*Wait, quote 5 min/,
    )
  })
})
