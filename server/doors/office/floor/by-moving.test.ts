import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { dinner } from '../../../book/reservations/test/book.ts'
import { type TestTable, tablesOf, turnTablesOn } from '../../../book/tables/test/floor.ts'
import { hostAtBook } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { startService } from '../../../test/service.ts'

const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }

describe('the choice of a table that is free once others moved', () => {
  const service = madeBefore(() => startService())

  /** Le, 2, comes at 8:30 to the only table that seats four; a smaller one stays free. */
  const open = async (more: readonly TestTable[] = []) => {
    service.setClock('2026-10-06T23:40:00Z') // 19:40 in New York
    const tables = [{ label: '1', most: 2 }, { label: '2', most: 4 }, ...more]
    const { book, host } = await hostAtBook(service, dinner({ ...tablesOf(tables), ...ninety }))
    await turnTablesOn(service, book.venue)
    const ids = await book.query('select id, label from dining_table where venue_id = $1', [book.venue.id])
    const big = Number(ids.find(({ label }) => label === '2')?.id)
    const le = await book.booking('Confirmed', { guestName: 'Anna Le', partySize: 2, time: '20:30' })
    const putLe = () =>
      book.query('update reservation_table set table_id = $2 where reservation_id = $1', [le, big])
    await putLe()
    /** Booked, and without a table yet; Le is where they were. */
    const party = async (time: string): Promise<number> => {
      const id = await book.booking('Confirmed', { guestName: 'Ron Howard', partySize: 4, time })
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await putLe()
      return id
    }
    return { book, host, big, party, putLe }
  }

  it('says who moves where, and the press does it and says so', async () => {
    const { host, big, party, book } = await open()
    const id = await party('19:30')
    const page = await host.get(`/office/bookings/${id}/table?back=/office/service`)
    assert.match(page.words, /When others move.*when Le moves to 1/)
    assert.match(page.html, /aria-label="Seat at 2, when Le moves to 1"/)
    assert.match(page.html, /class="primary" aria-label="Seat at 2, when/)
    assert.doesNotMatch(page.html, /aria-label="Assign at 2, when/, 'now is not its time from 7:30 on')
    await host.post(`/office/bookings/${id}/table`, {
      ...{ version: String((await book.row(id)).version), status: 'Confirmed', seen: '' },
      ...{ back: '/office/service', do: `seat ${big}` },
    })
    assert.match(
      (await host.get('/office/service')).words,
      /Ron Howard, 4 guests: seated at 2\. Anna Le is now at table 1\./,
    )
  })

  it('is offered to who sits where others need their table or it is not of their size, and for nothing else', async () => {
    const { host, book, putLe } = await open([{ label: '3', most: 2 }])
    const at = async (guestName: string, time: string, label: string): Promise<number> => {
      const id = await book.booking('Confirmed', { guestName, partySize: 2, time })
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        `insert into reservation_table (venue_id, reservation_id, table_id, pinned)
         select venue_id, $2, id, true from dining_table where venue_id = $1 and label = $3`,
        [book.venue.id, id, label],
      )
      await putLe()
      return id
    }
    const sits = async (...party: Parameters<typeof at>): Promise<number> => {
      const id = await at(...party)
      await book.query(
        `update reservation set status = 'Seated', floor_stage = 'Seated', checked_in_at = starts_at, seated_at = starts_at
          where id = $1`,
        [id],
      )
      return id
    }
    const moore = await sits('Ida Moore', '19:30', '1')
    await sits('Rosa Palumbo', '18:50', '3')
    const offered = async (): Promise<string> =>
      (await host.get(`/office/bookings/${moore}/table?back=/office/service`)).words
    assert.doesNotMatch(await offered(), /When others move|Le moves/)

    await book.query('update reservation set party_size = 4 where id = $1', [moore])
    assert.match(await offered(), /When others move.*when Le moves to/, 'their table is too small')
    await book.query('update reservation set party_size = 2 where id = $1', [moore])
    await at('Bo Stern', '20:15', '1')
    assert.match(await offered(), /When others move.*when Le moves to 3/, 'somebody comes to their table')
  })

  it('is held for who is paged, which says who moved; its undo puts them back', async () => {
    const { host, big, book } = await open()
    const held = async () =>
      Number(
        (
          await book.query('select table_id from reservation_table where venue_id = $1', [book.venue.id])
        )[0]?.['table_id'],
      )
    const token = /name="token" value="([^"]+)"/.exec(
      (await host.get('/office/waitlist')).html,
    )?.[1] as string
    await host.post('/office/waitlist', { token, partySize: '4', guestName: 'Ada' })
    const [entry] = await book.query('select id, version from waitlist_entry where venue_id = $1', [
      book.venue.id,
    ])
    await host.post(`/office/waitlist/${Number(entry?.id)}/moves`, {
      ...{ version: String(entry?.version), status: 'waiting', move: 'page', back: '/office/service' },
    })
    const { words, html } = await host.get('/office/service')
    assert.match(
      words,
      /Ada, 4 guests: paged; table 2 is held for 15 minutes\. [^.]*\. Anna Le is now at table 1\./,
    )
    assert.notEqual(await held(), big)
    const [line = ''] = /<div id="said"[^]*?<\/form>/.exec(html) ?? []
    const fields = Array.from(
      line.matchAll(/name="([^"]+)" value="([^"]*)"/g),
      ([, name, value]) => [name as string, value as string] as const,
    )
    await host.post(`/office/waitlist/${Number(entry?.id)}/moves`, Object.fromEntries(fields))
    assert.equal(await held(), big)
  })

  it('is taken by a press in the panel of the table as well, which says who moved', async () => {
    const { host, big, party, book } = await open()
    const id = await party('19:30')
    await host.post(`/office/bookings/${id}/moves`, {
      ...{ version: String((await book.row(id)).version), status: 'Confirmed', back: '/office/floor' },
      ...{ move: 'seat', tables: String(big) },
    })
    assert.match(
      (await host.get('/office/floor')).words,
      /Ron Howard, 4 guests: seated at 2\. Anna Le is now at table 1\./,
    )
  })

  it('shows all tables at once where none is open, none is by moving and none for a while', async () => {
    const { host, book } = await open()
    const nine = await book.booking('Confirmed', { guestName: 'Ida Brandt', partySize: 2, time: '19:30' })
    await book.query('delete from reservation_table where reservation_id = $1', [nine])
    const folded = await host.get(`/office/bookings/${nine}/table?back=/office/service`)
    assert.match(folded.html, /<details class="pick-more"\s*>\s*<summary>Other tables/)
    await book.query('update reservation set party_size = 9 where id = $1', [nine])
    const shown = await host.get(`/office/bookings/${nine}/table?back=/office/service`)
    assert.match(shown.words, /No table for 9 is open for the whole stay\. Pick one anyway\. /)
    assert.match(shown.html, /<details class="pick-more" open>\s*<summary>Other tables/)
  })

  it('before its time it is one to assign', async () => {
    const { host, party } = await open()
    const page = await host.get(`/office/bookings/${await party('21:00')}/table?back=/office/service`)
    assert.match(page.words, /When others move for 9:00\sPM/)
    assert.match(page.html, /aria-label="Assign at 2, when Le moves to 1"/)
    assert.doesNotMatch(page.html, /aria-label="Seat at 2, when/)
  })

  it('is named the same way to a walk-in', async () => {
    const { host } = await open()
    assert.match((await host.get('/office/service?size=4')).words, /Table 2 , when Le moves to 1\./)
  })
})
