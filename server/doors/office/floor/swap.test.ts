import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { heldTables, type TestTable } from '../../../book/tables/test/floor.ts'
import { hostAtTables } from '../../../test/host-at-book.ts'
import { madeBefore } from '../../../test/made-before.ts'
import { staffOf, visitOffice } from '../../../test/office.ts'
import { startService } from '../../../test/service.ts'

const ninety = { turnMinutes: [{ upTo: 99, minutes: 90 }] }
const live = { 'hx-request': 'true' }

describe('two parties that trade tables', () => {
  const service = madeBefore(() => startService())

  const open = async (tables: readonly TestTable[]) => {
    service.setClock('2026-10-06T21:00:00Z') // 17:00 in New York
    const { book, host, table } = await hostAtTables(service, tables, ninety)
    const at = async (label: string, guestName: string, partySize: number, time: string): Promise<number> => {
      const id = await book.booking('Confirmed', { guestName, partySize, time })
      await book.query('delete from reservation_table where reservation_id = $1', [id])
      await book.query(
        'insert into reservation_table (venue_id, reservation_id, table_id) values ($1, $2, $3)',
        [book.venue.id, id, table[label]],
      )
      return id
    }
    const held = () => heldTables(service, book.venue)
    const pick = (id: number) => host.get(`/office/bookings/${id}/table?back=/office/floor`)
    /** A press in the choice of a table of a booking, with what its form has. */
    const press = async (
      id: number,
      what: string,
      more: Record<string, string> = {},
      headers: object = live,
    ) => {
      const { html } = await pick(id)
      const seen = /name="seen" value="([^"]*)"/.exec(html)?.[1] ?? ''
      const { version, status } = await book.row(id)
      return host.post(
        `/office/bookings/${id}/table`,
        { version: String(version), status, back: '/office/floor', seen, do: what, ...more },
        headers as Record<string, string>,
      )
    }
    return { book, host, at, held, pick, press }
  }

  /** Ben is too many for Ana’s table and stays there into the time of Stern, for whom there is another one; Ana is too few for his. */
  const trade = async () => {
    const opened = await open([
      { label: '1', least: 1, most: 2 },
      { label: '2', least: 3, most: 4 },
      { label: '3', least: 1, most: 2 },
    ])
    const ana = await opened.at('1', 'Ana Costa', 2, '19:00')
    const ben = await opened.at('2', 'Ben Ode', 4, '19:45')
    const stern = await opened.at('1', 'Ida Stern', 2, '20:30')
    return { ...opened, ana, ben, stern }
  }

  it('are asked about once where a table is too small or too large for the other, and who moves for them is named', async () => {
    const { ana, ben, stern, held, pick, press } = await trade()
    const before = await held()
    assert.deepEqual(before, { [ana]: '1', [ben]: '2', [stern]: '1' })
    assert.match((await pick(ana)).words, /2 Ben Ode , 4 guests at 7:45\sPM, when Stern moves to 3 Swap/)
    const asked = await press(ana, `swap ${ben}`)
    assert.match(
      asked.words,
      /Ana Costa, 2 guests: swap anyway\? Table 2 seats 3–4; this is a party of 2\. Table 1 seats 1–2; Ben Ode is a party of 4\. Swap anyway/,
    )
    assert.deepEqual(await held(), before)
    const again = Object.fromEntries(
      Array.from(
        /<div id="said"[^]*?<\/form>/
          .exec(asked.html)?.[0]
          .matchAll(/name="(do|seen|version|status|back|confirmed)" value="([^"]*)"/g) ?? [],
        ([, name, value]) => [name as string, value as string],
      ),
    )
    assert.equal(again['do'], `swap ${ben}`)
    const done = await press(ana, `swap ${ben}`, again)
    assert.match(
      done.words,
      /Ana Costa, 2 guests: now at 2\. Ben Ode is now at table 1\. Ida Stern is now at table 3\./,
    )
    assert.deepEqual(await held(), { [ana]: '2!', [ben]: '1!', [stern]: '3' })
    const undo = [
      ...(/<div id="said"[^]*?<\/form>/.exec(done.html)?.[0].matchAll(/name="([^"]+)" value="([^"]*)"/g) ??
        []),
    ]
    await press(ana, 'undo', Object.fromEntries(undo.map(([, name, value]) => [name, value])))
    assert.deepEqual(await held(), before)
  })

  it('are asked about without script too, on a page of its own', async () => {
    const { ana, ben, held, press } = await trade()
    const asked = await press(ben, `swap ${ana}`, {}, {})
    assert.equal(asked.status, 409)
    assert.match(
      asked.words,
      /Table 1 seats 1–2; this is a party of 4\. Table 2 seats 3–4; Ana Costa is a party of 2\./,
    )
    await press(ben, `swap ${ana}`, { confirmed: 'table-size' }, {})
    assert.equal((await held())[ben], '1!')
  })

  it('are in the activity with everybody who moved for them, each with the tables', async () => {
    const { book, ana, ben, press } = await trade()
    const undo = await press(ana, `swap ${ben}`, { confirmed: 'table-size' })
    const manager = visitOffice(service)
    await manager.signIn((await staffOf(service, book.venue, 'manager')).email)
    const lines = async () => {
      const { words } = await manager.get('/office/activity')
      return words.replaceAll(/booking \d+ /g, '')
    }
    const swapped = await lines()
    assert.match(swapped, /Swapped the table of Ana Costa by [^:]*tables: 1 → 2/)
    assert.match(swapped, /Swapped the table of Ben Ode by [^:]*tables: 2 → 1/)
    assert.match(swapped, /Changed the table of Ida Stern by the service tables: 1 → 3/)
    const row = /name="press" value="([^"]*)"/.exec(undo.html)?.[1] ?? ''
    await press(ana, 'undo', { press: row })
    assert.match(await lines(), /Changed the table of Ida Stern by the service tables: 3 → 1/)
  })

  it('are each in the list of the other from then on, however many others there are', async () => {
    const labels = Array.from({ length: 16 }, (_, n) => String(n + 1))
    const { at, pick, press } = await open(labels.map((label) => ({ label, least: 1, most: 4 })))
    const [first = 0] = await Promise.all(
      labels.slice(1).map((label) => at(label, `Guest ${label}`, 2, '19:00')),
    )
    const late = await at('1', 'Lou Late', 2, '21:00')
    for (const [one, other] of [
      [first, late],
      [late, first],
    ] as const)
      assert.match((await pick(one)).html, new RegExp(`value="swap ${other}"`))
    await press(late, `swap ${first}`)
    for (const [one, other] of [
      [first, late],
      [late, first],
    ] as const)
      assert.match((await pick(one)).html, new RegExp(`value="swap ${other}"`))
  })
})
