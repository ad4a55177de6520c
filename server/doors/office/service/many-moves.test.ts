import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestBook } from '../../../book/reservations/test/book.ts'
import { heldTables } from '../../../book/tables/test/floor.ts'
import { hostAtTables, padIn, wordsOf as words } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import type { OfficeVisitor } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'
import { unneededFirst } from './line-offers.ts'

/** Tuesday 6 October 2026, 18:00 in New York. */
const now = '2026-10-06T22:00:00Z'
const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('a table that many others would have to move for', () => {
  const service = madeBefore(() => startService())
  let book: TestBook
  let host: OfficeVisitor

  /**
   * Each table takes parties of its number and of one guest less, and has one of its number at seven, but for the last: whoever
   * comes at six makes them all go on to the next. For one guest it takes four at the second table, and five at the first; `larger`:
   * for so many guests more.
   */
  const open = async (more: object = {}, larger = 0): Promise<void> => {
    service.setClock(now)
    const tables = [1, 2, 3, 4, 5, 6].map((size) => ({
      ...{ label: `T${size}`, least: Math.max(1, size - 1) + larger, most: size + larger },
    }))
    const opened = await hostAtTables(service, tables, { ...ninety, ...more })
    ;({ book, host } = opened)
    for (const size of [1, 2, 3, 4, 5]) {
      const id = await book.booking('Confirmed', {
        guestName: `Guest ${size}`,
        partySize: size + larger,
        time: '19:00',
      })
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        `insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)`,
        [book.venue.id, id, opened.table[`T${size}`]],
      )
    }
  }
  const noShortStays = { shortestStays: [{ upTo: 99, minutes: 0 }] }
  const waits = () =>
    host.post('/office/waitlist', {
      ...{ token: crypto.randomUUID(), partySize: '1', guestName: 'Ada', quotedMinutes: '30' },
    })
  const shown = async (path = '/office/service') => (await host.get(path)).html
  const rowOf = (html: string, name: string): string =>
    html.split('<li ').find((one) => one.includes(name) && /^id="[bw]\d/.test(one)) ?? ''

  it('comes after all others at the door, where it says how many', async () => {
    await open()
    const pad = padIn(await host.get('/office/service?size=1'))
    assert.match(words(pad), /1 guest\. Table T\d until 7:00\sPM \(60 min\)/)
    assert.match(words(pad), /when 4 others move[^]*$/)
    assert.match(pad, /<summary>Seat 1 at T2…<\/summary>/)
    assert.match(pad.split('<button').at(-1) ?? '', /aria-label="Seat 1 at T2, when 4 others move"/)
  })

  it('is not what the head of the line calls a table now', async () => {
    await open(noShortStays, 1)
    assert.match(words(padIn(await host.get('/office/service?size=2'))), /Table T2, when 4 others move/)
    const { words: page } = await host.get('/office/service')
    assert.doesNotMatch(page, /table for 2 now/)
    assert.match(page, /quote for 2: /)
  })

  it('is read in the menu before a party in line is paged for it, and moves as many as the row said', async () => {
    await open(noShortStays)
    await waits()
    const row = rowOf(await shown(), '>Ada<')
    assert.match(words(row), /T2 if 4 move/)
    const [go = '', menu = ''] = row.split('class="row-menu"')
    assert.match(go, /popovertarget="wm\d+" title="when 4 others move">Page…</)
    assert.doesNotMatch(go, /name="move" value="page/)
    assert.match(menu, /<summary>Seat at T2…<\/summary>[^]*Seat at T2 when 4 others move/)
    const before = await heldTables(service, book.venue)
    const form = Object.fromEntries(
      [...row.matchAll(/name="(version|status|back|token)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]),
    ) as Record<string, string>
    const [, id] = /^id="w(\d+)"/.exec(row) ?? []
    await host.post(`/office/waitlist/${id}/moves`, { ...form, move: 'page' })
    const after = await heldTables(service, book.venue)
    const moved = Object.keys(before).filter((one) => before[Number(one)] !== after[Number(one)])
    assert.equal(moved.length, 4, JSON.stringify([before, after]))
    assert.match(rowOf(await shown(), '>Ada<'), /Paged[^]*T2/)
  })

  it('is read in the menu, too, before a party is seated there that was paged when no table was held for it', async () => {
    await open(noShortStays)
    await waits()
    await book.query(
      `update waitlist_entry set status = 'offered', paged_at = $2, offered_until = $2::timestamptz + interval '15 minutes'
       where venue_id = $1`,
      [book.venue.id, now],
    )
    const [go = '', menu = ''] = rowOf(await shown(), '>Ada<').split('class="row-menu"')
    assert.match(go, /popovertarget="wm\d+" title="when 4 others move">Seat…</)
    assert.match(menu, /<summary>Seat at T2…<\/summary>/)
  })

  it('is the last in the choice of a table', async () => {
    await open()
    await waits()
    const [, id] = /id="w(\d+)"/.exec(await shown()) ?? []
    const html = await shown(`/office/waitlist/${id}/table`)
    assert.match(words(html), /For a while.*When many others move.*T2.*when 4 others move/)
    assert.doesNotMatch(words(html), /When others move/)
  })

  it('is never the button that stands out in the choice of a table: that is the one that comes first there', async () => {
    await open()
    await waits()
    const [, id] = /id="w(\d+)"/.exec(await shown()) ?? []
    const choice = await shown(`/office/waitlist/${id}/table`)
    assert.match(choice, /aria-label="Seat at T2, when 4 others move"/)
    const primary = [...choice.matchAll(/<button[^>]*class="primary"[^>]*aria-label="(Seat[^"]+)"/g)]
    assert.equal(primary.length, 1)
    assert.match(primary[0]?.[1] ?? '', /^Seat at T1, until 7:00\sPM/)
  })

  /** Vera, one guest, is half an hour late for T2; a party comes there at seven. */
  const late = async (): Promise<{ id: number; fields: Record<string, string> }> => {
    const id = await book.booking('Confirmed', { guestName: 'Vera Ipson', partySize: 1, time: '17:30' })
    await book.query('delete from reservation_table where reservation_id = $1', [id])
    await book.query(
      `insert into reservation_table (venue_id, reservation_id, table_id)
       select venue_id, $2, id from dining_table where venue_id = $1 and label = 'T2'`,
      [book.venue.id, id],
    )
    const [form = ''] = rowOf(await shown(), '>Vera Ipson<').split('class="row-menu"')
    const found = [...form.matchAll(/name="(version|status|back|token|tables|until)" value="([^"]*)"/g)]
    const fields = Object.fromEntries(found.map(([, name, value]) => [name, value]))
    return { id, fields: { ...(fields as Record<string, string>), move: 'seat' } }
  }

  it('is asked about at the Seat of a booked party that is late for it, which says how many', async () => {
    await open(noShortStays)
    const { id, fields } = await late()
    const before = await heldTables(service, book.venue)
    // As the row has its table; and from a page that names none, where the search would move five others for the first one.
    const presses = [fields, { ...fields, tables: '' }]
    for (const press of presses) {
      const asked = await host.post(`/office/bookings/${id}/moves`, press)
      assert.equal(asked.status, 409)
      assert.match(asked.words, /Other parties would move to other tables for them\. It would be 4 ?\./)
      assert.match(asked.html, /name="confirmed" value="many-moves:4"/)
    }
    assert.deepEqual(await heldTables(service, book.venue), before)
    for (const press of presses) {
      const version = String((await book.row(id)).version)
      await host.post(`/office/bookings/${id}/moves`, { ...press, version, confirmed: 'many-moves:4' })
      const after = await heldTables(service, book.venue)
      assert.equal(after[id], 'T2')
      assert.equal(Object.keys(before).filter((one) => before[Number(one)] !== after[Number(one)]).length, 4)
      const undo = /<div id="said"[^]*?<\/form>/.exec(await shown())?.[0] ?? ''
      const hidden = [...undo.matchAll(/name="([^"]+)" value="([^"]*)"/g)]
      await host.post(
        `/office/bookings/${id}/moves`,
        Object.fromEntries(hidden.map(([, name, value]) => [name as string, value as string])),
      )
      assert.deepEqual(await heldTables(service, book.venue), before)
    }
  })

  it('is theirs for a while first, where that is worth it, and nobody moves', async () => {
    await open()
    const { id, fields } = await late()
    assert.match(words(rowOf(await shown(), '>Vera Ipson<')), /T2 until 7:00/)
    const before = await heldTables(service, book.venue)
    await host.post(`/office/bookings/${id}/moves`, fields)
    assert.deepEqual(await heldTables(service, book.venue), before)
    const { status, duration_minutes } = await book.row(id)
    assert.deepEqual([status, duration_minutes], ['Seated', 60])
  })

  it('and what breaks a promise come last, in this order', () => {
    const offers = [
      { is: 'broken', isBroken: true, needed: 'Rowan' },
      { is: 'many', isMany: true },
      { is: 'needed', needed: 'Zhao' },
      { is: 'free' },
    ]
    assert.deepEqual(
      unneededFirst(offers).map(({ is }) => is),
      ['free', 'needed', 'many', 'broken'],
    )
  })
})
